import {
  type DecimalJson,
  err,
  type InstantMs,
  type Money,
  ok,
  type Result,
} from '../../kernel/index.js';
import { fault, type ProofFault } from '../fault.js';
import { MemberReader } from '../members.js';
import { type Ap2Chain, AP2_VCTS, type ChainMandate, isHumanPresent } from './chain.js';
import { parseCheckoutJwt, type SignedCheckout } from './checkout.js';
import {
  checkoutConstraintFault,
  type ConstraintFinding,
  CONSTRAINTS_MAX,
  constraintType,
  NO_TERMS,
  type OpenTerms,
  openTermsOf,
  paymentConstraintFault,
  type PaymentLeaf,
  readDate,
} from './constraints.js';
import { jcsOf } from './jcs.js';
import { ap2Hash, isList, isObject, type SdObject } from './sd-jwt.js';

/** An open mandate as its constraints read it; the list is what was disclosed. */
export interface OpenMandate {
  /** What sums are counted by: the same whatever is disclosed (see `contentHash` of the chain). */
  readonly ref: string;
  readonly constraints: readonly DecimalJson[];
  readonly object: SdObject;
  /** What its constraints leave for the rules, narrowed by those above it. */
  readonly terms: OpenTerms;
}

interface Common {
  readonly chain: Ap2Chain;
  readonly opens: readonly OpenMandate[];
  readonly closed: ChainMandate | null;
}

/** A checkout chain; `checkout` null = only the open mandate. */
export interface CheckoutMandate extends Common {
  readonly family: 'checkout';
  readonly checkout: SignedCheckout | null;
  readonly checkoutHash: string | null;
}

/** A payment chain; `payment` null = only the open mandate. */
export interface PaymentMandate extends Common {
  readonly family: 'payment';
  readonly payment: PaymentLeaf | null;
  readonly transactionId: string | null;
}

export type Ap2Mandate = CheckoutMandate | PaymentMandate;

const REF = 'ap2:';
const refOf = (hash: string): string => `${REF}${hash}`;

/**
 * Reads the mandate objects of a chain. Faults (`shape`), in order: the constraints of each open mandate (a list, with the
 * one that its kind must have), then the closed mandate: of a checkout `checkout_jwt` disclosed and `checkout_hash`
 * (signature when it is the hash of something else) and the checkout itself; of a payment its required members.
 * Not checked: constraints, pre-set members, and whether both chains belong together: see {@link judgeAp2}.
 */
export function readAp2Mandate(chain: Ap2Chain): Result<Ap2Mandate, ProofFault> {
  const opens: OpenMandate[] = [];
  for (const open of chain.opens) {
    const read = readOpen(chain, open, opens.at(-1)?.terms ?? NO_TERMS);
    if (!read.ok) return read;
    opens.push(read.value);
  }
  const { closed } = chain;
  const common = { chain, opens, closed };
  if (chain.family === 'checkout') {
    if (closed === null)
      return ok({ ...common, family: 'checkout', checkout: null, checkoutHash: null });
    const checkout = readClosedCheckout(closed.object);
    return checkout.ok ? ok({ ...common, family: 'checkout', ...checkout.value }) : checkout;
  }
  if (closed === null)
    return ok({ ...common, family: 'payment', payment: null, transactionId: null });
  const payment = readClosedPayment(closed.object);
  return payment.ok ? ok({ ...common, family: 'payment', ...payment.value }) : payment;
}

/** A mandate of each family has to say at least this (facts/protocols.md 4.3.2). */
const REQUIRED_CONSTRAINT = {
  checkout: 'checkout.line_items',
  payment: 'payment.reference',
} as const;

function readOpen(
  chain: Ap2Chain,
  { vct, object, token }: ChainMandate,
  above: OpenTerms,
): Result<OpenMandate, ProofFault> {
  const { constraints } = object;
  if (!isList(constraints) || constraints.length > CONSTRAINTS_MAX)
    return wrong('constraints', `a list of at most ${CONSTRAINTS_MAX} is needed`);
  const required = REQUIRED_CONSTRAINT[AP2_VCTS[vct].family];
  if (!constraints.some((one) => constraintType(one) === required))
    return wrong('constraints', `an open mandate of this kind has ${required}`);
  const isRoot = token === chain.root.token;
  const ref = refOf(
    isRoot || chain.opens[0]?.token === token
      ? chain.root.contentHash
      : ap2Hash(`${chain.root.contentHash}.${token.jws.signingInput}`),
  );
  const terms = narrowed(withPreset(openTermsOf(constraints), object), above);
  return ok({ ref, constraints, object, terms });
}

/** A pre-set amount bounds a mandate that is used once, also where no constraint does. */
function withPreset(terms: OpenTerms, { payment_amount: preset }: SdObject): OpenTerms {
  if (terms.cap !== null || terms.isRecurring || !isObject(preset)) return terms;
  const { amount, currency } = preset;
  return isMinor(amount) && typeof currency === 'string'
    ? { ...terms, cap: { amountMinor: BigInt(amount), currency } }
    : terms;
}

const isMinor = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** INVARIANT: who delegates further never widens: what an open mandate does not bound is bounded by the one above it. */
function narrowed(own: OpenTerms, above: OpenTerms): OpenTerms {
  return above === NO_TERMS
    ? own
    : {
        cap: lesser(own.cap, above.cap),
        notBeforeAtMs: later(own.notBeforeAtMs, above.notBeforeAtMs),
        expiresAtMs: earlier(own.expiresAtMs, above.expiresAtMs),
        isRecurring: own.isRecurring && above.isRecurring,
      };
}

function lesser(left: OpenTerms['cap'], right: OpenTerms['cap']): OpenTerms['cap'] {
  if (left === null || right === null) return left ?? right;
  return left.amountMinor <= right.amountMinor ? left : right;
}

const later = (...instants: readonly (InstantMs | null)[]): InstantMs | null =>
  instants.reduce(
    (most, one) => (most === null || (one !== null && one > most) ? one : most),
    null,
  );

const earlier = (...instants: readonly (InstantMs | null)[]): InstantMs | null =>
  instants.reduce(
    (least, one) => (least === null || (one !== null && one < least) ? one : least),
    null,
  );

const wrong = (member: string, detail: string): Result<never, ProofFault> =>
  err(fault('shape', `mandate.${member}`, detail));

function readClosedCheckout(
  object: SdObject,
): Result<{ readonly checkout: SignedCheckout; readonly checkoutHash: string }, ProofFault> {
  const { checkout_jwt: jwt, checkout_hash: hash } = object;
  if (typeof jwt !== 'string' || typeof hash !== 'string')
    return wrong('checkout_jwt', 'checkout_jwt and checkout_hash are needed, and disclosed');
  if (ap2Hash(jwt) !== hash)
    return err(fault('signature', 'mandate.checkout_hash', 'it is the hash of another checkout'));
  const checkout = parseCheckoutJwt(jwt);
  return checkout.ok ? ok({ checkout: checkout.value, checkoutHash: hash }) : checkout;
}

function readClosedPayment(
  object: SdObject,
): Result<{ readonly payment: PaymentLeaf; readonly transactionId: string }, ProofFault> {
  const read = new MemberReader(object, 'mandate.');
  const transactionId = read.text('transaction_id');
  const payee = read.object('payee');
  const party = {
    id: payee.text('id'),
    name: payee.optionalText('name'),
    website: payee.optionalText('website'),
  };
  read.adopt(payee);
  const amount = read.object('payment_amount');
  const amountMinor = BigInt(amount.count('amount'));
  const currency = amount.currency('currency');
  read.adopt(amount);
  const instrument = read.object('payment_instrument');
  const instrumentId = instrument.text('id');
  instrument.text('type');
  read.adopt(instrument);
  const executionDate = read.optionalText('execution_date');
  if (read.fault !== null) return err(read.fault);
  const { pisp } = object;
  if (pisp !== undefined && !isObject(pisp)) return wrong('pisp', 'an object is needed');
  const payment = {
    payee: party,
    amountMinor,
    currency,
    instrumentId,
    pisp: pisp ?? null,
    executionDate,
  };
  return ok({ payment, transactionId });
}

/** Members of a payment mandate that the buyer may set beforehand; set, they stand unchanged in the closed one. */
export const PRESET_MEMBERS = [
  'payee',
  'payment_amount',
  'payment_instrument',
  'pisp',
  'execution_date',
  'risk_data',
] as const;

function presetFault(open: SdObject, closed: SdObject): ConstraintFinding | null {
  for (const member of PRESET_MEMBERS) {
    const [before, after] = [open[member], closed[member]];
    if (before !== undefined && (after === undefined || jcsOf(before) !== jcsOf(after)))
      return {
        verdict: 'violated',
        constraint: member,
        detail: 'what the buyer had set was changed',
      };
  }
  return null;
}

/** A payment says when it is made; ours are made at once. Further away than this it is another payment. */
export const EXECUTION_TOLERANCE_MS = 24 * 3_600_000;

function executionFault({ executionDate }: PaymentLeaf, atMs: InstantMs): ConstraintFinding | null {
  if (executionDate === null) return null;
  const date = readDate(executionDate);
  const isNow =
    date !== null &&
    date.fromMs - EXECUTION_TOLERANCE_MS <= atMs &&
    atMs <= date.untilMs + EXECUTION_TOLERANCE_MS;
  return isNow
    ? null
    : { verdict: 'unresolved', constraint: 'execution_date', detail: 'payments are made at once' };
}

/**
 * Judges each closed mandate of one purchase by its open ancestors and by the mandates presented beside it; the answers
 * stand in the order asked, null = nothing is wrong. In order: what the buyer had set is unchanged, the constraints of
 * every open ancestor, the execution date; a payment names one of the checkouts presented with it.
 * An open mandate alone is `unresolved`: it authorises nothing.
 */
export function judgeAp2(
  mandates: readonly Ap2Mandate[],
  atMs: InstantMs,
): readonly (ConstraintFinding | null)[] {
  const checkouts = mandates.filter((one) => one.family === 'checkout');
  return mandates.map((mandate) => {
    if (mandate.family === 'checkout') {
      const { checkout } = mandate;
      if (checkout === null) return OPEN_ALONE;
      return firstOf(mandate.opens, ({ constraints }) =>
        checkoutConstraintFault(constraints, checkout),
      );
    }
    const { payment, closed, transactionId } = mandate;
    if (payment === null || closed === null) return OPEN_ALONE;
    const paired = checkouts.filter(({ checkoutHash }) => checkoutHash === transactionId);
    if (paired.length === 0) return UNPAIRED;
    const openCheckoutHashes = paired.flatMap(({ chain }) =>
      chain.opens.map(({ token }) => ap2Hash(token.text)),
    );
    return (
      firstOf(mandate.opens, ({ object }) => presetFault(object, closed.object)) ??
      firstOf(mandate.opens, ({ constraints }) =>
        paymentConstraintFault(constraints, payment, { openCheckoutHashes }),
      ) ??
      executionFault(payment, atMs)
    );
  });
}

const OPEN_ALONE: ConstraintFinding = {
  verdict: 'unresolved',
  constraint: 'vct',
  detail: 'an open mandate alone authorises no purchase',
};
const UNPAIRED: ConstraintFinding = {
  verdict: 'unresolved',
  constraint: 'transaction_id',
  detail: 'the checkout that it names was not presented',
};

function firstOf<Item>(
  items: readonly Item[],
  judge: (item: Item) => ConstraintFinding | null,
): ConstraintFinding | null {
  const findings = items.flatMap((item) => judge(item) ?? []);
  return findings.find(({ verdict }) => verdict === 'violated') ?? findings[0] ?? null;
}

/**
 * What every family of AP2 comes down to: who lets whom pay how much for what, until when, with the buyer there or not,
 * and by which proof. Rule 1 reads nothing else of it.
 */
export interface BuyerMandate {
  /** Null: the object names no buyer; its registration does. */
  readonly subject: string | null;
  readonly payee: string;
  /** What this purchase may cost. */
  readonly cap: Money;
  /** The core hash of the cart it is for; null for a payment, which names the checkout instead. */
  readonly cartHash: string | null;
  readonly kind: 'cart' | 'payment';
  readonly notBeforeAtMs: InstantMs | null;
  readonly expiresAtMs: InstantMs | null;
  readonly issuedAtMs: InstantMs | null;
  readonly presence: 'present' | 'absent';
  /** The name under which it is used up. */
  readonly oneTimeRef: string;
  /** What it draws on, the buyer's own mandate first; `cap` null = nothing bounds it. */
  readonly intents: readonly { readonly ref: string; readonly cap: Money | null }[];
}

/**
 * The closed mandate of a chain in the one internal form; null = only an open one. `isRecurring`: whether the payment
 * beside it may be repeated, so that this closed mandate, and not the open one above it, is what is used up.
 */
export function buyerMandateOf(mandate: Ap2Mandate, isRecurring: boolean): BuyerMandate | null {
  const { chain, opens, closed } = mandate;
  if (closed === null) return null;
  const ends = opens.map(({ terms }) => terms.expiresAtMs);
  const begins = opens.map(({ terms }) => terms.notBeforeAtMs);
  const [first] = opens;
  const ownRef =
    first === undefined
      ? refOf(chain.root.contentHash)
      : refOf(ap2Hash(`${chain.root.contentHash}.${closed.token.jws.signingInput}`));
  const common = {
    subject: chain.root.subject,
    notBeforeAtMs: later(chain.notBeforeAtMs, ...begins),
    expiresAtMs: earlier(chain.expiresAtMs, ...ends),
    issuedAtMs: closed.issuedAtMs,
    presence: isHumanPresent(chain) ? 'present' : 'absent',
    // INVARIANT: an open mandate without a recurrence pays once, whatever is closed under it.
    oneTimeRef: first === undefined || isRecurring ? ownRef : first.ref,
  } as const;
  if (mandate.family === 'checkout') {
    const { checkout } = mandate;
    if (checkout === null) return null;
    const { cart, coreHash, merchant } = checkout;
    return {
      ...common,
      kind: 'cart',
      payee: merchant.id,
      cap: { amountMinor: cart.totalMinor, currency: cart.currency },
      cartHash: coreHash,
      intents: [],
    };
  }
  const { payment } = mandate;
  if (payment === null) return null;
  return {
    ...common,
    kind: 'payment',
    payee: payment.payee.id,
    cap: { amountMinor: payment.amountMinor, currency: payment.currency },
    cartHash: null,
    intents: opens.map(({ ref, terms }) => ({ ref, cap: terms.cap })),
  };
}

/** Whether the buyer lets the agent pay again and again under this payment mandate. */
export const mayRecur = (mandate: Ap2Mandate): boolean =>
  mandate.opens.length > 0 && mandate.opens.every(({ terms }) => terms.isRecurring);
