import { describe, expect, it } from 'vitest';
import {
  atIst,
  autopay,
  delegationOf,
  evidenceOf,
  mandateOf,
  noticeOf,
  onRail,
  PAYEE,
  withRbi,
} from '../../../../test/support/rbi-purchases.js';
import { reasonPlace, REASONS } from '../../kernel/index.js';
import type { PurchaseCase } from '../facts.js';
import type { AfaEvidenceFact, DebitMandateFact, PreDebitNoticeFact, RbiFacts } from './facts.js';
import { judgeRbiAfa } from './judge-rbi-afa.js';

const produced = new Set<string>();

function reasonOf(purchase: PurchaseCase): string | null {
  const code = judgeRbiAfa(purchase).failure?.code ?? null;
  if (code !== null) produced.add(code);
  return code;
}

/** One row: the reason the purchase has now, and what is mended before the next row. */
type Row = readonly [reason: string, mend: (rbi: RbiFacts) => Partial<RbiFacts>];

function walk(start: PurchaseCase, rows: readonly Row[]): void {
  let purchase = start;
  const reasons: string[] = [];
  for (const [reason, mend] of rows) {
    expect(reasonOf(purchase)).toBe(reason);
    reasons.push(reason);
    purchase = withRbi(purchase, mend(purchase.facts.rbi));
  }
  expect(judgeRbiAfa(purchase).failure).toBeNull();
  const places = reasons.map((reason) => reasonPlace('rbi_afa', reason));
  expect(places, 'the catalogue has the order of the checks').toEqual(
    [...places].sort((left, right) => left - right),
  );
}

const AMOUNT_MINOR = 15_000_000n;
const AT_MS = atIst('2026-11-30T10:00:00');
const HOUR_MS = 3_600_000;

const onMandate =
  (changes: Partial<DebitMandateFact>) =>
  ({ mandate }: RbiFacts): Partial<RbiFacts> => ({
    mandate: mandate === null ? null : { ...mandate, ...changes },
  });
const onNotice =
  (changes: Partial<PreDebitNoticeFact>) =>
  ({ preDebitNotice }: RbiFacts): Partial<RbiFacts> => ({
    preDebitNotice: preDebitNotice === null ? null : { ...preDebitNotice, ...changes },
  });
const onEvidence =
  (changes: Partial<AfaEvidenceFact>) =>
  ({ evidence }: RbiFacts): Partial<RbiFacts> => ({
    evidence: evidence === null ? null : { ...evidence, ...changes },
  });

const brokenMandate = mandateOf({
  reservedMinor: 1n,
  status: 'paused',
  kind: 'fixed',
  limitMinor: 1n,
  payeeId: 'somebody',
  lastDebitedAtMs: AT_MS - HOUR_MS,
  debitDay: { rule: 'before', day: 29 },
  validFromAtMs: AT_MS + 1,
  validToAtMs: AT_MS,
});
const brokenEvidence = evidenceOf(1n, AT_MS, {
  claimedBefore: true,
  method: 'upi_device_biometric',
  factors: [],
  assertedBy: 'agent',
  performedAtMs: AT_MS + HOUR_MS,
  currencyBound: 'USD',
  payeeBound: null,
  cartBound: 'another cart',
  mandateRefBound: null,
});
const brokenNotice = noticeOf(1n, AT_MS, {
  seq: 3,
  payeeNamed: false,
  optedOutAtMs: AT_MS,
  deliveredAtMs: AT_MS - 8 * 24 * HOUR_MS,
});

describe('precedence of the reasons of rule 8: mend one thing a row, and the next reason appears', () => {
  it('on UPI AutoPay', () => {
    const start = autopay({
      amountMinor: AMOUNT_MINOR,
      atMs: AT_MS,
      rbi: {
        event: null,
        mandate: null,
        evidence: brokenEvidence,
        preDebitNotice: null,
        attemptsThisCycle: 4,
      },
    });
    walk(start, [
      ['rbi_unclassified', () => ({ event: 'subsequent_debit' })],
      [
        'upi_mandate_capability_missing',
        () => ({ mandate: { ...brokenMandate, status: 'initiated' } }),
      ],
      ['mandate_not_live', onMandate({ status: 'paused' })],
      ['mandate_paused', onMandate({ status: 'revoked' })],
      ['mandate_revoked', onMandate({ status: 'live' })],
      ['mandate_expired', onMandate({ validToAtMs: null })],
      ['mandate_not_started', onMandate({ validFromAtMs: null })],
      ['mandate_amount_exceeded', () => ({ mcc: '6211' })],
      ['mandate_amount_differs', onMandate({ limitMinor: AMOUNT_MINOR })],
      ['mandate_payee_mismatch', onMandate({ payeeId: PAYEE })],
      [
        'mandate_cycle_already_debited',
        onMandate({ lastDebitedAtMs: atIst('2026-10-31T00:00:00') }),
      ],
      ['mandate_debit_underway', onMandate({ reservedMinor: 0n })],
      ['mandate_frequency_violation', onMandate({ debitDay: { rule: 'on', day: 31 } })],
      [
        'mandate_validity_absent',
        onMandate({ validFromAtMs: 0, validToAtMs: AT_MS + 4 * HOUR_MS }),
      ],
      ['afa_reference_reused', () => ({ evidence: null })],
      ['pdn_missing', () => ({ preDebitNotice: brokenNotice })],
      ['pdn_amount_mismatch', onNotice({ amountMinor: AMOUNT_MINOR })],
      ['pdn_reference_mismatch', onNotice({ seq: 4 })],
      ['pdn_opted_out', onNotice({ optedOutAtMs: null })],
      ['pdn_incomplete', onNotice({ payeeNamed: true })],
      ['pdn_stale', onNotice({ deliveredAtMs: AT_MS - HOUR_MS })],
      ['upi_retry_exhausted', () => ({ attemptsThisCycle: 3 })],
      ['afa_evidence_missing', () => ({ evidence: { ...brokenEvidence, claimedBefore: false } })],
      ['afa_evidence_unverified', onEvidence({ assertedBy: 'issuer' })],
      [
        'afa_factors_insufficient',
        onEvidence({
          factors: [
            { class: 'has', dynamic: false },
            { class: 'is', dynamic: false },
          ],
        }),
      ],
      [
        'afa_not_dynamic',
        onEvidence({
          factors: [
            { class: 'has', dynamic: true },
            { class: 'is', dynamic: false },
          ],
        }),
      ],
      ['afa_in_future', onEvidence({ performedAtMs: AT_MS - 600_001 })],
      ['afa_evidence_expired', onEvidence({ performedAtMs: AT_MS - 600_000 })],
      ['afa_evidence_amount_mismatch', onEvidence({ amountBoundMinor: AMOUNT_MINOR })],
      ['afa_currency_mismatch', onEvidence({ currencyBound: 'INR' })],
      ['afa_payee_mismatch', onEvidence({ payeeBound: PAYEE })],
      ['afa_cart_mismatch', onEvidence({ cartBound: 'c' })],
      ['afa_evidence_mandate_mismatch', onEvidence({ mandateRefBound: 'umn-1' })],
      ['afa_biometric_limit', onEvidence({ method: 'upi_pin' })],
      ['pdn_too_late', onNotice({ deliveredAtMs: AT_MS - 24 * HOUR_MS })],
      ['upi_window_closed', () => ({ executionAtMs: atIst('2026-11-30T13:00:00') })],
    ]);
  });

  it('where no AFA is asked for by itself, the one of the registration must be on file', () => {
    walk(
      autopay({
        mandate: { registrationAfaRef: null, validToAtMs: null },
        rbi: { preDebitNotice: null },
      }),
      [
        ['mandate_validity_absent', onMandate({ validToAtMs: atIst('2030-01-01T00:00:00') })],
        ['afa_registration_missing', onMandate({ registrationAfaRef: 'afa' })],
        [
          'pdn_missing',
          () => ({ preDebitNotice: noticeOf(1_499_900n, atIst('2026-11-30T09:40:00')) }),
        ],
      ],
    );
  });

  it('on blocks', () => {
    const mandate = mandateOf({
      status: 'completed',
      debitedMinor: 1n,
      reservedMinor: 0n,
      blockedMinor: 100n,
      payeeId: null,
      lastDebitedAtMs: null,
      lastSeq: null,
    });
    walk(onRail({ rail: 'upi_otm', event: 'block_debit', mandate }, { amountMinor: 101n }), [
      ['otm_already_debited', onMandate({ debitedMinor: 0n })],
      ['mandate_not_live', onMandate({ status: 'live' })],
      ['block_exceeded', onMandate({ blockedMinor: 101n })],
      ['mandate_payee_mismatch', onMandate({ payeeId: PAYEE })],
    ]);
    const reserved = mandateOf({
      validToAtMs: AT_MS + 600_000,
      debitedMinor: 60n,
      reservedMinor: 40n,
      blockedMinor: 200n,
      payeeId: 'somebody',
      registrationAfaRef: null,
    });
    walk(
      onRail(
        { rail: 'upi_reserve_pay', event: 'block_debit', mandate: reserved },
        { amountMinor: 101n, atMs: AT_MS },
      ),
      [
        ['block_expired', onMandate({ validToAtMs: AT_MS + 600_001 })],
        ['block_exceeded', onMandate({ reservedMinor: 39n })],
        ['mandate_payee_mismatch', onMandate({ payeeId: PAYEE })],
        ['afa_registration_missing', onMandate({ registrationAfaRef: 'afa' })],
      ],
    );
  });

  it('on UPI Circle', () => {
    const delegation = delegationOf({
      linkedAtMs: null,
      monthSpentMinor: 1_400_000n,
      firstDaySpentMinor: 100_000n,
      registrationAfaRef: null,
    });
    const pay = (amountMinor: bigint, changes: Partial<typeof delegation>): PurchaseCase =>
      onRail(
        { rail: 'upi_circle_full', event: 'one_time', delegation: { ...delegation, ...changes } },
        { amountMinor },
      );
    expect(reasonOf(pay(500_001n, {}))).toBe('circle_limit_txn');
    expect(reasonOf(pay(100_001n, {}))).toBe('circle_limit_month');
    expect(reasonOf(pay(100_001n, { monthSpentMinor: 0n }))).toBe('circle_limit_cooling');
    expect(reasonOf(pay(100_000n, { monthSpentMinor: 0n }))).toBe('afa_registration_missing');
    expect(reasonOf(pay(100_000n, { monthSpentMinor: 0n, registrationAfaRef: 'afa' }))).toBeNull();
  });

  it('the scope comes before everything', () => {
    const abroad = {
      rail: 'card_emandate',
      event: 'subsequent_debit',
      issuerCountry: null,
    } as const;
    expect(reasonOf(onRail(abroad, { currency: 'USD' }))).toBe('rbi_scope_unknown');
  });

  it('every reason of the catalogue was produced above', () => {
    const codes: string[] = REASONS.rbi_afa
      .map((entry) => entry.code)
      .filter((code) => code !== 'rule_error');
    expect([...produced].sort()).toEqual([...codes].sort());
  });
});
