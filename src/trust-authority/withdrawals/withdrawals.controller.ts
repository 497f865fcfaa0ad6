import { Controller, Inject } from '@nestjs/common';
import { Handles, Input, type InputOf, RequestId } from '../../base/platform/index.js';
import { err, mapOk } from '../../core/kernel/index.js';
import { noSuch, WITHDRAWALS } from '../credentials/index.js';
import { printRevoked } from '../revocations/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { withdrawConsent } from './withdrawals.contract.js';
import type { Withdrawals } from './withdrawals.js';

@Controller()
export class WithdrawalsController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(WITHDRAWALS) private readonly withdrawals: Withdrawals,
  ) {}

  @Handles(withdrawConsent)
  async withdraw(
    @Input() { params, body }: InputOf<typeof withdrawConsent>,
    @RequestId() requestId: string,
  ) {
    // An unknown tenant and an unknown consent are the same to whoever asks without a token.
    const tenant = await this.tenants.publicly(params.tenant_id, requestId);
    if (tenant === null) return err(noSuch('consent'));
    const revoked = await this.withdrawals.withdraw(tenant, params.consent_id, body.proof);
    return mapOk(revoked, printRevoked);
  }
}
