import {
  err,
  type InstantMs,
  invariant,
  InvariantError,
  isRuleset,
  ok,
  type Result,
} from '../kernel/index.js';
import {
  type Decision,
  DECISION_RECORDED,
  decidePurchase,
  decideRefund,
  type DecisionRecord,
  type PurchaseCase,
  recordedDecision,
} from '../rules/index.js';
import { type ExportedEntry, membersOf } from './export-reader.js';

/** A decision entry, or the name of a ruleset that this program does not have. */
export type ReadRecord =
  | { readonly kind: 'known'; readonly record: DecisionRecord }
  | { readonly kind: 'unknown_ruleset'; readonly ruleset: string };

/**
 * Reads a decision entry; null = an entry of another type. A ruleset that this program does not have is told apart before
 * the rest is read: a later program may have written more. Error: an entry that no program of ours could have written.
 */
export function readRecord({ seq, type, data }: ExportedEntry): Result<ReadRecord | null, string> {
  if (type !== DECISION_RECORDED) return ok(null);
  const ruleset = membersOf(membersOf(data)?.['decision'])?.['ruleset'];
  if (!isRuleset(ruleset) && typeof ruleset === 'string')
    return ok({ kind: 'unknown_ruleset', ruleset });
  try {
    return ok({ kind: 'known', record: recordedDecision.decode(data, 'data') });
  } catch (thrown) {
    // A file is somebody else's: what a codec calls a broken invariant of our ledger is here an unreadable entry.
    const why = thrown instanceof InvariantError ? thrown.message : 'it is of no form that we know';
    return err(`entry ${seq} holds no decision: ${why}`);
  }
}

/** The purchase of an entry as its rules saw it: facts, counters, both instants, and the ruleset it names. */
export function purchaseCaseOf(
  { judged, recheck, decision }: DecisionRecord,
  atMs: InstantMs,
): PurchaseCase | null {
  if (judged.kind !== 'purchase') return null;
  const { facts, counters } = judged;
  const fresh = recheck === null ? {} : { freshAtMs: recheck.decidedAtMs };
  return { facts, counters, atMs, ...fresh, ...rulesetNamed(decision) };
}

/** The decision once more, from nothing but its entry: by the ruleset it names, at its own instant. */
export function judgeAgain(record: DecisionRecord, atMs: InstantMs): Decision {
  const { judged, decision } = record;
  if (judged.kind === 'refund') {
    const { facts, counters } = judged;
    return decideRefund({ facts, counters, atMs, ...rulesetNamed(decision) });
  }
  const purchase = purchaseCaseOf(record, atMs);
  invariant(purchase !== null, 'what is not a refund is a purchase');
  return decidePurchase(purchase);
}

const rulesetNamed = ({ ruleset }: Pick<Decision, 'ruleset'>) =>
  isRuleset(ruleset) ? { ruleset } : {};
