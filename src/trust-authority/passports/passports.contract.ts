import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { PASSPORT_LIFE_SECONDS_MAX } from '../../core/proofs/index.js';
import {
  commonView,
  credentialParams,
  type CredentialView,
  moneyView,
  passportTerms,
  printCommon,
  scopes,
  stateOf,
  textsOf,
} from '../credentials/index.js';
import { SERVICE } from '../service-principal.js';
import { chosenId, money, printMoney, slotRef, tenantParams } from '../wire.js';

const { browse, checkout } = PASSPORT_LIFE_SECONDS_MAX;

export const issuePassport = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/passports',
  summary: 'Issue a commerce passport on a granted consent',
  description:
    'Buyer, agent and merchant are those of the consent. Scopes and max_amount stay within it. One consent carries one ' +
    `passport, once and for all. A browse passport lives at most ${browse} s, a checkout passport ${checkout} s, none longer than its consent.`,
  tag: 'authority',
  access: SERVICE,
  idempotency: 'optional',
  params: tenantParams,
  body: z.strictObject({
    consent_id: chosenId,
    passport_type: z.enum(['browse', 'checkout']),
    scopes,
    max_amount: money
      .refine(
        ({ amountMinor }) => amountMinor <= BigInt(Number.MAX_SAFE_INTEGER),
        'A passport names its amount as a number, at most 2^53 - 1.',
      )
      .nullable(),
    life_seconds: z.int().min(1).max(browse).nullable().default(null),
  }),
  success: {
    status: 201,
    body: z.strictObject({ passport_id: z.string(), token: z.string().nullable(), slot: slotRef }),
  },
  problems: ['not_found', 'conflict', 'unverifiable', 'outcome_unknown'],
});

export const readPassport = route({
  method: 'GET',
  path: '/v1/tenants/{tenant_id}/passports/{id}',
  summary: 'A passport as it stands now',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: credentialParams,
  success: {
    status: 200,
    body: z.strictObject({
      passport_id: z.string(),
      state: z.enum(['valid', 'expired', 'revoked', 'suspended']),
      passport_type: z.enum(['browse', 'checkout']),
      consent_id: z.string(),
      merchant_id: z.string(),
      agent_id: z.string(),
      scopes: z.array(z.string()),
      max_amount: moneyView.nullable(),
      ...commonView,
    }),
  },
  problems: ['not_found'],
});

export function printPassport(view: CredentialView) {
  const terms = passportTerms.decode(view.row.terms, 'objects.terms');
  return {
    passport_id: view.row.objectId,
    state: stateOf(view),
    passport_type: terms.passportType,
    consent_id: view.row.consentId ?? '',
    merchant_id: textsOf(view.row.merchantIds)[0] ?? '',
    agent_id: terms.agentId,
    scopes: [...terms.scopes],
    max_amount: terms.maxAmount === null ? null : printMoney(terms.maxAmount),
    ...printCommon(view),
  };
}
