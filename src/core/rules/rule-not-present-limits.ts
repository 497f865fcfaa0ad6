import type { ReasonOf } from '../kernel/index.js';
import type { Failure, Observation, RuleResult } from './decision.js';
import { freshAtMsOf, type MandateFact, type PurchaseCase } from './facts.js';
import { countedMinor, exceeds, itemsOf, payableMinor, spentUnder } from './shared/amounts.js';
import { isSameName } from './shared/credential.js';
import { ageMs, isWithin } from './shared/instants.js';
import { exceedsItems } from './shared/limits.js';
import { mandateFault } from './shared/mandate.js';
import { age, amount, because, count, text } from './shared/observe.js';

/** A cart mandate proves that the buyer is there for this long after it was signed. Inclusive (facts/arbiter.md G1). */
export const PRESENCE_AGE_MS_MAX = 600_000;

const RULE = 'not_present_limits';
type Code = ReasonOf<typeof RULE>;

/**
 * Rule 7: an absent buyer's order also fits the merchant's stricter caps and the cap of the buyer's intent mandate.
 * The buyer is present only by {@link provesPresence}; what the request says about presence is never read (G2).
 */
export function judgeNotPresentLimits(purchase: PurchaseCase): RuleResult<typeof RULE> {
  const proofs = purchase.facts.authority.mandates.filter((mandate) =>
    provesPresence(mandate, purchase),
  );
  if (proofs.length > 0) {
    const youngestMs = Math.max(...proofs.map((mandate) => mandate.issuedAtMs ?? 0));
    const observations = [
      age('presence.age', ageMs(youngestMs, freshAtMsOf(purchase)), PRESENCE_AGE_MS_MAX),
    ];
    return { rule: RULE, failure: null, observations, notes: ['buyer_present'] };
  }
  const order = measure(purchase);
  return {
    rule: RULE,
    failure: merchantFailure(purchase, order) ?? intentFailure(purchase),
    observations: observe(purchase, order),
    notes: ['buyer_not_present'],
  };
}

/** A verified cart mandate, signed by the buyer's own key, for exactly this cart, at most ten minutes old, with nothing wrong. */
const provesPresence = (mandate: MandateFact, purchase: PurchaseCase): boolean =>
  mandate.mandateKind === 'cart' &&
  mandate.source === 'verified' &&
  mandate.signature === 'valid' &&
  mandate.buyerKeyBound === true &&
  isSameName(mandate.cartHash, purchase.facts.cart.coreHash) &&
  isWithin(mandate.issuedAtMs, freshAtMsOf(purchase), PRESENCE_AGE_MS_MAX) &&
  mandateFault(mandate, purchase) === null;

interface Order {
  readonly totalMinor: bigint;
  readonly items: number;
  readonly dayMinor: bigint;
}

function measure({ facts, counters }: PurchaseCase): Order {
  const totalMinor = payableMinor(facts.cart);
  return {
    totalMinor,
    items: itemsOf(facts.cart),
    dayMinor: countedMinor(counters.notPresentDayMinor) + totalMinor,
  };
}

function merchantFailure({ facts }: PurchaseCase, order: Order): Failure<Code> | null {
  if (facts.presenceEvidence !== 'resolved') return because('buyer_presence_unknown');
  const caps = facts.limits?.notPresent ?? null;
  if (caps === null) return because('not_present_limits_missing');
  if (!isSameName(caps.currency, facts.cart.currency))
    return because('not_present_currency_mismatch');
  if (exceeds(order.totalMinor, caps.orderMaxMinor))
    return because('not_present_amount_cap_exceeded');
  if (exceedsItems(order.items, caps.itemsMax)) return because('not_present_items_cap_exceeded');
  if (caps.dailyMaxMinor !== null && exceeds(order.dayMinor, caps.dailyMaxMinor))
    return because('not_present_daily_amount_cap_exceeded');
  return null;
}

/** Every intent the purchase names has to cover the order beside what is spent under it already. */
function intentFailure(purchase: PurchaseCase): Failure<Code> | null {
  const { facts } = purchase;
  const intents = intentsOf(facts.authority.mandates);
  if (intents.length === 0 || intents.some((intent) => intent.capMinor === null))
    return because('intent_cap_missing');
  if (intents.some((intent) => !isSameName(intent.currency, facts.cart.currency)))
    return because('intent_currency_mismatch');
  return intents.some(
    (intent) =>
      intent.capMinor === null || exceeds(intentMinor(purchase, intent.ref), intent.capMinor),
  )
    ? because('intent_cap_exceeded')
    : null;
}

/** What would be spent under an intent with this order. */
const intentMinor = ({ facts, counters }: PurchaseCase, ref: string): bigint =>
  spentUnder(counters, ref) + payableMinor(facts.cart);

const intentsOf = (mandates: readonly MandateFact[]): readonly MandateFact[] =>
  mandates.filter((mandate) => mandate.mandateKind === 'intent');

function observe(purchase: PurchaseCase, order: Order): readonly Observation[] {
  const { facts } = purchase;
  const narrowest = narrowestIntent(purchase);
  const caps = facts.limits?.notPresent ?? null;
  return [
    text('presence.evidence', facts.presenceEvidence, 'resolved'),
    amount('order.total', order.totalMinor, caps?.orderMaxMinor ?? null),
    count('order.items', order.items, caps?.itemsMax ?? null),
    amount('absent_day.total_with_order', order.dayMinor, caps?.dailyMaxMinor ?? null),
    amount('intent.spent_and_order', narrowest.spentMinor, narrowest.capMinor),
  ];
}

/** The intent with the least room left, as it would be with this order. */
function narrowestIntent(
  purchase: PurchaseCase,
): IntentRoom | (Omit<IntentRoom, 'capMinor'> & { readonly capMinor: null }) {
  const { facts, counters } = purchase;
  const narrowest = intentsOf(facts.authority.mandates)
    .flatMap(({ ref, capMinor }) =>
      capMinor === null ? [] : [{ spentMinor: intentMinor(purchase, ref), capMinor }],
    )
    .reduce<IntentRoom | null>(
      (least, each) => (least === null || roomOf(each) < roomOf(least) ? each : least),
      null,
    );
  const spentMinor = countedMinor(counters.intentSpentMinor) + payableMinor(facts.cart);
  return narrowest ?? { spentMinor, capMinor: null };
}

interface IntentRoom {
  readonly spentMinor: bigint;
  readonly capMinor: bigint;
}

const roomOf = ({ spentMinor, capMinor }: IntentRoom): bigint => capMinor - spentMinor;
