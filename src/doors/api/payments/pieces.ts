import { z } from 'zod';
import { LINK_LIFE_MS_DEFAULT, LINK_LIFE_MS_MAX } from '../../../money/arbiter/index.js';
import { PAYMENT_REVIEWS, REFUND_STATES } from '../../../money/book/index.js';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../../../money/payments/index.js';
import { instantOutput, moneyOutput } from '../wire.js';

export const LINK_LIFE_SECONDS_MIN = 60;
/** Longest address of a page, in characters. */
export const URL_CHARACTERS_MAX = 2_048;
const DETAIL_CHARACTERS_MAX = 500;
const PROVIDER_REF_CHARACTERS_MAX = 256;

export const paymentId = z.string().regex(/^pay_[0-9a-f]{12}$/, 'pay_ and 12 hex digits');
export const refundId = z.string().regex(/^rfd_[0-9a-f]{12}$/, 'rfd_ and 12 hex digits');

export const linkLifeSeconds = z
  .int()
  .min(LINK_LIFE_SECONDS_MIN)
  .max(LINK_LIFE_MS_MAX / 1_000)
  .optional()
  .meta({
    description: `Of a link: how long it can be paid, ${LINK_LIFE_MS_DEFAULT / 1_000} when left out.`,
  });

/** An address a person may be sent to: https, or http to this machine. */
export const pageUrl = z
  .string()
  .max(URL_CHARACTERS_MAX)
  .refine(isPageUrl, 'An https address (http only for localhost), without a user name.');

function isPageUrl(text: string): boolean {
  // A browser leaves out what it cannot show, so nothing may stand there that reads differently afterwards.
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
}

export const providerRef = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'Visible ASCII characters.')
  .max(PROVIDER_REF_CHARACTERS_MAX)
  .meta({ description: 'The provider’s own name of it.' });

export const detail = z
  .string()
  .max(DETAIL_CHARACTERS_MAX)
  .meta({ description: 'For people; kept in the ledger for ever: no personal data.' });

export const paymentView = z.strictObject({
  payment_id: z.string(),
  decision_id: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  merchant_id: z.string(),
  order_id: z.string(),
  provider: z.string(),
  state: z.enum(PAYMENT_STATES),
  amount: moneyOutput,
  captured: moneyOutput,
  refunded: moneyOutput,
  url: z.string().nullable(),
  provider_ref: z.string().nullable(),
  started_at: instantOutput,
  expires_at: instantOutput.nullable(),
  review: z.array(z.enum(PAYMENT_REVIEWS)).meta({
    description: 'Why a person has to look at it; empty = no reason.',
  }),
});
export type PaymentView = z.infer<typeof paymentView>;

export const refundView = z.strictObject({
  refund_id: z.string(),
  decision_id: z.string(),
  merchant_id: z.string(),
  order_id: z.string(),
  payment_id: z.string().nullable(),
  provider: z.string().nullable(),
  state: z.enum(REFUND_STATES),
  amount: moneyOutput,
  provider_ref: z.string().nullable(),
});
export type RefundView = z.infer<typeof refundView>;
