import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, LIFE_MS, type Plan, Till } from '../../../test/support/till.js';
import { utcDay } from '../../core/kernel/index.js';
import { stock } from '../../trust/facts/index.js';
import {
  PAYMENT_REPORTS,
  type PaymentReport,
  type PaymentState,
  stateAfter,
} from '../payments/index.js';

const plan: fc.Arbitrary<Omit<Plan, 'place'>> = fc.record({
  amountMinor: fc.bigInt({ min: 1n, max: 10n ** 6n }),
  provider: fc.constantFrom('shopify', 'plural', 'merchant'),
  buyerAway: fc.boolean(),
});

type Said =
  | { readonly kind: 'report'; readonly place: number; readonly report: PaymentReport }
  | { readonly kind: 'capture'; readonly place: number; readonly captureId: string };

/** A capture that names its payment, or only its order; the latter is told with its payment sooner or later as well. */
type Told =
  Said | { readonly kind: 'order_capture'; readonly place: number; readonly captureId: string };

const PLACES = 3;
const place = fc.nat({ max: PLACES - 1 });
const said: fc.Arbitrary<Said> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      place,
      report: fc.constantFrom(...PAYMENT_REPORTS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('capture' as const),
      place,
      captureId: fc.constantFrom('a', 'b'),
    }),
  },
);

const told: fc.Arbitrary<readonly Told[]> = fc.oneof(
  { weight: 5, arbitrary: said.map((word) => [word]) },
  {
    weight: 1,
    arbitrary: fc.record({ place, captureId: fc.constantFrom('a', 'b') }).map((of) => [
      { kind: 'order_capture' as const, ...of },
      { kind: 'capture' as const, ...of },
    ]),
  },
);

function tell(till: Till, word: Told): void {
  if (word.kind === 'report') {
    till.report(word.place, word.report);
    return;
  }
  // The same capture again is refused by its name.
  const captureId = `${word.place}-${word.captureId}`;
  const { orderId, amountMinor } = till.row(word.place);
  if (word.kind === 'capture') till.capture(word.place, captureId);
  else till.captureWithoutPayment(orderId, captureId, amountMinor);
}

describe('whatever is said of payments', () => {
  it('in any order and with repeats, the money is the same in the end (I7)', () => {
    const story = fc
      .tuple(
        fc.array(plan, { minLength: PLACES, maxLength: PLACES }),
        fc.array(told, { maxLength: 10 }).map((words) => words.flat()),
      )
      .chain(([plans, words]) => {
        const twice = [...words, ...words];
        const all = { minLength: twice.length, maxLength: twice.length };
        return fc.tuple(fc.constant(plans), fc.constant(words), fc.shuffledSubarray(twice, all));
      });
    fc.assert(
      fc.property(story, ([plans, words, shuffled]) => {
        const money = [words, shuffled].map((order) => {
          const till = new Till();
          plans.forEach((one, index) => till.start({ ...one, place: index }));
          for (const word of order) tell(till, word);
          return till.money();
        });
        expect(money[1]).toEqual(money[0]);
      }),
      { numRuns: 400 },
    );
  });
});

/** The mission's sentence, computed from every payment each time (facts/arbiter.md C2; M18 to M20). */
class Model {
  readonly payments: {
    state: PaymentState;
    wasIssued: boolean;
    amountMinor: bigint;
    provider: string;
    away: boolean;
    issuedAtMs: number;
    expiresAtMs: number;
  }[] = [];
  readonly captures = new Map<string, { atMs: number; amountMinor: bigint; away: boolean }>();

  total(day: string, counts: (one: { away: boolean }) => boolean): bigint {
    const confirmed = [...this.captures.values()].filter(
      (one) => counts(one) && utcDay(one.atMs) === day,
    );
    const links = this.payments.filter(
      (one) =>
        counts(one) &&
        one.state !== 'paid' &&
        one.state !== 'rejected' &&
        (one.state !== 'failed' || one.provider === 'shopify') &&
        (['issuing', 'open'].includes(one.state) || utcDay(one.issuedAtMs) === day),
    );
    return [...confirmed, ...links].reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  }

  drawn(): bigint {
    const held = this.payments.filter(
      ({ state }) => !['paid', 'rejected', 'failed'].includes(state),
    );
    return [...this.captures.values(), ...held].reduce((sum, one) => sum + one.amountMinor, 0n);
  }

  report(index: number, report: PaymentReport): void {
    const one = this.payments[index];
    if (one === undefined) return;
    one.state = stateAfter(one, report) ?? one.state;
    one.wasIssued ||= report === 'issued';
  }
}

type Step =
  | Said
  | { readonly kind: 'start'; readonly plan: Omit<Plan, 'place'> }
  | { readonly kind: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: said },
  { weight: 3, arbitrary: plan.map((one) => ({ kind: 'start' as const, plan: one })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(1, LIFE_MS - 1, LIFE_MS, 12 * HOUR_MS, DAY_MS)
      .map((ms) => ({ kind: 'wait' as const, ms })),
  },
);

function act(till: Till, model: Model, one: Step): void {
  switch (one.kind) {
    case 'start': {
      const index = model.payments.length;
      till.start({ ...one.plan, place: index });
      model.payments.push({
        state: 'issuing',
        wasIssued: false,
        amountMinor: one.plan.amountMinor,
        provider: one.plan.provider,
        away: one.plan.buyerAway,
        issuedAtMs: till.atMs,
        expiresAtMs: till.atMs + LIFE_MS,
      });
      return;
    }
    case 'wait':
      till.atMs += one.ms;
      model.payments.forEach((payment, index) => {
        till.lapse(index);
        if (payment.expiresAtMs <= till.atMs && ['issuing', 'open'].includes(payment.state))
          model.report(index, 'lapsed');
      });
      return;
    case 'report':
      if (model.payments[one.place] === undefined) return;
      till.report(one.place, one.report);
      model.report(one.place, one.report);
      return;
    case 'capture': {
      const payment = model.payments[one.place];
      const name = `${one.place}-${one.captureId}`;
      if (payment === undefined || model.captures.has(name)) return;
      expect(till.capture(one.place, name).ok).toBe(true);
      payment.state = 'paid';
      const { amountMinor, away } = payment;
      model.captures.set(name, { atMs: till.atMs, amountMinor, away });
    }
  }
}

it('at every step the sums are those of a plain model that looks at every payment', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const till = new Till();
      const model = new Model();
      for (const one of steps) {
        act(till, model, one);
        const day = utcDay(till.atMs);
        expect(till.totals()).toEqual({
          all: model.total(day, () => true),
          away: model.total(day, ({ away }) => away),
        });
        expect(till.drawn('passport')).toBe(model.drawn());
        expect(till.drawn('intent')).toBe(model.drawn());
        const held = model.payments.filter(({ state }) => ['issuing', 'open'].includes(state));
        expect(till.tenant.get(stock, ['shop', 'cup'])).toMatchObject({
          held: held.length,
          onHand: 100 - model.payments.filter(({ state }) => state === 'paid').length,
        });
      }
    }),
    { numRuns: 400 },
  );
});
