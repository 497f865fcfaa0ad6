import { createHash } from 'node:crypto';
import { canonicalize, type CanonicalValue } from '../../../core/kernel/index.js';
import {
  ARTIFACT_SCHEMA_VERSION,
  COMMERCE_AUDIENCE,
  encodeBase64url,
} from '../../../core/proofs/index.js';

/**
 * Bodies to start from in the docs page: right in every member, under a signature of zeros. Ids of tenant, agent and
 * slots, the times and the signature have to become one's own (docs/first-allow.md, docs/tokens.md).
 */

type Members = Readonly<Record<string, CanonicalValue>>;

const TENANT = { tenant_id: 'tnt_0190' };
const LIST_URI = 'https://0123456789abcdef.authority.internal/status/tnt_0190/1';
const statusAt = (idx: number) => ({ status_list: { uri: LIST_URI, idx } });

const base64url = (value: Members): string => encodeBase64url(canonicalize(value));
/** As long as a signature of ES256 or EdDSA, and none. */
const NO_SIGNATURE = encodeBase64url(Buffer.alloc(64));

export const ISSUER_KEY_EXAMPLES = {
  fact_issuer: {
    issuer: 'https://facts.example',
    kid: 'facts-1',
    role: 'fact_issuer',
    jwk: {
      kty: 'EC',
      crv: 'P-256',
      x: 'mAgfsCXHqai2gJcok2m_N8haCybRlguCqYG0IRX2T7Q',
      y: '6oGejMwy9AO2MbIQfDly0GHh3ZiYRt0hg0yskuWteF8',
    },
  },
} as const;

const payload: Members = {
  product_id: 'masala-chai',
  variant_id: 'masala-chai-250g',
  amount_minor_units: 45_900,
  currency: 'INR',
  price_source: 'shop',
  price_valid_until: '2026-11-30T09:05:00.000Z',
};

const price: Members = {
  artifact_id: 'price.masala-chai-250g.1',
  artifact_type: 'price',
  schema_version: ARTIFACT_SCHEMA_VERSION,
  issuer: 'https://facts.example',
  issuer_key_id: 'facts-1',
  subject_type: 'variant',
  subject_id: 'masala-chai-250g',
  issued_at: '2026-11-30T09:00:00.000Z',
  expires_at: '2026-11-30T09:05:00.000Z',
  freshness_class: 'fresh',
  revocation_status_url: LIST_URI,
  policy_version: '1',
  evidence_refs: [],
  payload_hash: createHash('sha256').update(canonicalize(payload)).digest('hex'),
  signature_alg: 'ES256',
  signature: `${base64url({ alg: 'ES256', kid: 'facts-1' })}..${NO_SIGNATURE}`,
  safety: {
    public_safe: true,
    contains_private_data: false,
    allowed_agent_uses: ['quote', 'purchase'],
    forbidden_agent_uses: [],
    commitment_allowed: true,
    offline_commitment_allowed: false,
    requires_online_confirmation: true,
    requires_provider_direct_verification: false,
    requires_merchant_system_confirmation: false,
    stale_behavior: 'refuse_final_commitment',
    refusal_code_if_invalid: 'artifact_missing_or_invalid',
  },
  ...TENANT,
  merchant_id: 'chai-house',
  seller_agent_id: 'seller',
  buyer_agent_id: '*',
  source_observed_at: '2026-11-30T09:00:00.000Z',
  status: statusAt(7),
  payload,
};

export const ARTIFACT_EXAMPLES = { price: { artifact: price } } as const;

/** 2026-11-30T09:00:00Z as a NumericDate. */
const ISSUED_AT_SECONDS = 1_796_029_200;

const token = (typ: string, { seconds, ...claims }: Members & { readonly seconds: number }) => {
  const header = base64url({ alg: 'ES256', kid: 'issuer-1', typ });
  const content = base64url({
    iss: 'https://issuer.example',
    sub: 'buyer-1',
    aud: COMMERCE_AUDIENCE,
    iat: ISSUED_AT_SECONDS,
    exp: ISSUED_AT_SECONDS + seconds,
    ...TENANT,
    agent_id: 'agt_0190',
    ...claims,
  });
  return { token: `${header}.${content}.${NO_SIGNATURE}` };
};

const CAP = { merchant_ids: ['chai-house'], cap: { amount: '1000000', currency: 'INR' } };

export const MANDATE_EXAMPLES = {
  intent: token('mandate+jwt', {
    seconds: 86_400,
    jti: 'mnd_01',
    kind: 'intent',
    ...CAP,
    status: statusAt(8),
  }),
  payment: token('mandate+jwt', {
    seconds: 86_400,
    jti: 'mnd_02',
    kind: 'payment',
    parent: 'mnd_01',
    ...CAP,
    payment: { rail: 'card_once', event: 'one_time', country: 'IN' },
    status: statusAt(9),
  }),
};

export const CONSENT_EXAMPLES = {
  granted: token('consent+jwt', {
    seconds: 86_400,
    jti: 'crec_01',
    merchant_id: 'chai-house',
    state: 'granted',
    scopes: ['commerce:payment.initiate'],
    status: statusAt(10),
  }),
};

export const PASSPORT_EXAMPLES = {
  checkout: token('passport+jwt', {
    seconds: 600,
    jti: 'cpsp_01',
    merchant_id: 'chai-house',
    passport_type: 'checkout',
    consent_record_id: 'crec_01',
    scopes: ['commerce:checkout.create', 'commerce:payment.initiate'],
    max_amount: 200_000,
    currency: 'INR',
    env: 'test',
    status: statusAt(11),
  }),
};

const report = (typ: string, claims: Members) => {
  const header = base64url({ alg: 'ES256', kid: 'psp-1', typ });
  const content = base64url({
    iss: 'https://psp.example',
    aud: COMMERCE_AUDIENCE,
    iat: ISSUED_AT_SECONDS,
    ...TENANT,
    merchant_id: 'chai-house',
    mandate_ref: 'mnd_02',
    ...claims,
  });
  return { token: `${header}.${content}.${NO_SIGNATURE}` };
};

const PRICE = { amount: '45900', currency: 'INR' };
const DAY_SECONDS = 86_400;

export const RAIL_EXAMPLES = {
  afa_evidence: {
    upi_pin: report('afa-evidence+jwt', {
      jti: 'afa_01',
      exp: ISSUED_AT_SECONDS + 600,
      amount: PRICE,
      method: 'upi_pin',
      factors: [
        { class: 'knows', dynamic: false },
        { class: 'has', dynamic: true },
      ],
      asserted_by: 'psp',
      performed_at: ISSUED_AT_SECONDS,
      provider_ref: 'rrn-633412345678',
    }),
  },
  pre_debit_notice: {
    delivered: report('pre-debit-notice+jwt', {
      jti: 'pdn_01_1',
      notice_ref: 'pdn_01',
      version: 1,
      seq: 4,
      amount: PRICE,
      scheduled_for: ISSUED_AT_SECONDS + 2 * DAY_SECONDS,
      payee_name: 'Chai House',
      reason: 'monthly tea',
      delivery: 'delivered',
      sent_at: ISSUED_AT_SECONDS - 60,
      delivered_at: ISSUED_AT_SECONDS - 30,
    }),
  },
  payment_mandate: {
    live: report('payment-mandate-state+jwt', {
      jti: 'pms_02_1',
      version: 1,
      rail: 'upi_autopay',
      status: 'live',
      kind: 'variable',
      limit: { amount: '1000000', currency: 'INR' },
      frequency: 'monthly',
      valid_from: ISSUED_AT_SECONDS - 90 * DAY_SECONDS,
      valid_to: ISSUED_AT_SECONDS + 365 * DAY_SECONDS,
      registered_at: ISSUED_AT_SECONDS - 90 * DAY_SECONDS,
      registration_afa_ref: 'rrn-612300000001',
      terms_changed_since_afa: false,
      last_seq: 3,
      last_debited_at: ISSUED_AT_SECONDS - 30 * DAY_SECONDS,
    }),
  },
} as const;
