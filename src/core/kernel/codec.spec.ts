import { describe, expect, it } from 'vitest';
import { codec } from './index.js';

const cart = codec.record({
  id: codec.text,
  total: codec.money,
  atMs: codec.instant,
  lines: codec.list(codec.record({ quantity: codec.integer })),
  note: codec.nullable(codec.text),
  payment: codec.variant({ card: codec.record({ last4: codec.text }), none: codec.record({}) }),
});

const value: import('./index.js').Decoded<typeof cart> = {
  id: 'c1',
  total: { amountMinor: 2099n, currency: 'INR' },
  atMs: 0,
  lines: [{ quantity: 2 }],
  note: null,
  payment: { kind: 'card', last4: '4242' },
};

describe('codec', () => {
  it('round-trips amounts, instants, lists and unions through canonical values', () => {
    const encoded = cart.encode(value);
    expect(encoded).toEqual({
      id: 'c1',
      total: { amount: '2099', currency: 'INR' },
      at: '1970-01-01T00:00:00.000Z',
      lines: [{ quantity: 2 }],
      note: null,
      payment: { kind: 'card', last4: '4242' },
    });
    expect(cart.decode(JSON.parse(JSON.stringify(encoded)), 'cart')).toEqual(value);
  });

  it('refuses a text that encode could not have written, naming the place', () => {
    const encoded = cart.encode(value) as Record<string, unknown>;
    expect(() =>
      cart.decode({ ...encoded, total: { amount: '20.99', currency: 'INR' } }, 'cart'),
    ).toThrow('cart.total.amount is a decimal string of minor units');
    expect(() => cart.decode({ ...encoded, extra: 1 }, 'cart')).toThrow('cart has no member extra');
    expect(() => cart.decode({ ...encoded, payment: { kind: 'toString' } }, 'cart')).toThrow(
      'cart.payment.kind',
    );
  });
});
