import type { TenantId } from '../../../src/core/kernel/index.js';
import { testDatabase } from '../../support/database.js';
import { dayOf, type Payment, type PlainMoney, sum } from './plain.js';

/** Sums and states by name; what is nothing is left out. */
export type Books = Readonly<Record<string, string>>;

const KEPT = `
  SELECT 'open ' || merchant_id || ' ' || currency AS name, open_minor::text AS value
    FROM merchant_open_money WHERE tenant_id = $1
  UNION ALL SELECT 'open away ' || merchant_id || ' ' || currency, open_away_minor::text
    FROM merchant_open_money WHERE tenant_id = $1
  UNION ALL SELECT concat_ws(' ', what, merchant_id, currency, day), minor::text
    FROM merchant_day_money, LATERAL (VALUES ('confirmed', confirmed_minor), ('confirmed away', away_minor),
      ('closed', closed_minor), ('closed away', closed_away_minor)) AS parts (what, minor) WHERE tenant_id = $1
  UNION ALL SELECT 'drawn ' || authority_ref || ' ' || currency, (spent_minor + held_minor)::text
    FROM authority_spend WHERE tenant_id = $1
  UNION ALL SELECT concat_ws(' ', what, merchant_id, order_id), minor::text
    FROM order_money, LATERAL (VALUES ('captured', captured_minor), ('refunded', refunded_minor)) AS parts (what, minor)
    WHERE tenant_id = $1
  UNION ALL SELECT concat_ws(' ', what, payment_id), value
    FROM payments, LATERAL (VALUES ('state', state), ('captured', captured_minor::text),
      ('refunded', refunded_minor::text),
      ('differs', CASE WHEN review LIKE '%amount_differs%' THEN 'yes' END),
      ('twice', CASE WHEN review LIKE '%paid_twice%' THEN 'yes' END)) AS parts (what, value)
    WHERE tenant_id = $1 AND value IS NOT NULL
  UNION ALL SELECT 'offered ' || merchant_id || ' ' || order_id, payable_payment_id
    FROM order_payments WHERE tenant_id = $1 AND payable_payment_id IS NOT NULL
  UNION ALL SELECT 'state ' || refund_id, state FROM refunds WHERE tenant_id = $1
  UNION ALL SELECT 'used ' || decision_id, used_at_ms::text FROM allow_uses WHERE tenant_id = $1
  UNION ALL SELECT concat_ws(' ', what, merchant_id, variant_id), pieces::text
    FROM stock, LATERAL (VALUES ('on hand', on_hand), ('held', held)) AS parts (what, pieces) WHERE tenant_id = $1`;

export async function keptBooks(tenantId: TenantId): Promise<Books> {
  const { rows } = await testDatabase().pool.query<{ name: string; value: string }>(KEPT, [
    tenantId,
  ]);
  return booksOf(rows.map(({ name, value }) => [name, value]));
}

const booksOf = (lines: readonly (readonly [string, string])[]): Books =>
  Object.fromEntries(lines.filter(([, value]) => value !== '0'));

/** The same by the model's lists. Links that are over have lapsed by now, so "open" is said by their state. */
export function plainBooks(money: PlainMoney): Books {
  const totals = new Map<string, bigint>();
  const add = (name: string, minor: bigint) => totals.set(name, (totals.get(name) ?? 0n) + minor);
  for (const payment of money.payments.values()) {
    const { bought, issuedAtMs } = payment;
    const place = `${bought.merchant} ${bought.currency}`;
    const isAway = bought.buyer?.isAway === true;
    const part = money.isOffered(payment)
      ? { name: 'open', at: place }
      : { name: 'closed', at: `${place} ${dayName(issuedAtMs)}` };
    if (!money.counts(payment, { atMs: issuedAtMs })) continue;
    add(`${part.name} ${part.at}`, bought.amountMinor);
    if (isAway) add(`${part.name} away ${part.at}`, bought.amountMinor);
  }
  for (const { merchant, order, currency, amountMinor, atMs, isAway } of money.captures) {
    const place = `${merchant} ${currency} ${dayName(atMs)}`;
    add(`confirmed ${place}`, amountMinor);
    if (isAway) add(`confirmed away ${place}`, amountMinor);
    add(`captured ${merchant} ${order}`, amountMinor);
  }
  for (const refund of money.refunds.values())
    if (refund.state !== 'failed' && refund.state !== 'lapsed')
      add(`refunded ${refund.merchant} ${refund.order}`, refund.amountMinor);
  return {
    ...booksOf([...totals].map(([name, minor]) => [name, String(minor)])),
    ...booksOf([...drawnLines(money), ...stockLines(money), ...nameLines(money)]),
  };
}

const dayName = (atMs: number): string =>
  new Date(dayOf(atMs) * 86_400_000).toISOString().slice(0, 10);

function drawnLines(money: PlainMoney): (readonly [string, string])[] {
  const boughts = [...money.allows.values()].flatMap(({ bought }) => bought ?? []);
  const refs = new Set(boughts.flatMap((bought) => money.drawnBy(bought)));
  return [...refs].map((ref) => [`drawn ${ref} INR`, String(money.drawnMinor(ref))]);
}

const stockLines = (money: PlainMoney): (readonly [string, string])[] =>
  [...money.onHand].flatMap(([place, onHand]) => {
    const [merchant = '', variant = ''] = place.split(' ');
    return [
      [`on hand ${place}`, String(onHand)] as const,
      [`held ${place}`, String(money.heldPieces(merchant, variant))] as const,
    ];
  });

function nameLines(money: PlainMoney): (readonly [string, string])[] {
  const payments = [...money.payments.values()].flatMap((payment) => paymentLines(money, payment));
  const refunds = [...money.refunds].map(
    ([decisionId, { state }]) => [`state ${decisionId.replace('arbdec_', 'rfd_')}`, state] as const,
  );
  const uses = [...money.allows].flatMap(([decisionId, { usedAtMs }]) =>
    usedAtMs === null ? [] : [[`used ${decisionId}`, String(usedAtMs)] as const],
  );
  return [...payments, ...refunds, ...uses];
}

function paymentLines(money: PlainMoney, payment: Payment): (readonly [string, string])[] {
  const { paymentId, bought, order } = payment;
  const own = money.captures.filter((one) => one.paymentId === paymentId);
  const capturedMinor = sum(own.map(({ amountMinor }) => amountMinor));
  const ofPayment = (one: { paymentId: string | null }) => one.paymentId === paymentId;
  return [
    [`state ${paymentId}`, money.stateOf(payment)],
    [`captured ${paymentId}`, String(capturedMinor)],
    [`refunded ${paymentId}`, String(money.refundedMinor(ofPayment))],
    ...(own.length > 0 && capturedMinor !== bought.amountMinor
      ? [[`differs ${paymentId}`, 'yes'] as const]
      : []),
    ...(payment.isPaidTwice ? [[`twice ${paymentId}`, 'yes'] as const] : []),
    ...(money.isOffered(payment)
      ? [[`offered ${bought.merchant} ${order}`, paymentId] as const]
      : []),
  ];
}
