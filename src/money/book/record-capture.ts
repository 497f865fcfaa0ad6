import {
  cell,
  type Command,
  type CommandContext,
  event,
  type RecordedEntry,
} from '../../base/ledger/index.js';
import { merchants, noSuchMerchant } from '../../base/tenants/index.js';
import {
  AMOUNT_MINOR_MAX,
  err,
  invariant,
  ok,
  type Problem,
  problem,
} from '../../core/kernel/index.js';
import { type CaptureRecorded, captureRecorded } from './book.events.js';
import { captures, orderMoney } from './book.projections.js';

/** A recorded capture, as its entry says. */
export interface Capture extends CaptureRecorded {
  readonly confirmedAtMs: number;
}

/**
 * Records captured money. Amounts are positive and at most {@link AMOUNT_MINOR_MAX}; the door has checked that.
 * Problems, in order: not_found `/merchant_id`, conflict `/capture_id` (recorded before under this name), conflict `/amount/currency` (the order
 * was captured in another currency), conflict `/amount/amount` (the order's sum would have more than 18 digits).
 * Not checked: that the order exists elsewhere, or that the amount is what was decided. Money that moved is written down.
 */
export const recordCapture = (
  context: CommandContext,
  capture: CaptureRecorded,
): Command<Capture> => ({
  ...context,
  name: 'capture.record',
  reads: [
    cell(merchants, capture.merchantId),
    cell(captures, capture.merchantId, capture.captureId),
    cell(orderMoney, capture.merchantId, capture.orderId),
  ],
  decide(view) {
    invariant(capture.amountMinor > 0n, 'a capture is positive');
    if (view.get(merchants, [capture.merchantId]) === undefined)
      return err(noSuchMerchant(capture.merchantId, '/merchant_id'));
    if (view.get(captures, [capture.merchantId, capture.captureId]) !== undefined)
      return err(
        conflict('/capture_id', `Capture ${capture.captureId} is recorded already.`, {
          fix: 'Nothing to do if this is a repeat; otherwise report it under its own name.',
        }),
      );
    const order = view.get(orderMoney, [capture.merchantId, capture.orderId]);
    if (order !== undefined && order.currency !== capture.currency)
      return err(
        conflict('/amount/currency', `This order is captured in ${order.currency}.`, {
          fix: `Report captures of this order in ${order.currency}.`,
        }),
      );
    if ((order?.capturedMinor ?? 0n) + capture.amountMinor > AMOUNT_MINOR_MAX)
      return err(
        conflict('/amount/amount', 'The captures of this order would exceed 18 digits.', {
          fix: 'Check the unit: amounts are minor units.',
        }),
      );
    return ok({ events: [event(captureRecorded, capture)] });
  },
  answer: captureOf,
});

function captureOf(entries: readonly RecordedEntry[]): Capture {
  const entry = entries.find((candidate) => candidate.type === captureRecorded.type);
  invariant(entry !== undefined, 'a capture command records a capture');
  return { ...(entry.data as CaptureRecorded), confirmedAtMs: entry.atMs };
}

const conflict = (field: string, detail: string, { fix }: { fix: string }): Problem =>
  problem('conflict', detail, { fix, field });
