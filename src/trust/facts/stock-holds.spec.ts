import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CellView, EntryRef, LedgerEvent, Projection } from '../../base/ledger/index.js';
import {
  heldStock,
  holdStock,
  returnStock,
  stock,
  stockCells,
  type StockHold,
  type StockRow,
  stockSeen,
  takeStock,
} from './index.js';
import { ON_HAND_MAX, stockSet } from './stock.ledger.js';

const MERCHANT = 'shop';
const ENTRY: EntryRef = {
  tenantId: 'tnt_1',
  seq: 1,
  id: 'ent_1',
  atMs: 0,
  actor: { role: 'system', id: 'test' },
};

/** The stock of one tenant as the writer would keep it, folded event by event. */
class Shelf implements CellView {
  private readonly rows = new Map<string, StockRow>();

  constructor(onHand: Readonly<Record<string, number>> = {}) {
    for (const [variantId, pieces] of Object.entries(onHand)) this.set(variantId, pieces);
  }

  get<Row extends object>(
    projection: Projection<Row>,
    key: readonly (string | number)[],
  ): Row | undefined {
    expect(projection.table).toBe('stock');
    return this.rows.get(key.join(' ')) as Row | undefined;
  }

  set(variantId: string, onHand: number): void {
    const data = { merchantId: MERCHANT, variantId, onHand };
    this.append([{ eventType: stockSet, data }]);
  }

  append(events: readonly LedgerEvent[]): void {
    for (const { eventType, data } of events) {
      const handler = stock.on.find((one) => one.eventType.type === eventType.type);
      if (handler === undefined) throw new Error(`stock does not listen to ${eventType.type}`);
      for (const key of handler.keys(data, ENTRY)) {
        const name = key.join(' ');
        this.rows.set(name, handler.evolve(this.rows.get(name), data, { entry: ENTRY, key }));
      }
    }
  }

  hold(paymentId: string, lines: readonly { variantId: string; quantity: number }[]) {
    const result = holdStock(this, { merchantId: MERCHANT, paymentId, lines });
    if (result.ok) this.append(result.value.events);
    return result;
  }

  row(variantId: string): readonly [onHand: number, held: number] | null {
    const row = this.get(stock, [MERCHANT, variantId]);
    return row === undefined ? null : [row.onHand, row.held];
  }
}

const line = (variantId: string, quantity: number) => ({ variantId, quantity });
const holdOf = (...held: StockHold['held']): StockHold => ({
  merchantId: MERCHANT,
  paymentId: 'pay_1',
  held,
});

describe('holding', () => {
  it('counts all lines of a variant together, to the last piece and not one more', () => {
    const shelf = new Shelf({ chai: 3 });
    expect(shelf.hold('pay_1', [line('chai', 2), line('chai', 2)])).toEqual({
      ok: false,
      error: { variantId: 'chai', quantity: 4, available: 3 },
    });
    expect(shelf.row('chai')).toEqual([3, 0]);
    expect(shelf.hold('pay_1', [line('chai', 2), line('chai', 1)])).toMatchObject({
      ok: true,
      value: { held: [line('chai', 3)] },
    });
    expect(shelf.row('chai')).toEqual([3, 3]);
    expect(shelf.hold('pay_2', [line('chai', 1)])).toMatchObject({ error: { available: 0 } });
  });

  it('leaves variants alone whose stock is not kept here', () => {
    const shelf = new Shelf({ chai: 3 });
    expect(shelf.hold('pay_1', [line('kettle', 900), line('chai', 1)])).toMatchObject({
      ok: true,
      value: {
        held: [line('chai', 1)],
        events: [{ data: { merchantId: MERCHANT, variantId: 'chai', paymentId: 'pay_1' } }],
      },
    });
    expect(shelf.row('kettle')).toBe(null);
    const none = shelf.hold('pay_2', [line('kettle', 1)]);
    expect(none).toEqual({ ok: true, value: { events: [], held: [] } });
  });

  it('is all or nothing, and names the short variant with the smallest id', () => {
    const shelf = new Shelf({ a: 5, b: 1, c: 0 });
    expect(shelf.hold('pay_1', [line('c', 1), line('b', 2), line('a', 1)])).toMatchObject({
      error: { variantId: 'b' },
    });
    expect(['a', 'b', 'c'].map((variantId) => shelf.row(variantId)?.[1])).toEqual([0, 0, 0]);
  });

  it.each([0, -1, 0.5, Number.NaN, 1_000_001])('never holds %s pieces', (quantity) => {
    expect(() => new Shelf({ chai: 3 }).hold('pay_1', [line('chai', quantity)])).toThrow(
      'pieces to hold are counted',
    );
  });

  it('is stored with the payment as it was', () => {
    const held = [line('chai', 2), line('kettle', 1)];
    const stored = JSON.stringify(heldStock.encode(held));
    expect(heldStock.decode(JSON.parse(stored), 'held')).toEqual(held);
  });
});

describe('what rule 5 sees', () => {
  it('is what nobody holds, each variant once, by id, without those not kept here', () => {
    const shelf = new Shelf({ chai: 3, anise: 0 });
    shelf.hold('pay_1', [line('chai', 1)]);
    const lines = [line('kettle', 1), line('chai', 1), line('anise', 1), line('chai', 9)];
    expect(stockSeen(shelf, MERCHANT, lines)).toEqual([
      { variantId: 'anise', quantityAvailable: 0 },
      { variantId: 'chai', quantityAvailable: 2 },
    ]);
    expect(stockCells(MERCHANT, lines).map(({ key }) => key)).toEqual([
      [MERCHANT, 'anise'],
      [MERCHANT, 'chai'],
      [MERCHANT, 'kettle'],
    ]);
  });
});

describe('returning and taking', () => {
  it('of more than is held is a broken invariant, in the helper and in the fold', () => {
    const shelf = new Shelf({ chai: 3 });
    shelf.hold('pay_1', [line('chai', 1)]);
    const tooMuch = holdOf(line('chai', 2));
    expect(() => returnStock(shelf, tooMuch)).toThrow('no more than is held');
    expect(() => takeStock(shelf, tooMuch, { stillHeld: true })).toThrow('no more than is held');
    const [one] = returnStock(shelf, holdOf(line('chai', 1)));
    if (one === undefined) expect.fail('a return is an event');
    shelf.append([one]);
    expect(() => shelf.append([one])).toThrow('held pieces are');
  });

  it.each([
    ['a variant twice', holdOf(line('chai', 1), line('chai', 1))],
    ['no piece', holdOf(line('chai', 0))],
    ['half a piece', holdOf(line('chai', 0.5))],
    ['a variant that was never set', holdOf(line('kettle', 1))],
  ])('of %s is a broken invariant', (_name, hold) => {
    const shelf = new Shelf({ chai: 3 });
    shelf.hold('pay_1', [line('chai', 3)]);
    expect(() => returnStock(shelf, hold)).toThrow();
    for (const stillHeld of [true, false])
      expect(() => takeStock(shelf, hold, { stillHeld })).toThrow();
  });

  it('a late payment takes what nobody else holds, and says when that was less than it bought', () => {
    const shelf = new Shelf({ chai: 3, kettle: 1, anise: 2 });
    shelf.hold('pay_2', [line('chai', 2), line('kettle', 1)]);
    const late = holdOf(line('anise', 2), line('chai', 2), line('kettle', 1));
    const { events, short } = takeStock(shelf, late, { stillHeld: false });
    shelf.append(events);
    expect(short).toBe(true);
    expect(shelf.row('anise')).toEqual([0, 0]);
    expect(shelf.row('chai')).toEqual([2, 2]);
    expect(shelf.row('kettle')).toEqual([1, 1]);
    const enough = takeStock(new Shelf({ chai: 2 }), holdOf(line('chai', 2)), { stillHeld: false });
    expect(enough.short).toBe(false);
  });
});

describe('the fold', () => {
  it('refuses a number of pieces that cannot be', () => {
    const shelf = new Shelf({ chai: 3 });
    shelf.hold('pay_1', [line('chai', 2)]);
    for (const onHand of [1, -1, 2.5, Number.NaN, ON_HAND_MAX + 1])
      expect(() => shelf.set('chai', onHand)).toThrow();
    shelf.set('chai', 2);
    shelf.set('chai', ON_HAND_MAX);
    expect(shelf.row('chai')).toEqual([ON_HAND_MAX, 2]);
  });
});

/** What a plain reader would keep: pieces per variant, and what each payment holds or once held. */
interface Payment {
  readonly held: ReadonlyMap<string, number>;
  state: 'held' | 'returned' | 'done';
}
interface Plain {
  readonly onHand: Map<string, number>;
  readonly payments: Payment[];
}

const VARIANTS = ['a', 'b', 'c', 'never-set'];
const SET = VARIANTS.slice(0, 3);

const heldIn = ({ payments }: Plain, variantId: string): number =>
  payments
    .filter(({ state }) => state === 'held')
    .reduce((sum, { held }) => sum + (held.get(variantId) ?? 0), 0);

const freeIn = (plain: Plain, variantId: string): number =>
  (plain.onHand.get(variantId) ?? 0) - heldIn(plain, variantId);

const holdOfPayment = ({ held }: Payment): StockHold =>
  holdOf(...[...held].map(([variantId, quantity]) => line(variantId, quantity)));

type Step =
  | { readonly kind: 'set'; readonly variantId: string; readonly onHand: number }
  | { readonly kind: 'hold'; readonly lines: readonly { variantId: string; quantity: number }[] }
  | { readonly kind: 'return' | 'take'; readonly place: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('set' as const),
    variantId: fc.constantFrom(...SET),
    onHand: fc.nat(9),
  }),
  fc.record({
    kind: fc.constant('hold' as const),
    lines: fc.array(
      fc.record({
        variantId: fc.constantFrom(...VARIANTS),
        quantity: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  }),
  fc.record({ kind: fc.constantFrom('return' as const, 'take' as const), place: fc.nat(20) }),
);

/** The same step on the shelf and on the plain model; both must agree on what it says. */
function walk(shelf: Shelf, plain: Plain, next: Step): void {
  if (next.kind === 'set') {
    // Fewer than are held is refused before there is an event.
    if (next.onHand < heldIn(plain, next.variantId)) return;
    shelf.set(next.variantId, next.onHand);
    plain.onHand.set(next.variantId, next.onHand);
  } else if (next.kind === 'hold') {
    const asked = new Map<string, number>();
    for (const { variantId, quantity } of next.lines)
      if (plain.onHand.has(variantId)) asked.set(variantId, (asked.get(variantId) ?? 0) + quantity);
    const fits = [...asked].every(([variantId, pieces]) => pieces <= freeIn(plain, variantId));
    const held = shelf.hold('pay_1', next.lines);
    expect(held.ok).toBe(fits);
    if (held.ok) {
      expect(new Map(held.value.held.map((one) => [one.variantId, one.quantity]))).toEqual(asked);
      plain.payments.push({ held: asked, state: 'held' });
    }
  } else {
    const payment = plain.payments[next.place % Math.max(plain.payments.length, 1)];
    if (payment !== undefined) settle({ shelf, plain, payment }, next.kind);
  }
}

function settle(
  { shelf, plain, payment }: { shelf: Shelf; plain: Plain; payment: Payment },
  kind: 'return' | 'take',
): void {
  const hold = holdOfPayment(payment);
  if (kind === 'return') {
    if (payment.state !== 'held') return;
    shelf.append(returnStock(shelf, hold));
    payment.state = 'returned';
    return;
  }
  if (payment.state === 'done') return;
  const stillHeld = payment.state === 'held';
  const { events, short } = takeStock(shelf, hold, { stillHeld });
  let missing = 0;
  for (const [variantId, quantity] of payment.held) {
    const taken = stillHeld ? quantity : Math.min(quantity, freeIn(plain, variantId));
    missing += quantity - taken;
    plain.onHand.set(variantId, (plain.onHand.get(variantId) ?? 0) - taken);
  }
  shelf.append(events);
  payment.state = 'done';
  expect(short).toBe(missing > 0);
}

describe('whatever is set, held, returned and taken, in any order', () => {
  it('agrees with a plain model, and 0 <= held <= on hand', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const shelf = new Shelf();
        const plain: Plain = { onHand: new Map(), payments: [] };
        for (const next of steps) {
          walk(shelf, plain, next);
          for (const variantId of VARIANTS) {
            const onHand = plain.onHand.get(variantId);
            const expected = onHand === undefined ? null : [onHand, heldIn(plain, variantId)];
            expect(shelf.row(variantId)).toEqual(expected);
            expect(freeIn(plain, variantId)).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });
});
