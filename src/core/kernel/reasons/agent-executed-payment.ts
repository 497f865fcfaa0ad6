import { type ReasonEntry, RECOVERABLE } from './entry.js';

export const AGENT_EXECUTED_PAYMENT_REASONS = [
  {
    rule: 'agent_executed_payment',
    code: 'agent_executed_payment_disabled',
    parameter: null,
    whoFixes: 'merchant_fix',
    text: 'Payment by the agent itself is switched off here, so nothing is charged on the buyer’s mandates.',
    fix: 'Complete the checkout with a payment link, or ask the operator to switch agent-executed payment on for the environment and for this merchant and then ask for a new decision.',
    requiredConfig: 'AGENT_EXECUTED_PAYMENT_ENABLED, merchant.agent_executed_payment_enabled',
    ucp: RECOVERABLE,
    acp: { code: 'unsupported' },
  },
] as const satisfies readonly ReasonEntry<'agent_executed_payment'>[];
