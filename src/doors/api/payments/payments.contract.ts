import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { FLOWS } from '../../../money/arbiter/index.js';
import { OWN_PROVIDERS } from '../../../money/payments/index.js';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../../../money/payments/index.js';
import { REFUND_STATES } from '../../../money/book/index.js';
import { cartRequest } from '../decisions/request.schema.js';
import { chosenId, instantOutput, moneyOutput, positiveMoneyInput } from '../wire.js';
import { CONSUME_EXAMPLES } from './examples.js';
import { linkLifeSeconds, paymentId } from './pieces.js';

const consumeRequest = z.strictObject({
  order_id: chosenId,
  provider: z.enum(OWN_PROVIDERS).meta({
    description: 'Who moves the money: the merchant’s own system by itself, or by one of these.',
  }),
  cart: cartRequest
    .optional()
    .meta({ description: 'Of a purchase: the whole cart as it was decided. A refund has none.' }),
  expires_in_seconds: linkLifeSeconds,
  amount: positiveMoneyInput
    .optional()
    .meta({ description: 'Of a refund: the amount that was decided, to be compared.' }),
  payment_id: paymentId
    .optional()
    .meta({ description: 'Of a refund: the captured payment that it is given back from.' }),
});
export type ConsumeBody = z.output<typeof consumeRequest>;

const payment = z.strictObject({
  payment_id: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  state: z.enum(PAYMENT_STATES),
  url: z.string().nullable(),
  expires_at: instantOutput.nullable(),
});

const refund = z.strictObject({
  refund_id: z.string(),
  payment_id: z.string().nullable(),
  state: z.enum(REFUND_STATES),
});

const consumeAnswer = z.strictObject({
  decision_id: z.string(),
  flow: z.enum(FLOWS),
  merchant_id: z.string(),
  order_id: z.string(),
  provider: z.string(),
  amount: moneyOutput,
  used_at: instantOutput,
  payment: payment.nullable(),
  refund: refund.nullable(),
});
export type ConsumeAnswer = z.infer<typeof consumeAnswer>;

export const consumeAllow = route({
  method: 'POST',
  path: '/v1/decisions/{decision_id}/consume',
  summary: 'Use an allow for one payment or refund',
  description:
    'An allow is used one time, within ten minutes, for exactly the cart that was decided. The rules run once more on ' +
    'everything that can be withdrawn or used up meanwhile. A used, expired or other-cart allow is refused with ' +
    'failing_rule allow_use and its own decision_id; a re-check that fails is a decision of its own. The same ' +
    'Idempotency-Key answers the same again.',
  tag: 'payments',
  access: ['merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'required',
  params: z.strictObject({
    decision_id: z.string().regex(/^arbdec_[0-9a-f]{12}$/, 'arbdec_ and 12 hex digits'),
  }),
  body: consumeRequest,
  examples: CONSUME_EXAMPLES,
  success: { status: 200, body: consumeAnswer },
  problems: ['arbiter_refused', 'conflict', 'forbidden', 'not_found'],
});
