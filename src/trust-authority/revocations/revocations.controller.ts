import { Controller, Inject } from '@nestjs/common';
import {
  answerWith,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import {
  err,
  mapOk,
  ok,
  type Problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { listNumberOf } from '../lists/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { ORIGIN, REVOCATIONS, TENANTS } from '../tokens.js';
import { noSuchSlot } from './change-status.js';
import { changeStatusRoute, readRecord } from './revocations.contract.js';
import type { AuthorityRevocations, Revoked, RevocationTarget } from './revocations.js';

@Controller()
export class RevocationsController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(REVOCATIONS) private readonly revocations: AuthorityRevocations,
    @Inject(ORIGIN) private readonly origin: string,
  ) {}

  @Handles(changeStatusRoute)
  async change(
    @Input() { params, body }: InputOf<typeof changeStatusRoute>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const target = this.#targetOf(params.tenant_id, body.target);
    if (!target.ok) return target;
    const revoked = await this.revocations.change(tenant.value, {
      target: target.value,
      status: body.status,
      reasonCode: body.reason_code,
      revokedBy: body.revoked_by,
    });
    return mapOk(revoked, printRevoked);
  }

  @Handles(readRecord)
  async read(@Input() { params }: InputOf<typeof readRecord>) {
    const record = await this.revocations.record(params.tenant_id, params.revocation_id);
    return mapOk(record, (jws) => answerWith(jws, { headers: RECORD_HEADERS }));
  }

  #targetOf(
    tenantId: TenantId,
    target: InputOf<typeof changeStatusRoute>['body']['target'],
  ): Result<RevocationTarget, Problem> {
    if (!('slot' in target)) return ok({ kind: target.kind, objectId: target.object_id });
    const listNumber = listNumberOf(this.origin, tenantId, target.slot.uri);
    return listNumber === null
      ? err(noSuchSlot)
      : ok({ place: { listNumber, slotIndex: target.slot.idx } });
  }
}

/** The answer of every route that withdraws. */
export const printRevoked = ({ records, lists }: Revoked) => ({
  revocations: [...records],
  lists: [...lists],
});

/** A record never changes. */
const RECORD_HEADERS = {
  'content-type': 'application/jwt',
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
};
