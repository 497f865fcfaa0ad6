import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { type Merchants, MERCHANTS } from '../../../base/tenants/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import {
  listLimits,
  printLimits,
  readLimits,
  readLimitsInput,
  readLimitsVersion,
  setLimits,
} from './limits.contract.js';
import { printPage } from './pieces.js';

@Controller()
export class LimitsController {
  constructor(@Inject(MERCHANTS) private readonly merchants: Merchants) {}

  @Handles(setLimits)
  async set(@Input() { params, body }: InputOf<typeof setLimits>, @Caller() caller: CallerContext) {
    const set = await this.merchants.setLimits(commandContext(caller), caller.principal, {
      merchantId: params.merchant_id,
      limits: readLimitsInput(body),
    });
    return mapOk(set, printLimits);
  }

  @Handles(readLimits)
  async read(@Input() { params }: InputOf<typeof readLimits>, @Caller() caller: CallerContext) {
    const limits = await this.merchants.currentLimits(caller.principal, params.merchant_id);
    return mapOk(limits, printLimits);
  }

  @Handles(listLimits)
  async list(
    @Input() { params, query }: InputOf<typeof listLimits>,
    @Caller() caller: CallerContext,
  ) {
    const page = await this.merchants.listLimits(caller.principal, params.merchant_id, {
      after: query.cursor ?? null,
      size: query.limit,
    });
    return mapOk(page, (versions) => printPage(versions, printLimits));
  }

  @Handles(readLimitsVersion)
  async version(
    @Input() { params }: InputOf<typeof readLimitsVersion>,
    @Caller() caller: CallerContext,
  ) {
    const { merchant_id: merchantId, version } = params;
    const limits = await this.merchants.limitsVersion(caller.principal, { merchantId, version });
    return mapOk(limits, printLimits);
  }
}
