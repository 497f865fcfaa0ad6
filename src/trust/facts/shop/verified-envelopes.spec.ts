import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeKey, sign, type SigningPair } from '../../../../test/support/issuer.js';
import type { TenantId } from '../../../core/kernel/index.js';
import { parsePublicJwk } from '../../../core/proofs/index.js';
import type { IssuerKey } from '../../peers/index.js';
import { SignatureChecker } from '../../peers/index.js';
import { signFact } from '../publishing/envelope.js';
import type { HeldArtifact } from './shop.store.js';
import { VerifiedEnvelopes } from './verified-envelopes.js';

const tenantId: TenantId = 'tnt_1';
const AT_MS = Date.parse('2026-11-30T00:00:00.000Z');

const issuerKey = ({ kid, jwk }: SigningPair): IssuerKey => {
  const key = parsePublicJwk(jwk);
  if (!key.ok) throw new Error(key.error);
  return {
    ...{
      id: 'ikey_1',
      issuer: `urn:arbiter:tenant:${tenantId}`,
      kid,
      role: 'fact_issuer',
      types: [],
    },
    ...{ key: key.value, notBeforeAtMs: 0, retiredAtMs: null, compromisedSinceAtMs: null },
  };
};

const pair = makeKey('ES256');
const key = issuerKey(pair);

function published(variantId: string): { held: HeldArtifact; text: string } {
  const content = {
    type: 'price',
    productId: 'tea',
    variantId,
    amountMinor: 1n,
    currency: 'INR',
  } as const;
  const artifactId = `art_${variantId}`;
  const { envelopeText, documentSha256 } = signFact(
    {
      ...{ tenantId, merchantId: 'shop', artifactId, issuedAtMs: AT_MS },
      source: { subject: variantId, revision: 0, content },
      slot: { uri: 'https://lists.example/1', index: 1 },
    },
    {
      kid: pair.kid,
      algorithm: 'ES256',
      sign: (bytes) => sign(pair, Buffer.from(bytes).toString('utf8')),
    },
  );
  const held = {
    ...{ artifactId, merchantId: 'shop', issuer: key.issuer, issuerKid: pair.kid },
    ...{ documentSha256, registeredAtMs: AT_MS },
  };
  return { held, text: envelopeText };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function reader(rememberedMax?: number) {
  const checker = new SignatureChecker();
  let verified = 0;
  let loads = 0;
  const counting = {
    isValid: (claim: Parameters<typeof checker.isValid>[0]) => {
      verified += 1;
      return checker.isValid(claim);
    },
  } as SignatureChecker;
  const envelopes = new VerifiedEnvelopes(counting, rememberedMax);
  return {
    envelopes,
    counts: () => ({ verified, loads }),
    read: (
      facts: readonly { held: HeldArtifact; text: string }[],
      by: IssuerKey = key,
      tenant: TenantId = tenantId,
    ) =>
      envelopes.read(
        tenant,
        facts.map(({ held }) => ({ held, key: by })),
        () => {
          loads += 1;
          return Promise.resolve(
            new Map(facts.map(({ held, text }) => [held.documentSha256, text])),
          );
        },
      ),
  };
}

describe('envelopes of good signature', () => {
  it('are verified once, however many read them at the same time or later', async () => {
    const { read, counts } = reader();
    const facts = [published('a'), published('b')];
    const all = await Promise.all([read(facts), read(facts), read([...facts].reverse())]);
    expect(all.map((one) => one.map((envelope) => envelope?.variantId))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['b', 'a'],
    ]);
    await read(facts);
    expect(counts()).toEqual({ verified: 2, loads: 1 });
  });

  it('are remembered for their tenant and key only', async () => {
    const { read, counts } = reader();
    const facts = [published('a')];
    await read(facts);
    expect(await read(facts, issuerKey({ ...makeKey('ES256'), kid: pair.kid }))).toEqual([null]);
    await read(facts, key, 'tnt_2');
    expect(counts().loads).toBe(3);
  });

  it('are forgotten when there are too many, the least recently used first', async () => {
    const { read, envelopes, counts } = reader(2);
    const [a, b, c] = [published('a'), published('b'), published('c')];
    for (const one of [a, b, a, c]) await read([one]);
    expect(envelopes.remembered).toBe(2);
    await read([a]);
    expect(counts().verified).toBe(3);
    await read([b]);
    expect(counts().verified).toBe(4);
  });
});

describe('what is not read, and asked again each time', () => {
  const good = published('a');
  const other = published('b');
  it.each([
    ['other bytes', { held: good.held, text: other.text }],
    [
      'bytes of another row',
      { held: { ...good.held, documentSha256: sha256(other.text) }, text: other.text },
    ],
    ['a row of another key', { held: { ...good.held, issuerKid: 'other' }, text: good.text }],
    ['a row of another issuer', { held: { ...good.held, issuer: 'urn:x' }, text: good.text }],
    ['no JSON', { held: { ...good.held, documentSha256: sha256('{') }, text: '{' }],
    [
      'another price under the same signature',
      (() => {
        const text = good.text.replace('"amount_minor_units":1', '"amount_minor_units":2');
        return { held: { ...good.held, documentSha256: sha256(text) }, text };
      })(),
    ],
  ])('%s', async (_what, fact) => {
    const { read, envelopes, counts } = reader();
    expect(await read([fact])).toEqual([null]);
    expect(await read([fact])).toEqual([null]);
    expect([envelopes.remembered, counts().loads]).toEqual([0, 2]);
  });

  it('missing bytes; and a failed look-up is nobody’s for long', async () => {
    const { envelopes, read } = reader();
    const signed = [{ held: good.held, key }];
    expect(await envelopes.read(tenantId, signed, () => Promise.resolve(new Map()))).toEqual([
      null,
    ]);
    await expect(
      envelopes.read(tenantId, signed, () => Promise.reject(new Error('away'))),
    ).rejects.toThrow('away');
    expect(await read([good])).toMatchObject([{ variantId: 'a' }]);
  });
});
