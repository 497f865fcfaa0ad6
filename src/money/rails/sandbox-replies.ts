import { z } from 'zod';
import { isCurrencyCode, type Money } from '../../core/kernel/index.js';
import type {
  ChargeOutcome,
  IssueOutcome,
  LookUpOutcome,
  RefundLookUpOutcome,
  RefundOutcome,
} from '../payments/index.js';
import type { ProviderReply } from './provider-call.js';

/** What was asked for: an answer that names something else answers nothing. */
export interface Asked {
  readonly reference: string;
  readonly merchantId: string | null;
  readonly money: Money;
}

const DETAIL_LENGTH_MAX = 200;

const text = z.string().min(1).max(200);
const amount = z
  .object({
    amount: z.string().regex(/^[1-9]\d{0,17}$/),
    currency: z.string().refine(isCurrencyCode),
  })
  .transform((money): Money => ({ amountMinor: BigInt(money.amount), currency: money.currency }));

const payment = z.object({
  reference: text,
  provider_ref: text,
  merchant_id: text,
  amount,
  state: z.enum(['open', 'pending', 'expired', 'canceled', 'failed', 'paid']),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .nullable(),
  captures: z.array(z.object({ capture_id: text, amount })).max(20),
});
type Payment = z.output<typeof payment>;

const refund = z.object({
  reference: text,
  provider_ref: text,
  amount,
  state: z.enum(['pending', 'processed', 'failed']),
});

/** How a reply is to be read, before what it says: facts/arbiter.md C9, decisions 8.8. */
type Read<Body> =
  | { readonly kind: 'said'; readonly body: Body }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

/** Statuses of class 4 that do not say no: they may come again with another end. */
const UNDECIDED_STATUSES: readonly number[] = [408, 409, 429];

function readReply<Body>(
  schema: z.ZodType<Body>,
  { status, text: sent }: ProviderReply,
): Read<Body> {
  if (status >= 200 && status < 300) {
    const parsed = schema.safeParse(jsonOf(sent));
    if (parsed.success) return { kind: 'said', body: parsed.data };
    return { kind: 'unknown', detail: `${status} with a body that cannot be read` };
  }
  const refuses = status >= 400 && status < 500 && !UNDECIDED_STATUSES.includes(status);
  const detail = `${status} ${errorOf(sent)}`.trim();
  return refuses ? { kind: 'refused', detail } : { kind: 'unknown', detail };
}

function jsonOf(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return undefined;
  }
}

/** The provider's own word for what went wrong; anything else it sent is not repeated. */
function errorOf(sent: string): string {
  const { error } = z.object({ error: z.string() }).safeParse(jsonOf(sent)).data ?? { error: '' };
  return /^[a-z_]{1,60}$/.test(error) ? error.slice(0, DETAIL_LENGTH_MAX) : '';
}

const isSameMoney = (left: Money, right: Money): boolean =>
  left.amountMinor === right.amountMinor && left.currency === right.currency;

/** Null when the answer is about what was asked, else what differs. */
function differs(
  asked: Asked,
  said: { reference: string; amount: Money; merchant_id?: string },
): string | null {
  if (said.reference !== asked.reference) return 'the answer names another reference';
  if (!isSameMoney(said.amount, asked.money)) return 'the answer names another amount';
  if (asked.merchantId !== null && said.merchant_id !== asked.merchantId)
    return 'the answer names another merchant';
  return null;
}

const unknown = (detail: string): { readonly kind: 'unknown'; readonly detail: string } => ({
  kind: 'unknown',
  detail,
});

export function issueOutcome(reply: ProviderReply, asked: Asked): IssueOutcome {
  const read = readReply(payment, reply);
  if (read.kind === 'refused') return { kind: 'rejected', detail: read.detail };
  if (read.kind === 'unknown') return read;
  const { body } = read;
  const difference = differs(asked, body);
  if (difference !== null) return unknown(difference);
  if (body.url === null) return unknown('the answer has no link');
  return { kind: 'issued', providerRef: body.provider_ref, url: body.url };
}

export function chargeOutcome(reply: ProviderReply, asked: Asked): ChargeOutcome {
  const read = readReply(payment, reply);
  if (read.kind === 'refused') return { kind: 'rejected', detail: read.detail };
  if (read.kind === 'unknown') return read;
  const { body } = read;
  const difference = differs(asked, body);
  if (difference !== null) return unknown(difference);
  const [capture] = body.captures;
  switch (body.state) {
    case 'paid':
      return capture === undefined
        ? unknown('paid without a capture')
        : {
            kind: 'captured',
            providerRef: body.provider_ref,
            captureId: capture.capture_id,
            money: capture.amount,
          };
    case 'pending':
      return { kind: 'accepted', providerRef: body.provider_ref };
    case 'failed':
      return { kind: 'failed', detail: 'declined' };
    case 'open':
    case 'expired':
    case 'canceled':
      return unknown(`a charge that is ${body.state}`);
  }
}

export function refundOutcome(reply: ProviderReply, asked: Asked): RefundOutcome {
  const read = readReply(refund, reply);
  if (read.kind === 'refused') return { kind: 'failed', detail: read.detail };
  if (read.kind === 'unknown') return read;
  const difference = differs(asked, read.body);
  if (difference !== null) return unknown(difference);
  const { state, provider_ref: providerRef } = read.body;
  if (state === 'failed') return { kind: 'failed', detail: 'declined' };
  return { kind: state === 'processed' ? 'done' : 'accepted', providerRef };
}

/** Only the provider's own "I have no such reference" is an absence: a 404 of something in between says nothing. */
const isAbsent = ({ status, text: sent }: ProviderReply): boolean =>
  status === 404 && errorOf(sent) === 'no_such_reference';

const STATES = {
  open: 'open',
  pending: 'open',
  expired: 'lapsed',
  canceled: 'canceled',
  failed: 'failed',
  paid: 'paid',
} as const satisfies Record<Payment['state'], string>;

export function lookUpOutcome(reply: ProviderReply, asked: Asked): LookUpOutcome {
  if (isAbsent(reply)) return { kind: 'absent' };
  const read = readReply(payment, reply);
  if (read.kind !== 'said') return unknown(read.detail);
  const { body } = read;
  const difference = differs(asked, body);
  if (difference !== null) return unknown(difference);
  if ((body.state === 'paid') !== body.captures.length > 0)
    return unknown('the state and the captures of the answer contradict each other');
  return {
    kind: 'found',
    providerRef: body.provider_ref,
    url: body.url,
    state: STATES[body.state],
    captures: body.captures.map(({ capture_id: captureId, amount: money }) => ({
      captureId,
      money,
    })),
  };
}

/** The port names no amount when it asks about a refund; the sandbox compared it when it took the refund. */
export function refundLookUpOutcome(reply: ProviderReply, reference: string): RefundLookUpOutcome {
  if (isAbsent(reply)) return { kind: 'absent' };
  const read = readReply(refund, reply);
  if (read.kind !== 'said') return unknown(read.detail);
  if (read.body.reference !== reference) return unknown('the answer names another reference');
  const { state, provider_ref: providerRef } = read.body;
  const said = state === 'processed' ? 'done' : state === 'pending' ? 'accepted' : 'failed';
  return { kind: 'found', providerRef, state: said };
}
