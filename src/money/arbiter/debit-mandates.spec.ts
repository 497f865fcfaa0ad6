import { describe, expect, it } from 'vitest';
import { mandateOf } from '../../../test/support/rbi-purchases.js';
import { AMOUNT_MINOR_MAX, type CanonicalValue } from '../../core/kernel/index.js';
import type { CellView, EntryRef } from '../../base/ledger/index.js';
import { preDebitNoticeFact } from '../../core/rules/index.js';
import { paymentMandateReported } from '../../trust/rail-evidence/index.js';
import { allowUsed } from './allow.events.js';
import {
  DEBIT_KNOWN_AFTER_MS,
  type DebitMandateRow,
  debitMandates,
  reportedUnderLock,
  withUnderway,
} from './debit-mandates.js';

const REF = 'umn-1';
const USED_AT_MS = 1_800_000_000_000;

type Row = DebitMandateRow | undefined;
const at = (atMs: number) => ({ entry: { atMs } as EntryRef, key: [REF] });

function reported(
  row: Row,
  mandate: Parameters<typeof mandateOf>[0],
  { atMs = USED_AT_MS, attempts = 0, version = 1 } = {},
): DebitMandateRow {
  const [handler] = debitMandates.on;
  const data = {
    mandateRef: REF,
    version,
    rail: 'upi_autopay',
    mandate: mandateOf({ ref: REF, ...mandate }),
    cycle: { attempts, payeeDebitedMinor: 0n },
    issuedAtMs: atMs,
  };
  if (handler === undefined) throw new Error('it follows reports');
  return handler.evolve(row, data, at(atMs));
}

function used(row: Row, amountMinor: bigint): DebitMandateRow {
  const [, handler] = debitMandates.on;
  if (handler === undefined) throw new Error('it follows uses');
  const debit = { mandateRef: REF, reportVersion: 1, isOnce: true };
  return handler.evolve(row, { amountMinor, debit }, at(USED_AT_MS));
}

describe('what is underway under an e-mandate', () => {
  const before = used(reported(undefined, { lastSeq: 3, lastDebitedAtMs: 5 }), 70n);
  it.each<[string, Parameters<typeof mandateOf>[0], object, bigint]>([
    ['the next debit', { lastSeq: 4, lastDebitedAtMs: 5 }, {}, 0n],
    ['a later debit without a number', { lastSeq: 3, lastDebitedAtMs: 6 }, {}, 0n],
    ['an attempt', { lastSeq: 3, lastDebitedAtMs: 5 }, { attempts: 1 }, 0n],
    ['nothing more', { lastSeq: 3, lastDebitedAtMs: 5 }, {}, 70n],
    ['less', { lastSeq: 2, lastDebitedAtMs: 4 }, { attempts: 9 }, 70n],
    [
      'nothing more, an hour later',
      { lastSeq: 3, lastDebitedAtMs: 5 },
      { atMs: USED_AT_MS + DEBIT_KNOWN_AFTER_MS },
      0n,
    ],
    [
      'nothing more, not quite an hour later',
      { lastSeq: 3, lastDebitedAtMs: 5 },
      { atMs: USED_AT_MS + DEBIT_KNOWN_AFTER_MS - 1 },
      70n,
    ],
  ])('after a report of %s', (_name, mandate, options, leftMinor) => {
    expect(reported(before, mandate, { version: 2, ...options }).underwayMinor).toBe(leftMinor);
  });

  it('before any report', () => {
    const first = used(undefined, 70n);
    expect(first).toMatchObject({ reportVersion: 0, mandate: null, underwayMinor: 70n });
    const none = { lastSeq: null, lastDebitedAtMs: null };
    expect(reported(first, none).underwayMinor).toBe(70n);
    expect(reported(first, { ...none, lastSeq: 1 }).underwayMinor).toBe(0n);
  });
});

describe('what is underway under a block', () => {
  const block = (debitedMinor: bigint, reservedMinor: bigint) => ({
    blockedMinor: 100n,
    debitedMinor,
    reservedMinor,
  });
  const before = used(used(reported(undefined, block(10n, 5n)), 20n), 30n);
  it.each([
    [10n, 5n, 50n],
    [30n, 5n, 30n],
    [10n, 25n, 30n],
    [64n, 0n, 1n],
    [65n, 0n, 0n],
    [90n, 0n, 0n],
    [0n, 0n, 50n],
  ])('debited %s and reserved %s leave %s', (debitedMinor, reservedMinor, leftMinor) => {
    const after = reported(before, block(debitedMinor, reservedMinor), { version: 2 });
    expect(after.underwayMinor).toBe(leftMinor);
  });
});

describe('what the rules see', () => {
  const viewOf = (row: Row): CellView => ({ get: () => row as never });
  it('is promised beside what the provider promised', () => {
    const mandate = mandateOf({ reservedMinor: 3n });
    expect(withUnderway(mandate, viewOf(undefined))).toEqual(mandate);
    expect(withUnderway(null, viewOf(used(undefined, 4n)))).toBeNull();
    expect(withUnderway(mandate, viewOf(used(undefined, 4n)))?.reservedMinor).toBe(7n);
    const most = mandateOf({ reservedMinor: AMOUNT_MINOR_MAX });
    expect(withUnderway(most, viewOf(used(undefined, 4n)))?.reservedMinor).toBe(AMOUNT_MINOR_MAX);
  });
  it('is the newest report, or that there is none', () => {
    expect(reportedUnderLock(viewOf(used(undefined, 4n)), REF)).toEqual({ state: 'unreported' });
    expect(reportedUnderLock(viewOf(reported(undefined, {}, { attempts: 2 })), REF)).toEqual({
      state: 'reported',
      rail: 'upi_autopay',
      fact: mandateOf({ ref: REF }),
      attemptsThisCycle: 2,
      payeeDebitedThisCycleMinor: 0n,
    });
  });
});

describe('entries of an earlier form', () => {
  const without = (encoded: CanonicalValue, member: string): CanonicalValue =>
    Object.fromEntries(Object.entries(encoded as object).filter(([name]) => name !== member));
  it('say nothing of debits, of the cycle and of the notice’s name', () => {
    const use = {
      decisionId: 'd',
      flow: 'agent_payment' as const,
      merchantId: 'm',
      orderId: 'o',
      amountMinor: 1n,
      currency: 'INR',
      expiresAtMs: 0,
      reference: 'r',
      provider: 'p',
      mandateRefs: [],
      debit: { mandateRef: REF, reportVersion: 1, isOnce: true },
    };
    const oldUse = without(allowUsed.data.encode(use), 'debit');
    expect(allowUsed.data.decode(oldUse, 'old')).toEqual({ ...use, debit: null });
    const report = {
      reportId: 'r',
      subjectRef: REF,
      version: 1,
      status: 'live' as const,
      mandateRef: REF,
      merchantId: 'm',
      issuer: 'i',
      issuerKid: 'k',
      documentSha256: 's',
      payerCommitment: null,
      issuedAtMs: 0,
      rail: 'upi_autopay' as const,
      mandate: mandateOf(),
      cycle: { attempts: 1, payeeDebitedMinor: 1n },
    };
    const oldReport = without(paymentMandateReported.data.encode(report), 'cycle');
    const decoded = paymentMandateReported.data.decode(oldReport, 'old');
    expect(decoded).toEqual({ ...report, cycle: null });
    const notice = {
      mandateRef: null,
      seq: null,
      amountMinor: null,
      currency: null,
      payeeId: null,
      payeeNamed: true,
      reasonGiven: true,
      scheduledForAtMs: null,
      sentAtMs: null,
      deliveredAtMs: null,
      optedOutAtMs: null,
      ref: 'pdn',
    };
    const oldNotice = without(preDebitNoticeFact.encode(notice), 'ref');
    expect(preDebitNoticeFact.decode(oldNotice, 'old')).toEqual({ ...notice, ref: null });
  });
});
