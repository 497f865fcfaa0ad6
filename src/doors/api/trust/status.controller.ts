import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  CONFIG,
  type Config,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import { type Revocations, REVOCATIONS } from '../../../trust/revocation/index.js';
import { STATUS_SLOTS, type StatusSlots } from '../../../trust/status/index.js';
import { commandContext } from '../command-context.js';
import { recordPath } from './authority.contract.js';
import { createRevocation, printRevocation, reserveSlots, targetOf } from './status.contract.js';

@Controller()
export class StatusController {
  constructor(
    @Inject(STATUS_SLOTS) private readonly slots: StatusSlots,
    @Inject(REVOCATIONS) private readonly revocations: Revocations,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Handles(reserveSlots)
  async reserve(@Input() { body }: InputOf<typeof reserveSlots>, @Caller() caller: CallerContext) {
    return mapOk(await this.slots.reserve(commandContext(caller), body.count), (slots) => ({
      slots: slots.map(({ uri, index }) => ({ uri, idx: index })),
    }));
  }

  @Handles(createRevocation)
  async revoke(
    @Input() { body }: InputOf<typeof createRevocation>,
    @Caller() caller: CallerContext,
  ) {
    const { status, reason_code: reasonCode } = body;
    const request = { target: targetOf(body), status, reasonCode, scope: caller.principal };
    const { tenantId } = caller.principal;
    const base = this.config.publicBaseUrl ?? '';
    return mapOk(await this.revocations.change(commandContext(caller), request), (revocation) =>
      printRevocation(revocation, (id) => `${base}${recordPath(tenantId, id)}`),
    );
  }
}
