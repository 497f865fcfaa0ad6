import { describe, expect, it } from 'vitest';
import { makeKey, type Scene, signedEnvelope } from '../../../test/support/issuer.js';
import { ARTIFACT_TYPES } from '../rules/index.js';
import { ARTIFACT_LENGTH_MAX, parseArtifact } from './artifact.js';
import { FORBIDDEN_MEMBERS } from './artifact-types.js';

const key = makeKey('ES256');
const scene: Scene = {
  tenantId: 'tnt_1',
  merchantId: 'shop-1',
  agentId: 'agt_1',
  buyer: 'b',
  issuer: 'https://issuer.example',
  atMs: 1_796_000_000_000,
};
const slot = { uri: 'urn:list', index: 7 };
const envelope = (options: Parameters<typeof signedEnvelope>[1] = {}) =>
  signedEnvelope({ key, scene, slot }, options);
const memberOf = (value: unknown): string | null | undefined => {
  const parsed = parseArtifact(value);
  if (parsed.ok) return undefined;
  expect(parsed.error.check).toBe('shape');
  return parsed.error.member;
};

describe('parseArtifact', () => {
  it.each(ARTIFACT_TYPES)('reads a good %s', (type) => {
    expect(parseArtifact(envelope({ type }))).toMatchObject({ ok: true, value: { type } });
  });

  it('signs the envelope without signature and payload, and hashes the payload apart', () => {
    const parsed = parseArtifact(envelope());
    if (!parsed.ok) throw new Error('a good artifact is read');
    const signed = JSON.parse(parsed.value.signedText) as Record<string, unknown>;
    expect(Object.keys(signed)).not.toContain('payload');
    expect(Object.keys(signed)).not.toContain('signature');
    expect(signed['payload_hash']).toBe(parsed.value.statedPayloadHash);
  });

  const required = [
    'artifact_id',
    'artifact_type',
    'schema_version',
    'issuer',
    'issuer_key_id',
    'subject_type',
    'subject_id',
    'issued_at',
    'expires_at',
    'freshness_class',
    'revocation_status_url',
    'policy_version',
    'evidence_refs',
    'payload_hash',
    'signature_alg',
    'safety',
    'tenant_id',
    'merchant_id',
    'seller_agent_id',
    'buyer_agent_id',
    'source_observed_at',
    'status',
    'payload',
  ];
  it.each(required)('refuses an envelope without %s', (member) => {
    expect(memberOf(envelope({ tamper: { [member]: undefined } }))).toContain(member);
  });

  it('leaves a missing signature to the signature check', () => {
    expect(parseArtifact(envelope({ tamper: { signature: undefined } }))).toMatchObject({
      ok: true,
      value: { signature: null },
    });
  });

  it.each([...FORBIDDEN_MEMBERS])('refuses the name %s at any depth', (name) => {
    expect(memberOf(envelope({ payload: { deep: [{ [name]: 'x' }] } }))).toBe(
      `payload.deep.0.${name}`,
    );
  });

  it.each([
    ['an unknown member', { tamper: { not_befor: '2026-01-01T00:00:00Z' } }, 'not_befor'],
    ['an unknown type', { tamper: { artifact_type: 'coupon' } }, 'artifact_type'],
    ['a revocation', { tamper: { artifact_type: 'revocation' } }, 'artifact_type'],
    ['another schema', { tamper: { schema_version: 'oacp.internal.v2' } }, 'schema_version'],
    ['an end before its issue', { tamper: { expires_at: '2020-01-01T00:00:00Z' } }, 'expires_at'],
    ['a time without offset', { tamper: { issued_at: '2026-11-30T10:00:00' } }, 'issued_at'],
    [
      'another list in the url',
      { tamper: { revocation_status_url: 'urn:other' } },
      'revocation_status_url',
    ],
    ['a private fact', { envelope: { safety: { public_safe: false } } }, 'safety.public_safe'],
    ['a fraction', { payload: { amount_minor_units: 20.99 } }, 'payload.amount_minor_units'],
    [
      'an amount as text',
      { payload: { amount_minor_units: '2099' } },
      'payload.amount_minor_units',
    ],
    ['a currency in small letters', { payload: { currency: 'inr' } }, 'payload.currency'],
    ['a payload that is a list', { tamper: { payload: [] } }, 'payload'],
    [
      'an adapter that outlives',
      {
        type: 'protocol_adapter',
        payload: { referenced_artifact_expires_at: ['2020-01-01T00:00:00Z'] },
      },
      'payload.referenced_artifact_expires_at',
    ],
    [
      'offline publishing',
      { type: 'public_discovery', payload: { publish_offline_allowed: true } },
      'payload.publish_offline_allowed',
    ],
    [
      'a capability nobody verified',
      { type: 'mandate_capability', payload: { provider_direct_verification_required: false } },
      'payload.provider_direct_verification_required',
    ],
    [
      'evidence that claims execution',
      { type: 'commitment_evidence', payload: { forbidden_execution_claims: ['payout'] } },
      'payload.forbidden_execution_claims',
    ],
  ] as const)('refuses %s', (_name, options, member) => {
    // A fraction cannot be signed by our own kit: it is put in afterwards.
    const { payload, ...rest } = { payload: {}, ...options } as { payload: Record<string, number> };
    const fraction = Object.values(payload).some(
      (value) => typeof value === 'number' && !Number.isInteger(value),
    );
    const value = fraction
      ? { ...envelope(rest), payload: { ...(envelope()['payload'] as object), ...payload } }
      : envelope(options);
    expect(memberOf(value)).toBe(member);
  });

  it.each([null, 'text', 7, [], undefined])('refuses %j', (value) => {
    expect(parseArtifact(value).ok).toBe(false);
  });

  it('refuses what is too long or too deep, and never throws', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`) as unknown;
    expect(memberOf({ ...envelope(), payload: deep })).toContain('payload.a');
    expect(
      memberOf({ ...envelope(), payload: { pad: 'x'.repeat(ARTIFACT_LENGTH_MAX) } }),
    ).toBeNull();
    expect(memberOf({ ...envelope(), payload: { lone: '\ud800' } })).toBe('payload.lone');
  });

  it.each([
    [12, 'in_stock', 12],
    ['10+', 'in_stock', 10],
    ['1-5', 'low_stock', 1],
    ['plenty', 'in_stock', null],
    [12, 'out_of_stock', 0],
  ])('vouches for the least of bucket %j when %s', (bucket, state, quantity) => {
    const payload = { quantity_bucket: bucket, availability_state: state };
    expect(parseArtifact(envelope({ type: 'inventory', payload }))).toMatchObject({
      value: { quantityAvailable: quantity },
    });
  });

  it('takes the earlier end, and no freshness from a stale envelope', () => {
    const sooner = '2026-11-30T00:00:00.000Z';
    const parsed = parseArtifact(envelope({ payload: { price_valid_until: sooner } }));
    expect(parsed).toMatchObject({ value: { expiresAtMs: Date.parse(sooner) } });
    expect(parseArtifact(envelope({ envelope: { freshness_class: 'stale' } }))).toMatchObject({
      value: { sourceObservedAtMs: null },
    });
  });
});
