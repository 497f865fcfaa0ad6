import { describe, expect, it } from 'vitest';
import type { ConsentFact, MandateFact, PassportFact } from '../rules/index.js';
import {
  authorityFactsOf,
  type BuyerAuthority,
  callerAsserted,
  makeVerifiedAuthority,
  VerifiedAuthority,
} from './buyer-authority.js';
import { keyStateFor } from './key-state.js';
import { lineageFault, type MandateTerms } from './lineage.js';

const credential = {
  source: 'verified',
  signature: 'valid',
  agentId: 'agt_1',
  buyerCommitment: 'b'.repeat(64),
  notBeforeAtMs: 0,
  expiresAtMs: 1,
  status: {
    verdict: 'valid',
    listUri: 'urn:l',
    index: 1,
    listIssuedAtMs: 0,
    listVersion: null,
    fault: null,
  },
} as const;
const mandate: MandateFact = {
  ...credential,
  ref: 'mnd_1',
  mandateKind: 'intent',
  issuedAtMs: 0,
  merchantIds: ['shop-1'],
  cartHash: null,
  buyerKeyBound: false,
  capMinor: 1n,
  currency: 'INR',
  intentRefs: ['mnd_1'],
  parentStatus: null,
  ancestorSlots: [],
  constraints: 'met',
};
const consent: ConsentFact = {
  ...credential,
  ref: 'crec_1',
  merchantId: 'shop-1',
  state: 'granted',
};
const passport: PassportFact = {
  ...credential,
  ref: 'cpsp_1',
  merchantId: 'shop-1',
  world: 'test',
  issuedAtMs: 0,
  passportType: 'checkout',
  scopes: [],
  capMinor: 1n,
  currency: 'INR',
};
const all = { mandates: [mandate], consent, passport, passportConsentRef: 'crec_1' };

describe('VerifiedAuthority', () => {
  it('is made of a whole and consistent set only', () => {
    expect(makeVerifiedAuthority(all)).toBeInstanceOf(VerifiedAuthority);
  });

  it.each([
    ['no mandate', { ...all, mandates: [] }],
    ['no consent', { ...all, consent: null }],
    ['no passport', { ...all, passport: null }],
    [
      'an asserted passport',
      { ...all, passport: { ...passport, source: 'caller_asserted' as const } },
    ],
    [
      'a bad signature',
      { ...all, mandates: [mandate, { ...mandate, signature: 'invalid' as const }] },
    ],
    [
      'an unknown issuer',
      { ...all, consent: { ...consent, signature: 'issuer_untrusted' as const } },
    ],
    ['another buyer', { ...all, passport: { ...passport, buyerCommitment: 'c'.repeat(64) } }],
    ['no buyer', { ...all, consent: { ...consent, buyerCommitment: null } }],
    ['a passport on another consent', { ...all, passportConsentRef: 'crec_2' }],
  ])('is not made with %s', (_name, found) => {
    expect(makeVerifiedAuthority(found)).toBeNull();
  });

  it('cannot be made elsewhere', () => {
    // @ts-expect-error the constructor is private to the verifier
    const constructible: new (...parts: readonly unknown[]) => unknown = VerifiedAuthority;
    expect(constructible).toBe(VerifiedAuthority);
    // @ts-expect-error a look-alike has no private member
    const lookAlike: BuyerAuthority = {
      source: 'verified',
      mandates: [mandate],
      consent,
      passport,
    };
    expect(() => authorityFactsOf(lookAlike)).toThrow('verified authority is made by the verifier');
    const real = makeVerifiedAuthority(all);
    // @ts-expect-error a copy loses the private member too
    const copy: BuyerAuthority = { ...real };
    expect(() => authorityFactsOf(copy)).toThrow();
  });

  it('prints what it is', () => {
    const real = makeVerifiedAuthority(all);
    if (real === null) throw new Error('a whole set makes verified authority');
    expect(authorityFactsOf(real).source).toBe('verified');
    expect(authorityFactsOf(callerAsserted(all)).source).toBe('caller_asserted');
  });
});

describe('keyStateFor', () => {
  const key = { notBeforeAtMs: 100, retiredAtMs: null, compromisedSinceAtMs: null };
  const at = (issuedAtMs: number, knownSinceMs: number | null = null, atMs = 1_000) => ({
    issuedAtMs,
    knownSinceMs,
    atMs,
  });

  it.each([
    ['before the key began', key, at(99), 'not_yet'],
    ['when the key begins', key, at(100), 'usable'],
    ['now before the key begins', key, at(100, null, 99), 'not_yet'],
    ['before retirement', { ...key, retiredAtMs: 500 }, at(499), 'usable'],
    ['at retirement', { ...key, retiredAtMs: 500 }, at(500), 'retired'],
    [
      'compromised, not known before',
      { ...key, compromisedSinceAtMs: 500 },
      at(200),
      'compromised',
    ],
    ['compromised, known before', { ...key, compromisedSinceAtMs: 500 }, at(200, 499), 'usable'],
    [
      'compromised, registered at that instant',
      { ...key, compromisedSinceAtMs: 500 },
      at(200, 500),
      'compromised',
    ],
    [
      'compromised, backdated registration',
      { ...key, compromisedSinceAtMs: 500 },
      at(500, 499),
      'compromised',
    ],
    [
      'compromised is worse than retired',
      { ...key, retiredAtMs: 100, compromisedSinceAtMs: 500 },
      at(200),
      'compromised',
    ],
  ] as const)('%s', (_name, state, times, expected) => {
    expect(keyStateFor(state, times)).toBe(expected);
  });
});

describe('lineageFault', () => {
  const parent: MandateTerms = {
    kind: 'intent',
    buyer: 'b',
    agentId: 'agt_1',
    merchantIds: ['shop-1', 'shop-2'],
    cartHash: null,
    cap: { amountMinor: 1_000n, currency: 'INR' },
    notBeforeAtMs: 100,
    expiresAtMs: 200,
  };
  const child: MandateTerms = { ...parent, kind: 'cart', cartHash: 'a', merchantIds: ['shop-1'] };

  it('lets equal terms pass, and any merchant below *', () => {
    expect(lineageFault(child, parent)).toBeNull();
    expect(lineageFault(child, { ...parent, merchantIds: ['*'] })).toBeNull();
  });

  it.each([
    ['kind', { ...parent }, { ...parent, kind: 'cart' as const }],
    ['sub', { ...child, buyer: 'c' }, parent],
    ['agent_id', { ...child, agentId: 'agt_2' }, parent],
    ['merchant_ids', { ...child, merchantIds: ['shop-3'] }, parent],
    ['merchant_ids', { ...child, kind: 'intent' as const, merchantIds: ['*'] }, parent],
    ['cart_hash', { ...child, kind: 'payment' as const, cartHash: 'b' }, { ...child }],
    ['cart_hash', { ...child, kind: 'payment' as const, cartHash: null }, { ...child }],
    ['cap.currency', { ...child, cap: { amountMinor: 1n, currency: 'USD' } }, parent],
    ['cap.amount', { ...child, cap: { amountMinor: 1_001n, currency: 'INR' } }, parent],
    ['nbf', { ...child, notBeforeAtMs: 99 }, parent],
    ['exp', { ...child, expiresAtMs: 201 }, parent],
  ])('finds a child beyond its parent in %s', (member, wide, narrow) => {
    expect(lineageFault(wide, narrow)).toMatchObject({ check: 'lineage', member });
  });
});
