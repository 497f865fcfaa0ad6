import { createHash } from 'node:crypto';
import {
  type CanonicalValue,
  formatInstant,
  type InstantMs,
  type TenantId,
} from '../core/kernel/index.js';
import {
  ARTIFACT_SCHEMA_VERSION,
  COMMERCE_AUDIENCE,
  type StatusRef,
  type UnsignedArtifact,
} from '../core/proofs/index.js';
import type { ArtifactType } from '../core/rules/index.js';
import { DemoIssuer } from './demo-issuer.js';

/** Since when the demo tenants believe the demo issuers. */
export const ISSUERS_SINCE_MS: InstantMs = Date.UTC(2026, 0, 1);

/** The instant at which the frozen demo tenant stands still: its facts and tokens are good at it, for ever. */
export const FROZEN_AT_MS: InstantMs = Date.UTC(2026, 10, 30, 9, 30);

export const FROZEN_TENANT_ID: TenantId = 'tnt_demofrozen';
export const REAL_TIME_TENANT_ID: TenantId = 'tnt_demo';

/** The shop with every limit set, and a stall that sells nothing to absent buyers and little on one day. */
export const SHOP = 'chai-house';
export const STALL = 'chai-stall';

/** Prices in paise. The flask's price is revoked by the seed: it was a mistake. */
export const PRODUCTS = [
  { productId: 'masala-chai', variantId: 'masala-chai-250g', amountMinor: 45_900 },
  { productId: 'kettle', variantId: 'kettle-1l', amountMinor: 349_900 },
  { productId: 'samovar', variantId: 'samovar-5l', amountMinor: 6_500_000 },
  { productId: 'flask', variantId: 'flask-500ml', amountMinor: 129_900 },
] as const;
export type DemoProduct = (typeof PRODUCTS)[number];
export const REVOKED_PRODUCT = PRODUCTS[3];

export const BUYER = 'demo-buyer';
/** What the buyer's passport covers: INR 2,000.00. */
export const PASSPORT_CAP_MINOR = 200_000;

/** What the buyer's intent covers, over all its purchases: INR 10,000.00. */
export const INTENT_CAP_MINOR = 1_000_000;

/** The registered tokens of the demo buyer, by merchant. */
export const CREDENTIAL_IDS = {
  shop: {
    intent: 'demo-intent',
    payment: 'demo-payment',
    consent: 'demo-consent',
    passport: 'demo-passport',
  },
  stall: {
    intent: 'demo-stall-intent',
    payment: 'demo-stall-payment',
    consent: 'demo-stall-consent',
    passport: 'demo-stall-passport',
  },
} as const;

/** The parties that sign. */
export const ISSUERS = {
  facts: new DemoIssuer('https://facts.demo.example', 'facts-1'),
  credentials: new DemoIssuer('https://wallet.demo.example', 'wallet-1'),
  consent: new DemoIssuer('https://consent.demo.example', 'consent-1'),
  passport: new DemoIssuer('https://passport.demo.example', 'passport-1'),
} as const;

export type DemoIssuerName = keyof typeof ISSUERS;

export const DEMO_ROLES = ['tenant_admin', 'agent', 'merchant_system', 'auditor'] as const;
export type DemoRole = (typeof DEMO_ROLES)[number];

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A published API key of a demo tenant: it follows from its tenant and role, and works in the test world only. */
export function demoApiKey(
  tenantId: TenantId,
  role: DemoRole,
): { apiKeyId: `key_${string}`; apiKey: string } {
  const id = hex(`demo api key id\n${tenantId}\n${role}`).slice(0, 32);
  return {
    apiKeyId: `key_${id}`,
    apiKey: `ak_test_${id}_${hex(`demo api key secret\n${tenantId}\n${role}`)}`,
  };
}

/** Where and when a demo object is made. */
export interface DemoPlace {
  readonly tenantId: TenantId;
  readonly agentId: string;
  readonly atMs: InstantMs;
}

const HOUR_MS = 3_600_000;

/** How long facts of a type are said to be good: as long as rule 5 permits (facts/arbiter.md 2.6). */
const LIFE_MS = {
  catalog_snapshot: 6 * HOUR_MS,
  price: 300_000,
  inventory: 60_000,
  policy: 6 * HOUR_MS,
  protocol_adapter: 6 * HOUR_MS,
} as const satisfies Partial<Record<ArtifactType, number>>;
type DemoFactType = keyof typeof LIFE_MS;

/** One fact a merchant publishes: which kind, about which variant. */
export interface DemoFact {
  readonly merchantId: string;
  readonly type: DemoFactType;
  readonly product: DemoProduct | null;
}

/** Everything a merchant has to say so that its products can be bought. */
export const factsOfMerchant = (merchantId: string): readonly DemoFact[] => [
  { merchantId, type: 'catalog_snapshot', product: null },
  { merchantId, type: 'policy', product: null },
  { merchantId, type: 'protocol_adapter', product: null },
  ...PRODUCTS.flatMap((product): DemoFact[] => [
    { merchantId, type: 'price', product },
    { merchantId, type: 'inventory', product },
  ]),
];

export const artifactIdOf = ({ merchantId, type, product }: DemoFact, edition = ''): string =>
  ['demo', merchantId, type, product?.variantId, edition].filter(Boolean).join('.');

/** The signed fact. `edition` tells renewals of the same fact apart. */
export function signedFact(
  fact: DemoFact,
  { place, slot, edition = '' }: { place: DemoPlace; slot: StatusRef; edition?: string },
): Readonly<Record<string, CanonicalValue>> {
  const { merchantId, type, product } = fact;
  const expiresAt = formatInstant(place.atMs + LIFE_MS[type]);
  const unsigned: UnsignedArtifact = {
    artifact_id: artifactIdOf(fact, edition),
    artifact_type: type,
    schema_version: ARTIFACT_SCHEMA_VERSION,
    issuer: ISSUERS.facts.issuer,
    issuer_key_id: ISSUERS.facts.kid,
    subject_type: product === null ? 'merchant' : 'variant',
    subject_id: product?.variantId ?? merchantId,
    issued_at: formatInstant(place.atMs),
    expires_at: expiresAt,
    freshness_class: 'fresh',
    revocation_status_url: slot.uri,
    policy_version: '1',
    evidence_refs: [],
    signature_alg: 'EdDSA',
    safety: SAFETY,
    tenant_id: place.tenantId,
    merchant_id: merchantId,
    seller_agent_id: 'demo-seller',
    buyer_agent_id: '*',
    source_observed_at: formatInstant(place.atMs),
    status: statusOf(slot),
    payload: payloadOf(fact, expiresAt),
  };
  return ISSUERS.facts.artifact(unsigned);
}

const SAFETY = {
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
} as const;

const statusOf = ({ uri, index }: StatusRef) => ({ status_list: { uri, idx: index } });

function payloadOf({ type, product, merchantId }: DemoFact, expiresAt: string): CanonicalValue {
  const variant = { product_id: product?.productId ?? '', variant_id: product?.variantId ?? '' };
  switch (type) {
    case 'catalog_snapshot':
      return {
        catalog_snapshot_id: `catalog.${merchantId}`,
        product_refs: PRODUCTS.map(({ productId }) => productId),
        category_refs: ['tea'],
        source_system_refs: ['demo'],
        private_field_redaction_status: 'none_present',
        sample_count: PRODUCTS.length,
      };
    case 'price':
      return {
        ...variant,
        amount_minor_units: product?.amountMinor ?? 0,
        currency: 'INR',
        price_source: 'demo',
        price_valid_until: expiresAt,
      };
    case 'inventory':
      return {
        ...variant,
        availability_state: 'in_stock',
        quantity_bucket: 100,
        hold_allowed: true,
        stale_inventory_refusal: true,
      };
    case 'policy':
      return {
        return_policy_summary: 'Unopened goods within 7 days.',
        warranty_policy_summary: 'As the law says.',
        fulfillment_policy_summary: 'Sent the next working day.',
        cancellation_policy_summary: 'Until it is sent.',
        support_policy_summary: 'By e-mail.',
        jurisdiction_scope: ['IN'],
      };
    case 'protocol_adapter':
      return {
        adapter_type: 'ucp',
        adapter_version: '2026-04-08',
        referenced_artifact_ids: [],
        referenced_artifact_expires_at: [],
        generated_from_artifact_hashes: [],
        public_claim_limits: [],
      };
  }
}

/** The credentials of one buyer for one merchant, as the buyer's wallet and its issuers sign them. */
export interface DemoCredential {
  readonly id: string;
  readonly merchantId: string;
  readonly slot: StatusRef;
}

const seconds = (atMs: InstantMs): number => Math.floor(atMs / 1000);

const commonClaims = (
  issuer: DemoIssuer,
  { id, slot }: DemoCredential,
  { place, lifeMs }: { place: DemoPlace; lifeMs: number },
) => ({
  iss: issuer.issuer,
  sub: BUYER,
  aud: COMMERCE_AUDIENCE,
  jti: id,
  iat: seconds(place.atMs),
  exp: seconds(place.atMs + lifeMs),
  tenant_id: place.tenantId,
  agent_id: place.agentId,
  status: statusOf(slot),
});

export interface IntentTerms {
  readonly capMinor: number;
  readonly lifeMs?: number;
}

/** What the buyer lets the agent buy while away. */
export const intentToken = (
  credential: DemoCredential,
  place: DemoPlace,
  { capMinor, lifeMs = 30 * 24 * HOUR_MS }: IntentTerms,
): string =>
  ISSUERS.credentials.token('mandate+jwt', {
    ...commonClaims(ISSUERS.credentials, credential, { place, lifeMs }),
    kind: 'intent',
    merchant_ids: [credential.merchantId],
    cap: { amount: String(capMinor), currency: 'INR' },
  });

/** How the buyer lets the agent pay: rail and event are words of rule 8. */
export interface PaymentTerms {
  readonly capMinor: number;
  readonly rail: string;
  readonly event: string;
}

/** By card, once: a rail on which the Indian profile is not switched on by default. */
export const CARD_TERMS: PaymentTerms = {
  capMinor: INTENT_CAP_MINOR,
  rail: 'card_once',
  event: 'one_time',
};

export const paymentToken = (
  credential: DemoCredential,
  place: DemoPlace,
  { capMinor, rail, event }: PaymentTerms,
): string =>
  ISSUERS.credentials.token('mandate+jwt', {
    ...commonClaims(ISSUERS.credentials, credential, { place, lifeMs: 24 * HOUR_MS }),
    kind: 'payment',
    merchant_ids: [credential.merchantId],
    cap: { amount: String(capMinor), currency: 'INR' },
    payment: { rail, event, country: 'IN' },
  });

export const consentToken = (credential: DemoCredential, place: DemoPlace): string =>
  ISSUERS.consent.token('consent+jwt', {
    ...commonClaims(ISSUERS.consent, credential, { place, lifeMs: 24 * HOUR_MS }),
    merchant_id: credential.merchantId,
    state: 'granted',
    scopes: ['commerce:purchase'],
  });

/** A checkout passport lives ten minutes at most; on a frozen clock they never pass. */
export const passportToken = (
  credential: DemoCredential,
  place: DemoPlace,
  { consentId, capMinor }: { consentId: string; capMinor: number },
): string =>
  ISSUERS.passport.token('passport+jwt', {
    ...commonClaims(ISSUERS.passport, credential, { place, lifeMs: 600_000 }),
    merchant_id: credential.merchantId,
    passport_type: 'checkout',
    consent_record_id: consentId,
    scopes: ['commerce:checkout.create', 'commerce:payment.initiate'],
    max_amount: capMinor,
    currency: 'INR',
    env: 'test',
  });
