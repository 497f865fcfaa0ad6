import { describe, expect, it } from 'vitest';
import { autopay, mandateOf, MANDATE_REF } from '../../../test/support/rbi-purchases.js';
import type { CellView } from '../../base/ledger/index.js';
import { debitMandateFact } from '../../core/rules/index.js';
import { type DebitMandateRow, debitOf, debitOfMoney } from './debit-mandates.js';

const viewOf = (changes: Partial<DebitMandateRow>, fact = mandateOf()): CellView => {
  const row: DebitMandateRow = {
    mandateRef: MANDATE_REF,
    reportVersion: 3,
    rail: 'upi_autopay',
    mandate: debitMandateFact.encode(fact),
    attemptsThisCycle: 0,
    payeeDebitedMinor: 0n,
    underwayMinor: 0n,
    lastUsedAtMs: null,
    ...changes,
  };
  return { get: () => row as never };
};

describe('the debit of money that was taken already', () => {
  const { facts } = autopay();
  const once = { mandateRef: MANDATE_REF, reportVersion: 3, isOnce: true };

  it('is the one of its report', () => {
    expect(debitOf(facts, viewOf({}))).toEqual(once);
    expect(debitOfMoney(facts, viewOf({}), 5n)).toEqual(once);
  });

  it('is counted beside one that was started before, which stays the one of its report', () => {
    const view = viewOf({ underwayMinor: 1n });
    expect(debitOfMoney(facts, view, 5n)).toEqual({ ...once, isOnce: false });
  });

  it.each([
    [5n, true],
    [6n, false],
  ])('of %s from a block with 5 left is counted: %s', (amountMinor, isCounted) => {
    const block = mandateOf({ blockedMinor: 100n, debitedMinor: 50n, reservedMinor: 30n });
    const view = viewOf({ underwayMinor: 15n }, block);
    const ofBlock = autopay({ rbi: { rail: 'upi_reserve_pay', event: 'block_debit' } }).facts;
    const debit = debitOfMoney(ofBlock, view, amountMinor);
    expect(debit).toEqual(isCounted ? { ...once, isOnce: false } : null);
  });
});
