import { describe, expect, it } from 'vitest';
import { entriesOfGolden, goldenLines, readLines } from '../../../test/support/golden.js';
import { type ChainEntry, chainStart, verifyRun } from '../chain/index.js';
import { RULESET_VERSION, RULESETS } from '../kernel/index.js';
import { DECISION_RECORDED, type DecisionRecord, recordedDecision } from '../rules/index.js';
import type { ExportedEntry } from './export-reader.js';
import { Replay } from './replay.js';

/** Real ledgers, one for each ruleset, made by the programs of their time. */

const decisionsOf = (ruleset: string): readonly DecisionRecord[] =>
  entriesOfGolden(ruleset)
    .filter(({ type }) => type === DECISION_RECORDED)
    .map(({ data }) => recordedDecision.decode(data, 'data'));

function replayed(entries: readonly ExportedEntry[]) {
  const replay = new Replay();
  for (const entry of entries) expect(replay.take(entry)).toEqual({ ok: true, value: null });
  return replay.report();
}

describe.each(RULESETS)('the golden ledger of ruleset %s', (ruleset) => {
  it('is judged again without a difference', () => {
    const report = replayed(entriesOfGolden(ruleset));
    expect(report.different).toEqual([]);
    expect(report.byRuleset).toEqual([
      { ruleset, decisionCount: report.decisionCount, differentCount: 0 },
    ]);
    expect(report.decisionCount).toBeGreaterThanOrEqual(70);
  });

  it('is a whole chain', () => {
    const [header = '', ...lines] = goldenLines(ruleset);
    const { tenant_id: tenantId } = JSON.parse(header) as { tenant_id: string };
    const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as ChainEntry);
    const verified = verifyRun(chainStart(tenantId), rows, () => null);
    expect(verified).toMatchObject({ ok: true, value: { nextSeq: rows.length } });
  });

  it('has decisions of every flow and rule, allowed and refused, for real and dry', () => {
    const decisions = decisionsOf(ruleset);
    const failed = new Set(
      decisions.flatMap(({ decision }) =>
        decision.trace.filter(({ failure }) => failure !== null).map(({ rule }) => rule),
      ),
    );
    expect([...failed].sort()).toEqual([
      'consent_active',
      'facts_valid',
      'handoff_facts_valid',
      'handoff_merchant_limits',
      'mandate_present',
      'merchant_limits',
      'not_present_limits',
      'passport_amount_cap',
      'rbi_afa',
      'refund_within_captured',
      'verified_buyer_authority',
    ]);
    const kinds = new Set(
      decisions.map(({ decision, dryRun }) => `${decision.flow} ${decision.outcome} ${dryRun}`),
    );
    expect([...kinds].sort()).toEqual([
      'agent_payment allow false',
      'agent_payment allow true',
      'agent_payment refuse false',
      'agent_payment refuse true',
      'handoff allow false',
      'handoff refuse false',
      'refund allow false',
      'refund refuse false',
    ]);
    const reasons = new Set(decisions.map(({ decision }) => decision.reason));
    expect(reasons.size).toBeGreaterThanOrEqual(40);
    // Allows are judged again at their use since ruleset 2.
    const rechecks = decisions.filter(({ recheck }) => recheck !== null).length;
    if (ruleset === '1') expect(rechecks).toBe(0);
    else expect(rechecks).toBeGreaterThanOrEqual(5);
  });
});

describe('a ruleset', () => {
  const relabelled = (from: string, to: string) =>
    entriesOfGolden(from).map((entry) => {
      if (entry.type !== DECISION_RECORDED) return entry;
      const record = recordedDecision.decode(entry.data, 'data');
      const data = recordedDecision.encode({
        ...record,
        decision: { ...record.decision, ruleset: to },
      });
      return { ...entry, data };
    });

  it('judges its own entries only: 1 had another word for a mandate nobody reported', () => {
    const report = replayed(relabelled('1', RULESET_VERSION));
    expect(report.differentCount).toBeGreaterThan(0);
    const [first] = report.different;
    expect(first?.differences).toContainEqual({
      at: '/reason',
      recorded: 'mandate_not_live',
      judged: 'upi_mandate_capability_missing',
    });
  });

  it('that this program does not have is counted, and not judged', () => {
    const report = replayed(relabelled('1', '999'));
    expect(report.byRuleset).toEqual([]);
    expect(report.unknownRulesets).toEqual([
      { ruleset: '999', decisionCount: report.decisionCount },
    ]);
  });
});

describe('what differs is found', () => {
  it('in a file whose facts were changed', () => {
    const lines = goldenLines('1').map((line) =>
      line.replaceAll('\\"order_max_minor\\":\\"5000000\\"', '\\"order_max_minor\\":\\"91799\\"'),
    );
    const replay = new Replay(3);
    expect(readLines(lines, (entry) => replay.take(entry)).ok).toBe(true);
    const { different, differentCount } = replay.report();
    expect(differentCount).toBeGreaterThan(20);
    expect(different).toHaveLength(3);
    expect(different[0]?.differences.map(({ at }) => at)).toContain(
      '/trace/5/observations/1/limit',
    );
  });
});
