import { describe, expect, it } from 'vitest';
import { canonicalize } from '../../core/kernel/index.js';
import { makeKey, signedEnvelope } from '../../../test/support/issuer.js';
import { ParsedArtifacts } from './parsed-artifacts.js';

const scene = {
  tenantId: 'tnt_parsed',
  merchantId: 'chai-house',
  agentId: 'agt_parsed',
  buyer: 'buyer',
  issuer: 'https://shop.example',
  atMs: Date.UTC(2026, 10, 30, 9, 30),
};
const key = makeKey('EdDSA');
const slot = { uri: 'urn:arbiter:status-list:tnt_parsed:1', index: 7 };
const envelopeText = (variantId: string): string =>
  canonicalize(signedEnvelope({ key, scene, slot }, { variantId }));

describe('registered envelopes read once per process', () => {
  it('gives the same reading for the same text, and another one for any other text', () => {
    const parsed = new ParsedArtifacts();
    const text = envelopeText('tea-100g');
    const first = parsed.parse(text);
    expect(first?.variantId).toBe('tea-100g');
    expect(parsed.parse(text.slice())).toBe(first);
    expect(parsed.parse(text.replaceAll('tea-100g', 'tea-250g'))?.variantId).toBe('tea-250g');
  });

  it('remembers nothing that is no artifact', () => {
    const parsed = new ParsedArtifacts();
    expect(parsed.parse('{}')).toBeNull();
    expect(parsed.parse('not JSON')).toBeNull();
    expect(parsed.length).toBe(0);
  });

  it('keeps no more text than its bound, forgetting the oldest first', () => {
    const [one, two, three] = ['tea-1', 'tea-2', 'tea-3'].map(envelopeText);
    if (one === undefined || two === undefined || three === undefined)
      throw new Error('three texts');
    const parsed = new ParsedArtifacts(one.length + two.length);
    const first = parsed.parse(one);
    parsed.parse(two);
    const third = parsed.parse(three);
    expect(parsed.length).toBeLessThanOrEqual(one.length + two.length);
    expect(parsed.parse(three)).toBe(third);
    expect(parsed.parse(one)).not.toBe(first);
  });
});
