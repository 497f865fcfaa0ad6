import {
  AMOUNT_MINOR_MAX,
  type DecimalJson,
  type InstantMs,
  isCurrencyCode,
  parseInstant,
} from '../../kernel/index.js';
import { minorOfMajor } from './amounts.js';
import type { SignedCheckout } from './checkout.js';
import {
  ACCEPTABLE_ITEMS_MAX,
  fillsExactly,
  type ItemRequirement,
  REQUIREMENTS_MAX,
} from './line-items.js';
import { isList, isObject, type SdObject } from './sd-jwt.js';

/** Constraints of one open mandate. */
export const CONSTRAINTS_MAX = 32;

/**
 * `violated`: understood, and the closed mandate does not keep it. `unresolved`: unknown, unreadable or not provable
 * here, so the buyer has to be asked. Both refuse (facts/protocols.md 4.4, 4.5).
 */
export type ConstraintVerdict = 'met' | 'violated' | 'unresolved';

export interface ConstraintFinding {
  readonly verdict: Exclude<ConstraintVerdict, 'met'>;
  /** The `type` of the constraint, or the member that was pre-set. */
  readonly constraint: string;
  readonly detail: string;
}

export interface Party {
  readonly id: string;
  readonly name: string | null;
  readonly website: string | null;
}

/** What a closed payment mandate says, beside the hashes. */
export interface PaymentLeaf {
  readonly payee: Party;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly instrumentId: string;
  readonly pisp: SdObject | null;
  readonly executionDate: string | null;
}

/** What constraints leave for the rules to judge under the lock: sums, times and how often. */
export interface OpenTerms {
  /** Over all uses; null = no constraint bounds them. */
  readonly cap: { readonly amountMinor: bigint; readonly currency: string } | null;
  readonly notBeforeAtMs: InstantMs | null;
  readonly expiresAtMs: InstantMs | null;
  /** Whether the buyer lets the agent pay again under the same open mandate. */
  readonly isRecurring: boolean;
}

export const NO_TERMS: OpenTerms = {
  cap: null,
  notBeforeAtMs: null,
  expiresAtMs: null,
  isRecurring: false,
};

/** One constraint as judged: null = kept. */
type Judged = Omit<ConstraintFinding, 'constraint'> | null;
const violated = (detail: string): Judged => ({ verdict: 'violated', detail });
const unresolved = (detail: string): Judged => ({ verdict: 'unresolved', detail });

/**
 * The constraints of an open checkout against the checkout that the merchant signed; null = all are kept. Unknown types,
 * unknown members of a known type and malformed values are `unresolved`.
 */
export function checkoutConstraintFault(
  constraints: readonly DecimalJson[],
  checkout: Pick<SignedCheckout, 'merchant' | 'cart'>,
): ConstraintFinding | null {
  return firstFinding(constraints, (type, constraint) => {
    switch (type) {
      case 'checkout.line_items':
        return lineItems(constraint, checkout);
      case 'checkout.allowed_merchants':
        return partyIn(constraint, checkout.merchant);
      default:
        return unresolved('this constraint is not known here');
    }
  });
}

export interface PaymentCircumstances {
  /** sd_hash forms of the open checkouts whose closed checkout this payment names; empty = bought without one. */
  readonly openCheckoutHashes: readonly string[];
}

/** The constraints of an open payment against the closed one; null = all are kept. See {@link openTermsOf} for what they leave. */
export function paymentConstraintFault(
  constraints: readonly DecimalJson[],
  leaf: PaymentLeaf,
  { openCheckoutHashes }: PaymentCircumstances,
): ConstraintFinding | null {
  return firstFinding(constraints, (type, constraint) => {
    switch (type) {
      case 'payment.amount_range':
        return amountRange(constraint, leaf);
      case 'payment.budget':
        return budget(constraint, leaf);
      case 'payment.agent_recurrence':
        return recurrence(constraint, constraints);
      case 'payment.allowed_payees':
        return partyIn(constraint, leaf.payee);
      case 'payment.allowed_payment_instruments':
        return instrumentIn(constraint, leaf);
      case 'payment.allowed_pisps':
        return pispIn(constraint, leaf);
      case 'payment.execution_date':
        return executionDate(constraint, leaf);
      case 'payment.reference':
        return reference(constraint, openCheckoutHashes);
      default:
        return unresolved('this constraint is not known here');
    }
  });
}

/** The type of a constraint, or null. */
export const constraintType = (constraint: DecimalJson): string | null =>
  isObject(constraint) && typeof constraint['type'] === 'string' ? constraint['type'] : null;

function firstFinding(
  constraints: readonly DecimalJson[],
  judge: (type: string, constraint: SdObject) => Judged,
): ConstraintFinding | null {
  const findings = constraints.flatMap((constraint): ConstraintFinding[] => {
    const type = constraintType(constraint);
    if (type === null || !isObject(constraint))
      return [
        { verdict: 'unresolved', constraint: 'constraints', detail: 'a constraint has a type' },
      ];
    const found = judge(type, constraint);
    return found === null ? [] : [{ ...found, constraint: type }];
  });
  // What is plainly broken is named before what could not be understood: the buyer cannot repair it.
  return findings.find(({ verdict }) => verdict === 'violated') ?? findings[0] ?? null;
}

const hasOnly = (constraint: SdObject, members: readonly string[]): boolean =>
  Object.keys(constraint).every((member) => member === 'type' || members.includes(member));

const UNREADABLE = unresolved('its members are not those of this constraint');

const isWhole = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function lineItems(constraint: SdObject, { cart }: Pick<SignedCheckout, 'cart'>): Judged {
  const { items } = constraint;
  if (!hasOnly(constraint, ['items']) || !isList(items)) return UNREADABLE;
  if (items.length < 1 || items.length > REQUIREMENTS_MAX) return UNREADABLE;
  const requirements = items.map(readRequirement);
  if (!requirements.every((one) => one !== null)) return UNREADABLE;
  if (requirements.flatMap(({ acceptableIds }) => acceptableIds).length > ACCEPTABLE_ITEMS_MAX)
    return unresolved(`more than ${ACCEPTABLE_ITEMS_MAX} acceptable items`);
  const bought = cart.lines.map(({ variantId, quantity }) => ({ id: variantId, quantity }));
  return fillsExactly(requirements, bought)
    ? null
    : violated('the cart does not fill these requirements exactly');
}

function readRequirement(value: DecimalJson): ItemRequirement | null {
  if (!isObject(value)) return null;
  const { id, acceptable_items: items, quantity, ...others } = value;
  if (Object.keys(others).length > 0 || typeof id !== 'string') return null;
  if (!isWhole(quantity) || quantity === 0 || !isList(items)) return null;
  const ids = items.map((item) => (isObject(item) ? item['id'] : null));
  return ids.every((one) => typeof one === 'string') ? { acceptableIds: ids, quantity } : null;
}

/** By id where the entry has one, else by name and website together. A name alone names nobody. */
function partyIn(constraint: SdObject, { id, name, website }: Party): Judged {
  const allowed = allowedOf(constraint);
  if (allowed === null) return UNREADABLE;
  const isThis = (entry: SdObject): boolean =>
    entry['id'] === undefined
      ? name !== null && website !== null && entry['name'] === name && entry['website'] === website
      : entry['id'] === id;
  return allowed.some(isThis) ? null : violated('the merchant is not among those allowed');
}

function allowedOf(constraint: SdObject): readonly SdObject[] | null {
  const { allowed } = constraint;
  return hasOnly(constraint, ['allowed']) && isList(allowed) && allowed.every(isObject)
    ? allowed
    : null;
}

function instrumentIn(constraint: SdObject, { instrumentId }: PaymentLeaf): Judged {
  const allowed = allowedOf(constraint);
  if (allowed === null) return UNREADABLE;
  return allowed.some(({ id }) => id === instrumentId)
    ? null
    : violated('the payment instrument is not among those allowed');
}

const PISP_MEMBERS = ['legal_name', 'brand_name', 'domain_name'];

function pispIn(constraint: SdObject, { pisp }: PaymentLeaf): Judged {
  const allowed = allowedOf(constraint);
  if (allowed === null) return UNREADABLE;
  const isThis = (entry: SdObject): boolean =>
    PISP_MEMBERS.every(
      (member) => typeof entry[member] === 'string' && entry[member] === pisp?.[member],
    );
  return allowed.some(isThis) ? null : violated('the payment provider is not among those allowed');
}

function amountRange(constraint: SdObject, leaf: PaymentLeaf): Judged {
  const { currency, max, min = 0 } = constraint;
  if (!hasOnly(constraint, ['currency', 'max', 'min'])) return UNREADABLE;
  if (!isWhole(max) || !isWhole(min) || typeof currency !== 'string') return UNREADABLE;
  if (currency !== leaf.currency) return violated(`the amount is in ${leaf.currency}`);
  return leaf.amountMinor >= BigInt(min) && leaf.amountMinor <= BigInt(max)
    ? null
    : violated('the amount lies outside the range');
}

/** One use alone has to fit; the sum of all uses is judged under the lock, by {@link OpenTerms.cap}. */
function budget(constraint: SdObject, leaf: PaymentLeaf): Judged {
  const { currency } = constraint;
  if (!hasOnly(constraint, ['currency', 'max']) || typeof currency !== 'string') return UNREADABLE;
  const maxMinor = minorOfMajor(constraint['max'], currency);
  if (maxMinor === null || maxMinor > AMOUNT_MINOR_MAX)
    return unresolved('the budget is no amount of its currency');
  if (currency !== leaf.currency) return violated(`the amount is in ${leaf.currency}`);
  return leaf.amountMinor <= maxMinor ? null : violated('the amount alone is more than the budget');
}

/**
 * Which recurrences we can keep: on demand, as often as the budget lasts. Any other frequency, and a number of
 * occurrences, would need a count of earlier uses per window under the lock, which is not kept: it is never guessed.
 */
function recurrence(constraint: SdObject, all: readonly DecimalJson[]): Judged {
  if (!hasOnly(constraint, ['frequency', 'max_occurrences'])) return UNREADABLE;
  if (!all.some((one) => constraintType(one) === 'payment.budget'))
    return unresolved('a recurrence without a budget has no end');
  return constraint['frequency'] === 'ON_DEMAND' && constraint['max_occurrences'] === undefined
    ? null
    : unresolved('uses are not counted per window here');
}

/** An execution date that is absent does not pass. Whether now lies in the window is judged with the other times. */
function executionDate(constraint: SdObject, leaf: PaymentLeaf): Judged {
  const window = readWindow(constraint);
  if (window === null) return UNREADABLE;
  if (leaf.executionDate === null) return unresolved('the closed mandate names no execution date');
  const date = readDate(leaf.executionDate);
  if (date === null) return unresolved('the execution date is no ISO 8601 date');
  return date.fromMs >= (window.fromMs ?? date.fromMs) &&
    date.untilMs <= (window.untilMs ?? date.untilMs)
    ? null
    : violated('the execution date lies outside the window');
}

function reference(constraint: SdObject, openCheckoutHashes: readonly string[]): Judged {
  const { conditional_transaction_id: hash } = constraint;
  if (!hasOnly(constraint, ['conditional_transaction_id']) || typeof hash !== 'string')
    return UNREADABLE;
  if (openCheckoutHashes.length === 0)
    return unresolved('the open checkout that it names was not presented');
  return openCheckoutHashes.includes(hash)
    ? null
    : violated('the payment belongs to another open checkout');
}

interface Window {
  readonly fromMs: InstantMs | null;
  readonly untilMs: InstantMs | null;
}

function readWindow(constraint: SdObject): Window | null {
  const { not_before: from, not_after: until } = constraint;
  if (!hasOnly(constraint, ['not_before', 'not_after'])) return null;
  const start = from === undefined ? undefined : readDate(from);
  const end = until === undefined ? undefined : readDate(until);
  if (start === null || end === null) return null;
  return { fromMs: start?.fromMs ?? null, untilMs: end?.untilMs ?? null };
}

const DAY_MS = 86_400_000;

/** A whole UTC day, or an RFC 3339 instant; null = neither. Compared as times, never as text. */
export function readDate(
  value: DecimalJson,
): { readonly fromMs: InstantMs; readonly untilMs: InstantMs } | null {
  if (typeof value !== 'string') return null;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const fromMs = parseInstant(isDay ? `${value}T00:00:00Z` : value);
  return fromMs === null ? null : { fromMs, untilMs: isDay ? fromMs + DAY_MS - 1 : fromMs };
}

/** What the constraints of one open payment leave for the rules: the tightest of each. Ask {@link paymentConstraintFault} first. */
export function openTermsOf(constraints: readonly DecimalJson[]): OpenTerms {
  const caps: { amountMinor: bigint; currency: string }[] = [];
  const budgets: { amountMinor: bigint; currency: string }[] = [];
  const begins: InstantMs[] = [];
  const ends: InstantMs[] = [];
  let isRecurring = false;
  for (const constraint of constraints) {
    if (!isObject(constraint)) continue;
    const { type, currency, max } = constraint;
    const isMoney = typeof currency === 'string' && isCurrencyCode(currency);
    if (type === 'payment.amount_range' && isMoney && isWhole(max))
      caps.push({ amountMinor: BigInt(max), currency });
    if (type === 'payment.budget' && isMoney) {
      const amountMinor = minorOfMajor(max, currency);
      if (amountMinor !== null) budgets.push({ amountMinor, currency });
    }
    if (type === 'payment.agent_recurrence') isRecurring = true;
    if (type === 'payment.execution_date') {
      const window = readWindow(constraint);
      begins.push(...[window?.fromMs ?? []].flat());
      ends.push(...[window?.untilMs ?? []].flat().map((untilMs) => untilMs + 1));
    }
  }
  // A range bounds each use, a budget all of them: once, both bound the same sum; again and again, only the budget does.
  const bounds = isRecurring ? budgets : [...budgets, ...caps];
  return {
    cap: bounds.reduce<OpenTerms['cap']>(
      (least, each) => (least === null || each.amountMinor < least.amountMinor ? each : least),
      null,
    ),
    notBeforeAtMs: begins.length === 0 ? null : Math.max(...begins),
    expiresAtMs: ends.length === 0 ? null : Math.min(...ends),
    isRecurring,
  };
}
