import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RULESET_VERSION } from '../../src/core/kernel/index.js';
import { Replay } from '../../src/core/replay/index.js';
import { DECISION_RECORDED, recordedDecision } from '../../src/core/rules/index.js';
import { openShop, startTestService } from '../arbiter/shop.js';
import { goldenFile, goldenLines, readLines } from '../support/golden.js';
import { exportLinesOf } from './export-lines.js';
import { growOld, liveThrough } from './golden-mix.js';
import { useAllows } from './golden-uses.js';

/** What was decided, in order, by flow and reason. */
function verdictsOf(lines: readonly string[]): readonly string[] {
  const verdicts: string[] = [];
  const read = readLines(lines, ({ type, data }) => {
    if (type === DECISION_RECORDED) {
      const { decision, dryRun, recheck } = recordedDecision.decode(data, 'data');
      const { flow, outcome, reason, ruleset } = decision;
      verdicts.push([ruleset, flow, outcome, reason, dryRun, recheck !== null].join(' '));
    }
    return { ok: true, value: null };
  });
  if (!read.ok) throw new Error(read.error);
  return verdicts;
}

/**
 * A rule that answers otherwise than in the golden ledger of the ruleset in force is another ruleset: raise
 * RULESET_VERSION, star it in the changelog and write a golden for it. WRITE_GOLDEN=on writes the file (test/golden/README.md).
 */
it('the golden ledger of the ruleset in force is what this program decides today', async () => {
  const shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
  await liveThrough(shop);
  await useAllows(shop);
  await growOld(shop);
  const lines = await exportLinesOf(shop.tenantId);

  const replay = new Replay();
  expect(readLines(lines, (entry) => replay.take(entry))).toEqual({ ok: true, value: null });
  expect(replay.report().different).toEqual([]);

  if (process.env['WRITE_GOLDEN'] === 'on')
    writeFileSync(goldenFile(RULESET_VERSION), `${lines.join('\n')}\n`);
  expect(verdictsOf(lines)).toEqual(verdictsOf(goldenLines(RULESET_VERSION)));
});
