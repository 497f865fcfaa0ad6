import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import { COUNTERSIGNATURES } from '../credentials/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { countersign } from './countersign.contract.js';
import type { ConfirmationWanted, Countersignatures } from './countersignatures.js';

type Wanted = InputOf<typeof countersign>['body']['requests'][number];

@Controller()
export class CountersignController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(COUNTERSIGNATURES) private readonly countersignatures: Countersignatures,
  ) {}

  @Handles(countersign)
  async countersign(
    @Input() { params, body }: InputOf<typeof countersign>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const answers = await this.countersignatures.confirm(tenant.value, body.requests.map(wantedOf));
    return mapOk(answers, (all) => ({ answers: [...all] }));
  }
}

const wantedOf = (request: Wanted): ConfirmationWanted => ({
  decisionId: request.decision_id,
  flow: request.flow,
  cartHash: request.cart_hash,
  orderId: request.order_id,
  amountMinor: request.amount_minor,
  currency: request.currency,
  decidedAtMs: request.decided_at,
  expiresAtMs: request.expires_at,
  artifacts: request.artifacts.map(({ id, slot }) => ({
    id,
    slot: slot === null ? null : { uri: slot.uri, index: slot.idx },
  })),
});
