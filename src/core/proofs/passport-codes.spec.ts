import { describe, expect, it } from 'vitest';
import { fault, type ProofCheck } from './fault.js';
import { PASSPORT_CODES, passportCodeOf, passportStandingCode } from './passport-codes.js';

const around = {
  claims: { iat: 1, passport_type: 'x', scopes: 1 },
  key: 'known',
  retiredAtMs: null,
  issuedAtMs: 0,
} as const;

describe('codes of passport verification', () => {
  it.each([
    ['shape', null, {}, 'malformed'],
    ['shape', 'header.typ', {}, 'malformed'],
    ['shape', 'header.kid', {}, 'kid_required'],
    ['shape', 'sub', {}, 'missing_claims'],
    ['shape', 'iat', {}, 'temporal_claim_invalid'],
    ['shape', 'passport_type', {}, 'invalid_passport_type'],
    ['shape', 'scopes', {}, 'malformed'],
    ['shape', 'sub', { claims: null }, 'malformed'],
    ['algorithm', 'header.alg', {}, 'algorithm_rejected'],
    ['signature', null, {}, 'signature_invalid'],
    ['issuer_key', 'header.kid', { key: 'unknown_issuer' }, 'wrong_issuer'],
    ['issuer_key', 'header.kid', { key: 'unknown_kid' }, 'kid_unknown'],
    ['issuer_key', 'header.kid', { key: 'of_another_role' }, 'kid_wrong_namespace'],
    ['issuer_key_state', 'kid', { retiredAtMs: 5, issuedAtMs: 5 }, 'kid_retired_iat_after'],
    ['issuer_key_state', 'kid', {}, 'kid_unknown'],
    ['binding', 'aud', {}, 'wrong_audience'],
    ['binding', 'tenant_id', {}, 'tenant_mismatch'],
    ['not_before', 'iat', {}, 'not_yet_valid'],
    ['expiry', 'exp', {}, 'expired'],
    ['lineage', null, {}, 'malformed'],
  ] as const)('%s of %s is %j: %s', (check, member, change, code) => {
    expect(passportCodeOf(fault(check as ProofCheck, member, ''), { ...around, ...change })).toBe(
      code,
    );
    expect(PASSPORT_CODES).toContain(code);
  });

  const passport = {
    passportType: 'checkout',
    issuedAtMs: 0,
    notBeforeAtMs: 0,
    expiresAtMs: 600_000,
  } as const;
  const now = {
    atMs: 1_000,
    aheadMsMax: 30_000,
    mode: 'payment_affecting',
    retiredAtMs: null,
    status: { verdict: 'valid' },
  } as const;
  it.each([
    [null, {}, {}],
    ['invalid_passport_type', { passportType: 'browse' }, {}],
    [null, { passportType: 'browse' }, { mode: 'read_only' }],
    ['not_yet_valid', { issuedAtMs: 40_000 }, {}],
    ['not_yet_valid', { notBeforeAtMs: 1_001 }, {}],
    ['kid_retired_window_exceeded', {}, { retiredAtMs: -1 }],
    [null, {}, { retiredAtMs: 0 }],
    ['lifetime_exceeded', { expiresAtMs: 600_001 }, {}],
    ['expired', {}, { atMs: 600_000 }],
    [null, {}, { atMs: 599_999 }],
    ['revoked', {}, { status: { verdict: 'revoked' } }],
    ['revoked', {}, { status: { verdict: 'suspended' } }],
    ['revocation_unavailable', {}, { status: { verdict: 'unavailable' } }],
    [
      'revocation_unavailable',
      { passportType: 'browse' },
      { mode: 'read_only', status: { verdict: 'unavailable' } },
    ],
  ] as const)('%s: %j %j', (code, change, circumstances) => {
    expect(passportStandingCode({ ...passport, ...change }, { ...now, ...circumstances })).toBe(
      code,
    );
  });
});
