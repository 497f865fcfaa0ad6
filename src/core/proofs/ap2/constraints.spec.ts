import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absentPurchase,
  AMOUNT_RANGE,
  ap2World,
  type ChainOptions,
  type Json,
  type JsonMembers,
  merchantOf,
} from '../../../../test/support/ap2.js';
import { DecimalNumber } from '../../kernel/index.js';
import { AP2_ERROR_OF_CHECK, AP2_ERROR_OF_REASON } from './errors.js';
import { judgeAp2Objects, parseAp2Object } from './evidence.js';
import { minorOfMajor } from './amounts.js';
import { fillsExactly } from './line-items.js';
import { AP2_ERRORS } from './errors.js';

const world = ap2World();
const atMs = world.now * 1_000;

function verdictOf(options: {
  checkout?: ChainOptions;
  payment?: ChainOptions;
  payload?: JsonMembers;
}): string {
  const { checkoutChain, paymentChain } = absentPurchase(world, options);
  const objects = [checkoutChain, paymentChain].map(parseAp2Object);
  const read = objects.map((one) => {
    if (!one.ok) throw new Error(`${one.error.check} ${one.error.member}`);
    return one.value;
  });
  const [found] = judgeAp2Objects(read, atMs).flatMap(({ finding }) => finding ?? []);
  return found === undefined ? 'met' : `${found.verdict} ${found.constraint}`;
}

const open = (...constraints: Json[]): { payment: ChainOptions } => ({
  payment: { constraints: () => constraints },
});
const day = new Date(atMs).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;
const on = (daysLater: number) => new Date(atMs + daysLater * DAY_MS).toISOString();
const dated = (window: JsonMembers, execution_date?: string) => ({
  payment: {
    constraints: () => [{ type: 'payment.execution_date', ...window }],
    closedMembers: { execution_date },
  },
});
const items = (...requirements: JsonMembers[]): { checkout: ChainOptions } => ({
  checkout: { constraints: () => [{ type: 'checkout.line_items', items: requirements }] },
});
const tea = { id: 'tea-100g', title: 'Tea' };
const pisp = { legal_name: 'P', brand_name: 'p', domain_name: 'p.example' };

describe('constraints of open mandates', () => {
  const rows: readonly (readonly [string, Parameters<typeof verdictOf>[0]])[] = [
    ['met', {}],
    ['met', open({ ...AMOUNT_RANGE, max: 2_099, min: 2_099 })],
    ['violated payment.amount_range', open({ ...AMOUNT_RANGE, max: 2_098 })],
    ['violated payment.amount_range', open({ ...AMOUNT_RANGE, min: 2_100 })],
    ['violated payment.amount_range', open({ ...AMOUNT_RANGE, currency: 'USD' })],
    ['unresolved payment.amount_range', open({ ...AMOUNT_RANGE, max: 20.99 })],
    ['unresolved payment.amount_range', open({ ...AMOUNT_RANGE, max: '5000' })],
    ['unresolved payment.amount_range', open({ ...AMOUNT_RANGE, per: 'day' })],
    ['met', open({ type: 'payment.budget', max: 20.99, currency: 'INR' })],
    ['violated payment.budget', open({ type: 'payment.budget', max: 20.98, currency: 'INR' })],
    ['unresolved payment.budget', open({ type: 'payment.budget', max: 20.995, currency: 'INR' })],
    ['unresolved payment.budget', open({ type: 'payment.budget', max: '20.99', currency: 'INR' })],
    [
      'unresolved payment.agent_recurrence',
      open({ type: 'payment.agent_recurrence', frequency: 'ON_DEMAND' }),
    ],
    [
      'unresolved payment.agent_recurrence',
      open(
        { type: 'payment.agent_recurrence', frequency: 'DAILY' },
        { type: 'payment.budget', max: 50, currency: 'INR' },
      ),
    ],
    [
      'unresolved payment.agent_recurrence',
      open(
        { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND', max_occurrences: 2 },
        { type: 'payment.budget', max: 50, currency: 'INR' },
      ),
    ],
    ['met', open({ type: 'payment.allowed_payees', allowed: [merchantOf(world)] })],
    [
      'violated payment.allowed_payees',
      open({ type: 'payment.allowed_payees', allowed: [{ ...merchantOf(world), id: 'shop-2' }] }),
    ],
    [
      'violated payment.allowed_payees',
      open({ type: 'payment.allowed_payees', allowed: [{ name: 'A shop' }] }),
    ],
    ['violated payment.allowed_payees', open({ type: 'payment.allowed_payees', allowed: [] })],
    [
      'met',
      open({
        type: 'payment.allowed_payment_instruments',
        allowed: [{ id: 'card-1', type: 'card' }],
      }),
    ],
    [
      'violated payment.allowed_payment_instruments',
      open({
        type: 'payment.allowed_payment_instruments',
        allowed: [{ id: 'card-2', type: 'card' }],
      }),
    ],
    ['violated payment.allowed_pisps', open({ type: 'payment.allowed_pisps', allowed: [pisp] })],
    [
      'met',
      {
        payment: {
          constraints: () => [{ type: 'payment.allowed_pisps', allowed: [pisp] }],
          closedMembers: { pisp },
        },
      },
    ],
    ['unresolved payment.execution_date', dated({ not_after: on(1) })],
    ['met', dated({ not_before: on(-1), not_after: on(1) }, on(0))],
    ['met', dated({ not_before: day, not_after: day }, day)],
    ['violated payment.execution_date', dated({ not_after: on(-2) }, on(0))],
    ['violated payment.execution_date', dated({ not_before: on(1) }, on(0))],
    ['unresolved payment.execution_date', dated({ not_after: 'soon' }, on(0))],
    ['unresolved execution_date', dated({ not_after: on(30) }, on(14))],
    ['unresolved payment.phase_of_moon', open({ type: 'payment.phase_of_moon' })],
    ['unresolved constraints', open('nonsense')],
    [
      'unresolved checkout.line_items',
      { payment: { constraints: () => [{ type: 'checkout.line_items', items: [] }] } },
    ],
    [
      'violated payee',
      { payment: { openMembers: { payee: { ...merchantOf(world), id: 'shop-2' } } } },
    ],
    ['met', { payment: { openMembers: { payee: merchantOf(world) } } }],
    ['violated pisp', { payment: { openMembers: { pisp } } }],
    [
      'violated risk_data',
      {
        payment: {
          openMembers: { risk_data: { score: 0.5 } },
          closedMembers: { risk_data: { score: 0.4 } },
        },
      },
    ],
    ['unresolved transaction_id', { payment: { closedMembers: { transaction_id: 'another' } } }],
    ['met', items({ id: 'l', acceptable_items: [tea], quantity: 1 })],
    ['violated checkout.line_items', items({ id: 'l', acceptable_items: [], quantity: 1 })],
    ['violated checkout.line_items', items({ id: 'l', acceptable_items: [tea], quantity: 2 })],
    [
      'violated checkout.line_items',
      items({ id: 'l', acceptable_items: [{ id: 'cup', title: 'Cup' }], quantity: 1 }),
    ],
    [
      'violated checkout.line_items',
      items(
        { id: 'l', acceptable_items: [tea], quantity: 1 },
        { id: 'm', acceptable_items: [tea], quantity: 1 },
      ),
    ],
    [
      'unresolved checkout.line_items',
      items({ id: 'l', acceptable_items: [tea], quantity: 1, maximum: 9 }),
    ],
    [
      'violated checkout.allowed_merchants',
      {
        checkout: {
          constraints: () => [
            { type: 'checkout.allowed_merchants', allowed: [{ id: 'shop-2', name: 'x' }] },
            {
              type: 'checkout.line_items',
              items: [{ id: 'l', acceptable_items: [tea], quantity: 1 }],
            },
          ],
        },
      },
    ],
  ];
  it.each(rows)('%s: %j', (verdict, options) => {
    expect(verdictOf(options)).toBe(verdict);
  });

  it('an open mandate without what its kind must have is not read', () => {
    const { openCheckout } = absentPurchase(world, { checkout: { constraints: () => [] } });
    expect(parseAp2Object(openCheckout)).toMatchObject({
      error: { member: 'mandate.constraints' },
    });
  });

  it.each([
    [
      'a fee',
      {
        totals: [
          { type: 'subtotal', amount: 2_099 },
          { type: 'fee', amount: 1 },
          { type: 'total', amount: 2_100 },
        ],
      },
    ],
    [
      'a total that does not add up',
      {
        totals: [
          { type: 'subtotal', amount: 2_099 },
          { type: 'total', amount: 2_098 },
        ],
      },
    ],
    [
      'two totals',
      {
        totals: [
          { type: 'subtotal', amount: 2_099 },
          { type: 'total', amount: 2_099 },
          { type: 'total', amount: 0 },
        ],
      },
    ],
    ['no merchant', { merchant: undefined }],
    [
      'a price that is no whole number',
      { line_items: [{ id: 'l', item: { id: 'tea', title: 'Tea', price: '2099' }, quantity: 1 }] },
    ],
  ])('a checkout with %s is not read', (_, payload) => {
    const { checkoutChain } = absentPurchase(world, { payload });
    expect(parseAp2Object(checkoutChain)).toMatchObject({ error: { check: 'shape' } });
  });
});

describe('line items', () => {
  it('finds an assignment that first come, first served would miss', () => {
    const needs = [
      { acceptableIds: ['a', 'b'], quantity: 1 },
      { acceptableIds: ['a'], quantity: 1 },
    ];
    expect(
      fillsExactly(needs, [
        { id: 'a', quantity: 1 },
        { id: 'b', quantity: 1 },
      ]),
    ).toBe(true);
  });

  it('agrees with trying every assignment', () => {
    const ids = ['a', 'b', 'c'];
    const requirement = fc.record({
      acceptableIds: fc.subarray(ids),
      quantity: fc.integer({ min: 1, max: 3 }),
    });
    const item = fc.record({
      id: fc.constantFrom(...ids),
      quantity: fc.integer({ min: 1, max: 3 }),
    });
    const byTrying = (
      needs: readonly { acceptableIds: string[]; quantity: number }[],
      pieces: readonly string[],
    ): boolean => {
      const [need, ...others] = needs;
      if (need === undefined) return pieces.length === 0;
      if (need.quantity === 0) return byTrying(others, pieces);
      return need.acceptableIds.some((id) => {
        const at = pieces.indexOf(id);
        const rest = pieces.filter((_, index) => index !== at);
        return at >= 0 && byTrying([{ ...need, quantity: need.quantity - 1 }, ...others], rest);
      });
    };
    fc.assert(
      fc.property(
        fc.array(requirement, { minLength: 1, maxLength: 3 }),
        fc.array(item, { minLength: 1, maxLength: 3 }),
        (needs, bought) => {
          const pieces = bought.flatMap(({ id, quantity }) => Array<string>(quantity).fill(id));
          return fillsExactly(needs, bought) === byTrying(needs, pieces);
        },
      ),
      { seed: 20_261_130, numRuns: 2_000 },
    );
  });
});

describe('amounts in major units', () => {
  it.each([
    [new DecimalNumber('19.90'), 'INR', 1_990n],
    [new DecimalNumber('19.9'), 'INR', 1_990n],
    [new DecimalNumber('0.07'), 'INR', 7n],
    [new DecimalNumber('1.005'), 'INR', null],
    [new DecimalNumber('1.005'), 'KWD', 1_005n],
    [199, 'JPY', 199n],
    [new DecimalNumber('199.0'), 'JPY', 199n],
    [new DecimalNumber('199.5'), 'JPY', null],
    [new DecimalNumber('-1.5'), 'INR', null],
    [-1, 'INR', null],
    ['1', 'INR', null],
    [1, 'XXX', null],
  ])('%j %s', (value, currency, minor) => {
    expect(minorOfMajor(value, currency)).toBe(minor);
  });
});

it('every refusal of rule 1 and every failed check is an error of the protocol', () => {
  for (const error of [...Object.values(AP2_ERROR_OF_REASON), ...Object.values(AP2_ERROR_OF_CHECK)])
    expect(AP2_ERRORS).toContain(error);
});
