import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lineageFault,
  parseConsentClaims,
  parseMandateClaims,
  parsePassportClaims,
  passportLifeFault,
} from '../../core/proofs/index.js';
import {
  type Claims,
  consentClaims,
  type Issuance,
  mandateClaims,
  type MandateGrant,
  passportClaims,
  registrationClaims,
  wholeSecond,
  wholeSecondFrom,
} from './claims.js';

const issuance: Issuance = {
  issuer: 'https://0123456789abcdef.authority.internal',
  tenantId: 'tnt_a',
  id: 'obj_1',
  issuedAtMs: 1_796_000_000_000,
  slot: { uri: 'https://0123456789abcdef.authority.internal/status/tnt_a/1', index: 131_071 },
};
const HOUR_MS = 3_600_000;
const parties = { subject: 'buyer@example.com', agentId: 'agt_1' };
const onTheWire = (claims: Claims): Record<string, unknown> =>
  JSON.parse(JSON.stringify(claims)) as Record<string, unknown>;

const mandate: MandateGrant = {
  ...parties,
  kind: 'payment',
  parentId: 'mnd_above',
  merchantIds: ['shop'],
  cartHash: 'a'.repeat(64),
  cap: { amountMinor: 999_999_999_999_999_999n, currency: 'INR' },
  notBeforeAtMs: issuance.issuedAtMs + 1_000,
  expiresAtMs: issuance.issuedAtMs + HOUR_MS,
  payment: {
    rail: 'upi_autopay',
    event: 'debit',
    category: null,
    mcc: '5411',
    purposeCode: null,
    umn: 'umn@bank',
    country: 'IN',
  },
  buyerJwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  },
};

describe('claims that the authority signs', () => {
  it('a consent is read by the parser of tokens, whole', () => {
    const grant = {
      ...parties,
      merchantId: 'shop',
      scopes: ['commerce:checkout.create'],
      state: 'granted' as const,
      expiresAtMs: issuance.issuedAtMs + HOUR_MS,
    };
    expect(parseConsentClaims(onTheWire(consentClaims(issuance, grant)))).toEqual({
      ok: true,
      value: {
        id: 'obj_1',
        issuer: issuance.issuer,
        audiences: ['grantex-commerce'],
        tenantId: 'tnt_a',
        issuedAtMs: issuance.issuedAtMs,
        notBeforeAtMs: issuance.issuedAtMs,
        status: issuance.slot,
        ...grant,
      },
    });
  });

  it('a mandate is read by the parser of tokens, whole', () => {
    const parsed = parseMandateClaims(onTheWire(mandateClaims(issuance, mandate)));
    const { buyerJwk, ...rest } = mandate;
    expect(parsed).toMatchObject({
      ok: true,
      value: { id: 'obj_1', ...rest, buyerKey: { alg: 'EdDSA', jwk: buyerJwk } },
    });
  });

  it('a mandate of which everything optional is absent has no member that says null', () => {
    const bare = mandateClaims(issuance, {
      ...mandate,
      kind: 'intent',
      parentId: null,
      cartHash: null,
      notBeforeAtMs: null,
      payment: null,
      buyerJwk: null,
    });
    expect(Object.values(bare)).not.toContain(null);
    expect(Object.keys(bare).sort()).toEqual(
      'agent_id aud cap exp iat iss jti kind merchant_ids status sub tenant_id'.split(' '),
    );
    expect(parseMandateClaims(onTheWire(bare)).ok).toBe(true);
  });

  it.each([
    ['browse', 3_600],
    ['checkout', 600],
  ] as const)('a %s passport of the longest life is read and lives no longer', (type, life) => {
    const read = parsePassportClaims(
      onTheWire(
        passportClaims(issuance, {
          ...parties,
          merchantId: 'shop',
          passportType: type,
          consentId: 'con_1',
          scopes: [],
          maxAmount: { amountMinor: 9_007_199_254_740_991n, currency: 'INR' },
          isLive: true,
          expiresAtMs: issuance.issuedAtMs + life * 1_000,
        }),
      ),
    );
    expect(read).toMatchObject({
      ok: true,
      value: { capMinor: 9_007_199_254_740_991n, currency: 'INR', world: 'live' },
    });
    expect(read.ok && passportLifeFault(read.value)).toBe(null);
  });

  it('a registration says whose bytes take which place, for whom, and nothing else', () => {
    const end = { expiresAtMs: issuance.issuedAtMs + 1 };
    const grant = { ...parties, sha256: 'b'.repeat(64), parentId: null, ...end };
    expect(Object.keys(registrationClaims(issuance, grant)).sort()).toEqual(
      'agent_id aud exp iat iss jti sha256 status sub tenant_id'.split(' '),
    );
    expect(registrationClaims(issuance, { ...grant, parentId: 'mnd_1' })['parent']).toBe('mnd_1');
  });

  it('rounding to whole seconds never begins earlier or lasts longer, whatever the instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_798_999 }), (atMs) => {
        const [end, start] = [wholeSecond(atMs), wholeSecondFrom(atMs)];
        return end <= atMs && atMs - end < 1_000 && start >= atMs && start - atMs < 1_000;
      }),
      { seed: 20_261_130 },
    );
  });

  it('a child with the rounded times of its parent is within it', () => {
    const terms = { ...mandate, buyer: 'b', notBeforeAtMs: wholeSecondFrom(1_500) };
    expect(lineageFault({ ...terms, notBeforeAtMs: 2_000 }, terms)).toBe(null);
  });
});
