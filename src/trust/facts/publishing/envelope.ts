import { createHash } from 'node:crypto';
import {
  type CanonicalValue,
  canonicalize,
  formatInstant,
  type InstantMs,
  invariant,
  type TenantId,
} from '../../../core/kernel/index.js';
import {
  ANY_AGENT,
  ARTIFACT_SCHEMA_VERSION,
  artifactSigningInput,
  signedArtifact,
  type StatusRef,
} from '../../../core/proofs/index.js';
import type { Signer } from '../../../base/keys/index.js';
import type { Policies } from '../catalog/catalog.ledger.js';
import { lineageOf } from '../lineage-of.js';
import type { PublishedType } from './lineages.ledger.js';

/** Who signs what is published here: the tenant, with its own `fact` key (decisions 5.1). */
export const tenantIssuer = (tenantId: TenantId): string => `urn:arbiter:tenant:${tenantId}`;

const SECOND_MS = 1_000;

/**
 * From issue to expiry. Never beyond what the rules allow of the type, and of a catalogue no longer than a look into it
 * counts (facts/arbiter.md 2.6, 2.11).
 */
export const FACT_LIFE_MS: Readonly<Record<PublishedType, number>> = {
  catalog_snapshot: 900 * SECOND_MS,
  price: 300 * SECOND_MS,
  inventory: 60 * SECOND_MS,
  policy: 21_600 * SECOND_MS,
  protocol_adapter: 86_400 * SECOND_MS,
};

/** What the native protocol is called in protocol facts. */
export const PROTOCOL_ADAPTER = { adapter_type: 'arbiter_native', adapter_version: '1' } as const;

/** What a merchant's record says about one subject: what a fact of it is made from. */
export type FactContent =
  | { readonly type: 'catalog_snapshot'; readonly productId: string }
  | {
      readonly type: 'price';
      readonly productId: string;
      readonly variantId: string;
      readonly amountMinor: bigint;
      readonly currency: string;
    }
  | {
      readonly type: 'inventory';
      readonly productId: string;
      readonly variantId: string;
      readonly quantity: number;
    }
  | { readonly type: 'policy'; readonly policies: Policies }
  | { readonly type: 'protocol_adapter' };

/** A subject of a merchant as its catalogue stands. */
export interface FactSource {
  readonly subject: string;
  readonly revision: number;
  readonly content: FactContent;
}

export interface FactToSign {
  readonly tenantId: TenantId;
  readonly merchantId: string;
  readonly source: FactSource;
  readonly artifactId: string;
  readonly slot: StatusRef;
  readonly issuedAtMs: InstantMs;
}

export interface SignedFact {
  readonly envelopeText: string;
  readonly payloadHash: string;
  readonly documentSha256: string;
  readonly expiresAtMs: InstantMs;
}

const SUBJECT_TYPES: Readonly<Record<PublishedType, string>> = {
  catalog_snapshot: 'product',
  price: 'variant',
  inventory: 'variant',
  policy: 'merchant',
  protocol_adapter: 'merchant',
};

/** The members of an artifact that its subject and type decide; the lineage is made of them. */
export const subjectOf = (
  merchantId: string,
  { type, subject, revision }: { type: PublishedType; subject: string; revision: number },
) => ({
  type,
  merchantId,
  variantId: type === 'price' || type === 'inventory' ? subject : null,
  subjectType: SUBJECT_TYPES[type],
  subjectId: subject,
  sourceRevision: String(revision),
});

export const lineageOfSource = (merchantId: string, { subject, revision, content }: FactSource) =>
  lineageOf(subjectOf(merchantId, { type: content.type, subject, revision }));

/** Makes and signs one artifact (docs/tokens.md, Artifacts). It is read again from its bytes like any other. */
export function signFact(fact: FactToSign, signer: Signer): SignedFact {
  const { type } = fact.source.content;
  const expiresAtMs = fact.issuedAtMs + FACT_LIFE_MS[type];
  const { envelope, signingInput } = artifactSigningInput(
    { alg: signer.algorithm, kid: signer.kid },
    unsignedEnvelope(fact, { signer, expiresAtMs }),
  );
  const signature = signer.sign(Buffer.from(signingInput));
  const envelopeText = canonicalize(signedArtifact(envelope, { signingInput, signature }));
  const { payload_hash: payloadHash } = envelope;
  invariant(typeof payloadHash === 'string', 'an artifact names the hash of its payload');
  const documentSha256 = createHash('sha256').update(envelopeText, 'utf8').digest('hex');
  return { envelopeText, payloadHash, documentSha256, expiresAtMs };
}

function unsignedEnvelope(
  { tenantId, merchantId, source, artifactId, slot, issuedAtMs }: FactToSign,
  { signer, expiresAtMs }: { signer: Signer; expiresAtMs: InstantMs },
) {
  const { subject, revision, content } = source;
  const isOfVariant = content.type === 'price' || content.type === 'inventory';
  return {
    artifact_id: artifactId,
    artifact_type: content.type,
    schema_version: ARTIFACT_SCHEMA_VERSION,
    issuer: tenantIssuer(tenantId),
    issuer_key_id: signer.kid,
    subject_type: SUBJECT_TYPES[content.type],
    subject_id: subject,
    source_revision: String(revision),
    issued_at: formatInstant(issuedAtMs),
    expires_at: formatInstant(expiresAtMs),
    source_observed_at: formatInstant(issuedAtMs),
    source_system_refs: SOURCE_SYSTEMS,
    freshness_class: 'fresh',
    revocation_status_url: slot.uri,
    status: { status_list: { uri: slot.uri, idx: slot.index } },
    policy_version: '1',
    evidence_refs: [],
    signature_alg: signer.algorithm,
    safety: SAFETY,
    tenant_id: tenantId,
    merchant_id: merchantId,
    seller_agent_id: ANY_AGENT,
    ...(isOfVariant ? { buyer_agent_id: ANY_AGENT } : {}),
    payload: payloadOf(source, expiresAtMs),
  };
}

const SOURCE_SYSTEMS = ['catalog'];

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

function payloadOf(
  { subject, revision, content }: FactSource,
  expiresAtMs: InstantMs,
): Readonly<Record<string, CanonicalValue>> {
  switch (content.type) {
    case 'catalog_snapshot':
      // One snapshot per product: withdrawing it stops this product and no other.
      return {
        catalog_snapshot_id: content.productId,
        product_refs: [content.productId],
        category_refs: [],
        source_system_refs: SOURCE_SYSTEMS,
        private_field_redaction_status: 'complete',
        sample_count: 1,
      };
    case 'price':
      return {
        product_id: content.productId,
        variant_id: content.variantId,
        amount_minor_units: Number(content.amountMinor),
        currency: content.currency,
        price_source: `catalog:${subject}:${revision}`,
        price_valid_until: formatInstant(expiresAtMs),
      };
    case 'inventory':
      return {
        product_id: content.productId,
        variant_id: content.variantId,
        availability_state: content.quantity === 0 ? 'out_of_stock' : 'in_stock',
        quantity_bucket: content.quantity,
        hold_allowed: true,
        stale_inventory_refusal: true,
      };
    case 'policy':
      return policyPayload(content.policies);
    case 'protocol_adapter':
      return {
        ...PROTOCOL_ADAPTER,
        referenced_artifact_ids: [],
        referenced_artifact_expires_at: [],
        generated_from_artifact_hashes: [],
        public_claim_limits: [],
      };
  }
}

const policyPayload = (policies: Policies): Readonly<Record<string, CanonicalValue>> => ({
  return_policy_summary: policies.returns,
  warranty_policy_summary: policies.warranty,
  fulfillment_policy_summary: policies.fulfillment,
  cancellation_policy_summary: policies.cancellation,
  support_policy_summary: policies.support,
  jurisdiction_scope: [...policies.jurisdictions],
  // Digests of what a checkout computes with (decisions 7.5): withdrawing the policy stops these tables too.
  tables: policies.tables.map(({ name, version, sha256 }) => ({ name, version, sha256 })),
});

const NOT_STATED = 'The merchant states none.';

/** What a merchant says who set no policies. */
export const POLICIES_NOT_STATED: Policies = {
  returns: NOT_STATED,
  warranty: NOT_STATED,
  fulfillment: NOT_STATED,
  cancellation: NOT_STATED,
  support: NOT_STATED,
  jurisdictions: [],
  tables: [],
};
