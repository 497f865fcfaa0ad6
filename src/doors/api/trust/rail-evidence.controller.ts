import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import {
  RAIL_REPORTS,
  type RailKind,
  type RailReports,
} from '../../../trust/rail-evidence/index.js';
import { commandContext } from '../command-context.js';
import {
  printEvidence,
  printNotice,
  printPaymentMandate,
  reportEvidence,
  reportNotice,
  reportPaymentMandate,
} from './rail-evidence.contract.js';

@Controller()
export class RailEvidenceController {
  constructor(@Inject(RAIL_REPORTS) private readonly reports: RailReports) {}

  @Handles(reportEvidence)
  async reportEvidence(
    @Input() { body }: InputOf<typeof reportEvidence>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#register('afa_evidence', body.token, caller), printEvidence);
  }

  @Handles(reportNotice)
  async reportNotice(
    @Input() { body }: InputOf<typeof reportNotice>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#register('pre_debit_notice', body.token, caller), printNotice);
  }

  @Handles(reportPaymentMandate)
  async reportPaymentMandate(
    @Input() { body }: InputOf<typeof reportPaymentMandate>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.#register('payment_mandate', body.token, caller), printPaymentMandate);
  }

  #register(kind: RailKind, token: string, caller: CallerContext) {
    return this.reports.register(commandContext(caller), {
      kind,
      token,
      reporter: caller.principal,
    });
  }
}
