import { describe, expect, it } from 'vitest';
import {
  atIst,
  autopay,
  evidenceOf,
  mandateOf,
  MORNING_MS,
  noticeOf,
  onRail,
  purchaseWith,
  withRbi,
} from '../../../../test/support/rbi-purchases.js';
import type { PurchaseCase } from '../facts.js';
import { rbiFactsOf } from './facts.js';
import { judgeRbiAfa } from './judge-rbi-afa.js';

function answerTo(purchase: PurchaseCase): string[] {
  const { failure, notes } = judgeRbiAfa(purchase);
  return failure === null ? ['pass', ...notes] : ['refuse', failure.code];
}

describe('worked cases of facts/payments.md 1.10', () => {
  const general = autopay({ mandate: { limitMinor: 1_500_000n } });

  it('AutoPay, general, 14,999.00, notice 30 h earlier, 09:40 IST', () => {
    expect(answerTo(general)).toEqual([
      'pass',
      'afa_exempt_recurring_std',
      'pdn_ok',
      'upi_window_open',
    ]);
  });

  it('the same at 10:00:00 IST waits until 13:00 IST', () => {
    const later = autopay({ atMs: atIst('2026-11-30T10:00:00') });
    expect(judgeRbiAfa(later).failure).toEqual({
      code: 'upi_window_closed',
      artifactType: null,
      notBeforeMs: atIst('2026-11-30T13:00:00'),
    });
  });

  it('the same, the notice said 14,990.00', () => {
    const other = withRbi(general, { preDebitNotice: noticeOf(1_499_000n, MORNING_MS) });
    expect(answerTo(other)).toEqual(['refuse', 'pdn_amount_mismatch']);
  });

  it('insurance premium of 62,000 under MCC 6300', () => {
    const premium = autopay({
      amountMinor: 6_200_000n,
      rbi: { category: 'insurance', mcc: '6300', purposeCode: 'insurance' },
    });
    expect(answerTo(premium)).toEqual([
      'pass',
      'afa_exempt_recurring_cat',
      'pdn_ok',
      'upi_window_open',
    ]);
  });

  it('FASTag top-up of 500 without a notice', () => {
    const topUp = autopay({
      amountMinor: 50_000n,
      rbi: { event: 'auto_topup', category: 'fastag', preDebitNotice: null },
    });
    expect(answerTo(topUp)).toEqual([
      'pass',
      'afa_exempt_recurring_std',
      'pdn_exempt_fastag_ncmc',
      'upi_window_open',
    ]);
  });

  it('Reserve Pay to another payee than the block’s', () => {
    const mandate = mandateOf({
      payeeId: 'other',
      blockedMinor: 1_000_000n,
      debitedMinor: 0n,
      reservedMinor: 0n,
    });
    const debit = { rail: 'upi_reserve_pay', event: 'block_debit', mandate } as const;
    expect(answerTo(onRail(debit, { amountMinor: 100n }))).toEqual([
      'refuse',
      'mandate_payee_mismatch',
    ]);
    const rightPayee = { ...debit, mandate: { ...mandate, payeeId: 'payee-1' } };
    expect(answerTo(onRail(rightPayee, { amountMinor: 100n }))).toEqual([
      'pass',
      'afa_exempt_block_debit',
      'uncertain:block_debit_in_rbi_terms',
    ]);
  });

  it('card mandate, 22,000, the issuer’s webhook proves an OTP of 3 h ago', () => {
    const amountMinor = 2_200_000n;
    const evidence = evidenceOf(amountMinor, MORNING_MS, {
      method: 'sms_otp',
      factors: [
        { class: 'has', dynamic: false },
        { class: 'has', dynamic: true },
      ],
      assertedBy: 'issuer',
      verification: 'webhook',
      performedAtMs: MORNING_MS - 3 * 3_600_000,
    });
    const card = autopay({ amountMinor, rbi: { rail: 'card_emandate', evidence } });
    const switchedOn = withRbi(card, { switchedOnRails: ['card_emandate'] });
    expect(answerTo(switchedOn)).toEqual([
      'pass',
      'afa_required_above_std',
      'afa_ok_debit',
      'pdn_ok',
    ]);
  });

  it('card subscription, 499, registered and charged in one step', () => {
    const first = {
      rail: 'card_emandate',
      event: 'first_debit',
      sameStepAsRegistration: true,
      mandate: mandateOf({
        status: 'initiated',
        registeredAtMs: null,
        lastSeq: null,
        lastDebitedAtMs: null,
      }),
      evidence: evidenceOf(49_900n, MORNING_MS, { method: 'threeds_challenge' }),
    } as const;
    expect(answerTo(onRail(first, { amountMinor: 49_900n }))).toEqual([
      'pass',
      'afa_required_first_debit',
      'afa_ok_combined',
    ]);
    expect(answerTo(onRail(first, { amountMinor: 49_901n }))).toEqual([
      'refuse',
      'afa_evidence_amount_mismatch',
    ]);
  });

  it('a USD card from outside India is not ours to judge', () => {
    const abroad = { rail: 'card_once', event: 'one_time', issuerCountry: 'US' } as const;
    expect(answerTo(onRail(abroad, { currency: 'USD' }))).toEqual(['pass', 'not_applicable']);
  });
});

describe('whether the rule applies (decisions 3.7)', () => {
  const bare = autopay({ rbi: { evidence: null, mandate: null, preDebitNotice: null } });
  const under = (changes: Parameters<typeof withRbi>[1], currency = 'INR'): string[] =>
    answerTo({
      ...bare,
      facts: {
        ...bare.facts,
        cart: { ...bare.facts.cart, currency },
        rbi: { ...bare.facts.rbi, ...changes },
      },
    });

  it('not under the profile none, nor for a rail that is not switched on', () => {
    expect(under({ profile: 'none' })).toEqual(['pass', 'not_applicable']);
    expect(under({ rail: 'card_once' })).toEqual(['pass', 'not_applicable']);
  });

  it('a rail that nobody named refuses wherever the Indian rules may hold', () => {
    expect(under({ rail: null })).toEqual(['refuse', 'rbi_unclassified']);
    expect(under({ rail: null, issuerCountry: 'IN' }, 'USD')).toEqual([
      'refuse',
      'rbi_unclassified',
    ]);
    expect(under({ rail: null, issuerCountry: null }, 'USD')).toEqual([
      'refuse',
      'rbi_scope_unknown',
    ]);
    expect(under({ rail: null, issuerCountry: 'US' }, 'USD')).toEqual(['pass', 'not_applicable']);
  });

  it('a country that is none counts as unknown', () => {
    const card = { rail: 'card_once', switchedOnRails: ['card_once'], event: 'one_time' } as const;
    for (const issuerCountry of [null, '', 'in', 'IND', 'I']) {
      expect(under({ ...card, issuerCountry }, 'USD')).toEqual(['refuse', 'rbi_scope_unknown']);
    }
    expect(under({ ...card, issuerCountry: 'IN' }, 'USD')).toEqual([
      'refuse',
      'afa_evidence_missing',
    ]);
    expect(under({ ...card, issuerCountry: 'US' }, 'INR')).toEqual([
      'refuse',
      'afa_evidence_missing',
    ]);
  });

  it('UPI moves rupees only, and more than nothing', () => {
    expect(under({}, 'USD')).toEqual(['refuse', 'rbi_unclassified']);
    expect(answerTo(autopay({ amountMinor: 0n }))).toEqual(['refuse', 'rbi_unclassified']);
    expect(answerTo(autopay({ amountMinor: -1n }))).toEqual(['refuse', 'rbi_unclassified']);
  });

  it('an event that moves no money, or one the rail does not know, is no purchase', () => {
    for (const event of ['register', 'modify', 'withdraw', 'one_time', 'block_debit'] as const) {
      expect(under({ event })).toEqual(['refuse', 'rbi_unclassified']);
    }
  });

  it('no profile: the test world passes, the live world needs evidence for every payment', () => {
    const amountMinor = 100n;
    const facts = rbiFactsOf(null);
    expect(answerTo(purchaseWith(facts))).toEqual(['pass', 'profile_not_chosen']);
    expect(answerTo(purchaseWith(facts, { world: 'live' }))).toEqual([
      'refuse',
      'afa_evidence_missing',
    ]);
    const evidence = evidenceOf(amountMinor, MORNING_MS, { mandateRefBound: null });
    const proven = { ...facts, payeeId: 'payee-1', evidence };
    expect(answerTo(purchaseWith(proven, { world: 'live', amountMinor }))).toEqual([
      'pass',
      'afa_required_always',
      'afa_ok_debit',
    ]);
    const empty = { ...proven, evidence: { ...evidence, method: 'other' as const } };
    expect(answerTo(purchaseWith(empty, { world: 'live', amountMinor }))).toEqual([
      'refuse',
      'afa_factors_insufficient',
    ]);
    expect(answerTo(purchaseWith(proven, { world: 'live', amountMinor: 101n }))).toEqual([
      'refuse',
      'afa_evidence_amount_mismatch',
    ]);
  });
});

describe('what the trace shows', () => {
  it('rail, amount beside the limit, since when it holds, and the ages of evidence and notice', () => {
    const evidence = evidenceOf(1_500_000n, MORNING_MS);
    const { observations } = judgeRbiAfa(autopay({ amountMinor: 1_500_000n, rbi: { evidence } }));
    expect(observations).toContainEqual({
      name: 'evidence_age',
      kind: 'age_ms',
      observed: 60_000,
      limit: null,
    });
    expect(observations).toContainEqual({
      name: 'amount',
      kind: 'amount',
      observed: 1_500_000n,
      limit: 1_500_000n,
    });
    expect(observations).toContainEqual({
      name: 'limit_in_force_since',
      kind: 'text',
      observed: '2022-06-16',
      limit: null,
    });
    expect(observations).toContainEqual({
      name: 'notice_age',
      kind: 'age_ms',
      observed: 108_000_000,
      limit: null,
    });
  });

  it('every further failure', () => {
    const { failure, notes } = judgeRbiAfa(
      autopay({ mandate: { status: 'paused' }, rbi: { preDebitNotice: null } }),
    );
    expect(failure?.code).toBe('mandate_paused');
    expect(notes).toContain('also_failed:pdn_missing');
  });
});
