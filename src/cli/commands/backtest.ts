import { err, type Problem, type Result } from '../../core/kernel/index.js';
import {
  Backtest,
  type BacktestReport,
  type Flip,
  type FlipSum,
  readCandidate,
  type ReasonSum,
} from '../../core/replay/index.js';
import type { LimitsDraft } from '../../core/rules/index.js';
import { readBounded } from '../bounded-file.js';
import { EXIT } from '../exit-codes.js';
import { type ExportFile, readExportFile } from '../export-file.js';
import { jsonText, printable } from '../printable.js';
import type { Shelf } from '../shelf.js';
import { printTable } from '../table.js';
import { parseChosenId, printAmount, reading } from '../values.js';

interface BacktestOptions {
  readonly limits: string;
  readonly merchant?: string;
}

export function addBacktest({ program, local }: Shelf): void {
  program
    .command('backtest')
    .description(
      'judge the decisions of an export under other limits; needs no service, no key, no network',
    )
    .argument('<file>', 'an export of the ledger, JSON Lines or one document')
    .requiredOption(
      '--limits <path>',
      'the candidate: a body of PUT /v1/merchants/{merchant_id}/limits',
    )
    .option('--merchant <merchant>', 'only decisions of this one', reading(parseChosenId))
    .action(
      local<BacktestOptions>(
        async ({ words: [file = ''], options, json }, { out, note, progress }) => {
          const candidate = readCandidateFile(options.limits);
          if (!candidate.ok) {
            note(printable(`error: --limits ${options.limits}: ${candidate.error}`));
            return EXIT.usage;
          }
          const backtest = new Backtest(candidate.value, options.merchant ?? null);
          const take = backtest.take.bind(backtest);
          const read = await readExportFile(file, { take, progress });
          if (!read.ok) {
            note(printable(`error: ${file}: ${read.error}.`));
            return EXIT.usage;
          }
          const report = backtest.report();
          if (options.merchant !== undefined && !report.merchantIds.includes(options.merchant)) {
            note(noSuchMerchant(options.merchant, report));
            return EXIT.usage;
          }
          out(json ? jsonText(backtestDocument(read.value, report), 2) : backtestText(report));
          return report.flips.length === 0 && unjudgedOf(report) === 0 ? EXIT.done : EXIT.no;
        },
      ),
    );
}

/** Merchants named at most; a platform's ledger may have thousands. */
const NAMED_MAX = 20;

function noSuchMerchant(merchant: string, { merchantIds, leftOut }: BacktestReport): string {
  const named = merchantIds.slice(0, NAMED_MAX).join(', ');
  const more = merchantIds.length > NAMED_MAX ? ` and ${merchantIds.length - NAMED_MAX} more` : '';
  const unread =
    leftOut.unknownRulesets === 0
      ? ''
      : ` ${leftOut.unknownRulesets} decisions are of a ruleset that this program does not have.`;
  return `error: --merchant ${merchant}: the file has no decision of this merchant. Its merchants: ${named === '' ? 'none' : named + more}.${unread}`;
}

/** As of the body of a request. */
const CANDIDATE_BYTES_MAX = 1024 * 1024;

function readCandidateFile(path: string): Result<LimitsDraft, string> {
  let bytes: Buffer | null;
  try {
    bytes = readBounded(path, CANDIDATE_BYTES_MAX);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return err(`it cannot be read (${code}).`);
  }
  if (bytes === null) return err(`it is larger than ${CANDIDATE_BYTES_MAX} bytes.`);
  const read = readCandidate(bytes.toString('utf8'));
  return read.ok ? read : err(faultText(read.error));
}

const faultText = ({ field, detail, fix }: Problem): string =>
  `${field === undefined || field === '' ? '' : `${field}: `}${detail} ${fix}`;

/** Decisions on which the limits may have had a say, and that this program could not judge. */
const unjudgedOf = ({ leftOut }: BacktestReport): number =>
  leftOut.unknownRulesets + leftOut.notReproduced;

const sumDocument = ({ kind, currency, count, amountMinor }: FlipSum) => ({
  kind,
  count,
  amount: { amount: amountMinor.toString(), currency },
});

const backtestDocument = ({ tenantId }: ExportFile, report: BacktestReport) => ({
  tenant_id: tenantId,
  entry_count: report.entryCount,
  judged_count: report.judgedCount,
  left_out: {
    refunds: report.leftOut.refunds,
    rechecks: report.leftOut.rechecks,
    other_merchants: report.leftOut.otherMerchants,
    unknown_rulesets: report.leftOut.unknownRulesets,
    not_reproduced: report.leftOut.notReproduced,
  },
  flip_count: report.flips.length,
  sums: report.sums.map(sumDocument),
  by_reason: report.byReason.map(({ rule, reason, ...sum }) => ({
    rule,
    reason,
    ...sumDocument(sum),
  })),
  flips: report.flips.map((flip) => ({
    kind: flip.kind,
    decision_id: flip.decisionId,
    seq: flip.seq,
    at: flip.at,
    merchant_id: flip.merchantId,
    flow: flip.flow,
    dry_run: flip.dryRun,
    amount: { amount: flip.amountMinor.toString(), currency: flip.currency },
    recorded: verdictDocument(flip.recorded),
    candidate: verdictDocument(flip.candidate),
  })),
});

const verdictDocument = ({ outcome, failingRule, reason }: Flip['recorded']) => ({
  outcome,
  failing_rule: failingRule,
  reason,
});

const WORDS = { allow_to_refuse: 'allow -> refuse', refuse_to_allow: 'refuse -> allow' } as const;

function backtestText(report: BacktestReport): string {
  const { flips, leftOut } = report;
  return [
    ...(flips.length === 0 ? [] : [flipTable(flips), '', reasonTable(report.byReason), '']),
    ...report.sums.map(
      ({ kind, count, ...money }) => `${WORDS[kind]}: ${count}, ${amountText(money)}`,
    ),
    `${flips.length} of ${report.judgedCount} purchases turn`,
    `left out: ${leftOut.refunds} refunds, ${leftOut.rechecks} re-checks, ${leftOut.otherMerchants} of other merchants`,
    ...(unjudgedOf(report) === 0
      ? []
      : [
          `not judged: ${leftOut.unknownRulesets} of a ruleset that this program does not have, ${leftOut.notReproduced} that already differ under the recorded limits (see arbiter replay)`,
        ]),
  ].join('\n');
}

const amountText = ({ amountMinor, currency }: Pick<FlipSum, 'amountMinor' | 'currency'>): string =>
  printAmount({ amount: amountMinor.toString(), currency });

const flipTable = (flips: readonly Flip[]): string =>
  printTable(
    [
      { title: 'DECISION' },
      { title: 'ENTRY', align: 'right' },
      { title: 'MERCHANT' },
      { title: 'AMOUNT', align: 'right' },
      { title: 'RECORDED' },
      { title: 'CANDIDATE' },
    ],
    flips.map((flip) => [
      flip.decisionId,
      flip.seq.toString(),
      flip.merchantId,
      amountText(flip),
      flip.recorded.reason ?? 'allow',
      flip.candidate.reason ?? 'allow',
    ]),
  );

const reasonTable = (sums: readonly ReasonSum[]): string =>
  printTable(
    [
      { title: 'TURN' },
      { title: 'RULE' },
      { title: 'REASON' },
      { title: 'COUNT', align: 'right' },
      { title: 'AMOUNT', align: 'right' },
    ],
    sums.map((sum) => [
      WORDS[sum.kind],
      sum.rule,
      sum.reason,
      sum.count.toString(),
      amountText(sum),
    ]),
  );
