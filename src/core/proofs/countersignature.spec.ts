import { describe, expect, it } from 'vitest';
import {
  type CountersignedAllow,
  countersignatureFault,
  hasCountersignatureEnded,
  parseCountersignatureClaims,
} from './countersignature.js';

const AT_MS = Date.UTC(2026, 10, 30, 9, 30);
const allow: CountersignedAllow = {
  tenantId: 'tnt_1',
  decisionId: 'arbdec_5b0e1c7d2a9f',
  flow: 'handoff',
  cartHash: 'a'.repeat(64),
  orderId: null,
  amountMinor: 2_099n,
  currency: 'INR',
  expiresAtMs: AT_MS + 600_500,
};
const claims = {
  iss: 'https://authority.example',
  aud: 'tnt_1',
  jti: 'csig_1',
  iat: AT_MS / 1000,
  exp: AT_MS / 1000 + 600,
  decision_id: allow.decisionId,
  flow: 'handoff',
  cart_hash: allow.cartHash,
  amount_minor: '2099',
  currency: 'INR',
};
const at = { atMs: AT_MS, aheadMsMax: 30_000 };

function faultOf(change: object, instant = at) {
  const parsed = parseCountersignatureClaims({ ...claims, ...change });
  return parsed.ok ? countersignatureFault(parsed.value, allow, instant) : parsed.error;
}

describe('the claims of a countersignature', () => {
  it('about exactly this allow', () => {
    expect(faultOf({})).toBeNull();
  });

  it.each<[string, object, string, string]>([
    ['a member too many', { scope: 'all' }, 'shape', 'scope'],
    ['an amount as a number', { amount_minor: 2099 }, 'shape', 'amount_minor'],
    ['a negative amount', { amount_minor: '-2099' }, 'shape', 'amount_minor'],
    ['an amount of 19 digits', { amount_minor: '1000000000000000000' }, 'shape', 'amount_minor'],
    ['an unknown flow', { flow: 'everything' }, 'shape', 'flow'],
    ['an end in parts of a second', { exp: claims.exp - 0.5 }, 'shape', 'exp'],
    ['a list of audiences', { aud: ['tnt_1', 'tnt_2'] }, 'shape', 'aud'],
    ['another audience', { aud: 'tnt_2' }, 'binding', 'aud'],
    ['another decision', { decision_id: 'arbdec_000000000000' }, 'binding', 'decision_id'],
    ['another flow', { flow: 'agent_payment' }, 'binding', 'flow'],
    ['another cart', { cart_hash: 'b'.repeat(64) }, 'binding', 'cart_hash'],
    ['no cart', { cart_hash: undefined }, 'binding', 'cart_hash'],
    ['an order', { order_id: 'order-1' }, 'binding', 'order_id'],
    ['another amount', { amount_minor: '2100' }, 'binding', 'amount_minor'],
    ['another currency', { currency: 'USD' }, 'binding', 'currency'],
    ['issued 31 s ahead', { iat: claims.iat + 31 }, 'not_before', 'iat'],
    ['longer than the allow', { exp: claims.exp + 1 }, 'expiry', 'exp'],
    ['over', { exp: claims.iat }, 'expiry', 'exp'],
  ])('%s', (_name, change, check, member) => {
    expect(faultOf(change)).toMatchObject({ check, member });
  });

  it('may be issued 30 s ahead', () => {
    expect(faultOf({ iat: claims.iat + 30 })).toBeNull();
  });
});

describe('its end', () => {
  const wholeMs = AT_MS + 600_000;
  it.each([
    ['that names the last second of the allow ends with it', wholeMs, allow.expiresAtMs, false],
    ['and no later', wholeMs, allow.expiresAtMs + 1, true],
    ['that is earlier is exclusive', wholeMs - 1_000, wholeMs - 1_000, true],
    ['and counts until then', wholeMs - 1_000, wholeMs - 1_001, false],
  ])('%s', (_name, expiresAtMs, atMs, ended) => {
    expect(hasCountersignatureEnded(expiresAtMs, allow.expiresAtMs, atMs)).toBe(ended);
  });
});
