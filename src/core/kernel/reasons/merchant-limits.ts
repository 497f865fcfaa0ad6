import { ofRule, RECOVERABLE, RULE_ERROR, type SharedReason } from './entry.js';

const LIMIT = { parameter: null, ucp: RECOVERABLE } as const;

/** Both rules on the merchant's limits name the same reasons, because they share one judgement. */
const LIMITS_REASONS = [
  {
    ...LIMIT,
    code: 'merchant_limits_missing',
    whoFixes: 'merchant_fix',
    text: 'The merchant has set no limits, so nothing may be sold to agents.',
    fix: 'Let the merchant set its limits.',
    requiredConfig: 'merchant_limits',
    acp: { code: 'unsupported' },
  },
  {
    ...LIMIT,
    code: 'order_currency_not_allowed',
    whoFixes: 'agent_fix',
    text: 'The merchant takes no orders in this currency.',
    fix: 'Order in a currency for which the merchant has set limits.',
    requiredConfig: 'cart.currency, merchant_limits.currencies',
    acp: { code: 'unsupported' },
  },
  {
    ...LIMIT,
    code: 'order_amount_cap_exceeded',
    whoFixes: 'agent_fix',
    text: 'The order is above the merchant’s maximum for one order.',
    fix: 'Order for less, or ask the merchant to raise the maximum.',
    requiredConfig: 'cart.total, merchant_limits.order_max',
    acp: { code: 'maximum_exceeded' },
  },
  {
    ...LIMIT,
    code: 'order_items_cap_exceeded',
    whoFixes: 'agent_fix',
    text: 'The order has more pieces than the merchant permits in one order.',
    fix: 'Order fewer pieces, or ask the merchant to raise the maximum.',
    requiredConfig: 'cart.lines, merchant_limits.items_max',
    acp: { code: 'quantity_exceeded' },
  },
  {
    ...LIMIT,
    code: 'daily_amount_cap_exceeded',
    whoFixes: 'retry',
    text: 'With this order the merchant would pass its maximum for one day in this currency.',
    fix: 'Order for less, ask again on the next UTC day, or ask the merchant to raise the maximum.',
    requiredConfig: 'cart.total, merchant_limits.daily_max',
    acp: { code: 'maximum_exceeded' },
  },
  { ...RULE_ERROR, requiredConfig: 'cart, merchant_limits' },
] as const satisfies readonly SharedReason[];

export const MERCHANT_LIMITS_REASONS = ofRule('merchant_limits', LIMITS_REASONS);
export const HANDOFF_MERCHANT_LIMITS_REASONS = ofRule('handoff_merchant_limits', LIMITS_REASONS);
