import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import { WITNESS } from '../credentials/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { cosignHead } from './cosign.contract.js';
import type { Witness } from './witness.js';

@Controller()
export class CosignController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(WITNESS) private readonly witness: Witness,
  ) {}

  @Handles(cosignHead)
  async cosign(
    @Input() { params, body }: InputOf<typeof cosignHead>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const { ledger_id: ledgerId, seq, link } = body;
    const jws = await this.witness.cosign(tenant.value, { ledgerId, seq, link });
    return mapOk(jws, (signed) => ({ jws: signed }));
  }
}
