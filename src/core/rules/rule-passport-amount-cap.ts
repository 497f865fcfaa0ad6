import type { ReasonOf } from '../kernel/index.js';
import type { Failure, RuleResult } from './decision.js';
import type { PassportFact, PurchaseCase } from './facts.js';
import { countedMinor, exceeds, payableMinor } from './shared/amounts.js';
import {
  credentialStatusFault,
  isOfMandateBuyer,
  isSameName,
  observeCredential,
  signatureFault,
  timeFault,
} from './shared/credential.js';
import { wasIssued } from './shared/instants.js';
import { age, amount, because, text } from './shared/observe.js';

/** A checkout passport may live this long, counted from its issue to its expiry, inclusive (facts/arbiter.md 3.6). */
export const CHECKOUT_PASSPORT_LIFETIME_MS_MAX = 600_000;

/** Without this scope a passport permits looking, not paying. */
export const PAYMENT_SCOPE = 'commerce:payment.initiate';

const RULE = 'passport_amount_cap';
type Code = ReasonOf<typeof RULE>;

/**
 * Rule 3: amount and currency of the order are covered by the cap of the buyer's Commerce Passport, together with what
 * was spent under it before. A passport without a cap covers nothing.
 */
export function judgePassportAmountCap(purchase: PurchaseCase): RuleResult<typeof RULE> {
  const { facts, counters, atMs } = purchase;
  const { passport } = facts.authority;
  const sumMinor = countedMinor(counters.passportSpentMinor) + payableMinor(facts.cart);
  const spending = amount('passport.spent_and_order', sumMinor, passport?.capMinor ?? null);
  if (passport === null) {
    const observations = [text('passport.ref', null), spending];
    return { rule: RULE, failure: because('passport_missing'), observations, notes: [] };
  }
  const code = passportFault(passport, purchase) ?? capFault(passport, sumMinor);
  return {
    rule: RULE,
    failure: code === null ? null : failureOf(code, passport),
    observations: [
      ...observeCredential('passport', passport, atMs),
      text('passport.currency', passport.currency, facts.cart.currency),
      age('passport.lifetime', lifetimeMs(passport), CHECKOUT_PASSPORT_LIFETIME_MS_MAX),
      spending,
    ],
    notes: [],
  };
}

function passportFault(passport: PassportFact, { facts, atMs }: PurchaseCase): Code | null {
  const signature = signatureFault(passport);
  if (signature !== null) return `passport_${signature}`;
  if (!isSameName(passport.world, facts.world)) return 'passport_world_mismatch';
  if (!isSameName(passport.merchantId, facts.merchantId)) return 'passport_merchant_mismatch';
  if (!isSameName(passport.agentId, facts.agentId)) return 'passport_agent_mismatch';
  if (!isOfMandateBuyer(passport, facts.authority.mandates)) return 'passport_buyer_mismatch';
  if (passport.passportType !== 'checkout' || !passport.scopes.includes(PAYMENT_SCOPE))
    return 'passport_scope_missing';
  if (!isSameName(passport.currency, facts.cart.currency)) return 'passport_currency_mismatch';
  const isIssued = !isClaimWithoutIssue(passport);
  if (isIssued && !isShortLived(passport)) return 'passport_lifetime_exceeded';
  const time = timeFault(passport, atMs);
  if (time === 'not_yet_valid' || (isIssued && !wasIssued(passport.issuedAtMs, atMs)))
    return 'passport_not_yet_valid';
  if (time !== null) return 'passport_expired';
  const status = credentialStatusFault(passport, atMs);
  if (status === null) return null;
  return status === 'unavailable' ? 'status_list_unavailable' : `passport_${status}`;
}

const capFault = ({ capMinor }: PassportFact, sumMinor: bigint): Code | null =>
  capMinor === null || exceeds(sumMinor, capMinor) ? 'passport_amount_cap_exceeded' : null;

/** Only a value that is openly the caller's word may come without a time of issue: nobody issued it (rule 4). */
const isClaimWithoutIssue = ({ source, issuedAtMs }: PassportFact): boolean =>
  source === 'caller_asserted' && issuedAtMs === null;

function isShortLived(passport: PassportFact): boolean {
  const lifetime = lifetimeMs(passport);
  return lifetime !== null && lifetime <= CHECKOUT_PASSPORT_LIFETIME_MS_MAX;
}

const lifetimeMs = ({ issuedAtMs, expiresAtMs }: PassportFact): number | null =>
  issuedAtMs === null || expiresAtMs === null ? null : expiresAtMs - issuedAtMs;

const failureOf = (code: Code, { notBeforeAtMs, issuedAtMs }: PassportFact): Failure<Code> =>
  because(
    code,
    code === 'passport_not_yet_valid' && notBeforeAtMs !== null && issuedAtMs !== null
      ? Math.max(notBeforeAtMs, issuedAtMs)
      : null,
  );
