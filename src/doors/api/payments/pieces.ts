import { z } from 'zod';
import { OUTBOUND_URL_CHARACTERS_MAX, pageUrlOf } from '../../../base/platform/index.js';
import { LINK_LIFE_MS_DEFAULT, LINK_LIFE_MS_MAX } from '../../../money/arbiter/index.js';
import { PAYMENT_REVIEWS, REFUND_STATES } from '../../../money/book/index.js';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../../../money/payments/index.js';
import { instantOutput, moneyOutput, visibleText } from '../wire.js';

export const LINK_LIFE_SECONDS_MIN = 60;
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

/** An address a person may be sent to, read into its canonical form: https, or http to this machine. */
export const pageUrl = z
  .string()
  .max(OUTBOUND_URL_CHARACTERS_MAX)
  .transform((text, context) => {
    const url = pageUrlOf(text);
    if (url !== null) return url;
    const message = 'An https:// address (http:// only for localhost), without a user name.';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const providerRef = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'Visible ASCII characters.')
  .max(PROVIDER_REF_CHARACTERS_MAX)
  .meta({ description: 'The provider’s own name of it.' });

export const detail = visibleText(DETAIL_CHARACTERS_MAX).meta({
  description: 'For people, one line; kept in the ledger for ever: no personal data.',
});

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
  url: z.string().nullable().meta({
    description:
      'Where the buyer pays: whoever has it may pay, so it is null for auditor and psp, and where there is none.',
  }),
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
