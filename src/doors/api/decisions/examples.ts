import type { z } from 'zod';
import type { captureRequest, decisionRequest } from './request.schema.js';

/** Bodies to start from in the docs page. Against the demo tenant they are answered as they stand. */

const inr = (amount: string) => ({ amount, currency: 'INR' });

const purchase = {
  merchant_id: 'chai-house',
  cart: {
    currency: 'INR',
    lines: [
      {
        product_id: 'masala-chai',
        variant_id: 'masala-chai-250g',
        quantity: 2,
        unit_price: inr('45900'),
      },
    ],
    total: inr('91800'),
  },
};

/** A refund needs an Idempotency-Key when it is decided, and a capture of its order before it. */
export const DECISION_EXAMPLES = {
  handoff: { flow: 'handoff', ...purchase },
  agent_payment: {
    flow: 'agent_payment',
    ...purchase,
    buyer_authority: {
      mandate_refs: ['demo-intent', 'demo-payment'],
      consent_ref: 'demo-consent',
      passport_ref: 'demo-passport',
    },
  },
  refund: {
    flow: 'refund',
    merchant_id: 'chai-house',
    order_id: 'order-1',
    amount: inr('45900'),
  },
} satisfies Readonly<Record<string, z.input<typeof decisionRequest>>>;

export const CAPTURE_EXAMPLES = {
  capture: {
    capture_id: 'pay-1',
    merchant_id: 'chai-house',
    order_id: 'order-1',
    amount: inr('91800'),
  },
} satisfies Readonly<Record<string, z.input<typeof captureRequest>>>;
