import { type Command, type CommandContext, type LedgerEvent } from '../../../base/ledger/index.js';
import type { Money } from '../../../core/kernel/index.js';
import {
  captureAttached,
  captureRecorded,
  movePayment,
  moveRefund,
  paymentFlagged,
  type PaymentFlagged,
  paymentMoved,
  type PaymentRow,
  refundMoved,
  type RefundRow,
  refusedCapture,
  signedCapture,
} from '../../book/index.js';
import type { PaymentReport } from '../../payments/index.js';
import type { WebhookMessage } from './read-message.js';
import type { WebhookOutcome } from './webhook-events.js';

/** What a message is about, as it stood outside the lock: what of it matters here never changes. */
export type Subject =
  | { readonly kind: 'payment'; readonly row: PaymentRow }
  | { readonly kind: 'refund'; readonly row: RefundRow }
  | { readonly kind: 'none' };

/** Moves nothing, for a reason. `events`: captured money that is told otherwise than agreed marks its payment. */
export interface NoEffect {
  readonly outcome: WebhookOutcome;
  readonly detail: string;
  readonly events?: readonly LedgerEvent[];
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
    return differing('currency_differs', message, subject);
  if (message.money.amountMinor !== row.amountMinor)
    return differing('amount_differs', message, subject);
  return subject.kind === 'refund'
    ? { command: refundCommand(context, message, subject.row) }
    : { command: paymentCommand(context, message, subject.row) };
}

function differing(
  outcome: WebhookOutcome,
  { captureId, money }: WebhookMessage,
  subject: Exclude<Subject, { kind: 'none' }>,
): NoEffect {
  const detail = differs(money, subject.row);
  const isMoney = subject.kind === 'payment' && captureId !== null;
  if (!isMoney) return { outcome, detail };
  const why = { review: 'amount_differs', detail } as const;
  return { outcome, detail, events: [refusedCapture(subject.row, { captureId, money }, why)] };
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
  return signedCapture(context, row, { captureId: captureId ?? '', money });
}

/** The events that mean that something moved; others only keep what was said. */
const MOVES: readonly string[] = [
  captureAttached.type,
  captureRecorded.type,
  paymentMoved.type,
  refundMoved.type,
];

/** What the events of an effect come to. */
export function outcomeOf(events: readonly LedgerEvent[]): {
  readonly outcome: WebhookOutcome;
  readonly detail: string | null;
} {
  const flagged = events.find(({ eventType }) => eventType.type === paymentFlagged.type);
  if (flagged !== undefined)
    return { outcome: 'refused', detail: (flagged.data as PaymentFlagged).detail };
  const moves = events.some(({ eventType }) => MOVES.includes(eventType.type));
  return { outcome: moves ? 'applied' : 'nothing_new', detail: null };
}
