import { ok, type Result } from '../kernel/index.js';
import { decisionCodec } from '../rules/index.js';
import { type Difference, differencesOf } from './differences.js';
import type { ExportedEntry } from './export-reader.js';
import { judgeAgain, readRecord } from './judge-again.js';

export interface DifferentDecision {
  readonly decisionId: string;
  readonly seq: number;
  readonly ruleset: string;
  readonly differences: readonly Difference[];
}

export interface ReplayReport {
  readonly entryCount: number;
  readonly decisionCount: number;
  /** Decisions judged again, by the ruleset they name, in the order of first appearance. */
  readonly byRuleset: readonly {
    readonly ruleset: string;
    readonly decisionCount: number;
    readonly differentCount: number;
  }[];
  /** Rulesets that this program does not have; their decisions were not judged. */
  readonly unknownRulesets: readonly { readonly ruleset: string; readonly decisionCount: number }[];
  readonly differentCount: number;
  /** The first of them. */
  readonly different: readonly DifferentDecision[];
}

/** So many different decisions are told one by one; the rest are counted. */
const TOLD_MAX = 20;

/**
 * Judges every decision of a ledger again, as {@link judgeAgain} does, and compares the whole of it: outcome, failing
 * rule, reason, not_before, and of every line of the trace its failure, observations and notes.
 */
export class Replay {
  private entryCount = 0;
  private readonly known = new Map<string, { decisionCount: number; differentCount: number }>();
  private readonly unknown = new Map<string, number>();
  private readonly told: DifferentDecision[] = [];

  constructor(private readonly toldMax = TOLD_MAX) {}

  /** Error: see {@link readRecord}. */
  take(entry: ExportedEntry): Result<null, string> {
    this.entryCount += 1;
    const read = readRecord(entry);
    if (!read.ok) return read;
    if (read.value === null) return ok(null);
    if (read.value.kind === 'unknown_ruleset') {
      const { ruleset } = read.value;
      this.unknown.set(ruleset, (this.unknown.get(ruleset) ?? 0) + 1);
      return ok(null);
    }
    const { record } = read.value;
    const { ruleset } = record.decision;
    const again = decisionCodec.encode(judgeAgain(record, entry.atMs));
    const differences = differencesOf(decisionCodec.encode(record.decision), again);
    const counted = this.known.get(ruleset) ?? { decisionCount: 0, differentCount: 0 };
    const isDifferent = differences.length > 0;
    this.known.set(ruleset, {
      decisionCount: counted.decisionCount + 1,
      differentCount: counted.differentCount + (isDifferent ? 1 : 0),
    });
    if (isDifferent && this.told.length < this.toldMax)
      this.told.push({ decisionId: record.decisionId, seq: entry.seq, ruleset, differences });
    return ok(null);
  }

  report(): ReplayReport {
    const byRuleset = [...this.known].map(([ruleset, counted]) => ({ ruleset, ...counted }));
    const unknownRulesets = [...this.unknown].map(([ruleset, decisionCount]) => ({
      ruleset,
      decisionCount,
    }));
    const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
    return {
      entryCount: this.entryCount,
      decisionCount: sum([...byRuleset, ...unknownRulesets].map((each) => each.decisionCount)),
      byRuleset,
      unknownRulesets,
      differentCount: sum(byRuleset.map((each) => each.differentCount)),
      different: this.told,
    };
  }
}
