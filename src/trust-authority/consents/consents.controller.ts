import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import {
  CONSENTS,
  type CredentialReader,
  CREDENTIALS,
  readBuyerKey,
} from '../credentials/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { printConsent, readConsent, registerConsent } from './consents.contract.js';
import type { Consents } from './consents.js';

@Controller()
export class ConsentsController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(CONSENTS) private readonly consents: Consents,
    @Inject(CREDENTIALS) private readonly credentials: CredentialReader,
  ) {}

  @Handles(registerConsent)
  async register(
    @Input() { params, body }: InputOf<typeof registerConsent>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const buyerKey = readBuyerKey(body.buyer_jwk);
    if (!buyerKey.ok) return buyerKey;
    const context = { ...tenant.value.context, idempotency: caller.idempotency };
    const registered = await this.consents.register(tenant.value, context, {
      consentId: body.consent_id,
      merchantId: body.merchant_id,
      agentId: body.agent_id,
      subject: body.subject,
      scopes: body.scopes,
      state: body.state,
      expiresAtMs: body.expires_at,
      maxAmount: body.max_amount,
      buyerKey: buyerKey.value,
    });
    if (!registered.ok) return registered;
    const found = await this.credentials.find(tenant.value, 'consent', registered.value);
    return mapOk(found, ({ token, slot }) => ({ consent_id: registered.value, token, slot }));
  }

  @Handles(readConsent)
  async read(@Input() { params }: InputOf<typeof readConsent>, @Caller() caller: CallerContext) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    return mapOk(await this.credentials.find(tenant.value, 'consent', params.id), printConsent);
  }
}
