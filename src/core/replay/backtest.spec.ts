import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOfGolden } from '../../../test/support/golden.js';
import { RULESETS } from '../kernel/index.js';
import {
  DECISION_RECORDED,
  decidePurchase,
  type DecisionRecord,
  type LimitsDraft,
  recordedDecision,
} from '../rules/index.js';
import { Backtest, type BacktestReport } from './backtest.js';
import type { ExportedEntry } from './export-reader.js';

const golden = entriesOfGolden('3');

function backtested(
  candidate: LimitsDraft,
  entries: readonly ExportedEntry[],
  merchantId: string | null = null,
): BacktestReport {
  const backtest = new Backtest(candidate, merchantId);
  for (const entry of entries) expect(backtest.take(entry)).toEqual({ ok: true, value: null });
  return backtest.report();
}

const limitsOf = (orderMaxMinor: bigint, dailyMaxMinor: bigint | null): LimitsDraft => ({
  currencies: [{ currency: 'INR', orderMaxMinor, dailyMaxMinor }],
  itemsMax: 20,
  notPresent: null,
});

/** An allowed handoff of the golden ledger, from which a history is made: its rules ask limits and facts only. */
const template = golden.flatMap((entry) => {
  if (entry.type !== DECISION_RECORDED) return [];
  const record = recordedDecision.decode(entry.data, 'data');
  const { flow, outcome } = record.decision;
  return flow === 'handoff' && outcome === 'allow' ? [{ record, atMs: entry.atMs }] : [];
})[0];

interface Asked {
  /** What the day's sum was when it was asked. */
  readonly dayMinor: bigint;
  readonly limits: LimitsDraft;
}

/** A history of handoffs of 918.00 INR, each judged by the rules, on one day. */
function historyOf(asked: readonly (Asked | { readonly uses: number })[]): ExportedEntry[] {
  if (template === undefined) throw new Error('the golden ledger has an allowed handoff');
  const { record, atMs } = template;
  const { judged } = record;
  if (judged.kind !== 'purchase') throw new Error('a handoff is a purchase');
  return asked.map((each, seq) => {
    if ('uses' in each)
      return { seq, atMs, type: 'allow.used', data: { decision_id: `arbdec_${each.uses}` } };
    const facts = { ...judged.facts, limits: { version: 1, ...each.limits } };
    const counters = { ...judged.counters, merchantDayMinor: each.dayMinor };
    const decision = decidePurchase({ facts, counters, atMs });
    const made: DecisionRecord = {
      ...record,
      decisionId: `arbdec_${seq}` as DecisionRecord['decisionId'],
      decision,
      judged: { kind: 'purchase', facts, counters },
    };
    return { seq, atMs, type: DECISION_RECORDED, data: recordedDecision.encode(made) };
  });
}

const ORDER_MINOR = 91_800n;
const flipsOf = ({ flips }: BacktestReport) => flips.map(({ kind, seq }) => `${seq} ${kind}`);

describe('the recorded limits as the candidate', () => {
  it.each(RULESETS)(
    'turn nothing in the golden ledger of ruleset %s, merchant by merchant',
    (ruleset) => {
      const entries = entriesOfGolden(ruleset);
      const records = entries.flatMap(({ type, data, seq }) =>
        type === DECISION_RECORDED ? [{ seq, record: recordedDecision.decode(data, 'data') }] : [],
      );
      let judgedCount = 0;
      for (const { seq, record } of records) {
        const { judged } = record;
        if (judged.kind !== 'purchase' || judged.facts.limits === null) continue;
        // Each decision by the limits of its own time: alone, as the limits of the ledger change.
        const entry = entries.find((each) => each.seq === seq);
        const report = backtested(judged.facts.limits, entry === undefined ? [] : [entry]);
        expect(report.flips).toEqual([]);
        judgedCount += report.judgedCount;
      }
      expect(judgedCount).toBeGreaterThan(50);
    },
  );

  it('turn nothing in any history', () => {
    const amount = fc.bigInt({ min: 1n, max: 1_000_000n });
    fc.assert(
      fc.property(
        amount,
        fc.option(amount),
        fc.array(
          fc.oneof(
            fc.record({ dayMinor: fc.bigInt({ min: 0n, max: 1_000_000n }) }),
            fc.record({ uses: fc.nat({ max: 12 }) }),
          ),
          { maxLength: 12 },
        ),
        (orderMax, dailyMax, asked) => {
          const limits = limitsOf(orderMax, dailyMax);
          const history = historyOf(
            asked.map((each) => ('uses' in each ? each : { ...each, limits })),
          );
          expect(backtested(limits, history).flips).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('other limits', () => {
  const wide = limitsOf(5_000_000n, null);

  it('tell each flip with both reasons, and their sums', () => {
    const report = backtested(
      limitsOf(ORDER_MINOR - 1n, null),
      historyOf([
        { dayMinor: 0n, limits: wide },
        { dayMinor: 0n, limits: wide },
      ]),
    );
    expect(report.flips[0]).toMatchObject({
      kind: 'allow_to_refuse',
      decisionId: 'arbdec_0',
      amountMinor: ORDER_MINOR,
      recorded: { outcome: 'allow', reason: null },
      candidate: { outcome: 'refuse', reason: 'order_amount_cap_exceeded' },
    });
    expect(report.sums).toEqual([
      { kind: 'allow_to_refuse', currency: 'INR', count: 2, amountMinor: 2n * ORDER_MINOR },
    ]);
    expect(report.byReason).toEqual([
      {
        kind: 'allow_to_refuse',
        currency: 'INR',
        rule: 'handoff_merchant_limits',
        reason: 'order_amount_cap_exceeded',
        count: 2,
        amountMinor: 2n * ORDER_MINOR,
      },
    ]);
  });

  it('count what is newly allowed against the rest of its day', () => {
    const none = limitsOf(1n, null);
    const history = historyOf([
      { dayMinor: 0n, limits: none },
      { dayMinor: 0n, limits: none },
      { dayMinor: 0n, limits: none },
    ]);
    const report = backtested(limitsOf(5_000_000n, 2n * ORDER_MINOR), history);
    expect(flipsOf(report)).toEqual(['0 refuse_to_allow', '1 refuse_to_allow']);
  });

  it('take what is newly refused off the day, once its allow is used, and once only', () => {
    const history = historyOf([
      { dayMinor: ORDER_MINOR, limits: wide },
      { uses: 0 },
      { uses: 0 },
      { dayMinor: 2n * ORDER_MINOR, limits: wide },
      { dayMinor: 2n * ORDER_MINOR, limits: wide },
    ]);
    // The first is above the day's maximum already; without it the later two are not.
    const report = backtested(limitsOf(5_000_000n, 2n * ORDER_MINOR - 1n), history);
    expect(flipsOf(report)).toEqual([
      '0 allow_to_refuse',
      '3 allow_to_refuse',
      '4 allow_to_refuse',
    ]);
    const wider = backtested(limitsOf(5_000_000n, 2n * ORDER_MINOR), history);
    expect(flipsOf(wider)).toEqual(['3 allow_to_refuse', '4 allow_to_refuse']);
    const unused = historyOf([
      { dayMinor: 2n * ORDER_MINOR, limits: wide },
      { dayMinor: ORDER_MINOR, limits: wide },
    ]);
    expect(flipsOf(backtested(limitsOf(5_000_000n, 2n * ORDER_MINOR), unused))).toEqual([
      '0 allow_to_refuse',
    ]);
    const used = historyOf([
      { dayMinor: 2n * ORDER_MINOR, limits: wide },
      { uses: 0 },
      { dayMinor: 2n * ORDER_MINOR, limits: wide },
    ]);
    expect(flipsOf(backtested(limitsOf(5_000_000n, 2n * ORDER_MINOR), used))).toEqual([
      '0 allow_to_refuse',
    ]);
  });

  it('leave out refunds, re-checks, other merchants and rulesets that nobody has', () => {
    const report = backtested(wide, golden, 'chai-house');
    const { leftOut, judgedCount } = report;
    expect(leftOut).toMatchObject({ unknownRulesets: 0, notReproduced: 0 });
    expect(leftOut.refunds).toBeGreaterThan(3);
    expect(leftOut.rechecks).toBeGreaterThan(4);
    expect(leftOut.otherMerchants).toBeGreaterThan(0);
    expect(judgedCount).toBeGreaterThan(50);
  });

  it('do not judge what already differs under the recorded limits', () => {
    const [entry] = historyOf([{ dayMinor: 0n, limits: wide }]);
    if (entry === undefined) throw new Error('one was made');
    const record = recordedDecision.decode(entry.data, 'data');
    const forged = recordedDecision.encode({
      ...record,
      decision: { ...record.decision, outcome: 'refuse' },
    });
    const report = backtested(wide, [{ ...entry, data: forged }]);
    expect([report.judgedCount, report.leftOut.notReproduced, report.flips]).toEqual([0, 1, []]);
  });
});
