import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import { type CredentialReader, CREDENTIALS, PASSPORTS } from '../credentials/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { issuePassport, printPassport, readPassport } from './passports.contract.js';
import type { Passports } from './passports.js';

@Controller()
export class PassportsController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(PASSPORTS) private readonly passports: Passports,
    @Inject(CREDENTIALS) private readonly credentials: CredentialReader,
  ) {}

  @Handles(issuePassport)
  async issue(
    @Input() { params, body }: InputOf<typeof issuePassport>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const context = { ...tenant.value.context, idempotency: caller.idempotency };
    const issued = await this.passports.issue(tenant.value, context, {
      consentId: body.consent_id,
      passportType: body.passport_type,
      scopes: body.scopes,
      maxAmount: body.max_amount,
      lifeSeconds: body.life_seconds,
    });
    if (!issued.ok) return issued;
    const found = await this.credentials.find(tenant.value, 'passport', issued.value);
    return mapOk(found, ({ token, slot }) => ({ passport_id: issued.value, token, slot }));
  }

  @Handles(readPassport)
  async read(@Input() { params }: InputOf<typeof readPassport>, @Caller() caller: CallerContext) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    return mapOk(await this.credentials.find(tenant.value, 'passport', params.id), printPassport);
  }
}
