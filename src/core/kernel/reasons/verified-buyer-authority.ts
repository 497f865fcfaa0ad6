import { type ReasonEntry, RECOVERABLE, RULE_ERROR } from './entry.js';

const REQUIRED_CONFIG =
  'buyer_authority.mandate_refs, buyer_authority.consent_ref, buyer_authority.passport_ref';

export const VERIFIED_BUYER_AUTHORITY_REASONS = [
  {
    rule: 'verified_buyer_authority',
    code: 'buyer_authority_caller_asserted',
    parameter: null,
    whoFixes: 'agent_fix',
    text: 'Mandate, consent and passport were not all verified here, each by itself and as belonging together; what a request merely claims does not count.',
    fix: 'Register the signed mandate, consent and passport, the passport issued on that very consent, then name them by reference instead of by value.',
    requiredConfig: REQUIRED_CONFIG,
    ucp: RECOVERABLE,
    acp: { code: 'unsupported' },
  },
  { ...RULE_ERROR, rule: 'verified_buyer_authority', requiredConfig: REQUIRED_CONFIG },
] as const satisfies readonly ReasonEntry<'verified_buyer_authority'>[];
