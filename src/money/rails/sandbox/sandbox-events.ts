import { v7 as uuidv7 } from 'uuid';
import { formatInstant, type InstantMs } from '../../../core/kernel/index.js';
import { COPIES, type Behaviour } from './behaviour.js';
import type { SandboxRefund } from './sandbox-refunds.store.js';
import type { NewEvent, SandboxPayment } from './sandbox.store.js';

/** Everything the sandbox tells of by webhook. */
export const SANDBOX_EVENT_TYPES = [
  'link.paid',
  'link.failed',
  'link.canceled',
  'link.expired',
  'charge.captured',
  'charge.failed',
  'refund.processed',
  'refund.failed',
] as const;
export type SandboxEventType = (typeof SANDBOX_EVENT_TYPES)[number];

interface Telling {
  readonly webhooks: Behaviour['webhooks'];
  /** Real time. */
  readonly atMs: InstantMs;
}

const newId = (prefix: string): string => `${prefix}_${uuidv7().replaceAll('-', '')}`;

/** Name of something in the sandbox's books. */
export const newProviderRef = (): string => newId('sbx');
export const newCaptureId = (): string => newId('sbxcap');

/** What tells of a payment; `captureId` only where money was taken. */
export const paymentEvent = (
  type: SandboxEventType,
  payment: SandboxPayment,
  { captureId, ...telling }: Telling & { readonly captureId: string | null },
): NewEvent =>
  eventOf(type, telling, {
    merchant_reference: payment.reference,
    provider_ref: payment.providerRef,
    capture_id: captureId,
    amount: { amount: payment.money.amountMinor.toString(), currency: payment.money.currency },
  });

export const refundEvent = (
  type: 'refund.processed' | 'refund.failed',
  refund: SandboxRefund,
  telling: Telling,
): NewEvent =>
  eventOf(type, telling, {
    merchant_reference: refund.reference,
    provider_ref: refund.providerRef,
    capture_id: null,
    amount: { amount: refund.money.amountMinor.toString(), currency: refund.money.currency },
  });

function eventOf(type: SandboxEventType, { webhooks, atMs }: Telling, data: object): NewEvent {
  const eventId = newId('evt');
  const body = JSON.stringify({ id: eventId, type, created_at: formatInstant(atMs), data });
  return { eventId, type, body, copies: COPIES[webhooks] };
}
