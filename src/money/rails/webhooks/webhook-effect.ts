import {
  type CellView,
  type Command,
  type CommandContext,
  type LedgerEvent,
} from '../../../base/ledger/index.js';
import type { Money } from '../../../core/kernel/index.js';
import {
  captureRecorded,
  captures,
  movePayment,
  moveRefund,
  paymentMoved,
  type PaymentRow,
  recordCapture,
  refundMoved,
  type RefundRow,
} from '../../book/index.js';
import type { PaymentReport } from '../../payments/index.js';
import type { WebhookMessage } from './read-message.js';
import type { WebhookOutcome } from './webhook-events.js';

/** What a message is about, as it stood outside the lock: what of it matters here never changes. */
export type Subject =
  | { readonly kind: 'payment'; readonly row: PaymentRow }
  | { readonly kind: 'refund'; readonly row: RefundRow }
  | { readonly kind: 'none' };

/** Changes nothing, for a reason. */
export interface NoEffect {
  readonly outcome: WebhookOutcome;
  readonly detail: string;
}

/** The change of the book that a message asks for, or why it asks for none. */
export type Effect = { readonly command: Command<unknown> } | NoEffect;

const REPORTS: Readonly<Partial<Record<WebhookMessage['type'], PaymentReport>>> = {
  'link.failed': 'failed',
  'link.canceled': 'canceled',
  // Only what the provider said failed gives its amount back to the day (facts/arbiter.md C6).
  'link.expired': 'lapsed',
  'charge.failed': 'failed',
};

export const isAboutRefund = ({ type }: WebhookMessage): boolean => type.startsWith('refund.');

/**
 * What a message comes to. Reference, provider, kind, amount and currency are compared with what was agreed before
 * anything moves: a signature says who speaks, not that it is right (facts/arbiter.md 4.11).
 */
export function effectOf(
  context: CommandContext,
  message: WebhookMessage,
  { subject, provider }: { readonly subject: Subject; readonly provider: string },
): Effect {
  if (subject.kind === 'none')
    return { outcome: 'unknown_reference', detail: 'There is nothing with this reference here.' };
  const { row } = subject;
  if (row.provider !== provider)
    return { outcome: 'provider_differs', detail: 'It is not a matter of this provider.' };
  const isKind = subject.kind === 'refund' || message.type.startsWith(`${subject.row.kind}.`);
  const isKnownAs = row.providerRef === null || row.providerRef === message.providerRef;
  if (!isKind || !isKnownAs)
    return { outcome: 'provider_differs', detail: 'The provider knows this reference as another.' };
  if (message.money.currency !== row.currency)
    return { outcome: 'currency_differs', detail: differs(message.money, row) };
  if (message.money.amountMinor !== row.amountMinor)
    return { outcome: 'amount_differs', detail: differs(message.money, row) };
  return subject.kind === 'refund'
    ? { command: refundCommand(context, message, subject.row) }
    : { command: paymentCommand(context, message, subject.row) };
}

const differs = (
  said: Money,
  { amountMinor, currency }: { readonly amountMinor: bigint; readonly currency: string },
): string => `It says ${said.amountMinor} ${said.currency}, agreed was ${amountMinor} ${currency}.`;

function refundCommand(
  context: CommandContext,
  { type, providerRef }: WebhookMessage,
  row: RefundRow,
): Command<unknown> {
  const report = type === 'refund.processed' ? 'done' : 'failed';
  return moveRefund(context, row, { report, source: 'webhook', providerRef, detail: type });
}

function paymentCommand(
  context: CommandContext,
  { type, providerRef, captureId, money }: WebhookMessage,
  row: PaymentRow,
): Command<unknown> {
  const report = REPORTS[type];
  if (report !== undefined)
    return movePayment(context, row, { report, source: 'webhook', providerRef, detail: type });
  const { merchantId, orderId } = row;
  const capture = { captureId: captureId ?? '', merchantId, orderId, authority: null, ...money };
  return recordCapture(context, capture, row);
}

/** The events that mean that something moved; others only keep what was said. */
const MOVES: readonly string[] = [captureRecorded.type, paymentMoved.type, refundMoved.type];

export const outcomeOf = (events: readonly LedgerEvent[]): 'applied' | 'nothing_new' =>
  events.some(({ eventType }) => MOVES.includes(eventType.type)) ? 'applied' : 'nothing_new';

/** Whether a capture that the book refuses is the one it has: answer, webhook and question tell of the same money. */
export function isKnownCapture(view: CellView, message: WebhookMessage, subject: Subject): boolean {
  if (message.captureId === null || subject.kind !== 'payment') return false;
  const known = view.get(captures, [subject.row.merchantId, message.captureId]);
  return (
    known !== undefined &&
    known.orderId === subject.row.orderId &&
    known.amountMinor === message.money.amountMinor &&
    known.currency === message.money.currency
  );
}
