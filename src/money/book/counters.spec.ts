import { describe, expect, it } from 'vitest';
import { PAYMENT_STATES, type PaymentState } from '../payments/index.js';
import { type Counted, countedIn, effectOf } from './counters.js';

const AMOUNT = 2_099n;

/** Where an amount counts, in words: o(pen), c(losed, on its issue day), h(eld under passport and intents). */
const TABLE: Readonly<Record<string, Readonly<Record<PaymentState, string>>>> = {
  shopify: {
    issuing: 'oh',
    open: 'oh',
    lapsed: 'ch',
    canceled: 'ch',
    rejected: '',
    failed: 'c',
    paid: '',
  },
  plural: {
    issuing: 'oh',
    open: 'oh',
    lapsed: 'ch',
    canceled: 'ch',
    rejected: '',
    failed: '',
    paid: '',
  },
};

const counted = (places: string): Counted => ({
  openMinor: places.includes('o') ? AMOUNT : 0n,
  closedMinor: places.includes('c') ? AMOUNT : 0n,
  heldMinor: places.includes('h') ? AMOUNT : 0n,
});

const minus = (left: Counted, right: Counted): Counted => ({
  openMinor: left.openMinor - right.openMinor,
  closedMinor: left.closedMinor - right.closedMinor,
  heldMinor: left.heldMinor - right.heldMinor,
});

describe.each(Object.entries(TABLE))('what a payment by %s counts as', (provider, places) => {
  const payment = { amountMinor: AMOUNT, provider };

  it.each(PAYMENT_STATES)('%s', (state) => {
    expect(countedIn(payment, state)).toEqual(counted(places[state]));
  });

  it.each(PAYMENT_STATES.flatMap((from) => PAYMENT_STATES.map((to) => [from, to] as const)))(
    'from %s to %s',
    (from, to) => {
      const expected = minus(counted(places[to]), counted(places[from]));
      expect(effectOf(payment, { from, to })).toEqual(expected);
    },
  );

  it('started: as issuing from the first entry on', () => {
    expect(effectOf(payment, { from: null, to: 'issuing' })).toEqual(counted('oh'));
  });
});

it.each(['merchant', 'sandbox', 'a provider of tomorrow'])('%s can tell a failure', (provider) => {
  expect(countedIn({ amountMinor: AMOUNT, provider }, 'failed')).toEqual(counted(''));
});
