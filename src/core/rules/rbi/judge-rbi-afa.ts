import type { Money } from '../../kernel/index.js';
import type { Observation, RuleResult } from '../decision.js';
import { type PurchaseCase, type PurchaseFacts, rulesetOf } from '../facts.js';
import { type AfaCase, eMandateClass, isAboutTerms, isUpi } from './afa-case.js';
import { type AfaVerdict, decideAfa, decisive } from './decide-afa.js';
import { AFA_ONE_TIME_TTL_MS, checkEvidence } from './evidence-checks.js';
import type { AfaRail, RbiFacts } from './facts.js';
import { type AfaNote, deny, note, type Remark } from './remark.js';

const RULE = 'rbi_afa';

/** Where the Indian rules stand towards a purchase, before any of them is read. */
type Scope = 'applies' | 'not_applicable' | 'profile_not_chosen' | 'afa_always' | Remark;

/**
 * Rule 8: a payment that moves under the Indian rules carries the authentication, the notice and the mandate they ask
 * for (mission; facts/payments.md 1; decisions 3.7).
 *
 * It applies under the profile `in-rbi-2026-04` when the rail is switched on and is UPI, or the currency is INR, or the
 * issuer is Indian. A live tenant that chose no profile needs AFA evidence for every payment. What is not known where
 * the scope depends on it refuses: `rbi_scope_unknown` (country), `rbi_unclassified` (rail, `other` included, or an
 * event that moves no money and so is no purchase). Only DEFER sets `notBeforeMs`.
 * Not checked: whether an evidence reference is claimed between decision and use, and whether the window is still open
 * then; both belong to consumption.
 */
export function judgeRbiAfa(purchase: PurchaseCase): RuleResult {
  const { facts } = purchase;
  const amount: Money = { amountMinor: facts.cart.totalMinor, currency: facts.cart.currency };
  const scope = scopeOf(facts.rbi, facts.world, amount.currency);
  switch (scope) {
    case 'not_applicable':
    case 'profile_not_chosen':
      return passed(purchase, scope);
    case 'afa_always':
      return resultOf(purchase, judgeEvidenceAlone(purchase, amount));
    case 'applies':
      return resultOf(purchase, judgeDebit(purchase, amount));
    default:
      return resultOf(purchase, refusedOutright(scope));
  }
}

/**
 * How the debit of a purchase is counted until the provider reports it: `once` = one for each reported state of the
 * mandate (an e-mandate's cycle, a one-time mandate); `sum` = together within the block. Null: rule 8 counts none, because
 * it does not apply, there is no mandate, or a top-up, which has no cycle, is debited whenever the buyer's balance is low.
 */
export function debitCountOf({ rbi, world, cart }: PurchaseFacts): 'once' | 'sum' | null {
  const { mandate, rail, event } = rbi;
  if (mandate === null || rail === null || scopeOf(rbi, world, cart.currency) !== 'applies')
    return null;
  if (event === 'block_debit') return rail === 'upi_otm' ? 'once' : 'sum';
  const isOfCycle = event === 'first_debit' || event === 'subsequent_debit';
  return isOfCycle && eMandateClass(rail) !== null ? 'once' : null;
}

function scopeOf(rbi: RbiFacts, world: PurchaseFacts['world'], currency: string): Scope {
  if (rbi.profile === 'none') return 'not_applicable';
  // INVARIANT: only the exact word is the test world; any other counts as live (facts/arbiter.md F6).
  if (rbi.profile === null) return world === 'test' ? 'profile_not_chosen' : 'afa_always';
  const rail = knownRail(rbi.rail);
  if (rail !== null && !rbi.switchedOnRails.includes(rail)) return 'not_applicable';
  if ((rail !== null && isUpi(rail)) || currency === 'INR') {
    return rail === null ? deny('rbi_unclassified') : 'applies';
  }
  // Two capital letters name a country; anything else names none.
  const country = /^[A-Z]{2}$/.test(rbi.issuerCountry ?? '') ? rbi.issuerCountry : null;
  if (country === null) return deny('rbi_scope_unknown');
  if (country !== 'IN') return 'not_applicable';
  return rail === null ? deny('rbi_unclassified') : 'applies';
}

/** `other` names no rail: it may be UPI under a word we do not know, so it never reads as "not switched on". */
const knownRail = (rail: AfaRail | null): AfaRail | null => (rail === 'other' ? null : rail);

function judgeDebit(purchase: PurchaseCase, amount: Money): AfaVerdict {
  const { facts, atMs } = purchase;
  const { rbi, cart } = facts;
  const { rail, event } = rbi;
  if (rail === null || event === null || isAboutTerms(event) || event === 'withdraw') {
    return refusedOutright(deny('rbi_unclassified'));
  }
  const afa: AfaCase = {
    rail,
    event,
    amount,
    coreHash: cart.coreHash,
    atMs,
    // A debit dated back runs now: the past opens no window and proves no lead.
    executionAtMs: Math.max(rbi.executionAtMs ?? atMs, atMs),
    facts: rbi,
    ruleset: rulesetOf(purchase),
  };
  return decideAfa(afa);
}

/** No profile in the live world: no table is chosen that could exempt anything (facts/arbiter.md H3). */
function judgeEvidenceAlone({ facts, atMs }: PurchaseCase, amount: Money): AfaVerdict {
  const { rbi, cart } = facts;
  const remarks = [
    note('afa_required_always'),
    ...checkEvidence(
      rbi.evidence,
      {
        rail: rbi.rail,
        amount,
        coreHash: cart.coreHash,
        amountBinding: 'exact',
        payeeId: rbi.payeeId,
        mandateRef: rbi.mandate?.ref ?? null,
        payerRef: null,
        ttlMs: AFA_ONE_TIME_TTL_MS,
        passes: 'afa_ok_debit',
      },
      atMs,
    ),
  ];
  const refusal = decisive(remarks);
  return {
    effect: refusal?.effect ?? 'note',
    refusal,
    remarks,
    notBeforeMs: null,
    requirement: null,
  };
}

const refusedOutright = (remark: Remark): AfaVerdict => ({
  effect: remark.effect,
  refusal: decisive([remark]),
  remarks: [remark],
  notBeforeMs: null,
  requirement: null,
});

const passed = ({ facts }: PurchaseCase, why: AfaNote): RuleResult => ({
  rule: RULE,
  failure: null,
  observations: describeRail(facts.rbi),
  notes: [why],
});

function resultOf(purchase: PurchaseCase, verdict: AfaVerdict): RuleResult {
  const { refusal, remarks, notBeforeMs } = verdict;
  return {
    rule: RULE,
    failure: refusal === null ? null : { code: refusal.code, artifactType: null, notBeforeMs },
    observations: [...describeRail(purchase.facts.rbi), ...describeLimits(purchase, verdict)],
    notes: remarks.flatMap((remark) => {
      if (remark.effect === 'note') return [remark.code];
      return remark === refusal ? [] : [`also_failed:${remark.code}`];
    }),
  };
}

const describeRail = ({ profile, rail, event, executionAtMs }: RbiFacts): Observation[] => [
  { name: 'profile', kind: 'text', observed: profile, limit: null },
  { name: 'rail', kind: 'text', observed: rail, limit: null },
  { name: 'event', kind: 'text', observed: event, limit: null },
  { name: 'execution', kind: 'instant', observed: executionAtMs, limit: null },
];

/** The amount beside the limit that counted, and how old the evidence and the notice were. */
function describeLimits({ facts, atMs }: PurchaseCase, { requirement }: AfaVerdict): Observation[] {
  const limit = requirement?.limit ?? null;
  const performedAtMs = facts.rbi.evidence?.performedAtMs ?? null;
  const notice = facts.rbi.preDebitNotice;
  const noticedAtMs = notice?.deliveredAtMs ?? notice?.sentAtMs ?? null;
  return [
    {
      name: 'amount',
      kind: 'amount',
      observed: facts.cart.totalMinor,
      limit: limit?.minor ?? null,
    },
    {
      name: 'limit_in_force_since',
      kind: 'text',
      observed: limit?.effectiveFrom ?? null,
      limit: null,
    },
    {
      name: 'evidence_age',
      kind: 'age_ms',
      observed: performedAtMs === null ? null : atMs - performedAtMs,
      limit: requirement?.evidence?.ttlMs ?? null,
    },
    {
      name: 'notice_age',
      kind: 'age_ms',
      observed: noticedAtMs === null ? null : atMs - noticedAtMs,
      limit: null,
    },
  ];
}
