import { describe, expect, it } from 'vitest';
import {
  atIst,
  autopay,
  delegationOf,
  evidenceOf,
  mandateOf,
  MORNING_MS,
  onRail,
  PAYEE,
  withRbi,
} from '../../../../test/support/rbi-purchases.js';
import { RULESET_VERSION } from '../../kernel/index.js';
import type { PurchaseCase } from '../facts.js';
import { decideAfa } from './decide-afa.js';
import { type AfaEvent, type AfaRail, rbiFacts } from './facts.js';
import { judgeRbiAfa } from './judge-rbi-afa.js';

const codeOf = (purchase: PurchaseCase): string | null =>
  judgeRbiAfa(purchase).failure?.code ?? null;

describe('the mandate', () => {
  it('every status but live refuses', () => {
    const codes = [
      'initiated',
      'rejected',
      'completed',
      'unknown',
      'paused',
      'revoked',
      'live',
    ].map((status) => codeOf(autopay({ mandate: { status: status as 'live' } })));
    expect(codes).toEqual([
      'mandate_not_live',
      'mandate_not_live',
      'mandate_not_live',
      'mandate_not_live',
      'mandate_paused',
      'mandate_revoked',
      null,
    ]);
  });

  it('that no provider reported is missing, on UPI by a name of its own', () => {
    const card = onRail({ rail: 'card_emandate', event: 'subsequent_debit', mandate: null });
    expect(codeOf(card)).toBe('mandate_not_live');
    for (const [rail, event] of [
      ['upi_autopay', 'subsequent_debit'],
      ['upi_reserve_pay', 'block_debit'],
      ['upi_otm', 'block_debit'],
    ] as const)
      expect(codeOf(onRail({ rail, event, mandate: null }))).toBe('upi_mandate_capability_missing');
  });

  it('starts inclusively and ends exclusively, by the time of execution', () => {
    expect(codeOf(autopay({ mandate: { validFromAtMs: MORNING_MS } }))).toBeNull();
    expect(codeOf(autopay({ mandate: { validFromAtMs: MORNING_MS + 1 } }))).toBe(
      'mandate_not_started',
    );
    expect(codeOf(autopay({ mandate: { validToAtMs: MORNING_MS + 1 } }))).toBeNull();
    expect(codeOf(autopay({ mandate: { validToAtMs: MORNING_MS } }))).toBe('mandate_expired');
  });

  it('fixed means exactly, variable at most, in the mandate’s currency', () => {
    const AMOUNT = 1_499_900n;
    const withLimit = (kind: 'fixed' | 'variable', limitMinor: bigint | null, currency = 'INR') =>
      codeOf(autopay({ mandate: { kind, limitMinor, currency } }));
    expect(withLimit('variable', AMOUNT)).toBeNull();
    expect(withLimit('variable', AMOUNT - 1n)).toBe('mandate_amount_exceeded');
    expect(withLimit('variable', null)).toBe('mandate_amount_exceeded');
    expect(withLimit('variable', AMOUNT, 'USD')).toBe('mandate_amount_exceeded');
    expect(withLimit('fixed', AMOUNT)).toBeNull();
    expect(withLimit('fixed', AMOUNT + 1n)).toBe('mandate_amount_differs');
    expect(withLimit('fixed', null)).toBe('mandate_amount_differs');
  });

  it('a first debit called a later one is still the first (H2)', () => {
    const first = autopay({ mandate: { lastSeq: null, lastDebitedAtMs: null } });
    expect(codeOf(withRbi(first, { evidence: null }))).toBe('afa_evidence_missing');
    const proven = withRbi(first, { evidence: evidenceOf(1_499_900n, MORNING_MS) });
    expect(codeOf(proven)).toBeNull();
    expect(codeOf(autopay({ mandate: { lastSeq: 1, lastDebitedAtMs: null } }))).toBeNull();
    expect(codeOf(autopay({ mandate: { lastSeq: null } }))).toBeNull();
  });

  it('terms changed since the last AFA need AFA', () => {
    expect(codeOf(autopay({ mandate: { termsChangedSinceAfa: true } }))).toBe(
      'afa_evidence_missing',
    );
  });

  it('one debit a cycle: the sequence number and the calendar both tell', () => {
    expect(codeOf(autopay({ mandate: { lastSeq: 4 } }))).toBe('mandate_cycle_already_debited');
    const lastDebitedAtMs = atIst('2026-11-01T00:00:00');
    expect(codeOf(autopay({ mandate: { lastDebitedAtMs } }))).toBe('mandate_cycle_already_debited');
    expect(codeOf(autopay({ mandate: { lastDebitedAtMs: lastDebitedAtMs - 1 } }))).toBeNull();
    expect(codeOf(autopay({ mandate: { lastDebitedAtMs, frequency: 'as_presented' } }))).toBeNull();
    expect(codeOf(autopay({ mandate: { frequency: null } }))).toBe('mandate_frequency_violation');
  });

  it('month end: the 31st falls to the last day of a shorter month', () => {
    const on31 = (day: string) =>
      codeOf(
        autopay({ atMs: atIst(`${day}T09:00:00`), mandate: { debitDay: { rule: 'on', day: 31 } } }),
      );
    expect(on31('2026-11-30')).toBeNull();
    expect(on31('2026-10-30')).toBe('mandate_frequency_violation');
    expect(on31('2026-10-31')).toBeNull();
    expect(on31('2027-02-28')).toBeNull();
    expect(on31('2028-02-28')).toBe('mandate_frequency_violation');
    expect(on31('2028-02-29')).toBeNull();
  });

  it('one debit at a time: the next waits for what the provider says of the one before', () => {
    expect(codeOf(autopay({ mandate: { reservedMinor: 1n } }))).toBe('mandate_debit_underway');
    expect(codeOf(autopay({ mandate: { reservedMinor: 0n } }))).toBeNull();
  });

  it('N2: one amount cut into small debits of one cycle needs AFA as a whole', () => {
    const split = (earlier: bigint) =>
      judgeRbiAfa(
        withRbi(autopay({ amountMinor: 1_000_000n }), { payeeDebitedThisCycleMinor: earlier }),
      );
    expect(split(500_000n).failure).toBeNull();
    expect(split(500_001n).failure?.code).toBe('mandate_frequency_violation');
    expect(split(500_001n).notes).toContain('warning:structuring_suspected');
  });

  it('blocks: taken, promised and asked for stay within what was set aside', () => {
    const debit = (changes: Parameters<typeof mandateOf>[0]) =>
      codeOf(
        onRail(
          {
            rail: 'upi_reserve_pay',
            event: 'block_debit',
            mandate: mandateOf({
              blockedMinor: 1_000_000n,
              debitedMinor: 300_000n,
              reservedMinor: 200_000n,
              ...changes,
            }),
          },
          { amountMinor: 500_000n },
        ),
      );
    expect(debit({})).toBeNull();
    expect(debit({ reservedMinor: 200_001n })).toBe('block_exceeded');
    expect(debit({ debitedMinor: null })).toBe('block_exceeded');
    expect(debit({ blockedMinor: null })).toBe('block_exceeded');
    expect(debit({ currency: 'USD' })).toBe('block_exceeded');
  });
});

describe('making, changing and withdrawing a mandate (the table alone; no purchase)', () => {
  const decide = (
    event: AfaEvent,
    changes: Parameters<typeof mandateOf>[0],
    bound = 1_500_000n,
  ) => {
    const { facts } = autopay({
      mandate: { limitMinor: 1_500_000n, ...changes },
      rbi: { evidence: evidenceOf(bound, MORNING_MS) },
    });
    const { effect, refusal } = decideAfa({
      ruleset: RULESET_VERSION,
      rail: 'upi_autopay',
      event,
      amount: { amountMinor: 100n, currency: 'INR' },
      coreHash: 'c',
      atMs: MORNING_MS,
      executionAtMs: MORNING_MS,
      facts: facts.rbi,
    });
    return refusal?.code ?? effect;
  };

  it('the evidence covers the terms as they will be', () => {
    expect(decide('register', {})).toBe('note');
    expect(decide('register', {}, 1_499_999n)).toBe('afa_evidence_amount_mismatch');
    expect(decide('modify', {})).toBe('note');
    expect(decide('modify', { limitMinor: 1_500_001n })).toBe('afa_evidence_amount_mismatch');
    expect(decide('register', { validToAtMs: null })).toBe('mandate_validity_absent');
    expect(decide('register', { payeeId: 'other' })).toBe('mandate_payee_mismatch');
    expect(decide('register', { limitMinor: 9_999_901n }, 9_999_901n)).toBe(
      'mandate_amount_exceeded',
    );
  });

  it('blocks have caps of their own', () => {
    const block = (rail: AfaRail, blockedMinor: bigint, purposeCode: string | null) =>
      decideAfa({
        ruleset: RULESET_VERSION,
        rail,
        event: 'block_create',
        amount: { amountMinor: 100n, currency: 'INR' },
        coreHash: 'c',
        atMs: MORNING_MS,
        executionAtMs: MORNING_MS,
        facts: {
          ...autopay().facts.rbi,
          purposeCode,
          mandate: mandateOf({ blockedMinor }),
          evidence: evidenceOf(blockedMinor, MORNING_MS),
        },
      }).refusal?.code ?? null;
    expect(block('upi_reserve_pay', 1_000_000n, '77')).toBeNull();
    expect(block('upi_reserve_pay', 1_000_001n, '77')).toBe('block_exceeded');
    expect(block('upi_reserve_pay', 50_000_000n, '76')).toBeNull();
    expect(block('upi_reserve_pay', 50_000_001n, '76')).toBe('block_exceeded');
    expect(block('upi_otm', 9_999_900n, null)).toBeNull();
    expect(block('upi_otm', 9_999_901n, null)).toBe('block_exceeded');
  });

  it('a withdrawal is never held up (N4)', () => {
    expect(decide('withdraw', { status: 'revoked', payeeId: null })).toBe('note');
  });
});

it('facts survive the ledger: decode(encode(facts)) = facts', () => {
  const { rbi } = autopay({
    rbi: { evidence: evidenceOf(1n, MORNING_MS), delegation: delegationOf(), payeeId: PAYEE },
    mandate: { debitDay: { rule: 'on', day: 31 } },
  }).facts;
  expect(rbiFacts.decode(JSON.parse(JSON.stringify(rbiFacts.encode(rbi))), 'rbi')).toEqual(rbi);
});
