import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countsAs,
  drawsOnAuthority,
  isPayable,
  PAYMENT_REPORTS,
  PAYMENT_STATES,
  type PaymentReport,
  type PaymentState,
  stateAfter,
} from './index.js';

const AFTER: Readonly<Record<PaymentReport, readonly string[]>> = {
  //         issuing     open        lapsed      canceled    rejected    failed    paid
  issued: ['open', '', '', '', 'canceled', '', ''],
  rejected: ['rejected', 'rejected', 'rejected', 'rejected', '', '', ''],
  lapsed: ['lapsed', 'lapsed', '', '', '', '', ''],
  canceled: ['canceled', 'canceled', 'canceled', '', '', '', ''],
  failed: ['failed', 'failed', 'failed', 'failed', 'failed', '', ''],
};

describe('the state after a report', () => {
  it.each(PAYMENT_REPORTS)('%s', (report) => {
    const states = PAYMENT_STATES.map((state) => stateAfter({ state, wasIssued: false }, report));
    expect(states.map((state) => state ?? '')).toEqual(AFTER[report]);
  });

  it('rejected after issued: nobody offers it, and it may still be paid', () => {
    const after = PAYMENT_STATES.map((state) => stateAfter({ state, wasIssued: true }, 'rejected'));
    expect(after).toEqual(['canceled', 'canceled', 'canceled', null, 'canceled', null, null]);
  });

  it('is the same whatever order reports come in, with repeats', () => {
    const ending = (reports: readonly PaymentReport[]) =>
      reports.reduce<{ state: PaymentState; wasIssued: boolean }>(
        (row, report) => ({
          state: stateAfter(row, report) ?? row.state,
          wasIssued: row.wasIssued || report === 'issued',
        }),
        { state: 'issuing', wasIssued: false },
      );
    const reports = fc.array(fc.constantFrom(...PAYMENT_REPORTS), { maxLength: 8 });
    const two = reports.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...list, ...list], {
          minLength: list.length * 2,
          maxLength: list.length * 2,
        }),
      ),
    );
    fc.assert(
      fc.property(two, ([list, shuffled]) => {
        expect(ending(shuffled)).toEqual(ending(list));
      }),
      { numRuns: 2_000 },
    );
  });
});

it('what is payable counts as open and draws on the authority', () => {
  for (const state of PAYMENT_STATES) {
    expect(isPayable(state)).toBe(countsAs(state, 'sandbox') === 'open');
    if (isPayable(state)) expect(drawsOnAuthority(state)).toBe(true);
  }
});
