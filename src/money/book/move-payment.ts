import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  dataOf,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { err, invariant, ok, type Problem, problem } from '../../core/kernel/index.js';
import { returnStock, stockCells } from '../../trust/facts/index.js';
import { isPayable, type PaymentReport, type PaymentState, stateAfter } from '../payments/index.js';
import {
  PAYMENT_SOURCES,
  paymentMoved,
  type PaymentPart,
  paymentReportIgnored,
} from './payment.events.js';
import { type PaymentRow, payments } from './payment.projections.js';

export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** What of a payment never changes: read without the lock, to name what the command has to look at. */
export type KnownPayment = Pick<PaymentRow, 'paymentId' | 'merchantId' | 'orderId' | 'stockHeld'>;

/** What somebody says of a payment. `url`: where the buyer pays; `detail`: the provider's own words, for people. */
export interface PaymentNews {
  readonly report: PaymentReport;
  readonly source: PaymentSource;
  readonly providerRef?: string | null;
  readonly url?: string | null;
  readonly detail?: string | null;
}

/** `changed` false: the payment was further already and the report was only kept. `state` is the one after it. */
export interface PaymentAnswer {
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly changed: boolean;
}

export const noSuchPayment = (paymentId: string, field?: string): Problem =>
  problem('not_found', `There is no payment ${paymentId} here.`, {
    fix: 'Name the payment as it was answered when its allow was used.',
    ...(field === undefined ? {} : { field }),
  });

/**
 * Records a report about a payment: it moves, or the report is kept without effect (facts/arbiter.md C8). Goods are given
 * back when it stops being payable. Problem: not_found. Not checked: who may say so.
 */
export const movePayment = (
  context: CommandContext,
  known: KnownPayment,
  news: PaymentNews,
): Command<PaymentAnswer> => ({
  ...context,
  name: 'payment.move',
  reads: [cell(payments, known.paymentId), ...stockCells(known.merchantId, known.stockHeld)],
  decide(view) {
    const row = view.get(payments, [known.paymentId]);
    return row === undefined
      ? err(noSuchPayment(known.paymentId))
      : ok({ events: moved(view, row, news) });
  },
  answer(entries) {
    const move = dataOf(entries, paymentMoved);
    if (move !== null) return { paymentId: known.paymentId, state: move.to, changed: true };
    const ignored = dataOf(entries, paymentReportIgnored);
    invariant(ignored !== null, 'a report moves a payment or is kept');
    return { paymentId: known.paymentId, state: ignored.state, changed: false };
  },
});

/**
 * Lets a payment lapse if it is due under the lock; else it does nothing, so that sweeps may meet (decisions 3.16).
 * Answers whether it lapsed.
 */
export const lapsePayment = (context: CommandContext, known: KnownPayment): Command<boolean> => ({
  ...context,
  name: 'payment.lapse',
  reads: [cell(payments, known.paymentId), ...stockCells(known.merchantId, known.stockHeld)],
  decide(view, { atMs }) {
    const row = view.get(payments, [known.paymentId]);
    if (row === undefined || row.dueAtMs === null || row.dueAtMs > atMs) return ok({ events: [] });
    return ok({ events: moved(view, row, { report: 'lapsed', source: 'clock' }) });
  },
  answer: (entries) => entries.length > 0,
});

function moved(view: CellView, row: PaymentRow, news: PaymentNews): readonly LedgerEvent[] {
  const { report, source, providerRef = null, url = null, detail = null } = news;
  const next = stateAfter(row, report);
  // A late `issued` moves nothing, but that the provider made it is worth knowing.
  const to = next ?? (report === 'issued' && !row.wasIssued ? row.state : null);
  if (to === null) {
    const { paymentId, merchantId, state } = row;
    return [event(paymentReportIgnored, { paymentId, merchantId, report, state, source, detail })];
  }
  const stops = isPayable(row.state) && !isPayable(to);
  const move = { report, from: row.state, to, source, providerRef, url, detail };
  return [
    event(paymentMoved, { payment: partOf(row), ...move }),
    ...(stops ? returnStock(view, holdOf(row)) : []),
  ];
}

export const holdOf = ({ merchantId, paymentId, stockHeld: held }: KnownPayment) => ({
  merchantId,
  paymentId,
  held,
});

/** The part of a payment that its events repeat. */
export const partOf = (row: PaymentRow): PaymentPart => ({
  paymentId: row.paymentId,
  decisionId: row.decisionId,
  kind: row.kind,
  merchantId: row.merchantId,
  orderId: row.orderId,
  amountMinor: row.amountMinor,
  currency: row.currency,
  provider: row.provider,
  startedAtMs: row.startedAtMs,
  buyerAway: row.buyerAway,
  passportRef: row.passportRef,
  intentRefs: row.intentRefs,
});
