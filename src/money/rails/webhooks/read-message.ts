import { z } from 'zod';
import { isCurrencyCode, type Money } from '../../../core/kernel/index.js';
import { SANDBOX_EVENT_TYPES, type SandboxEventType } from '../sandbox/sandbox-events.js';

/** What one signed message says, in the provider's words. */
export interface WebhookMessage {
  readonly eventId: string;
  readonly type: SandboxEventType;
  readonly reference: string;
  readonly providerRef: string;
  readonly captureId: string | null;
  readonly money: Money;
}

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/);

const message = z
  .object({
    id: name,
    type: z.enum(SANDBOX_EVENT_TYPES),
    created_at: z.string().max(40),
    data: z.object({
      merchant_reference: name,
      provider_ref: name,
      capture_id: name.nullable(),
      amount: z.object({
        amount: z.string().regex(/^[1-9]\d{0,17}$/),
        currency: z.string().refine(isCurrencyCode),
      }),
    }),
  })
  .refine(
    ({ type, data }) =>
      (type === 'link.paid' || type === 'charge.captured') === (data.capture_id !== null),
    {
      path: ['data', 'capture_id'],
      error: 'Stands in messages of captured money, and in no other.',
    },
  );

/** Null, with the place of the first fault, when the bytes are not of the form the provider promises. */
export function readMessage(
  text: string,
):
  | { readonly ok: true; readonly value: WebhookMessage }
  | { readonly ok: false; readonly field: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { ok: false, field: '' };
  }
  const parsed = message.safeParse(body);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path ?? [];
    return { ok: false, field: path.map((part) => `/${String(part)}`).join('') };
  }
  const { id, type, data } = parsed.data;
  return {
    ok: true,
    value: {
      eventId: id,
      type,
      reference: data.merchant_reference,
      providerRef: data.provider_ref,
      captureId: data.capture_id,
      money: { amountMinor: BigInt(data.amount.amount), currency: data.amount.currency },
    },
  };
}
