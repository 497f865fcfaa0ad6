import fc from 'fast-check';
import { PAYMENT_REPORTS, type PaymentReport } from '../../../src/money/payments/index.js';
import { type Caps, type Currency, type IntentName, type PassportName } from './facts.js';
import type { Script } from './rail.js';

export const MERCHANTS = ['shop', 'stall'] as const;
export type MerchantName = (typeof MERCHANTS)[number];
export const OWN = ['merchant', 'shopify', 'plural'] as const;

/** What is bought. `buyer` null: a handoff; else a charge on these credentials. */
export interface Purchase {
  readonly merchant: MerchantName;
  readonly pieces: number;
  readonly currency: Currency;
  readonly buyer: null | {
    readonly passport: PassportName;
    readonly intent: IntentName;
    /** A cart mandate proves that the buyer is there. */
    readonly present: boolean;
  };
}

/** An order of its own, one of a few that several purchases are for, or the one paid last. */
export type OrderName = 'own' | 'one' | 'two' | 'paid';

/** `which`: the newest is 0; taken round when there are fewer. Where there is none the step is passed over. */
export type Step =
  | { readonly kind: 'decide'; readonly purchase: Purchase }
  | {
      readonly kind: 'use';
      readonly which: number;
      readonly order: OrderName;
      readonly provider: (typeof OWN)[number];
      readonly lifeMs: number;
      readonly otherCart: boolean;
    }
  | {
      readonly kind: 'pay';
      readonly purchase: Purchase;
      readonly order: OrderName;
      readonly provider: 'sandbox' | (typeof OWN)[number];
      readonly lifeMs: number;
      readonly script: Script;
    }
  /** The same request under the same key, perhaps by the other worker. */
  | { readonly kind: 'repeat'; readonly which: number }
  | { readonly kind: 'report'; readonly which: number; readonly report: PaymentReport }
  | { readonly kind: 'cancel'; readonly which: number }
  | {
      readonly kind: 'capture';
      readonly which: number;
      readonly amount: 'all' | 'half' | 'more';
      /** Under the name of the last capture. */
      readonly again: boolean;
      readonly named: 'payment' | 'decision' | 'order';
    }
  | { readonly kind: 'capture unused'; readonly which: number; readonly order: OrderName }
  | {
      readonly kind: 'allow refund' | 'refund';
      readonly which: number;
      readonly amount: 'all' | 'half and one' | 'more' | 'nothing';
      readonly script: Script;
    }
  | { readonly kind: 'use refund'; readonly which: number; readonly ofPayment: boolean }
  | {
      readonly kind: 'report refund';
      readonly which: number;
      readonly report: 'accepted' | 'done' | 'failed';
    }
  | { readonly kind: 'clock'; readonly to: ClockMove }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'limits'; readonly merchant: MerchantName; readonly limits: Limits }
  | { readonly kind: 'stock'; readonly merchant: MerchantName; readonly onHand: number };

/** `due`: the next instant at which something ends, and one millisecond to either side. */
export type ClockMove = { readonly byMs: number } | 'midnight' | 'before due' | 'due' | 'after due';

/** In INR, all of it; the other currency has fixed ones. */
export interface Limits {
  readonly orderMaxMinor: bigint;
  readonly dailyMaxMinor: bigint | null;
  readonly itemsMax: number;
  readonly awayOrderMaxMinor: bigint;
  readonly awayDailyMaxMinor: bigint | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const script: fc.Arbitrary<Script> = fc.record({
  link: fc.constantFrom('issued', 'issued', 'rejected', 'unknown', 'breaks'),
  charge: fc.constantFrom(
    'captured',
    'captured',
    'part',
    'accepted',
    'failed',
    'rejected',
    'unknown',
  ),
  refund: fc.constantFrom('done', 'accepted', 'failed', 'failed', 'unknown'),
});

const which = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4);
const merchant = fc.constantFrom<MerchantName[]>('shop', 'shop', 'shop', 'shop', 'shop', 'stall');
const lifeMs = fc.constantFrom(30 * MINUTE_MS, MINUTE_MS, 12 * 60 * MINUTE_MS, DAY_MS);
const order = fc.constantFrom<OrderName[]>(
  'own',
  'own',
  'own',
  'own',
  'own',
  'one',
  'two',
  'paid',
  'paid',
);
const pieces = fc.constantFrom(1, 1, 1, 2, 2, 2, 3, 4);

const handoff: fc.Arbitrary<Purchase> = fc.record({
  merchant,
  pieces,
  currency: fc.constantFrom<Currency[]>('INR', 'INR', 'INR', 'INR', 'INR', 'INR', 'USD'),
  buyer: fc.constant(null),
});
const charge: fc.Arbitrary<Purchase> = fc.record({
  merchant,
  pieces,
  currency: fc.constant<Currency>('INR'),
  buyer: fc.record({
    passport: fc.constantFrom<PassportName[]>('passport-a', 'passport-b'),
    intent: fc.constantFrom<IntentName[]>('intent-parent', 'intent-child'),
    present: fc.constantFrom(false, false, true),
  }),
});
const purchase = fc.oneof({ weight: 1, arbitrary: handoff }, { weight: 1, arbitrary: charge });

/** A few pieces' worth, sometimes one unit beside it: at caps it matters which side of "equal" one is on. */
const around = (low: number, high: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min: low, max: high }), fc.constantFrom(0n, 0n, 0n, -1n, 1n))
    .map(([units, beside]) => BigInt(units) * 100n + beside);

const least = (left: bigint, right: bigint | null): bigint =>
  right === null || left < right ? left : right;
const most = (left: bigint, right: bigint): bigint => (left > right ? left : right);

const limits: fc.Arbitrary<Limits> = fc
  .record({
    orderMaxMinor: fc.constantFrom(400n, 400n, 400n, 400n, 400n, 300n, 299n),
    dailyMaxMinor: fc.oneof(
      { weight: 6, arbitrary: around(4, 9) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    itemsMax: fc.constantFrom(9, 9, 9, 9, 9, 3),
    awayOrderMaxMinor: fc.constantFrom(400n, 400n, 400n, 300n, 200n),
    awayDailyMaxMinor: fc.oneof(
      { weight: 4, arbitrary: around(2, 7) },
      { weight: 2, arbitrary: fc.constant(null) },
    ),
  })
  .map(inOrder);

/** Half of the changes are to limits that few purchases fit: what was allowed before is then used. */
const newLimits = fc.oneof(
  limits,
  limits.map((drawn) => inOrder({ ...drawn, orderMaxMinor: 100n, dailyMaxMinor: 399n })),
);

/** Stricter limits may not be looser, and a daily maximum is not below that of one order. */
function inOrder({ orderMaxMinor, itemsMax, ...drawn }: Limits): Limits {
  const awayOrderMaxMinor = least(drawn.awayOrderMaxMinor, orderMaxMinor);
  const dailyMaxMinor = drawn.dailyMaxMinor && most(drawn.dailyMaxMinor, orderMaxMinor);
  const awayMinor = drawn.awayDailyMaxMinor && least(drawn.awayDailyMaxMinor, dailyMaxMinor);
  const awayDailyMaxMinor = awayMinor === null ? dailyMaxMinor : most(awayMinor, awayOrderMaxMinor);
  return { orderMaxMinor, itemsMax, awayOrderMaxMinor, dailyMaxMinor, awayDailyMaxMinor };
}

const clock: fc.Arbitrary<ClockMove> = fc.oneof(
  fc.constantFrom(1, MINUTE_MS, 10 * MINUTE_MS, 31 * MINUTE_MS, DAY_MS).map((byMs) => ({ byMs })),
  fc.constantFrom<ClockMove[]>('midnight', 'before due', 'due', 'after due'),
);

const refundAmount = fc.constantFrom(
  'half and one' as const,
  'half and one' as const,
  'all' as const,
  'more' as const,
  'nothing' as const,
);

const kind = <Kind extends Step['kind']>(name: Kind) => fc.constant(name);

const pay: fc.Arbitrary<Step> = fc.record({
  kind: kind('pay'),
  purchase,
  order,
  provider: fc.constantFrom('sandbox', 'sandbox', 'shopify', ...OWN),
  lifeMs,
  script,
});
const capture: fc.Arbitrary<Step> = fc.record({
  kind: kind('capture'),
  which,
  amount: fc.constantFrom('all', 'all', 'half', 'more'),
  again: fc.constantFrom(false, false, false, true),
  named: fc.constantFrom('payment', 'payment', 'decision', 'order'),
});
const refund: fc.Arbitrary<Step> = fc.record({
  kind: kind('refund'),
  which,
  amount: refundAmount,
  script,
});
const decide: fc.Arbitrary<Step> = fc.record({ kind: kind('decide'), purchase });

/** Simple steps first: failures shrink towards them. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: pay },
  { weight: 5, arbitrary: decide },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: kind('use'),
      which,
      order,
      provider: fc.constantFrom(...OWN),
      lifeMs,
      otherCart: fc.constantFrom(false, false, false, false, false, false, false, true),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind('report'),
      which,
      report: fc.constantFrom<PaymentReport[]>('failed', ...PAYMENT_REPORTS),
    }),
  },
  { weight: 4, arbitrary: capture },
  { weight: 5, arbitrary: fc.record({ kind: kind('clock'), to: clock }) },
  { weight: 5, arbitrary: refund },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('allow refund'), which, amount: refundAmount, script }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('use refund'), which, ofPayment: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('report refund'),
      which,
      report: fc.constantFrom('failed', 'done', 'accepted'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('limits'), merchant, limits: newLimits }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('stock'),
      merchant,
      onHand: fc.integer({ min: 2, max: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('repeat'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('cancel'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('sweep') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('capture unused'), which, order }) },
);

/** A shop, and what two workers do in it at once. */
export interface Plan {
  readonly caps: Caps;
  readonly limits: Limits;
  readonly stock: number | null;
  /** How far from midnight the shop opens. */
  readonly beforeMidnightMs: number;
  /** What one of them did before: there is something to report, to capture and to give back. */
  readonly before: readonly Step[];
  readonly first: readonly Step[];
  readonly second: readonly Step[];
}

const SCRIPT: Script = { link: 'issued', charge: 'captured', refund: 'done' };
const SOLD: Extract<Step, { kind: 'pay' }> = {
  kind: 'pay',
  purchase: { merchant: 'shop', pieces: 3, currency: 'INR', buyer: null },
  order: 'own',
  provider: 'sandbox',
  lifeMs: 30 * MINUTE_MS,
  script: SCRIPT,
};
const ALLOWED: Step = { kind: 'decide', purchase: { ...SOLD.purchase, pieces: 4 } };
const USED: Step = {
  kind: 'use',
  which: 0,
  order: 'own',
  provider: 'merchant',
  lifeMs: 30 * MINUTE_MS,
  otherCart: false,
};
const upTo = (amountMinor: bigint): Step => ({
  kind: 'limits',
  merchant: 'shop',
  limits: {
    orderMaxMinor: amountMinor,
    dailyMaxMinor: amountMinor,
    itemsMax: 9,
    awayOrderMaxMinor: amountMinor,
    awayDailyMaxMinor: amountMinor,
  },
});
/** Goods enough, and a day of one large order. */
const ROOM: readonly Step[] = [{ kind: 'stock', merchant: 'shop', onHand: 12 }, upTo(400n)];
const PAID: Step = { kind: 'capture', which: 0, amount: 'all', again: false, named: 'payment' };
const giveBack = (amount: 'all' | 'half and one', outcome: 'failed' | 'done'): Step => ({
  kind: 'refund',
  which: 0,
  amount,
  script: { ...SCRIPT, refund: outcome },
});

const doneAfterAll = (which: number): Step => ({ kind: 'report refund', which, report: 'done' });

/** Anything, or a place that chance alone seldom comes to. */
const before: fc.Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.oneof(pay, pay, decide, capture, capture, refund), {
      maxLength: 8,
      size: 'max',
    }),
  },
  // A link of yesterday that is over, and nobody said so yet.
  {
    weight: 2,
    arbitrary: fc.constant<Step[]>([
      ...ROOM,
      { kind: 'clock', to: 'midnight' },
      { kind: 'clock', to: { byMs: DAY_MS - 1 } },
      SOLD,
      { kind: 'clock', to: 'midnight' },
      { kind: 'clock', to: { byMs: 31 * MINUTE_MS } },
      ALLOWED,
    ]),
  },
  // An allow that the first millisecond after its end, or new limits, make useless.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Step[]>({ kind: 'clock', to: 'after due' }, upTo(399n))
      .map((change) => [ALLOWED, change, USED]),
  },
  // A refund that failed; and then one that took its place, or the word that it was done after all.
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<Step[][]>(
        [giveBack('half and one', 'done'), doneAfterAll(1)],
        [doneAfterAll(0)],
      )
      .map((then) => [...ROOM, SOLD, PAID, giveBack('all', 'failed'), ...then]),
  },
  // A failure that its provider tells of, and one of a provider that never tells.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<'plural' | 'shopify'>('plural', 'shopify')
      .map((provider): Step[] => [
        { ...SOLD, provider },
        { kind: 'report', which: 0, report: 'failed' },
      ]),
  },
);

export const plan: fc.Arbitrary<Plan> = fc.record({
  caps: fc.record({
    passport: fc.record({ 'passport-a': around(3, 6), 'passport-b': around(4, 9) }),
    intent: fc.record({ 'intent-parent': around(4, 9), 'intent-child': around(3, 6) }),
  }),
  limits,
  stock: fc.constantFrom(null, null, null, 3, 5, 8),
  beforeMidnightMs: fc.constantFrom(14 * 60 * MINUTE_MS, 40 * MINUTE_MS, 5 * MINUTE_MS, 1),
  before,
  // Long ones, or caps are never reached; what fails is made short again.
  first: fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }),
  second: fc.array(step, { maxLength: 14, size: 'max' }),
});
