import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { type CanonicalValue, formatInstant, type InstantMs } from '../../src/core/kernel/index.js';
import {
  artifactSigningInput,
  compactToken,
  keyBindingHash,
  signedArtifact,
  type SigningHeader,
  tokenSigningInput,
  type UnsignedArtifact,
} from '../../src/core/proofs/index.js';
import type { ArtifactType } from '../../src/core/rules/index.js';

/** A key pair of a pretended issuer or buyer. */
export interface SigningPair {
  readonly alg: 'ES256' | 'EdDSA';
  readonly kid: string;
  readonly jwk: Readonly<Record<string, string>>;
  readonly privateKey: KeyObject;
}

export type JsonObject = Readonly<Record<string, CanonicalValue | undefined>>;

let made = 0;
/** Names no other call of this process has. */
export const freshId = (prefix: string): string => `${prefix}_${process.pid}_${(made += 1)}`;

export function makeKey(alg: SigningPair['alg'] = 'ES256', kid = freshId('kid')): SigningPair {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' }) as Readonly<Record<string, string>>;
  return { alg, kid, jwk, privateKey };
}

export function sign(key: SigningPair, text: string): Buffer {
  const hash = key.alg === 'ES256' ? 'sha256' : null;
  return signBytes(hash, Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
}

export interface TokenOptions {
  /** Claims to replace; `undefined` removes one. */
  readonly claims?: JsonObject;
  /** Header members to replace; `undefined` removes one. */
  readonly header?: JsonObject;
}

/** Signs claims as they are: whatever a test wants to be wrong can be wrong. */
export function signToken(
  key: SigningPair,
  { typ, claims, header = {} }: { typ: string; claims: JsonObject; header?: JsonObject },
): string {
  const all = withoutUndefined({ alg: key.alg, kid: key.kid, typ, ...header });
  const input = tokenSigningInput(all as unknown as SigningHeader, withoutUndefined(claims));
  return compactToken(input, sign(key, input));
}

const withoutUndefined = (value: JsonObject): Readonly<Record<string, CanonicalValue>> =>
  Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, CanonicalValue] => pair[1] !== undefined),
  );

/** What every token and artifact of one purchase shares. */
export interface Scene {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly agentId: string;
  readonly buyer: string;
  readonly issuer: string;
  readonly atMs: InstantMs;
}

const seconds = (atMs: InstantMs): number => Math.floor(atMs / 1_000);

export interface SlotRef {
  readonly uri: string;
  readonly index: number;
}

const statusClaim = ({ uri, index }: SlotRef) => ({ status_list: { uri, idx: index } });

const commonClaims = (scene: Scene, slot: SlotRef): JsonObject => ({
  iss: scene.issuer,
  sub: scene.buyer,
  aud: 'grantex-commerce',
  tenant_id: scene.tenantId,
  agent_id: scene.agentId,
  iat: seconds(scene.atMs),
  nbf: seconds(scene.atMs),
  status: statusClaim(slot),
});

export type MandateOptions = TokenOptions & {
  readonly kind?: 'intent' | 'cart' | 'payment';
  readonly parent?: string;
  readonly cartHash?: string;
  /** Given: the mandate names this key and carries the buyer's key binding made with it. */
  readonly buyerKey?: SigningPair;
  readonly binding?: TokenOptions & { readonly key?: SigningPair };
};

/** A good intent mandate of INR 50,000 for a day, unless the options say otherwise. */
export function mandateToken(
  { key, scene, slot }: { key: SigningPair; scene: Scene; slot: SlotRef },
  options: MandateOptions = {},
): string {
  const { kind = 'intent', parent, cartHash, buyerKey, binding } = options;
  const token = signToken(key, {
    typ: 'mandate+jwt',
    header: options.header,
    claims: {
      ...commonClaims(scene, slot),
      jti: freshId('mnd'),
      exp: seconds(scene.atMs) + 86_400,
      kind,
      parent,
      merchant_ids: [scene.merchantId],
      cart_hash: cartHash,
      cap: { amount: '5000000', currency: 'INR' },
      cnf: buyerKey && { jwk: buyerKey.jwk },
      ...options.claims,
    },
  });
  if (buyerKey === undefined) return token;
  const bound = signToken(binding?.key ?? buyerKey, {
    typ: 'kb+jwt',
    header: { kid: undefined, ...binding?.header },
    claims: {
      iat: seconds(scene.atMs),
      aud: 'grantex-commerce',
      sd_hash: keyBindingHash(token),
      ...binding?.claims,
    },
  });
  return `${token}~${bound}`;
}

/** A granted consent for a day. */
export const consentToken = (
  { key, scene, slot }: { key: SigningPair; scene: Scene; slot: SlotRef },
  options: TokenOptions = {},
): string =>
  signToken(key, {
    typ: 'consent+jwt',
    header: options.header,
    claims: {
      ...commonClaims(scene, slot),
      jti: freshId('crec'),
      exp: seconds(scene.atMs) + 86_400,
      merchant_id: scene.merchantId,
      state: 'granted',
      scopes: ['commerce:checkout.create', 'commerce:payment.initiate'],
      ...options.claims,
    },
  });

/** A checkout passport of INR 20,000 for ten minutes that rests on `consentId`. */
export const passportToken = (
  { key, scene, slot }: { key: SigningPair; scene: Scene; slot: SlotRef },
  options: TokenOptions & { readonly consentId: string },
): string =>
  signToken(key, {
    typ: 'passport+jwt',
    header: options.header,
    claims: {
      ...commonClaims(scene, slot),
      jti: freshId('cpsp'),
      exp: seconds(scene.atMs) + 600,
      merchant_id: scene.merchantId,
      passport_type: 'checkout',
      consent_record_id: options.consentId,
      scopes: ['commerce:checkout.create', 'commerce:payment.initiate'],
      max_amount: 2_000_000,
      currency: 'INR',
      policy_version: '1',
      env: 'sandbox',
      ver: '1',
      ...options.claims,
    },
  });

export interface ArtifactOptions {
  readonly type?: ArtifactType;
  readonly variantId?: string;
  readonly productId?: string;
  /** Envelope members to replace before signing; `undefined` removes one. */
  readonly envelope?: JsonObject;
  /** Payload members to replace before signing. */
  readonly payload?: JsonObject;
  readonly header?: JsonObject;
  /** Changes after signing: how a tampered artifact looks. */
  readonly tamper?: JsonObject;
}

/** A good artifact of its type, observed and issued at the scene's time. */
export function signedEnvelope(
  { key, scene, slot }: { key: SigningPair; scene: Scene; slot: SlotRef },
  options: ArtifactOptions = {},
): Readonly<Record<string, CanonicalValue>> {
  const { type = 'price', productId = 'tea', variantId = 'tea-100g' } = options;
  const lifeMs = LIFE_MS[type];
  const untilMs = scene.atMs + lifeMs;
  const unsigned = withoutUndefined({
    artifact_id: freshId('art'),
    artifact_type: type,
    schema_version: 'oacp.internal.v1',
    issuer: scene.issuer,
    issuer_key_id: key.kid,
    subject_type: 'variant',
    subject_id: variantId,
    issued_at: formatInstant(scene.atMs),
    expires_at: formatInstant(untilMs),
    source_observed_at: formatInstant(scene.atMs),
    freshness_class: 'fresh',
    revocation_status_url: slot.uri,
    status: statusClaim(slot),
    policy_version: '1',
    evidence_refs: [],
    signature_alg: key.alg,
    safety: SAFETY,
    tenant_id: scene.tenantId,
    merchant_id: scene.merchantId,
    seller_agent_id: '*',
    buyer_agent_id: '*',
    payload: withoutUndefined({
      ...payloadOf(type, { productId, variantId, untilMs }),
      ...options.payload,
    }),
    ...options.envelope,
  });
  const header = withoutUndefined({ alg: key.alg, kid: key.kid, ...options.header });
  const { envelope, signingInput } = artifactSigningInput(
    header as unknown as SigningHeader,
    unsigned as UnsignedArtifact,
  );
  const done = signedArtifact(envelope, { signingInput, signature: sign(key, signingInput) });
  return withoutUndefined({ ...done, ...options.tamper });
}

const SAFETY = {
  public_safe: true,
  contains_private_data: false,
  allowed_agent_uses: ['read', 'purchase'],
  forbidden_agent_uses: [],
  commitment_allowed: true,
  offline_commitment_allowed: false,
  requires_online_confirmation: true,
  requires_provider_direct_verification: false,
  requires_merchant_system_confirmation: false,
  stale_behavior: 'refuse_final_commitment',
  refusal_code_if_invalid: 'artifact_missing_or_invalid',
};

const LIFE_MS: Readonly<Record<ArtifactType, number>> = {
  catalog_snapshot: 900_000,
  price: 300_000,
  inventory: 60_000,
  policy: 900_000,
  protocol_adapter: 60_000,
  merchant_capability: 900_000,
  seller_agent_capability: 900_000,
  offer: 900_000,
  public_discovery: 900_000,
  mandate_capability: 120_000,
  commitment_evidence: 300_000,
};

interface Subject {
  readonly productId: string;
  readonly variantId: string;
  readonly untilMs: InstantMs;
}

function payloadOf(type: ArtifactType, { productId, variantId, untilMs }: Subject): JsonObject {
  const until = formatInstant(untilMs);
  const variant = { product_id: productId, variant_id: variantId };
  const payloads: Readonly<Record<ArtifactType, JsonObject>> = {
    catalog_snapshot: {
      catalog_snapshot_id: 'cat-1',
      product_refs: [productId],
      category_refs: ['tea'],
      source_system_refs: ['shop'],
      private_field_redaction_status: 'complete',
      sample_count: 1,
    },
    price: {
      ...variant,
      amount_minor_units: 2_099,
      currency: 'INR',
      price_source: 'shop',
      price_valid_until: until,
    },
    inventory: {
      ...variant,
      availability_state: 'in_stock',
      quantity_bucket: 12,
      hold_allowed: true,
      stale_inventory_refusal: true,
    },
    policy: {
      return_policy_summary: '30 days',
      warranty_policy_summary: 'none',
      fulfillment_policy_summary: 'two days',
      cancellation_policy_summary: 'until dispatch',
      support_policy_summary: 'by mail',
      jurisdiction_scope: ['IN'],
    },
    protocol_adapter: {
      adapter_type: 'ucp',
      adapter_version: '2026-04-08',
      referenced_artifact_ids: ['art-1'],
      referenced_artifact_expires_at: [until],
      generated_from_artifact_hashes: ['00'],
      public_claim_limits: ['none'],
    },
    merchant_capability: {
      merchant_display_name: 'A shop',
      merchant_category: 'grocery',
      supported_countries: ['IN'],
      supported_currencies: ['INR'],
      commerce_status: 'open',
      public_discovery_state: 'listed',
      source_evidence_refs: ['shop'],
    },
    seller_agent_capability: {
      seller_agent_id: 'seller-1',
      merchant_id: 'shop-1',
      agent_runtime: 'node',
      supported_channels: ['web'],
      supported_tasks: ['sell'],
      forbidden_tasks: ['refund'],
      public_claim_limits: ['none'],
    },
    offer: {
      ...variant,
      offer_id: 'offer-1',
      currency: 'INR',
      offer_valid_from: formatInstant(untilMs - LIFE_MS.offer),
      offer_valid_until: until,
      price_lock_allowed: true,
    },
    public_discovery: {
      discovery_state: 'listed',
      allowed_surfaces: ['web'],
      blocked_surfaces: [],
      display_name: 'A shop',
      public_description: 'Tea',
      allowed_protocol_adapters: ['ucp'],
      publish_offline_allowed: false,
    },
    mandate_capability: {
      provider_key: 'pine',
      rail_type: 'upi_autopay',
      jurisdiction: 'IN',
      mandate_capability_ref: 'cap-1',
      buyer_agent_id: '*',
      merchant_scope: ['shop-1'],
      max_amount: 1_500_000,
      currency: 'INR',
      verification_mode: 'direct',
      provider_direct_verification_required: true,
    },
    commitment_evidence: {
      commitment_id: 'com-1',
      commitment_type: 'order',
      buyer_agent_id: '*',
      seller_agent_id: 'seller-1',
      merchant_id: 'shop-1',
      artifact_refs_used: ['art-1'],
      policy_decision: 'allow',
      offline_commitment_mode: 'none',
      forbidden_execution_claims: [],
    },
  };
  return payloads[type];
}
