import {
  cell,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { err, type Money, ok } from '../../core/kernel/index.js';
import { captureAttached, captureRecorded } from './book.events.js';
import { captures } from './book.projections.js';
import { noSuchPayment, partOf } from './move-payment.js';
import { paymentFlagged, type PaymentFlagged } from './payment.events.js';
import { type PaymentRow, payments } from './payment.projections.js';
import { isSameMoney, recordCapture } from './record-capture.js';

/** Money that a payment's own provider says it captured for it: signed by it, answered by it, or found by asking it. */
export interface SignedCapture {
  readonly captureId: string;
  readonly money: Money;
}

/**
 * `recorded`: the payment is paid by it. `known`: it was already. `refused`: it contradicts what is written here, is in no
 * sum, and the payment is marked for a person to look at.
 */
export type SignedCaptureEnd = 'recorded' | 'known' | 'refused';

/**
 * Takes what the provider of a payment says of its money, so that nothing it says is lost: what {@link recordCapture}
 * refuses for good marks the payment instead. Problem: not_found. Not checked: who says so, and that the amount is the
 * payment's: another amount is recorded and marked.
 */
export function signedCapture(
  context: CommandContext,
  known: PaymentRow,
  said: SignedCapture,
): Command<SignedCaptureEnd> {
  const { paymentId, merchantId, orderId } = known;
  const { captureId, money } = said;
  const capture = { captureId, merchantId, orderId, ...money, authority: null };
  const recording = recordCapture(context, capture, known);
  return {
    ...context,
    name: 'capture.sign',
    reads: [...recording.reads, cell(payments, paymentId)],
    decide(view, moment) {
      const row = view.get(payments, [paymentId]);
      if (row === undefined) return err(noSuchPayment(paymentId));
      const before = view.get(captures, [merchantId, captureId]);
      if (before?.paymentId === paymentId && isSameMoney(before, capture))
        return ok({ events: [] });
      const recorded = recording.decide(view, moment);
      if (recorded.ok || recorded.error.code === 'unavailable') return recorded;
      const why = { review: 'capture_refused', detail: recorded.error.detail } as const;
      return ok({ events: [refusedCapture(row, said, why)] });
    },
    answer(entries) {
      if (entries.some(({ type }) => type === paymentFlagged.type)) return 'refused';
      return entries.some(({ type }) => RECORDS.includes(type)) ? 'recorded' : 'known';
    },
  };
}

const RECORDS: readonly string[] = [captureRecorded.type, captureAttached.type];

/** The entry of captured money that is not taken as its provider tells it. */
export const refusedCapture = (
  row: PaymentRow,
  { captureId, money }: SignedCapture,
  { review, detail }: Pick<PaymentFlagged, 'review' | 'detail'>,
): LedgerEvent =>
  event(paymentFlagged, {
    payment: partOf(row),
    review,
    captureId,
    amountMinor: money.amountMinor,
    currency: money.currency,
    detail,
  });
