import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import {
  buyerJwk,
  commonView,
  consentTerms,
  credentialParams,
  type CredentialView,
  moneyView,
  printCommon,
  scopes,
  subject,
  textsOf,
} from '../credentials/index.js';
import { SERVICE } from '../service-principal.js';
import { chosenId, instant, money, printMoney, slotRef, tenantParams } from '../wire.js';
import { consentStateOf } from './consent-state.js';

export const registerConsent = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/consents',
  summary: "Register a buyer's answer and sign it",
  description:
    'The same consent_id with the same terms answers with the first token. buyer_jwk is the key with which the buyer may ' +
    'withdraw the consent without anybody; without it only a service can. max_amount bounds the passport.',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'optional',
  params: tenantParams,
  body: z.strictObject({
    consent_id: chosenId.nullable().default(null),
    merchant_id: chosenId,
    agent_id: chosenId,
    subject,
    scopes,
    state: z.enum(['granted', 'denied']),
    expires_at: instant,
    max_amount: money.nullable().default(null),
    buyer_jwk: buyerJwk.nullable().default(null),
  }),
  success: {
    status: 201,
    body: z.strictObject({ consent_id: z.string(), token: z.string().nullable(), slot: slotRef }),
  },
  problems: ['not_found', 'conflict', 'outcome_unknown'],
});

export const readConsent = route({
  method: 'GET',
  path: '/v1/tenants/{tenant_id}/consents/{id}',
  summary: 'A consent as it stands now',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: credentialParams,
  success: {
    status: 200,
    body: z.strictObject({
      consent_id: z.string(),
      state: z.enum(['granted', 'denied', 'expired', 'revoked', 'suspended']),
      merchant_id: z.string(),
      agent_id: z.string(),
      scopes: z.array(z.string()),
      max_amount: moneyView.nullable(),
      buyer_can_withdraw: z.boolean(),
      ...commonView,
    }),
  },
  problems: ['not_found'],
});

export function printConsent(view: CredentialView) {
  const terms = consentTerms.decode(view.row.terms, 'objects.terms');
  return {
    consent_id: view.row.objectId,
    state: consentStateOf(view, terms.state),
    merchant_id: textsOf(view.row.merchantIds)[0] ?? '',
    agent_id: terms.agentId,
    scopes: [...terms.scopes],
    max_amount: terms.maxAmount === null ? null : printMoney(terms.maxAmount),
    buyer_can_withdraw: terms.buyerKey !== null,
    ...printCommon(view),
  };
}
