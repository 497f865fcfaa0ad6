import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../../core/kernel/index.js';
import { parseArtifact, parseDetachedJws } from '../../../core/proofs/index.js';
import { ARTIFACT_LIFETIME_MS_MAX } from '../../../core/rules/index.js';
import type { Signer } from '../../../base/keys/index.js';
import {
  FACT_LIFE_MS,
  type FactContent,
  type FactSource,
  lineageOfSource,
  POLICIES_NOT_STATED,
  signFact,
} from './envelope.js';
import { PUBLISHED_TYPES } from './lineages.ledger.js';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SIGNER: Signer = {
  kid: 'kid-1',
  algorithm: 'ES256',
  sign: (bytes) => sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
};
const ISSUED_AT_MS = Date.parse('2026-11-30T09:30:00.000Z');
const SLOT = { uri: 'https://lists.example/status/tnt_1/1', index: 77 };

const signed = (source: FactSource) =>
  signFact(
    {
      tenantId: 'tnt_1',
      merchantId: 'shop-1',
      source,
      artifactId: 'art_1',
      slot: SLOT,
      issuedAtMs: ISSUED_AT_MS,
    },
    SIGNER,
  );

const price: FactContent = {
  type: 'price',
  productId: 'tea',
  variantId: 'tea-100g',
  amountMinor: 2_099n,
  currency: 'INR',
};
const SOURCES: readonly FactSource[] = [
  { subject: 'tea', revision: 0, content: { type: 'catalog_snapshot', productId: 'tea' } },
  { subject: 'tea-100g', revision: 7, content: price },
  {
    subject: 'tea-100g',
    revision: 0,
    content: { type: 'inventory', productId: 'tea', variantId: 'tea-100g', quantity: 0 },
  },
  { subject: 'shop-1', revision: 0, content: { type: 'policy', policies: POLICIES_NOT_STATED } },
  { subject: 'shop-1', revision: 0, content: { type: 'protocol_adapter' } },
];

describe('a published fact', () => {
  it('has this envelope', () => {
    const { envelopeText, payloadHash } = signed({
      subject: 'tea-100g',
      revision: 7,
      content: price,
    });
    const envelope = JSON.parse(envelopeText) as Record<string, unknown>;
    const { signature, ...rest } = envelope;
    expect(rest).toEqual({
      artifact_id: 'art_1',
      artifact_type: 'price',
      schema_version: 'oacp.internal.v1',
      issuer: 'urn:arbiter:tenant:tnt_1',
      issuer_key_id: 'kid-1',
      subject_type: 'variant',
      subject_id: 'tea-100g',
      source_revision: '7',
      issued_at: '2026-11-30T09:30:00.000Z',
      expires_at: '2026-11-30T09:35:00.000Z',
      source_observed_at: '2026-11-30T09:30:00.000Z',
      source_system_refs: ['catalog'],
      freshness_class: 'fresh',
      revocation_status_url: SLOT.uri,
      status: { status_list: { uri: SLOT.uri, idx: 77 } },
      policy_version: '1',
      evidence_refs: [],
      signature_alg: 'ES256',
      safety: {
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
      },
      tenant_id: 'tnt_1',
      merchant_id: 'shop-1',
      seller_agent_id: '*',
      buyer_agent_id: '*',
      payload_hash: payloadHash,
      payload: {
        product_id: 'tea',
        variant_id: 'tea-100g',
        amount_minor_units: 2_099,
        currency: 'INR',
        price_source: 'catalog:tea-100g:7',
        price_valid_until: '2026-11-30T09:35:00.000Z',
      },
    });
    expect(payloadHash).toBe('0bdeb9e3f07c829bed21b86c1faad67ada6ca8927865573cdfbba0bff0d588a0');
    const [header = ''] = String(signature).split('.', 1);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'ES256',
      kid: 'kid-1',
    });
  });

  it.each(SOURCES.map((source) => [source.content.type, source] as const))(
    '%s is read as an artifact of its lineage, with its own signature',
    (type, source) => {
      const fact = signed(source);
      const json = parseStrictJson(fact.envelopeText);
      const parsed = json.ok ? parseArtifact(json.value) : null;
      if (parsed?.ok !== true) throw new Error(JSON.stringify(parsed?.error));
      const artifact = parsed.value;
      expect(artifact).toMatchObject({
        type,
        sourceRevision: String(source.revision),
        status: SLOT,
      });
      expect(artifact.envelopeText).toBe(fact.envelopeText);
      expect(artifact.statedPayloadHash).toBe(fact.payloadHash);
      expect(fact.payloadHash).toBe(
        createHash('sha256').update(artifact.payloadText, 'utf8').digest('hex'),
      );
      expect(lineageOfSource('shop-1', source)).toContain(`|${source.revision}`);
      expect(
        artifact.signature !== null && parseDetachedJws(artifact.signature, artifact.signedText).ok,
      ).toBe(true);
      expect(artifact.expiresAtMs).toBe(fact.expiresAtMs);
    },
  );

  it('lives no longer than the rules allow', () => {
    for (const type of PUBLISHED_TYPES)
      expect(FACT_LIFE_MS[type]).toBeLessThanOrEqual(ARTIFACT_LIFETIME_MS_MAX[type]);
    // A look into the merchant's system counts for 15 minutes.
    expect(FACT_LIFE_MS.catalog_snapshot).toBeLessThanOrEqual(900_000);
  });
});
