import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { type CanonicalValue, formatInstant } from '../../../core/kernel/index.js';
import { AP2_LENGTH_MAX, PASSPORT_CODES } from '../../../core/proofs/index.js';
import type {
  Ap2ObjectView,
  CredentialView,
  PassportVerification,
} from '../../../trust/buyer-authority/index.js';
import { chosenId, instantOutput, moneyOutput, printAmount } from '../wire.js';
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

const foreignMandateView = z.strictObject({
  mandate_id: z.string().meta({ description: 'The id of its registration.' }),
  object_sha256: z.string(),
  family: z.string(),
  is_open: z.boolean(),
  parent_id: z.string().nullable(),
  issuer: z.string(),
  kid: z.string(),
  agent_id: z.string(),
  buyer_commitment: z.string(),
  document_sha256: z.string(),
  issued_at: instantOutput,
  expires_at: instantOutput,
  registered_at: instantOutput,
  status: statusView,
});

/** An AP2 object, as it is held under the authority's registration of it. */
export const printForeignMandate = ({
  row,
  status,
}: Ap2ObjectView): z.input<typeof foreignMandateView> => ({
  mandate_id: row.registrationId,
  object_sha256: row.objectSha256,
  family: row.family,
  is_open: row.isOpen,
  parent_id: row.parentId,
  issuer: row.issuer,
  kid: row.issuerKid,
  agent_id: row.agentId,
  buyer_commitment: row.buyerCommitment,
  document_sha256: row.documentSha256,
  issued_at: formatInstant(row.issuedAtMs),
  expires_at: formatInstant(row.expiresAtMs),
  registered_at: formatInstant(row.registeredAtMs),
  status: printStatus(status),
});

const foreignBody = z.strictObject({
  object: z
    .string()
    .min(1)
    .max(AP2_LENGTH_MAX)
    .meta({ description: 'The AP2 object exactly as it was signed; docs/ap2.md.' }),
  registration: tokenBody.shape.token,
});

const passportVerification = z.strictObject({
  valid: z.boolean(),
  code: z.enum(PASSPORT_CODES).nullable(),
  detail: z.string().nullable(),
  passport: z
    .strictObject({
      passport_id: z.string(),
      passport_type: z.enum(['browse', 'checkout']),
      merchant_id: z.string(),
      agent_id: z.string(),
      consent_id: z.string(),
      scopes: z.array(z.string()),
      expires_at: instantOutput,
    })
    .nullable(),
  status: statusView.nullable(),
});

export const printVerification = ({
  code,
  detail,
  passport,
  status,
}: PassportVerification): z.input<typeof passportVerification> => ({
  valid: code === null,
  code,
  detail,
  passport: passport && {
    passport_id: passport.id,
    passport_type: passport.passportType,
    merchant_id: passport.merchantId,
    agent_id: passport.agentId,
    consent_id: passport.consentId,
    scopes: [...passport.scopes],
    expires_at: formatInstant(passport.expiresAtMs),
  },
  status: status && printStatus(status),
});

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
  description:
    `${REGISTERED} An AP2 object comes with the trust authority’s registration of it: ` +
    'a purchase then names the object, or a chain under it, alone.',
  body: z.union([tokenBody, foreignBody]),
  examples: MANDATE_EXAMPLES,
  summary: 'Register a mandate of a buyer',
  success: { status: 201, body: z.union([mandateView, foreignMandateView]) },
});

export const readMandate = route({
  ...reading,
  path: '/v1/mandates/{id}',
  summary: 'One mandate with its status now',
  success: { status: 200, body: z.union([mandateView, foreignMandateView]) },
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

export const verifyPassport = route({
  method: 'POST',
  path: '/v1/passports/verify',
  summary: 'Whether a Commerce Passport is good now, and if not, why',
  description:
    'Answers 200 with `valid` and one code of a closed list. The status list is always asked, whatever the mode; `read_only` ' +
    'only lets a passport for browsing count. A key bound to merchants gets `merchant_mismatch` for the others. Writes nothing.',
  tag: 'trust',
  access: ['merchant_system', 'operator', 'agent', 'tenant_admin'],
  idempotency: 'none',
  body: z.strictObject({
    token: tokenBody.shape.token,
    mode: z.enum(['payment_affecting', 'read_only']).default('payment_affecting'),
  }),
  success: { status: 200, body: passportVerification },
  problems: [],
});
