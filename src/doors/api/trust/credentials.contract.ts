import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { CanonicalValue } from '../../../core/kernel/index.js';
import type { CredentialView } from '../../../trust/buyer-authority/index.js';
import { chosenId, moneyOutput, printAmount } from '../wire.js';
import { CONSENT_EXAMPLES, MANDATE_EXAMPLES, PASSPORT_EXAMPLES } from './examples.js';
import { lifeView, printLife, printStatus, statusView, tokenBody } from './pieces.js';

const idParams = z.strictObject({ id: chosenId });

const common = {
  issuer: z.string(),
  kid: z.string(),
  agent_id: z.string(),
  buyer_commitment: z.string(),
  document_sha256: z.string(),
  ...lifeView,
  status: statusView,
};

const printCommon = ({ row, status }: CredentialView<'mandate' | 'consent' | 'passport'>) => ({
  issuer: row.issuer,
  kid: row.issuerKid,
  agent_id: row.agentId,
  buyer_commitment: row.buyerCommitment,
  document_sha256: row.documentSha256,
  ...printLife(row),
  status: printStatus(status),
});

const texts = (stored: CanonicalValue): string[] =>
  Array.isArray(stored) ? stored.filter((one): one is string => typeof one === 'string') : [];

const mandateView = z.strictObject({
  mandate_id: z.string(),
  kind: z.string(),
  parent_id: z.string().nullable(),
  root_id: z.string(),
  depth: z.int(),
  merchant_ids: z.array(z.string()),
  cart_hash: z.string().nullable(),
  cap: moneyOutput,
  buyer_key_bound: z.boolean(),
  ...common,
});

export const printMandate = (view: CredentialView<'mandate'>): z.input<typeof mandateView> => ({
  mandate_id: view.row.mandateId,
  kind: view.row.kind,
  parent_id: view.row.parentId,
  root_id: view.row.rootId,
  depth: view.row.depth,
  merchant_ids: texts(view.row.merchantIds),
  cart_hash: view.row.cartHash,
  cap: printAmount(view.row.capMinor, view.row.currency),
  buyer_key_bound: view.row.buyerKeyBound,
  ...printCommon(view),
});

const consentView = z.strictObject({
  consent_id: z.string(),
  merchant_id: z.string(),
  state: z.string(),
  scopes: z.array(z.string()),
  ...common,
});

export const printConsent = (view: CredentialView<'consent'>): z.input<typeof consentView> => ({
  consent_id: view.row.consentId,
  merchant_id: view.row.merchantId,
  state: view.row.state,
  scopes: texts(view.row.scopes),
  ...printCommon(view),
});

const passportView = z.strictObject({
  passport_id: z.string(),
  merchant_id: z.string(),
  passport_type: z.string(),
  consent_id: z.string(),
  scopes: z.array(z.string()),
  max_amount_minor_units: z.string().nullable(),
  currency: z.string().nullable(),
  ...common,
});

export const printPassport = (view: CredentialView<'passport'>): z.input<typeof passportView> => ({
  passport_id: view.row.passportId,
  merchant_id: view.row.merchantId,
  passport_type: view.row.passportType,
  consent_id: view.row.consentId,
  scopes: texts(view.row.scopes),
  max_amount_minor_units: view.row.capMinor?.toString() ?? null,
  currency: view.row.currency,
  ...printCommon(view),
});

const REGISTERED =
  'Verified completely, in this order: shape, issuer key, algorithm, signature, binding (audience, tenant), key state, ' +
  'times, lineage, status. The first failing check is answered with 422, and nothing is written. The same token again ' +
  'answers with its first registration. An agent registers only tokens that name it, a key bound to merchants only ' +
  'tokens that name one of them (404).';

const registering = {
  method: 'POST',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'merchant_system', 'agent'],
  idempotency: 'optional',
  description: REGISTERED,
  body: tokenBody,
  problems: ['not_found', 'conflict', 'unverifiable'],
} as const;

const reading = {
  method: 'GET',
  tag: 'trust',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system', 'agent'],
  idempotency: 'none',
  params: idParams,
  problems: ['not_found'],
} as const;

export const registerMandate = route({
  ...registering,
  path: '/v1/mandates',
  examples: MANDATE_EXAMPLES,
  summary: 'Register a mandate of a buyer',
  success: { status: 201, body: mandateView },
});

export const readMandate = route({
  ...reading,
  path: '/v1/mandates/{id}',
  summary: 'One mandate with its status now',
  success: { status: 200, body: mandateView },
});

export const registerConsent = route({
  ...registering,
  path: '/v1/consents',
  examples: CONSENT_EXAMPLES,
  summary: 'Register a consent of a buyer, granted or denied',
  success: { status: 201, body: consentView },
});

export const readConsent = route({
  ...reading,
  path: '/v1/consents/{id}',
  summary: 'One consent with its status now',
  success: { status: 200, body: consentView },
});

export const registerPassport = route({
  ...registering,
  path: '/v1/passports',
  examples: PASSPORT_EXAMPLES,
  summary: 'Register a Commerce Passport',
  success: { status: 201, body: passportView },
});

export const readPassport = route({
  ...reading,
  path: '/v1/passports/{id}',
  summary: 'One Commerce Passport with its status now',
  success: { status: 200, body: passportView },
});
