import { type DifferentDecision, Replay, type ReplayReport } from '../../core/replay/index.js';
import { type ExportFile, readExportFile } from '../export-file.js';
import { EXIT } from '../exit-codes.js';
import { jsonText, printable } from '../printable.js';
import type { Shelf } from '../shelf.js';

/** So many members of one different decision are told. */
const MEMBERS_TOLD_MAX = 10;

export function addReplay({ program, local }: Shelf): void {
  program
    .command('replay')
    .description('judge every decision of an export again; needs no service, no key, no network')
    .argument('<file>', 'an export of the ledger, JSON Lines or one document')
    .action(
      local(async ({ words: [file = ''], json }, { out, note, progress }) => {
        const replay = new Replay();
        const read = await readExportFile(file, { take: (entry) => replay.take(entry), progress });
        if (!read.ok) {
          if (json) out(jsonText({ result: 'unreadable', message: read.error }, 2));
          else note(printable(`error: ${file}: ${read.error}.`));
          return EXIT.usage;
        }
        const report = replay.report();
        out(json ? jsonText(replayDocument(read.value, report), 2) : replayText(file, report));
        return resultOf(report) === 'same' ? EXIT.done : EXIT.no;
      }),
    );
}

const resultOf = ({ differentCount, unknownRulesets }: ReplayReport) =>
  differentCount > 0 ? 'different' : unknownRulesets.length > 0 ? 'not_judged' : 'same';

const replayDocument = ({ tenantId }: ExportFile, report: ReplayReport) => ({
  result: resultOf(report),
  tenant_id: tenantId,
  entry_count: report.entryCount,
  decision_count: report.decisionCount,
  rulesets: report.byRuleset.map(({ ruleset, decisionCount, differentCount }) => ({
    ruleset,
    decision_count: decisionCount,
    different_count: differentCount,
  })),
  unknown_rulesets: report.unknownRulesets.map(({ ruleset, decisionCount }) => ({
    ruleset,
    decision_count: decisionCount,
  })),
  different_count: report.differentCount,
  different: report.different.map(({ decisionId, ...rest }) => ({
    decision_id: decisionId,
    ...rest,
  })),
  chain_verified: false,
});

const WORDS = {
  same: 'same',
  different: 'different',
  not_judged: 'not judged',
} as const;

/**
 * Each different decision, then a line for each ruleset, the verdict, and what was not looked at. What the file says
 * stays on its line: a name with a line feed in it would print a verdict of its own.
 */
function replayText(file: string, report: ReplayReport): string {
  const { different, differentCount, decisionCount, entryCount } = report;
  const untold = differentCount - different.length;
  return [
    ...different.flatMap(differentLines),
    ...(untold > 0 ? [`... and ${untold} more`] : []),
    ...report.byRuleset.map(
      (each) =>
        `ruleset ${each.ruleset}: ${each.decisionCount} decisions judged again, ${each.differentCount} different`,
    ),
    ...report.unknownRulesets.map(
      (each) =>
        `ruleset ${each.ruleset}: ${each.decisionCount} decisions not judged, because this program does not have it; use a later version`,
    ),
    `${WORDS[resultOf(report)]}: ${decisionCount} decisions of ${entryCount} entries, ${differentCount} different`,
    `not looked at: whether the file itself is whole and unchanged; node scripts/verify-ledger.mjs ${file} does that`,
  ]
    .map(printable)
    .join('\n');
}

function differentLines({ decisionId, seq, ruleset, differences }: DifferentDecision): string[] {
  const untold = differences.length - MEMBERS_TOLD_MAX;
  return [
    `${decisionId}, entry ${seq}, ruleset ${ruleset}:`,
    ...differences
      .slice(0, MEMBERS_TOLD_MAX)
      .map(
        ({ at, recorded, judged }) =>
          `  ${at}: recorded ${jsonText(recorded)}, judged ${jsonText(judged)}`,
      ),
    ...(untold > 0 ? [`  ... and ${untold} more`] : []),
  ];
}
