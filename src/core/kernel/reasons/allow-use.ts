import { type ReasonEntry, RECOVERABLE } from './entry.js';

export const ALLOW_USE_REASONS = [
  {
    rule: 'allow_use',
    code: 'grantex_countersignature_missing',
    parameter: null,
    whoFixes: 'merchant_fix',
    text: 'The rules allow this, but the live world also needs a countersignature of Grantex, and this allow has none.',
    fix: 'Ask for a new decision, with the countersignature: it cannot be attached to this one later.',
    requiredConfig: 'allow.countersignature',
    ucp: RECOVERABLE,
    acp: { code: 'conflict' },
  },
] as const satisfies readonly ReasonEntry<'allow_use'>[];
