import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AMOUNT_MINOR_MAX } from '../../core/kernel/index.js';
import { CART_LINES_MAX, LINE_QUANTITY_MAX } from '../../core/rules/index.js';
import {
  type CartBinding,
  type CartRequest,
  cartHashOf,
  checkCart,
  type CheckedCart,
  coreHashOf,
} from './cart.js';

const inr = (amountMinor: bigint) => ({ amountMinor, currency: 'INR' });

const line = (variantId: string, quantity = 1, unit = 100n) => ({
  productId: 'tea',
  variantId,
  quantity,
  unitPrice: inr(unit),
});

const cart: CartRequest = {
  currency: 'INR',
  lines: [line('tea-250', 2, 500n), line('tea-500', 1, 900n)],
  discount: inr(100n),
  tax: inr(90n),
  shipping: inr(60n),
  total: inr(1950n),
  fulfilmentChoice: 'home',
};

const binding: CartBinding = {
  tenantId: 'tnt_1',
  merchantId: 'shop',
  agentId: 'agt_1',
  buyerCommitment: null,
  artifacts: [
    { id: 'art_1', payloadHash: 'aa' },
    { id: 'art_2', payloadHash: null },
  ],
  flow: 'handoff',
};

function checked(request: CartRequest): CheckedCart {
  const result = checkCart(request);
  if (!result.ok) throw new Error(`${result.error.field}: ${result.error.detail}`);
  return result.value;
}

describe('checkCart', () => {
  it('adds lines, discount, tax and shipping', () => {
    expect(checked(cart)).toMatchObject({ subtotalMinor: 1900n, totalMinor: 1950n });
    expect(
      checked({ ...cart, discount: null, tax: null, shipping: null, total: inr(1900n) }),
    ).toMatchObject({ discountMinor: 0n, taxMinor: 0n, shippingMinor: 0n });
  });

  const usd = { amountMinor: 1950n, currency: 'USD' };
  it.each<[string, Partial<CartRequest>, string]>([
    ['no line', { lines: [] }, '/cart/lines'],
    [
      'too many lines',
      { lines: Array.from({ length: CART_LINES_MAX + 1 }, (_, n) => line(`v${n}`)) },
      '/cart/lines',
    ],
    [
      'line in another currency',
      { lines: [{ ...line('v'), unitPrice: usd }] },
      '/cart/lines/0/unit_price/currency',
    ],
    ['quantity 0', { lines: [line('v', 0)] }, '/cart/lines/0/quantity'],
    [
      'quantity above the limit',
      { lines: [line('v', LINE_QUANTITY_MAX + 1)] },
      '/cart/lines/0/quantity',
    ],
    ['half a piece', { lines: [line('v', 1.5)] }, '/cart/lines/0/quantity'],
    ['total in another currency', { total: usd }, '/cart/total/currency'],
    ['tax in another currency', { tax: usd }, '/cart/tax/currency'],
    ['sum too large', { lines: [line('v', 2, AMOUNT_MINOR_MAX)] }, '/cart/lines'],
    ['discount above the lines', { discount: inr(1901n) }, '/cart/discount/amount'],
    [
      'free of charge',
      {
        discount: inr(2050n),
        tax: null,
        shipping: null,
        lines: [line('v', 1, 2050n)],
        total: inr(0n),
      },
      '/cart/total/amount',
    ],
    ['one paisa too little', { total: inr(1949n) }, '/cart/total/amount'],
    ['one paisa too much', { total: inr(1951n) }, '/cart/total/amount'],
  ])('names the field: %s', (_name, change, field) => {
    const result = checkCart({ ...cart, ...change });
    expect(result.ok ? null : [result.error.code, result.error.field]).toEqual([
      'validation_failed',
      field,
    ]);
  });

  it('takes exactly the largest cart', () => {
    const lines = Array.from({ length: CART_LINES_MAX }, (_, n) => line(`v${n}`));
    expect(
      checkCart({ ...cart, lines, discount: null, tax: null, shipping: null, total: inr(10_000n) })
        .ok,
    ).toBe(true);
  });
});

describe('cart hashes', () => {
  const reference = checked(cart);

  it('are fixed for version 1', () => {
    expect(coreHashOf(reference, 'shop')).toMatchInlineSnapshot(
      `"2a31f54587843c3238c782e155cfff7359e6bdf8cc483c9fb4f1cec21a168992"`,
    );
    expect(cartHashOf(reference, binding)).toMatchInlineSnapshot(
      `"9bc531cde57320f87cbaf05668d83ec66c664901b42e15079013a936e3d3dab9"`,
    );
  });

  it('do not depend on the order of lines or artifacts', () => {
    const turned = checked({ ...cart, lines: [...cart.lines].reverse() });
    expect(coreHashOf(turned, 'shop')).toBe(coreHashOf(reference, 'shop'));
    expect(cartHashOf(turned, { ...binding, artifacts: [...binding.artifacts].reverse() })).toBe(
      cartHashOf(reference, binding),
    );
  });

  it('change with every member of the cart', () => {
    const numeric = [
      'subtotalMinor',
      'discountMinor',
      'taxMinor',
      'shippingMinor',
      'totalMinor',
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...numeric), fc.bigInt({ min: 1n, max: 9n }), (name, more) => {
        const changed = { ...reference, [name]: reference[name] + more };
        expect(coreHashOf(changed, 'shop')).not.toBe(coreHashOf(reference, 'shop'));
        expect(cartHashOf(changed, binding)).not.toBe(cartHashOf(reference, binding));
      }),
    );
    const first = reference.lines[0];
    for (const change of [
      { productId: 'x' },
      { variantId: 'x' },
      { quantity: 3 },
      { unitPriceMinor: 501n },
    ]) {
      const lines = reference.lines.map((each) => (each === first ? { ...each, ...change } : each));
      expect(coreHashOf({ ...reference, lines }, 'shop')).not.toBe(coreHashOf(reference, 'shop'));
    }
  });

  it.each<Partial<CartBinding>>([
    { tenantId: 'tnt_2' },
    { merchantId: 'other' },
    { agentId: null },
    { buyerCommitment: 'c' },
    { artifacts: [{ id: 'art_1', payloadHash: 'aa' }] },
    {
      artifacts: [
        { id: 'art_1', payloadHash: 'ab' },
        { id: 'art_2', payloadHash: null },
      ],
    },
    { flow: 'agent_payment' },
  ])('the cart hash changes with its binding: %o', (change) => {
    expect(cartHashOf(reference, { ...binding, ...change })).not.toBe(
      cartHashOf(reference, binding),
    );
  });

  it('only the cart hash knows the fulfilment choice', () => {
    const moved = { ...reference, fulfilmentChoice: 'shop' };
    expect(coreHashOf(moved, 'shop')).toBe(coreHashOf(reference, 'shop'));
    expect(cartHashOf(moved, binding)).not.toBe(cartHashOf(reference, binding));
  });
});
