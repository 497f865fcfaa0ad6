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
  type CredentialReader,
  CREDENTIALS,
  MANDATES,
  readBuyerKey,
} from '../credentials/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { issueMandate, printMandate, readMandate } from './mandates.contract.js';
import type { Mandates } from './mandates.js';
import { treeTermsOf } from './tree-terms.js';

type Body = InputOf<typeof issueMandate>['body'];

@Controller()
export class MandatesController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(MANDATES) private readonly mandates: Mandates,
    @Inject(CREDENTIALS) private readonly credentials: CredentialReader,
  ) {}

  @Handles(issueMandate)
  async issue(
    @Input() { params, body }: InputOf<typeof issueMandate>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const buyerKey = readBuyerKey(body.buyer_jwk);
    if (!buyerKey.ok) return buyerKey;
    const context = { ...tenant.value.context, idempotency: caller.idempotency };
    const issued = await this.mandates.issue(tenant.value, context, {
      ...treeTermsOf(body),
      mandateId: body.mandate_id,
      payment: body.payment === null ? null : paymentOf(body.payment),
      buyerJwk: buyerKey.value,
    });
    if (!issued.ok) return issued;
    const found = await this.credentials.find(tenant.value, 'mandate', issued.value);
    return mapOk(found, ({ token, slot }) => ({ mandate_id: issued.value, token, slot }));
  }

  @Handles(readMandate)
  async read(@Input() { params }: InputOf<typeof readMandate>, @Caller() caller: CallerContext) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    return mapOk(await this.credentials.find(tenant.value, 'mandate', params.id), printMandate);
  }
}

const paymentOf = ({ purpose_code: purposeCode, ...rest }: NonNullable<Body['payment']>) => ({
  ...rest,
  purposeCode,
});
