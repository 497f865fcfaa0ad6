import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { REPORTABLE_PAYMENT_REPORTS, REPORTABLE_REFUND_REPORTS } from './reportable.js';
import { PAYMENT_STATES } from '../../../money/payments/index.js';
import { decisionAnswer } from '../decisions/answer.schema.js';
import { agentPaymentRequest, handoffRequest } from '../decisions/request.schema.js';
import { chosenId, seqPage, signedMoneyInput, visibleText } from '../wire.js';
import { FLOW_EXAMPLES } from './examples.js';
import {
  detail,
  linkLifeSeconds,
  pageUrl,
  paymentId,
  paymentView,
  providerRef,
  refundId,
  refundView,
} from './pieces.js';

/** Payments per page of a search. */
export const PAYMENTS_PAGE_SIZE_MAX = 200;
const PAGE_SIZE_DEFAULT = 50;
const DESCRIPTION_CHARACTERS_MAX = 200;

const provider = z.enum(['sandbox', 'merchant', 'shopify', 'plural']).meta({
  description:
    'sandbox: this service’s own rail of the test world. The others: the merchant’s own system makes it and reports.',
});

const paid = { order_id: chosenId, provider };

export const handOff = route({
  method: 'POST',
  path: '/v1/handoffs',
  summary: 'A payment link for the buyer, if the arbiter allows it',
  description:
    'Decides, uses the allow and starts the link in one transaction, and only then asks the provider. state issuing: the ' +
    'provider has not answered; the link counts and the arbiter finds out. Repeat with the same Idempotency-Key to see the ' +
    'same payment as it stands. A refusal is 403 with the six fields; then no provider was called. An order is offered by ' +
    'one payment at a time, whoever asked for it: until that one ends, another is 409, so a link of an agent holds the ' +
    'place of its order for the life of the link, unless the merchant cancels it.',
  tag: 'payments',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'required',
  body: handoffRequest.omit({ flow: true }).extend({
    ...paid,
    expires_in_seconds: linkLifeSeconds,
    description: visibleText(DESCRIPTION_CHARACTERS_MAX).min(1).optional().meta({
      description: 'Shown on the pay page; no personal data.',
    }),
    return_url: pageUrl.optional().meta({ description: 'Where the pay page leads afterwards.' }),
  }),
  examples: { handoff: FLOW_EXAMPLES.handoff },
  success: {
    status: 201,
    body: z.strictObject({ decision: decisionAnswer, payment: paymentView }),
  },
  problems: ['arbiter_refused', 'conflict', 'forbidden', 'not_found', 'outcome_unknown'],
});

export const charge = route({
  method: 'POST',
  path: '/v1/charges',
  summary: 'Charge on the buyer’s mandates, if the arbiter allows it',
  description:
    'Agent-executed payment: eight rules, then the allow is used, then the provider charges. Off unless the deployment and ' +
    'the merchant both switched it on; off, the answer is 403 agent_executed_payment_disabled and nothing can be charged.',
  tag: 'payments',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'required',
  body: agentPaymentRequest.omit({ flow: true }).extend(paid),
  examples: { charge: FLOW_EXAMPLES.charge },
  success: {
    status: 201,
    body: z.strictObject({ decision: decisionAnswer, payment: paymentView }),
  },
  problems: ['arbiter_refused', 'conflict', 'forbidden', 'not_found', 'outcome_unknown'],
});

export const refund = route({
  method: 'POST',
  path: '/v1/refunds',
  summary: 'Give money back, if the arbiter allows it',
  description:
    'One rule: above zero, in the order’s currency, within what was captured and not yet given back. A refund whose outcome ' +
    'is not known counts as done. Given back by the rail that took the money; otherwise the merchant’s own system refunds ' +
    'and reports. Of one payment: 409 where no single one, or not the named one, has enough left; nothing stays reserved.',
  tag: 'refunds',
  access: ['merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'required',
  body: z.strictObject({
    merchant_id: chosenId,
    order_id: chosenId,
    amount: signedMoneyInput,
    payment_id: paymentId.optional().meta({
      description: 'The captured payment to give back from; left out: the oldest with enough left.',
    }),
  }),
  examples: { refund: FLOW_EXAMPLES.refund },
  success: { status: 201, body: z.strictObject({ decision: decisionAnswer, refund: refundView }) },
  problems: ['arbiter_refused', 'conflict', 'forbidden', 'not_found', 'outcome_unknown'],
});

export const readPayment = route({
  method: 'GET',
  path: '/v1/payments/{payment_id}',
  summary: 'One payment',
  description:
    'An agent sees the payments of its own decisions. url is shown to those who may start or cancel payments; it is null ' +
    'for auditor and psp.',
  tag: 'payments',
  access: ['agent', 'merchant_system', 'operator', 'tenant_admin', 'auditor', 'psp'],
  idempotency: 'none',
  params: z.strictObject({ payment_id: paymentId }),
  success: { status: 200, body: paymentView },
  problems: ['not_found'],
});

export const searchPayments = route({
  method: 'GET',
  path: '/v1/payments',
  summary: 'Search payments, newest first',
  description: 'url is null for an auditor: whoever has it may pay.',
  tag: 'payments',
  access: ['merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  query: z.strictObject({
    merchant_id: chosenId.optional(),
    order_id: chosenId.optional(),
    state: z.enum(PAYMENT_STATES).optional(),
    review: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'true: only those that a person has to look at.' }),
    ...seqPage({ sizeMax: PAYMENTS_PAGE_SIZE_MAX, sizeDefault: PAGE_SIZE_DEFAULT }),
  }),
  success: {
    status: 200,
    body: z.strictObject({ items: z.array(paymentView), next_cursor: z.string().nullable() }),
  },
  problems: [],
});

export const reportPayment = route({
  method: 'POST',
  path: '/v1/payments/{payment_id}/reports',
  summary: 'Report what became of a payment',
  description:
    'For payments that the merchant’s own system or its provider makes; of a rail of this service: 409, whoever reports, ' +
    'because the rail reports them itself. Reports may come late, twice and in any order: a ' +
    'payment only moves forward. Captured money is reported at /v1/captures. A failed report releases the amount, except ' +
    'of a Shopify link: it counts its whole issue day.',
  tag: 'payments',
  access: ['merchant_system', 'psp'],
  idempotency: 'required',
  params: z.strictObject({ payment_id: paymentId }),
  body: z.strictObject({
    report: z.enum(REPORTABLE_PAYMENT_REPORTS),
    provider_ref: providerRef.optional(),
    url: pageUrl.optional(),
    detail: detail.optional(),
  }),
  examples: { issued: FLOW_EXAMPLES.issued },
  success: { status: 200, body: paymentView },
  problems: ['conflict', 'not_found'],
});

export const cancelPayment = route({
  method: 'POST',
  path: '/v1/payments/{payment_id}/cancel',
  summary: 'Stop offering a payment link',
  description:
    'Asks the provider where there is one. A canceled link may still be paid, so it counts on its issue day; money that ' +
    'comes after it is kept and marked for review. A charge is offered to nobody: 409.',
  tag: 'payments',
  access: ['merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'required',
  params: z.strictObject({ payment_id: paymentId }),
  success: { status: 200, body: paymentView },
  problems: ['conflict', 'not_found'],
});

export const readRefund = route({
  method: 'GET',
  path: '/v1/refunds/{refund_id}',
  summary: 'One refund',
  tag: 'refunds',
  access: ['merchant_system', 'operator', 'tenant_admin', 'auditor', 'psp'],
  idempotency: 'none',
  params: z.strictObject({ refund_id: refundId }),
  success: { status: 200, body: refundView },
  problems: ['not_found'],
});

export const reportRefund = route({
  method: 'POST',
  path: '/v1/refunds/{refund_id}/reports',
  summary: 'Report what became of a refund',
  description:
    'failed gives the amount back to what may still be refunded. Of a refund by a rail of this service: 409, whoever reports.',
  tag: 'refunds',
  access: ['merchant_system', 'psp'],
  idempotency: 'required',
  params: z.strictObject({ refund_id: refundId }),
  body: z.strictObject({
    report: z.enum(REPORTABLE_REFUND_REPORTS),
    provider_ref: providerRef.optional(),
    detail: detail.optional(),
  }),
  examples: { done: { report: 'done' } },
  success: { status: 200, body: refundView },
  problems: ['conflict', 'not_found'],
});
