import { DECISION_EXAMPLES } from '../decisions/examples.js';

/** Bodies to start from in the docs page: the allow of the decision's own example is used with them. */
export const CONSUME_EXAMPLES = {
  purchase: {
    order_id: 'order-1',
    provider: 'merchant',
    cart: DECISION_EXAMPLES.handoff.cart,
  },
  refund: { order_id: 'order-1', provider: 'merchant' },
} as const;

const { merchant_id, cart } = DECISION_EXAMPLES.handoff;
const { buyer_authority } = DECISION_EXAMPLES.agent_payment;

/** Bodies of the routes that decide and move money in one request. */
export const FLOW_EXAMPLES = {
  handoff: { merchant_id, cart, order_id: 'order-2', provider: 'sandbox' },
  charge: { merchant_id, cart, buyer_authority, order_id: 'order-3', provider: 'sandbox' },
  refund: {
    merchant_id,
    order_id: 'order-1',
    amount: { amount: '100', currency: cart.currency },
  },
  issued: { report: 'issued', provider_ref: 'plink_1', url: 'https://shop.example/pay/1' },
} as const;
