import { describe, expect, it } from 'vitest';
import {
  AFA_EVIDENCE_LIFE_SECONDS_MAX,
  AFA_FACTORS_MAX,
  parseAfaEvidenceClaims,
  parsePaymentMandateClaims,
  parsePreDebitNoticeClaims,
} from './rail-claims.js';

const IAT = 1_796_000_000;
const common = {
  iss: 'https://psp.example',
  aud: 'grantex-commerce',
  jti: 'r1',
  iat: IAT,
  tenant_id: 'tnt_1',
  merchant_id: 'shop-1',
  mandate_ref: 'mnd_1',
};
const amount = { amount: '45900', currency: 'INR' };
const evidence = {
  ...common,
  exp: IAT + 600,
  amount,
  method: 'upi_pin',
  factors: [{ class: 'knows', dynamic: false }],
  asserted_by: 'psp',
  performed_at: IAT - 10,
  provider_ref: 'rrn-1',
};
const notice = {
  ...common,
  notice_ref: 'pdn_1',
  version: 1,
  amount,
  delivery: 'delivered',
  sent_at: IAT - 60,
  delivered_at: IAT - 60,
};
const mandate = {
  ...common,
  version: 1,
  rail: 'upi_autopay',
  status: 'live',
  kind: 'variable',
  limit: amount,
  frequency: 'monthly',
  terms_changed_since_afa: false,
};

type Claims = Readonly<Record<string, unknown>>;
const memberOf = (result: ReturnType<typeof parseAfaEvidenceClaims>): string | null =>
  result.ok ? null : (expect(result.error.check).toBe('shape'), result.error.member);

describe('the claims of evidence', () => {
  const parse = (changes: Claims = {}) =>
    memberOf(parseAfaEvidenceClaims({ ...evidence, ...changes }));

  it('are read', () => {
    expect(parseAfaEvidenceClaims(evidence)).toMatchObject({
      ok: true,
      value: {
        id: 'r1',
        issuedAtMs: IAT * 1_000,
        expiresAtMs: (IAT + 600) * 1_000,
        amount: { amountMinor: 45_900n, currency: 'INR' },
        cartHash: null,
        payerRef: null,
        deviceRef: null,
        providerRef: 'rrn-1',
      },
    });
  });

  it('live from after their issue to 72 hours after it', () => {
    expect(parse({ exp: IAT })).toBe('exp');
    expect(parse({ exp: IAT + 1 })).toBeNull();
    expect(parse({ exp: IAT + AFA_EVIDENCE_LIFE_SECONDS_MAX })).toBeNull();
    expect(parse({ exp: IAT + AFA_EVIDENCE_LIFE_SECONDS_MAX + 1 })).toBe('exp');
  });

  it.each<[Claims, string]>([
    [{ max_amount: 1 }, 'max_amount'],
    [{ sub: 'buyer' }, 'sub'],
    [{ amount: { amount: '-1', currency: 'INR' } }, 'amount.amount'],
    [{ amount: { amount: '1', currency: 'inr' } }, 'amount.currency'],
    [{ amount: { ...amount, extra: 1 } }, 'amount.extra'],
    [{ cart_hash: 'A'.repeat(64) }, 'cart_hash'],
    [{ cart_hash: 'a'.repeat(63) }, 'cart_hash'],
    [{ method: 'otp_told_to_the_agent' }, 'method'],
    [{ asserted_by: 'agent' }, 'asserted_by'],
    [{ asserted_by: 'merchant' }, 'asserted_by'],
    [{ performed_at: 1.5 }, 'performed_at'],
    [{ performed_at: undefined }, 'performed_at'],
    [{ provider_ref: undefined }, 'provider_ref'],
    [{ mandate_ref: undefined }, 'mandate_ref'],
    [{ mandate_ref: 'with space' }, 'mandate_ref'],
    [{ factors: undefined }, 'factors'],
    [{ factors: 'knows' }, 'factors'],
    [{ factors: [null] }, 'factors.0'],
    [
      {
        factors: [
          { class: 'knows', dynamic: false },
          { class: 'likes', dynamic: false },
        ],
      },
      'factors.1.class',
    ],
    [{ factors: [{ class: 'knows', dynamic: 'no' }] }, 'factors.0.dynamic'],
    [{ factors: [{ class: 'knows', dynamic: true, pin: '1234' }] }, 'factors.0.pin'],
    [
      { factors: Array.from({ length: AFA_FACTORS_MAX + 1 }, () => evidence.factors[0]) },
      'factors',
    ],
  ])('do not hold %j', (changes, member) => {
    expect(parse(changes)).toBe(member);
  });
});

describe('the claims of a notice', () => {
  const parse = (changes: Claims = {}) =>
    memberOf(parsePreDebitNoticeClaims({ ...notice, ...changes }) as never);

  it('say when it was delivered exactly when it was', () => {
    expect(parse()).toBeNull();
    expect(parse({ delivered_at: undefined })).toBe('delivered_at');
    expect(parse({ delivery: 'sent' })).toBe('delivered_at');
    expect(parse({ delivery: 'failed' })).toBe('delivered_at');
    expect(parse({ delivery: 'failed', delivered_at: undefined })).toBeNull();
    expect(parse({ delivered_at: IAT - 61 })).toBe('delivered_at');
  });

  it.each<[Claims, string]>([
    [{ exp: IAT + 1 }, 'exp'],
    [{ version: -1 }, 'version'],
    [{ version: '1' }, 'version'],
    [{ seq: 1.5 }, 'seq'],
    [{ notice_ref: undefined }, 'notice_ref'],
    [{ sent_at: undefined }, 'sent_at'],
    [{ scheduled_for: '2026-12-01' }, 'scheduled_for'],
    [{ opted_out_at: true }, 'opted_out_at'],
    [{ payee_name: '' }, 'payee_name'],
    [{ delivery: 'read' }, 'delivery'],
  ])('do not hold %j', (changes, member) => {
    expect(parse(changes)).toBe(member);
  });
});

describe('the claims of a debit mandate', () => {
  const parse = (changes: Claims = {}) =>
    memberOf(parsePaymentMandateClaims({ ...mandate, ...changes }) as never);

  it('are read, what is left out as unknown or none', () => {
    expect(parsePaymentMandateClaims(mandate)).toMatchObject({
      ok: true,
      value: {
        debitDay: null,
        validFromAtMs: null,
        registrationAfaRef: null,
        lastSeq: null,
        attemptsThisCycle: 0,
        payeeDebitedThisCycleMinor: 0n,
        block: null,
      },
    });
    const block = { blocked: '1000', debited: '1', reserved: '2' };
    const cycle = { attempts: 2, payee_debited: '300' };
    expect(parsePaymentMandateClaims({ ...mandate, block, cycle })).toMatchObject({
      value: {
        block: { blockedMinor: 1_000n, debitedMinor: 1n, reservedMinor: 2n },
        attemptsThisCycle: 2,
        payeeDebitedThisCycleMinor: 300n,
      },
    });
  });

  it.each<[Claims, string]>([
    [{ status: 'active' }, 'status'],
    [{ rail: 'upi' }, 'rail'],
    [{ kind: 'open' }, 'kind'],
    [{ limit: undefined }, 'limit'],
    [{ frequency: 'sometimes' }, 'frequency'],
    [{ terms_changed_since_afa: undefined }, 'terms_changed_since_afa'],
    [{ debit_day: { rule: 'on', day: 0 } }, 'debit_day.day'],
    [{ debit_day: { rule: 'on', day: 32 } }, 'debit_day.day'],
    [{ debit_day: { rule: 'near', day: 3 } }, 'debit_day.rule'],
    [{ debit_day: { rule: 'on', day: 3, of: 'may' } }, 'debit_day.of'],
    [{ cycle: { attempts: 1 } }, 'cycle.payee_debited'],
    [{ cycle: { attempts: -1, payee_debited: '0' } }, 'cycle.attempts'],
    [{ block: { blocked: '1', debited: '0' } }, 'block.reserved'],
    [{ block: { blocked: 1, debited: '0', reserved: '0' } }, 'block.blocked'],
    [{ block: { blocked: '-1', debited: '0', reserved: '0' } }, 'block.blocked'],
    [{ last_seq: -1 }, 'last_seq'],
    [{ valid_to: -1 }, 'valid_to'],
  ])('do not hold %j', (changes, member) => {
    expect(parse(changes)).toBe(member);
  });
});
