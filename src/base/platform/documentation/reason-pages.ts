import {
  REASON_CATALOGUE,
  type ReasonEntry,
  type ReasonRule,
  REASONS,
  type WhoFixes,
} from '../../../core/kernel/index.js';

const WHO: Readonly<Record<WhoFixes, string>> = {
  retry: 'Nobody has to change anything: the same request may pass later.',
  agent_fix: 'The agent, by changing or completing its request.',
  buyer_review: 'The buyer, by giving a new or wider authority.',
  merchant_fix: 'The merchant or its operator, by changing limits, keys or facts.',
  never: 'Nobody: this purchase will not pass.',
};

/** What each rule asks, in words for people who do not program (mission M1). */
const RULES: Readonly<Record<ReasonRule, string>> = {
  mandate_present: 'Rule 1: a mandate of the buyer is there, and it is good for this purchase now.',
  consent_active: 'Rule 2: the consent given by the buyer is in force now.',
  passport_amount_cap:
    'Rule 3: amount and currency of the order are covered by the cap of the Commerce Passport.',
  verified_buyer_authority:
    'Rule 4: mandate, consent and passport were verified here, not merely claimed by the request.',
  facts_valid:
    'Rule 5: the merchant’s signed facts about catalogue, price, stock, policy and whatever else the purchase names still hold.',
  merchant_limits:
    'Rule 6: the merchant’s limits for amount, currency and quantity hold, and its daily maximum where there is one.',
  not_present_limits:
    'Rule 7: for an absent buyer, the order also fits the merchant’s stricter caps and the cap of the intent mandate.',
  rbi_afa:
    'Rule 8: where Indian rules ask for an additional factor of authentication, verified evidence of it is there.',
  handoff_facts_valid:
    'Handoff rule 1: before a payment link is given out, the merchant’s signed facts still hold.',
  handoff_merchant_limits:
    'Handoff rule 2: before a payment link is given out, the merchant’s limits hold.',
  refund_within_captured:
    'The refund’s only rule: above zero, in the currency of the order, not more than was captured.',
  agent_executed_payment: 'The switch of agent-executed payment; it is asked before any rule.',
  allow_use: 'What an allow needs beside the rules before it can be used.',
};

/** Where the pages of the reasons stand, without a slash at the end. */
export const REASONS_PATH = '/docs/reasons';

/** The path of the page of (rule, code) below {@link REASONS_PATH}, and of its file below docs/reasons. */
export const reasonPagePath = ({ rule, code }: Pick<ReasonEntry, 'rule' | 'code'>): string =>
  `${rule}/${code}`;

/** How the pages lead to each other where they are read. */
interface ReasonLinks {
  readonly index: string;
  readonly page: (entry: ReasonEntry) => string;
  /** The sentence that names the list for programs, null where none is served. */
  readonly list: string | null;
}

/** Between the files of docs/reasons. */
const FILE_LINKS: ReasonLinks = {
  index: '../README.md',
  page: (entry) => `${reasonPagePath(entry)}.md`,
  list: ' The same list for programs: [reasons.json](../reasons.json).',
};

/** Between the pages of a running service. */
export const SERVED_LINKS: ReasonLinks = {
  index: REASONS_PATH,
  page: (entry) => `${REASONS_PATH}/${reasonPagePath(entry)}`,
  list: null,
};

/** The page of one reason, as Markdown; its links are those of the repository's files when none are given. */
export function printReasonPage(entry: ReasonEntry, links: ReasonLinks = FILE_LINKS): string {
  const { rule, code } = entry;
  const reasons: readonly ReasonEntry[] = REASONS[rule];
  const place = reasons.indexOf(entry);
  return [
    `# ${code}`,
    '',
    `${RULES[rule]} ${seenAs(entry)}`,
    '',
    '## What happened',
    '',
    entry.text,
    '',
    '## What to do',
    '',
    entry.fix,
    '',
    `Who can change it: ${WHO[entry.whoFixes]}`,
    '',
    `What has to change before trying again (\`required_config\`): \`${entry.requiredConfig}\``,
    '',
    '## How it reads in a checkout',
    '',
    ...checkoutForms(entry),
    '',
    '## Precedence',
    '',
    `Reason ${place + 1} of ${reasons.length} of its rule, ${REASON_CATALOGUE.indexOf(entry) + 1} of ${REASON_CATALOGUE.length} in all. If several reasons apply, only the first is named.`,
    '',
    `[All reasons in order](${links.index})`,
    '',
  ].join('\n');
}

/** The reason of `allow_use` stands beside an allow; every other one is named by a refusal. */
const seenAs = (entry: ReasonEntry): string =>
  entry.rule === 'allow_use'
    ? `Beside an allow: \`"usable": false\`, \`"usable_reason": "${printedReason(entry)}"\`.`
    : `In a refusal: \`"failing_rule": "${entry.rule}"\`, \`"reason": "${printedReason(entry)}"\`.`;

const printedReason = ({ code, parameter }: ReasonEntry): string =>
  parameter === null ? code : `${code}:<${parameter}>`;

function checkoutForms({ ucp, acp }: ReasonEntry): readonly string[] {
  const forms = [
    `- UCP: one error message, code \`arbiter_refused\`, severity \`${ucp.severity}\`, checkout status \`incomplete\`.`,
    `- ACP: one error message, code \`${acp.code}\`, resolution \`recoverable\`, checkout status \`not_ready_for_payment\`.`,
  ];
  if (ucp.stepUp === null) return forms;
  return [
    ...forms,
    `- Where the merchant has a page on which the buyer can heal it: in UCP severity \`${ucp.stepUp}\`, in ACP code \`intervention_required\` with resolution \`${ucp.stepUp}\`; the status is then \`requires_escalation\` in both.`,
  ];
}

/** The list of all reasons in order of precedence, as Markdown; links as in {@link printReasonPage}. */
export function printReasonIndex(links: ReasonLinks = FILE_LINKS): string {
  const sections = Object.entries<readonly ReasonEntry[]>(REASONS).flatMap(([rule, reasons]) => [
    `## ${rule}`,
    '',
    RULES[rule as ReasonRule],
    '',
    ...reasons.map(
      (entry, index) =>
        `${index + 1}. [\`${printedReason(entry)}\`](${links.page(entry)}): ${entry.text}`,
    ),
    '',
  ]);
  return [
    '# Why the arbiter refuses',
    '',
    'Every reason a refusal can name. All rules always run, in this order; the first rule that fails is named, and of that rule the first reason that applies. Signed facts are judged type by type (`catalog_snapshot`, `price`, `inventory`, `policy`, `protocol_adapter`, then the rest), then line by line; the reasons of one type follow the order below.',
    '',
    `A reason is never removed, reworded or moved; new ones may be put between.${links.list ?? ''}`,
    '',
    ...sections,
  ].join('\n');
}
