import { describe, expect, it } from 'vitest';
import { entriesOfGolden } from '../../../test/support/golden.js';
import {
  DECISION_RECORDED,
  decidePurchase,
  type DecisionRecord,
  recordedDecision,
} from '../rules/index.js';
import { differencesOf } from './differences.js';
import { judgeAgain } from './judge-again.js';
import { Replay } from './replay.js';

const decisions = entriesOfGolden('3').flatMap((entry) =>
  entry.type === DECISION_RECORDED
    ? [{ entry, record: recordedDecision.decode(entry.data, 'data') }]
    : [],
);

/** As the ledger writes and reads it. */
const stored = (record: DecisionRecord): DecisionRecord =>
  recordedDecision.decode(JSON.parse(JSON.stringify(recordedDecision.encode(record))), 'data');

describe('a decision entry holds what the rules saw', () => {
  it('also where a rule could not judge it', () => {
    const broken = decisions.flatMap(({ entry, record }) => {
      const { judged } = record;
      if (judged.kind !== 'purchase' || record.recheck !== null) return [];
      const { counters } = judged;
      const facts = { ...judged.facts, cart: { ...judged.facts.cart, totalMinor: 0n } };
      const decision = decidePurchase({ facts, counters, atMs: entry.atMs });
      return [{ entry, record: { ...record, decision, judged: { ...judged, facts } } }];
    });
    const notes = new Set<string>();
    for (const { entry, record } of broken) {
      const again = judgeAgain(stored(record), entry.atMs);
      expect(again).toEqual(record.decision);
      for (const result of again.trace)
        if (result.failure?.code === 'rule_error') notes.add(result.notes.join());
    }
    expect([...notes]).toContain('broken: the total of a cart is positive');
  });

  it('and of a re-check the instant of its decision: with another one it is judged otherwise', () => {
    const late = decisions.filter(({ record }) => record.recheck !== null);
    expect(late.length).toBeGreaterThan(0);
    const moved = late.map(({ entry, record }) => {
      const { recheck } = record;
      const hourAgo = recheck && { ...recheck, decidedAtMs: recheck.decidedAtMs + 3_600_000 };
      const replay = new Replay();
      replay.take({ ...entry, data: recordedDecision.encode({ ...record, recheck: hourAgo }) });
      return replay.report().differentCount;
    });
    expect(moved).toContain(1);
  });
});

describe('differences', () => {
  it('are told by place, a missing member as null', () => {
    expect(differencesOf({ a: [1, 2], b: 'x', 'c/d': {} }, { a: [1, 3, 4], b: 'x' })).toEqual([
      { at: '/a/1', recorded: 2, judged: 3 },
      { at: '/a/2', recorded: null, judged: 4 },
      { at: '/c~1d', recorded: {}, judged: null },
    ]);
    expect(differencesOf([], {})).toEqual([{ at: '', recorded: [], judged: {} }]);
  });
});
