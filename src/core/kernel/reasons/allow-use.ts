import { type ReasonEntry, RECOVERABLE } from './entry.js';

const ALLOW = {
  rule: 'allow_use',
  parameter: null,
  ucp: RECOVERABLE,
} as const;

/**
 * INVARIANT: a used allow is told to be used, whatever else is wrong with it: money may have moved, so the caller has to
 * look for the payment before anything is asked for again.
 */
export const ALLOW_USE_REASONS = [
  {
    ...ALLOW,
    code: 'allow_already_used',
    whoFixes: 'never',
    text: 'The allow was used before, and an allow can be used one time.',
    fix: 'Look for the payment or refund that it was used for; ask for a new decision only if a second one is meant.',
    requiredConfig: 'allow.decision_id',
    acp: { code: 'conflict' },
  },
  {
    ...ALLOW,
    code: 'allow_expired',
    whoFixes: 'retry',
    text: 'The allow has expired: it can be used for ten minutes after its decision.',
    fix: 'Ask for a new decision and use its allow within ten minutes.',
    requiredConfig: 'allow.expires_at',
    acp: { code: 'expired' },
  },
  {
    ...ALLOW,
    code: 'allow_cart_mismatch',
    whoFixes: 'agent_fix',
    text: 'The allow was given for another cart, or for another order or amount to refund, than the one it is used for.',
    fix: 'Send exactly what was decided, or ask for a new decision about what is to be paid now.',
    requiredConfig: 'allow.cart_hash',
    acp: { code: 'conflict' },
  },
  {
    ...ALLOW,
    code: 'grantex_countersignature_missing',
    whoFixes: 'merchant_fix',
    text: 'The rules allow this, but the live world also needs a countersignature of Grantex, and this allow has none.',
    fix: 'Ask for a new decision, with the countersignature: it cannot be attached to this one later.',
    requiredConfig: 'allow.countersignature',
    acp: { code: 'conflict' },
  },
  {
    ...ALLOW,
    code: 'grantex_countersignature_invalid',
    whoFixes: 'merchant_fix',
    text: 'The countersignature of this allow does not count any more: it has ended, or its key is no longer trusted.',
    fix: 'Ask for a new decision; its countersignature is made afresh.',
    requiredConfig: 'allow.countersignature, issuer_keys',
    acp: { code: 'conflict' },
  },
] as const satisfies readonly ReasonEntry<'allow_use'>[];
