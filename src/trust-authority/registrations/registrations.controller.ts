import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import { type CredentialReader, CREDENTIALS, MANDATES } from '../credentials/index.js';
import { type Mandates, treeTermsOf } from '../mandates/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { printRegistration, readRegistration, register } from './registrations.contract.js';

@Controller()
export class RegistrationsController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(MANDATES) private readonly mandates: Mandates,
    @Inject(CREDENTIALS) private readonly credentials: CredentialReader,
  ) {}

  @Handles(register)
  async register(
    @Input() { params, body }: InputOf<typeof register>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const context = { ...tenant.value.context, idempotency: caller.idempotency };
    const registered = await this.mandates.register(tenant.value, context, {
      ...treeTermsOf(body),
      sha256: body.sha256,
    });
    if (!registered.ok) return registered;
    const found = await this.credentials.find(tenant.value, 'registration', registered.value);
    return mapOk(found, ({ token, slot }) => ({ registration_id: registered.value, token, slot }));
  }

  @Handles(readRegistration)
  async read(
    @Input() { params }: InputOf<typeof readRegistration>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const found = await this.credentials.find(tenant.value, 'registration', params.id);
    return mapOk(found, printRegistration);
  }
}
