import { invariant } from '../invariant.js';
import { AGENT_EXECUTED_PAYMENT_REASONS } from './agent-executed-payment.js';
import { ALLOW_USE_REASONS } from './allow-use.js';
import { CONSENT_ACTIVE_REASONS } from './consent-active.js';
import type { ReasonEntry, ReasonRule } from './entry.js';
import { FACTS_VALID_REASONS, HANDOFF_FACTS_VALID_REASONS } from './facts.js';
import { MANDATE_PRESENT_REASONS } from './mandate-present.js';
import { HANDOFF_MERCHANT_LIMITS_REASONS, MERCHANT_LIMITS_REASONS } from './merchant-limits.js';
import { NOT_PRESENT_LIMITS_REASONS } from './not-present-limits.js';
import { PASSPORT_AMOUNT_CAP_REASONS } from './passport-amount-cap.js';
import { RBI_AFA_REASONS } from './rbi-afa.js';
import { REFUND_WITHIN_CAPTURED_REASONS } from './refund-within-captured.js';
import { VERIFIED_BUYER_AUTHORITY_REASONS } from './verified-buyer-authority.js';

export * from './entry.js';

/** The closed catalogue by rule. INVARIANT: the order of rules and of reasons inside a rule is their precedence. */
export const REASONS = {
  mandate_present: MANDATE_PRESENT_REASONS,
  consent_active: CONSENT_ACTIVE_REASONS,
  passport_amount_cap: PASSPORT_AMOUNT_CAP_REASONS,
  verified_buyer_authority: VERIFIED_BUYER_AUTHORITY_REASONS,
  facts_valid: FACTS_VALID_REASONS,
  merchant_limits: MERCHANT_LIMITS_REASONS,
  not_present_limits: NOT_PRESENT_LIMITS_REASONS,
  rbi_afa: RBI_AFA_REASONS,
  handoff_facts_valid: HANDOFF_FACTS_VALID_REASONS,
  handoff_merchant_limits: HANDOFF_MERCHANT_LIMITS_REASONS,
  refund_within_captured: REFUND_WITHIN_CAPTURED_REASONS,
  agent_executed_payment: AGENT_EXECUTED_PAYMENT_REASONS,
  allow_use: ALLOW_USE_REASONS,
} as const satisfies { readonly [Rule in ReasonRule]: readonly ReasonEntry<Rule>[] };

/** The codes that one rule may name; a rule that returns another does not compile. */
export type ReasonOf<Rule extends ReasonRule> = (typeof REASONS)[Rule][number]['code'];

/** The same catalogue as one list, in order of precedence. */
export const REASON_CATALOGUE: readonly ReasonEntry[] =
  Object.values<readonly ReasonEntry[]>(REASONS).flat();

interface PlacedReason {
  readonly entry: ReasonEntry;
  readonly place: number;
}

const PLACED: ReadonlyMap<string, PlacedReason> = new Map(
  REASON_CATALOGUE.map((entry, place) => [`${entry.rule}/${entry.code}`, { entry, place }]),
);

/** The entry of (rule, code), or null when the catalogue has none. */
export const findReason = (rule: string, code: string): ReasonEntry | null =>
  PLACED.get(`${rule}/${code}`)?.entry ?? null;

/** Where (rule, code) stands in the whole catalogue, from 0; of several reasons the one with the lowest place is named. */
export function reasonPlace(rule: ReasonRule, code: string): number {
  const placed = PLACED.get(`${rule}/${code}`);
  invariant(placed !== undefined, 'every reason that a rule names stands in the catalogue');
  return placed.place;
}
