import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FoldedTenant } from '../../../test/support/folded-tenant.js';
import { anyProjection, type CellView, type LedgerEvent } from '../../base/ledger/index.js';
import { merchants } from '../../base/tenants/index.js';
import { AMOUNT_MINOR_MAX, type Problem } from '../../core/kernel/index.js';
import {
  authoritySpend,
  captureRecorded,
  captures,
  merchantDayMoney,
  orderMoney,
  recordCapture,
  refundAllowed,
} from './index.js';

type Capture = Parameters<typeof recordCapture>[1];

const NOON = Date.UTC(2026, 10, 30, 12);
const MIDNIGHT = Date.UTC(2026, 11, 1);

/** A tenant with one merchant, `shop`. */
class Book {
  private readonly tenant = new FoldedTenant([
    anyProjection(captures),
    anyProjection(orderMoney),
    anyProjection(merchantDayMoney),
    anyProjection(authoritySpend),
  ]).with(merchants, ['shop'], { merchantId: 'shop' });

  readonly get: CellView['get'] = (projection, key) => this.tenant.get(projection, key);

  append(events: readonly LedgerEvent[], atMs = NOON): this {
    this.tenant.append(events, atMs);
    return this;
  }
}

const captureOf = (changes: Partial<Capture> = {}): Capture => ({
  captureId: 'cap-1',
  merchantId: 'shop',
  orderId: 'order-1',
  amountMinor: 2_099n,
  currency: 'INR',
  authority: null,
  ...changes,
});
const captured = (changes: Partial<Capture> = {}): LedgerEvent => ({
  eventType: captureRecorded,
  data: { ...captureOf(changes), payment: null },
});
const refunded = (amountMinor: bigint, currency = 'INR'): LedgerEvent => ({
  eventType: refundAllowed,
  data: {
    decisionId: 'arbdec_1',
    merchantId: 'shop',
    orderId: 'order-1',
    amountMinor,
    currency,
    allowExpiresAtMs: null,
  },
});

/** given(events).when(a capture is reported): the events it decides on, or the problem. */
function report(
  given: readonly LedgerEvent[],
  changes: Partial<Capture>,
): readonly LedgerEvent[] | Problem {
  const command = recordCapture(
    {
      tenantId: 'tnt_1',
      actor: { role: 'psp', id: 'key_1' },
      requestId: 'req_1',
      idempotency: null,
    },
    captureOf(changes),
  );
  const decided = command.decide(new Book().append(given), {
    atMs: NOON,
    nextSeq: 2,
    idSeed: null,
  });
  return decided.ok ? decided.value.events : decided.error;
}

describe('recording a capture', () => {
  it('writes what was reported', () => {
    expect(report([], {})).toEqual([captured()]);
    expect(report([captured()], { captureId: 'cap-2' })).toEqual([
      captured({ captureId: 'cap-2' }),
    ]);
  });

  it.each([
    ['an unknown merchant', { merchantId: 'other' }, 'not_found', '/merchant_id'],
    ['the same name again', {}, 'conflict', '/capture_id'],
    ['the same name with other data', { amountMinor: 1n }, 'conflict', '/capture_id'],
    ['the same name for another order', { orderId: 'order-2' }, 'conflict', '/capture_id'],
    [
      'another currency than the order has',
      { captureId: 'cap-2', currency: 'USD' },
      'conflict',
      '/amount/currency',
    ],
    [
      'a sum of more than 18 digits',
      { captureId: 'cap-2', amountMinor: AMOUNT_MINOR_MAX - 2_098n },
      'conflict',
      '/amount/amount',
    ],
  ])('refuses %s', (_, changes, code, field) => {
    expect(report([captured()], changes)).toMatchObject({ code, field });
  });

  it('takes the largest sum of 18 digits, and another order in another currency', () => {
    const largest = { captureId: 'cap-2', amountMinor: AMOUNT_MINOR_MAX - 2_099n };
    expect(report([captured()], largest)).toHaveLength(1);
    const other = { captureId: 'cap-2', orderId: 'order-2', currency: 'USD' };
    expect(report([captured()], other)).toHaveLength(1);
  });
});

describe('what the book shows', () => {
  it('an order’s captures and refunds, apart', () => {
    const book = new Book().append([
      captured(),
      captured({ captureId: 'cap-2', amountMinor: 1n }),
      refunded(2_000n),
    ]);
    expect(book.get(orderMoney, ['shop', 'order-1'])).toMatchObject({
      capturedMinor: 2_100n,
      refundedMinor: 2_000n,
      currency: 'INR',
    });
  });

  it('the merchant’s day gross, by the UTC day of the entry; refunds do not reduce it', () => {
    const book = new Book()
      .append([captured(), refunded(2_099n)], MIDNIGHT - 1)
      .append([captured({ captureId: 'cap-2', amountMinor: 5n })], MIDNIGHT);
    const dayOf = (day: string) => book.get(merchantDayMoney, ['shop', 'INR', day])?.confirmedMinor;
    expect(dayOf('2026-11-30')).toBe(2_099n);
    expect(dayOf('2026-12-01')).toBe(5n);
    expect(book.get(merchantDayMoney, ['shop', 'USD', '2026-11-30'])).toBeUndefined();
  });

  it('spending under the passport and each intent once, per currency, only by named decisions', () => {
    const authority = {
      decisionId: 'arbdec_1',
      passportRef: 'pass-1',
      intentRefs: ['int-1', 'int-2', 'int-1'],
      buyerAway: true,
    };
    const book = new Book().append([
      captured({ authority }),
      captured({ captureId: 'cap-2', amountMinor: 1n }),
      captured({ captureId: 'cap-3', orderId: 'order-2', currency: 'USD', authority }),
    ]);
    const spent = (kind: string, ref: string, currency = 'INR') =>
      book.get(authoritySpend, [kind, ref, currency])?.spentMinor;
    expect(spent('passport', 'pass-1')).toBe(2_099n);
    expect(spent('passport', 'pass-1', 'USD')).toBe(2_099n);
    expect(spent('intent', 'int-1')).toBe(2_099n);
    expect(spent('intent', 'int-2')).toBe(2_099n);
    expect(book.get(merchantDayMoney, ['shop', 'INR', '2026-11-30'])).toMatchObject({
      confirmedMinor: 2_100n,
      awayMinor: 2_099n,
    });
  });

  it('never more refunded than captured, never in two currencies: the fold itself refuses', () => {
    expect(() => new Book().append([captured(), refunded(2_100n)])).toThrow('never exceed');
    expect(() => new Book().append([captured(), refunded(1n, 'USD')])).toThrow('never exceed');
    expect(() => new Book().append([refunded(1n)])).toThrow('captured order');
    const twice = [captured(), captured({ captureId: 'cap-2', currency: 'USD' })];
    expect(() => new Book().append(twice)).toThrow('one currency');
  });

  it('whatever order captures come in, the sums are the same', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(amounts, (amountsMinor) => {
        const events = amountsMinor.map((amountMinor, index) =>
          captured({ captureId: `cap-${index}`, amountMinor }),
        );
        const sum = amountsMinor.reduce((left, right) => left + right, 0n);
        for (const order of [events, [...events].reverse()]) {
          const book = new Book().append(order);
          expect(book.get(orderMoney, ['shop', 'order-1'])?.capturedMinor).toBe(sum);
          const day = book.get(merchantDayMoney, ['shop', 'INR', '2026-11-30']);
          expect(day?.confirmedMinor).toBe(sum);
        }
      }),
    );
  });
});
