import type { ValueOf } from '../client/index.js';
import { findReason, formatInstant, isInstantMs, type WhoFixes } from '../core/kernel/index.js';
import { printFields, printTable } from './table.js';
import { printAmount } from './values.js';

export type Decision = ValueOf<'get', '/v1/decisions/{decision_id}'>;
type Explained = Extract<Decision, { trace: unknown }>;
type TraceLine = Explained['trace'][number];
type Observation = TraceLine['observations'][number];

const WHO: Readonly<Record<WhoFixes, string>> = {
  retry: 'nobody: the same request may pass later',
  agent_fix: 'the agent: its request has to change',
  buyer_review: 'the buyer: a new or wider authority',
  merchant_fix: 'the merchant: its limits or its facts have to change',
  never: 'nobody: this purchase will never pass',
};

const isExplained = (decision: Decision): decision is Explained => 'trace' in decision;

/** What was decided, about what, and whether it can be used. */
export function decisionText(decision: Decision): string {
  return printFields([
    ['decision', decision.decision_id],
    ['outcome', outcomeText(decision)],
    ...reasonFields(decision),
    ['flow', decision.flow],
    ['merchant', decision.merchant_id],
    ['agent', decision.agent_id],
    ['order', decision.order_id],
    ['amount', printAmount(decision.amount)],
    ['decided at', decision.decided_at],
    ['ruleset', decision.ruleset],
    ['usable', usableText(decision)],
  ]);
}

function outcomeText(decision: Decision): string {
  const dry = decision.dry_run ? ', dry run' : '';
  return decision.outcome === 'allow'
    ? `allowed${dry}`
    : `refused by ${decision.failing_rule}${dry}`;
}

const reasonFields = (decision: Decision): readonly (readonly [string, string])[] =>
  decision.outcome === 'allow' ? [] : [['reason', decision.reason]];

const usableText = (decision: Decision): string =>
  decision.usable
    ? 'yes'
    : `no${decision.usable_reason === null ? '' : `: ${decision.usable_reason}`}`;

/**
 * The whole decision in words: the refusal, what mends it and its page, then every rule in its order with what it saw
 * beside what it allows. `pageUrl` makes a page's address absolute. The short form (keys of agents and merchant systems)
 * has no rules to show, and says so.
 */
export function explainText(decision: Decision, pageUrl: (page: string) => string): string {
  const refusal = decision.outcome === 'allow' ? [] : ['', refusalText(decision, pageUrl)];
  const unusable =
    decision.usable_action === null ? [] : ['', `Not usable: ${decision.usable_action}`];
  return [
    decisionText(decision),
    ...refusal,
    ...unusable,
    ...(isExplained(decision)
      ? [
          ...decision.trace.flatMap((line, index) => ['', ruleText(line, index)]),
          '',
          entryText(decision.entry),
        ]
      : ['', 'What the rules saw is shown to administrators, operators and auditors.']),
  ].join('\n');
}

/** The members of a refusal: of a decision, or of a problem with the code `arbiter_refused`. */
export interface Refusal {
  readonly failing_rule: string;
  readonly reason: string;
  readonly action: string;
  readonly required_config: string;
  readonly reason_page: string;
  readonly not_before?: string | null;
}

/** Why it was refused, what mends it, and the page of the reason. */
export function refusalText(refusal: Refusal, pageUrl: (page: string) => string): string {
  const { failing_rule: rule, reason, not_before: notBefore = null } = refusal;
  // A reason may carry what it is about: `artifact_revoked:price`.
  const [code = ''] = reason.split(':');
  const entry = findReason(rule, code);
  return printFields([
    ['why', entry?.text ?? refusal.action],
    ['fix', entry?.fix ?? refusal.required_config],
    ...(entry === null ? [] : [['who', WHO[entry.whoFixes]] as const]),
    ['look at', refusal.required_config],
    ...(notBefore === null ? [] : [['not before', notBefore] as const]),
    ['page', pageUrl(refusal.reason_page)],
  ]);
}

function ruleText({ rule, failure, observations, notes }: TraceLine, index: number): string {
  const verdict = failure === null ? 'passed' : `FAILED: ${failureText(failure)}`;
  const seen = printTable(
    [{ title: '' }, { title: 'observed', align: 'right' }, { title: 'limit', align: 'right' }],
    observations.map((each) => [
      each.name,
      valueText(each, each.observed),
      valueText(each, each.limit),
    ]),
  );
  return [
    printFields([[`${index + 1}. ${rule}`, verdict]]),
    ...(observations.length === 0 ? [] : seen.split('\n').map((line) => `     ${line}`)),
    ...notes.map((note) => printFields([['     note', note]])),
  ].join('\n');
}

function failureText(failure: NonNullable<TraceLine['failure']>): string {
  const about = failure.artifact_type === null ? '' : `:${failure.artifact_type}`;
  const later = failure.not_before === null ? '' : `, not before ${failure.not_before}`;
  return `${failure.code}${about}${later}`;
}

/** A trace has no currencies beside its amounts: they stay in minor units, so that none is guessed. */
function valueText({ kind }: Observation, value: string | number | null): string {
  if (value === null) return '-';
  if (kind === 'amount') return `${value} minor`;
  if (kind === 'age_ms') return ageText(Number(value));
  if (kind === 'instant' && isInstantMs(value)) return formatInstant(value);
  return `${value}`;
}

const ageText = (ageMs: number): string =>
  Number.isSafeInteger(ageMs) && ageMs % 1_000 === 0 ? `${ageMs / 1_000} s` : `${ageMs} ms`;

const entryText = ({ entry_id: id, seq, link }: Explained['entry']): string =>
  `Entry ${seq} of the ledger, ${id}, ${link === null ? 'not sealed' : `link ${link}`}`;
