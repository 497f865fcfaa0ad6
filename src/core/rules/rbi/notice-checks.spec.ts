import { describe, expect, it } from 'vitest';
import {
  atIst,
  autopay,
  evidenceOf,
  mandateOf,
  MORNING_MS,
  noticeOf,
  withRbi,
} from '../../../../test/support/rbi-purchases.js';
import type { PurchaseCase } from '../facts.js';
import { AFA_SKEW_MS } from './evidence-checks.js';
import { judgeRbiAfa } from './judge-rbi-afa.js';
import { PDN_AGE_MS_MAX } from './notice-checks.js';

const HOUR_MS = 3_600_000;
const codeOf = (purchase: PurchaseCase): string | null =>
  judgeRbiAfa(purchase).failure?.code ?? null;

describe('notices P1 to P7', () => {
  const AMOUNT = 1_499_900n;
  const debit = (changes: Parameters<typeof noticeOf>[2]) =>
    withRbi(autopay(), { preDebitNotice: noticeOf(AMOUNT, MORNING_MS, changes) });
  const DAY_MS = 24 * HOUR_MS;

  it('P2: 24:00:00.000 before the debit passes, 23:59:59.999 waits for the rest', () => {
    expect(codeOf(debit({ deliveredAtMs: MORNING_MS - DAY_MS }))).toBeNull();
    const late = judgeRbiAfa(debit({ deliveredAtMs: MORNING_MS - DAY_MS + 1 }));
    expect(late.failure).toEqual({
      code: 'pdn_too_late',
      artifactType: null,
      notBeforeMs: MORNING_MS + 1,
    });
  });

  it('P2: waiting ends inside an open window', () => {
    const deliveredAtMs = atIst('2026-11-29T11:00:00');
    expect(judgeRbiAfa(debit({ deliveredAtMs })).failure?.notBeforeMs).toBe(
      atIst('2026-11-30T13:00:00'),
    );
  });

  it('P2: what was only sent counts, with a warning; what is said to go out later does not', () => {
    const sent = judgeRbiAfa(debit({ deliveredAtMs: null }));
    expect(sent.failure).toBeNull();
    expect(sent.notes).toContain('warning:pdn_delivery_unproven');
    expect(codeOf(debit({ deliveredAtMs: null, sentAtMs: null }))).toBe('pdn_missing');
    const executionAtMs = MORNING_MS + 2 * DAY_MS;
    const ahead = (deliveredAtMs: number) =>
      codeOf(withRbi(debit({ deliveredAtMs }), { executionAtMs }));
    expect(ahead(MORNING_MS + AFA_SKEW_MS)).toBeNull();
    expect(ahead(MORNING_MS + AFA_SKEW_MS + 1)).toBe('pdn_missing');
  });

  it('P3 to P7', () => {
    expect(codeOf(debit({ amountMinor: AMOUNT + 1n }))).toBe('pdn_amount_mismatch');
    expect(codeOf(debit({ currency: 'USD' }))).toBe('pdn_amount_mismatch');
    expect(codeOf(debit({ mandateRef: 'umn-2' }))).toBe('pdn_reference_mismatch');
    expect(codeOf(debit({ seq: 5 }))).toBe('pdn_reference_mismatch');
    expect(codeOf(debit({ payeeId: 'other' }))).toBe('pdn_reference_mismatch');
    expect(codeOf(withRbi(debit({ seq: null }), { cycleSeq: null }))).toBe(
      'pdn_reference_mismatch',
    );
    expect(codeOf(debit({ optedOutAtMs: 0 }))).toBe('pdn_opted_out');
    expect(codeOf(debit({ payeeNamed: false }))).toBe('pdn_incomplete');
    expect(codeOf(debit({ reasonGiven: false }))).toBe('pdn_incomplete');
    expect(codeOf(debit({ scheduledForAtMs: null }))).toBe('pdn_incomplete');
    expect(codeOf(debit({ deliveredAtMs: MORNING_MS - PDN_AGE_MS_MAX }))).toBeNull();
    expect(codeOf(debit({ deliveredAtMs: MORNING_MS - PDN_AGE_MS_MAX - 1 }))).toBe('pdn_stale');
  });

  it('a separate first debit needs one when it runs more than 24 hours after the registration', () => {
    const first = (registeredAtMs: number | null) =>
      codeOf(
        withRbi(autopay(), {
          event: 'first_debit',
          preDebitNotice: null,
          mandate: mandateOf({ registeredAtMs, lastSeq: null, lastDebitedAtMs: null }),
          evidence: evidenceOf(AMOUNT, MORNING_MS),
        }),
      );
    expect(first(MORNING_MS - DAY_MS)).toBeNull();
    expect(first(MORNING_MS - DAY_MS - 1)).toBe('pdn_missing');
    expect(first(null)).toBe('pdn_missing');
  });
});

describe('UPI windows, half-open, in Indian time', () => {
  it.each([
    ['00:00:00.000', null],
    ['09:59:59.999', null],
    ['10:00:00.000', '13:00:00'],
    ['12:59:59.999', '13:00:00'],
    ['13:00:00.000', null],
    ['16:59:59.999', null],
    ['17:00:00.000', '21:30:00'],
    ['21:29:59.999', '21:30:00'],
    ['21:30:00.000', null],
    ['23:59:59.999', null],
  ])('%s', (time, opening) => {
    const { failure } = judgeRbiAfa(autopay({ atMs: atIst(`2026-11-30T${time}`) }));
    expect(failure?.notBeforeMs ?? null).toBe(
      opening === null ? null : atIst(`2026-11-30T${opening}`),
    );
  });

  it('a debit dated back runs now', () => {
    const atMs = atIst('2026-11-30T10:30:00');
    const executionAtMs = atIst('2026-11-30T09:00:00');
    expect(codeOf(withRbi(autopay({ atMs }), { executionAtMs }))).toBe('upi_window_closed');
  });

  it('a debit made in one step with its mandate is the buyer’s own act, at any hour', () => {
    const atMs = atIst('2026-11-30T11:00:00');
    const first = withRbi(autopay({ atMs }), {
      event: 'first_debit',
      sameStepAsRegistration: true,
      mandate: mandateOf({ status: 'initiated', lastSeq: null, lastDebitedAtMs: null }),
      evidence: evidenceOf(1_499_900n, atMs),
    });
    expect(codeOf(first)).toBeNull();
  });
});
