import { formatInstant, type InstantMs, ok, type Result, utcDay } from '../kernel/index.js';
import {
  type Decision,
  decidePurchase,
  type DecisionRecord,
  type LimitsDraft,
  type PurchaseCase,
} from '../rules/index.js';
import { DaySums, type DayShare } from './day-sums.js';
import { type ExportedEntry, membersOf } from './export-reader.js';
import { judgeAgain, purchaseCaseOf, readRecord } from './judge-again.js';

export type FlipKind = 'allow_to_refuse' | 'refuse_to_allow';

/** What one side of a flip says; rule and reason are null of an allow. */
interface Verdict {
  readonly outcome: Decision['outcome'];
  readonly failingRule: string | null;
  readonly reason: string | null;
}

/** One decision that the candidate limits would have turned. */
export interface Flip {
  readonly kind: FlipKind;
  readonly decisionId: string;
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
  readonly merchantId: string;
  readonly flow: string;
  readonly dryRun: boolean;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly recorded: Verdict;
  readonly candidate: Verdict;
}

/** `reason` is the one that refuses: the candidate's of a purchase newly refused, the recorded one of one newly allowed. */
export interface FlipSum {
  readonly kind: FlipKind;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: bigint;
}
export interface ReasonSum extends FlipSum {
  readonly rule: string;
  readonly reason: string;
}

export interface BacktestReport {
  readonly entryCount: number;
  /** Every merchant of a decision that this program can read, in order of name. */
  readonly merchantIds: readonly string[];
  /** Purchases that were judged under the candidate limits. */
  readonly judgedCount: number;
  /** Decisions on which limits have no say or that cannot be judged, by why. */
  readonly leftOut: {
    readonly refunds: number;
    readonly rechecks: number;
    readonly otherMerchants: number;
    /** Of a ruleset that this program does not have. */
    readonly unknownRulesets: number;
    /** Judged again under the recorded limits they already differ from the record: see `arbiter replay`. */
    readonly notReproduced: number;
  };
  readonly sums: readonly FlipSum[];
  readonly byReason: readonly ReasonSum[];
  readonly flips: readonly Flip[];
}

/**
 * Judges a history under other limits, in its own order. What the entry says of everything else stays: facts, other
 * counters, instants, ruleset. Day sums are those of the entry, as they would be if every purchase newly allowed had been
 * paid on the day of its decision, and none newly refused had been used (`allow.used`, or a capture that names it).
 *
 * What this does not know: that an agent which was refused came again with another cart, whether a purchase newly allowed
 * would have been paid or had lapsed, and what it would have drawn from passport, intent and stock. A dry run moves no
 * sum. Re-checks at the use judge a purchase that was counted at its decision; refunds have no limits.
 */
export class Backtest {
  private entryCount = 0;
  private judgedCount = 0;
  private readonly leftOut = {
    refunds: 0,
    rechecks: 0,
    otherMerchants: 0,
    unknownRulesets: 0,
    notReproduced: 0,
  };
  private readonly merchantIds = new Set<string>();
  private readonly flips: Flip[] = [];
  private readonly days = new DaySums();

  /** `merchantId` null: the candidate is in force for every merchant. */
  constructor(
    private readonly candidate: LimitsDraft,
    private readonly merchantId: string | null,
  ) {}

  /** Error: see {@link readRecord}. */
  take(entry: ExportedEntry): Result<null, string> {
    this.entryCount += 1;
    const used = usedDecisionOf(entry);
    if (used !== null) this.days.use(used, utcDay(entry.atMs));
    const read = readRecord(entry);
    if (!read.ok) return read;
    if (read.value === null) return ok(null);
    if (read.value.kind === 'known') this.takeDecision(read.value.record, entry);
    else this.leftOut.unknownRulesets += 1;
    return ok(null);
  }

  report(): BacktestReport {
    const { entryCount, judgedCount, leftOut, flips } = this;
    return {
      entryCount,
      merchantIds: [...this.merchantIds].sort(),
      judgedCount,
      leftOut: { ...leftOut },
      sums: summed(flips, ({ kind, currency }) => ({ kind, currency })),
      byReason: summed(flips, (flip) => ({
        kind: flip.kind,
        currency: flip.currency,
        ...refusalOf(flip),
      })),
      flips,
    };
  }

  private takeDecision(record: DecisionRecord, { seq, atMs }: ExportedEntry): void {
    this.merchantIds.add(record.merchantId);
    const purchase = purchaseCaseOf(record, atMs);
    if (purchase === null) this.leftOut.refunds += 1;
    else if (record.recheck !== null) this.leftOut.rechecks += 1;
    else if (this.merchantId !== null && this.merchantId !== record.merchantId)
      this.leftOut.otherMerchants += 1;
    else if (!isReproduced(record, atMs)) this.leftOut.notReproduced += 1;
    else this.judge(purchase, record, seq);
  }

  private judge(purchase: PurchaseCase, record: DecisionRecord, seq: number): void {
    this.judgedCount += 1;
    const share = shareOf(purchase);
    const decided = decidePurchase(this.underCandidate(purchase, share));
    const { outcome } = record.decision;
    if (decided.outcome === outcome) return;
    this.flips.push(flipOf(purchase, { record, seq, decided }));
    if (record.dryRun) return;
    const { decisionId } = record;
    if (decided.outcome === 'allow') this.days.add({ ...share, isAway: wasAway(decided) });
    else this.days.expect(decisionId, { ...share, isAway: wasAway(record.decision) });
  }

  private underCandidate(purchase: PurchaseCase, share: Omit<DayShare, 'isAway'>): PurchaseCase {
    const { facts, counters } = purchase;
    const version = facts.limits?.version ?? 0;
    return {
      ...purchase,
      facts: { ...facts, limits: { version, ...this.candidate } },
      counters: { ...counters, ...this.days.adjusted(counters, share) },
    };
  }
}

/** Only the verdict: what the limits turn. */
function isReproduced(record: DecisionRecord, atMs: InstantMs): boolean {
  const again = judgeAgain(record, atMs);
  const { outcome, reason, failingRule } = record.decision;
  return again.outcome === outcome && again.reason === reason && again.failingRule === failingRule;
}

const shareOf = ({ facts, atMs }: PurchaseCase): Omit<DayShare, 'isAway'> => ({
  merchantId: facts.merchantId,
  currency: facts.cart.currency,
  day: utcDay(atMs),
  amountMinor: facts.cart.totalMinor,
});

/** As the book counts it: rule 7 noted that the buyer was away. */
const wasAway = ({ trace }: Decision): boolean =>
  trace.some(
    ({ rule, notes }) => rule === 'not_present_limits' && notes.includes('buyer_not_present'),
  );

function flipOf(
  { facts, atMs }: PurchaseCase,
  { record, seq, decided }: { record: DecisionRecord; seq: number; decided: Decision },
): Flip {
  return {
    kind: decided.outcome === 'allow' ? 'refuse_to_allow' : 'allow_to_refuse',
    decisionId: record.decisionId,
    seq,
    at: formatInstant(atMs),
    merchantId: facts.merchantId,
    flow: facts.flow,
    dryRun: record.dryRun,
    currency: facts.cart.currency,
    amountMinor: facts.cart.totalMinor,
    recorded: verdictOf(record.decision),
    candidate: verdictOf(decided),
  };
}

const verdictOf = ({ outcome, failingRule, reason }: Decision): Verdict => ({
  outcome,
  failingRule,
  reason,
});

const refusalOf = ({ kind, recorded, candidate }: Flip): { rule: string; reason: string } => {
  const { failingRule, reason } = kind === 'allow_to_refuse' ? candidate : recorded;
  return { rule: failingRule ?? '', reason: reason ?? '' };
};

/** The decision whose allow an entry uses up; null of other entries. */
function usedDecisionOf({ type, data }: ExportedEntry): string | null {
  const members = membersOf(data);
  const named =
    type === 'allow.used'
      ? members?.['decision_id']
      : type === 'capture.recorded'
        ? membersOf(members?.['authority'])?.['decision_id']
        : null;
  return typeof named === 'string' ? named : null;
}

/** Counts and amounts of the flips of the same name, in the order of first appearance. */
function summed<Name extends object>(
  flips: readonly Flip[],
  nameOf: (flip: Flip) => Name,
): readonly (Name & { readonly count: number; readonly amountMinor: bigint })[] {
  const sums = new Map<string, Name & { count: number; amountMinor: bigint }>();
  for (const flip of flips) {
    const name = nameOf(flip);
    const key = JSON.stringify(name);
    const { count, amountMinor } = sums.get(key) ?? { count: 0, amountMinor: 0n };
    sums.set(key, { ...name, count: count + 1, amountMinor: amountMinor + flip.amountMinor });
  }
  return [...sums.values()];
}
