import { type ReasonEntry, RECOVERABLE, RULE_ERROR } from './entry.js';

const REFUND = {
  rule: 'refund_within_captured',
  parameter: null,
  ucp: RECOVERABLE,
} as const;

export const REFUND_WITHIN_CAPTURED_REASONS = [
  {
    ...REFUND,
    code: 'refund_amount_not_positive',
    whoFixes: 'agent_fix',
    text: 'The refund asked for is zero or negative.',
    fix: 'Ask for a refund of at least one minor unit.',
    requiredConfig: 'refund.amount',
    acp: { code: 'invalid' },
  },
  {
    ...REFUND,
    code: 'refund_currency_mismatch',
    whoFixes: 'agent_fix',
    text: 'The refund is in another currency than the order.',
    fix: 'Ask for the refund in the currency of the order.',
    requiredConfig: 'refund.currency',
    acp: { code: 'unsupported' },
  },
  {
    ...REFUND,
    code: 'refund_exceeds_captured',
    whoFixes: 'agent_fix',
    text: 'The refund, together with the refunds already made or under way, is more than was captured for the order.',
    fix: 'Ask for no more than what is left of the captured amount; an order without a capture has nothing to refund.',
    requiredConfig: 'refund.amount, order.captured',
    acp: { code: 'maximum_exceeded' },
  },
  { ...RULE_ERROR, rule: 'refund_within_captured', requiredConfig: 'refund, order.captured' },
] as const satisfies readonly ReasonEntry<'refund_within_captured'>[];
