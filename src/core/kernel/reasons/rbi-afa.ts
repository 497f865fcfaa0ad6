import { type ReasonEntry, RECOVERABLE, RULE_ERROR } from './entry.js';

const AFA = {
  rule: 'rbi_afa',
  parameter: null,
  ucp: RECOVERABLE,
  acp: { code: 'intervention_required' },
} as const;

/** What the buyer can heal by authenticating anew on a page of the bank. */
const BUYER_INPUT = { severity: 'recoverable', stepUp: 'requires_buyer_input' } as const;

const EVIDENCE = { ...AFA, whoFixes: 'buyer_review', requiredConfig: 'afa_evidence' } as const;
const MANDATE = {
  ...AFA,
  whoFixes: 'buyer_review',
  requiredConfig: 'payment_mandate',
} as const;
const NOTICE = { ...AFA, whoFixes: 'merchant_fix', requiredConfig: 'pre_debit_notice' } as const;

/**
 * Rule 8 (facts/payments.md 0.3 and 1.8). First what no new evidence heals, then what the buyer heals by authenticating
 * with the bank, last what waiting heals: DENY before STEP_UP before DEFER (note N1).
 */
export const RBI_AFA_REASONS = [
  {
    ...AFA,
    code: 'rbi_scope_unknown',
    whoFixes: 'merchant_fix',
    text: 'It is not known in which country the account or card was issued, so it is not known whether the Indian rules hold.',
    fix: 'Let the payment provider report the issuer’s country.',
    requiredConfig: 'payment_mandate.country',
  },
  {
    ...AFA,
    code: 'rbi_unclassified',
    whoFixes: 'merchant_fix',
    text: 'It is not known on which rail and as what kind of debit the payment would run, or the Indian rules have no row for that pair.',
    fix: 'Name exactly one payment mandate that says the rail and the kind of debit, or use another rail.',
    requiredConfig: 'payment_mandate.rail, payment_mandate.event',
  },
  {
    ...MANDATE,
    code: 'upi_mandate_capability_missing',
    whoFixes: 'merchant_fix',
    text: 'No payment provider has reported that the UPI mandate or block to be debited exists, or its report does not count any more.',
    fix: 'Let the payment provider report the state of the mandate over its signed route, then ask again.',
    acp: { code: 'unsupported' },
  },
  {
    ...MANDATE,
    code: 'otm_already_debited',
    text: 'A one-time mandate permits one debit, and it was used.',
    fix: 'Obtain a new one-time mandate from the buyer.',
  },
  {
    ...MANDATE,
    code: 'mandate_not_live',
    text: 'No live payment mandate of the buyer is known for this debit.',
    fix: 'Let the buyer register a mandate with the bank, and let the provider report it.',
  },
  {
    ...MANDATE,
    code: 'mandate_paused',
    text: 'The buyer has paused the payment mandate.',
    fix: 'Ask the buyer to resume the mandate, then ask again.',
  },
  {
    ...MANDATE,
    code: 'mandate_revoked',
    text: 'The payment mandate was revoked.',
    fix: 'Obtain a new mandate from the buyer.',
  },
  {
    ...MANDATE,
    code: 'mandate_expired',
    text: 'The payment mandate ends before this debit would run.',
    fix: 'Ask the buyer to extend the mandate or to give a new one.',
  },
  {
    ...MANDATE,
    code: 'block_expired',
    text: 'The block of funds is released before this debit would run.',
    fix: 'Ask the buyer to make a new block.',
  },
  {
    ...MANDATE,
    code: 'mandate_not_started',
    whoFixes: 'retry',
    text: 'The payment mandate begins after this debit would run.',
    fix: 'Schedule the debit for a time inside the mandate.',
  },
  {
    ...MANDATE,
    code: 'mandate_amount_exceeded',
    whoFixes: 'agent_fix',
    text: 'The amount is above what the payment mandate or its rail permits for one debit.',
    fix: 'Order for less, or obtain a mandate with a higher maximum.',
  },
  {
    ...MANDATE,
    code: 'mandate_amount_differs',
    whoFixes: 'agent_fix',
    text: 'The payment mandate is for a fixed amount, and this is another.',
    fix: 'Debit exactly the amount of the mandate, or obtain a mandate for this amount.',
  },
  {
    ...MANDATE,
    code: 'block_exceeded',
    whoFixes: 'agent_fix',
    text: 'The amount is above what is left of the block of funds.',
    fix: 'Order for less, or ask the buyer to make a new block.',
  },
  {
    ...MANDATE,
    code: 'mandate_payee_mismatch',
    text: 'The payment mandate or block was made for another payee.',
    fix: 'Obtain a mandate for this merchant.',
  },
  {
    ...MANDATE,
    code: 'mandate_cycle_already_debited',
    whoFixes: 'retry',
    text: 'The payment mandate was debited already in this cycle.',
    fix: 'Wait for the next cycle of the mandate.',
  },
  {
    ...MANDATE,
    code: 'mandate_frequency_violation',
    text: 'The debit does not fit the days or the frequency of the mandate, or several debits of one cycle together pass the amount that needs no authentication.',
    fix: 'Debit on a day and as often as the mandate permits, or let the buyer authenticate the whole amount.',
  },
  {
    ...MANDATE,
    code: 'mandate_validity_absent',
    text: 'The payment mandate states no period of validity, which the Indian rules demand.',
    fix: 'Obtain a mandate with a first and a last day.',
  },
  {
    ...AFA,
    code: 'circle_limit_txn',
    whoFixes: 'agent_fix',
    text: 'The amount is above what a delegated UPI user may pay at once.',
    fix: 'Order for less, or let the primary user pay.',
    requiredConfig: 'cart.total, payment_mandate.delegation',
  },
  {
    ...AFA,
    code: 'circle_limit_month',
    whoFixes: 'agent_fix',
    text: 'With this payment the delegated UPI user would pass the maximum of one month.',
    fix: 'Order for less, wait for the next month, or let the primary user pay.',
    requiredConfig: 'cart.total, payment_mandate.delegation',
  },
  {
    ...AFA,
    code: 'circle_limit_cooling',
    whoFixes: 'retry',
    text: 'In the first 24 hours a delegated UPI user may pay only a small amount in all.',
    fix: 'Order for less, or ask again 24 hours after the link was made.',
    requiredConfig: 'cart.total, payment_mandate.delegation',
  },
  {
    ...MANDATE,
    code: 'afa_registration_missing',
    text: 'No authentication of the buyer is on file for the making of this mandate, block or delegation.',
    fix: 'Let the provider report the authentication, or let the buyer register anew.',
    requiredConfig: 'payment_mandate.registration_afa',
  },
  {
    ...EVIDENCE,
    code: 'afa_reference_reused',
    text: 'The evidence of the buyer’s authentication was used for another payment.',
    fix: 'Let the buyer authenticate this payment anew.',
  },
  {
    ...NOTICE,
    code: 'pdn_missing',
    text: 'The buyer was not notified before this debit.',
    fix: 'Send the notice at least 24 hours before the debit.',
  },
  {
    ...NOTICE,
    code: 'pdn_amount_mismatch',
    text: 'The buyer was notified of another amount.',
    fix: 'Debit the amount of the notice, or send a new notice.',
  },
  {
    ...NOTICE,
    code: 'pdn_reference_mismatch',
    text: 'The notice names another mandate, cycle or payee.',
    fix: 'Send a notice for this mandate, this cycle and this payee.',
  },
  {
    ...NOTICE,
    code: 'pdn_opted_out',
    whoFixes: 'buyer_review',
    text: 'The buyer opted out of this debit.',
    fix: 'Do not debit; ask the buyer for another way to pay.',
  },
  {
    ...NOTICE,
    code: 'pdn_incomplete',
    text: 'The notice lacks something that the Indian rules demand: merchant, time or reason.',
    fix: 'Send a complete notice at least 24 hours before the debit.',
  },
  {
    ...NOTICE,
    code: 'pdn_stale',
    text: 'The notice is too old to count for this debit.',
    fix: 'Send a new notice at least 24 hours before the debit.',
  },
  {
    ...AFA,
    code: 'upi_retry_exhausted',
    whoFixes: 'never',
    text: 'This cycle’s debit was tried as often as UPI AutoPay permits.',
    fix: 'Wait for the next cycle, or ask the buyer for another way to pay.',
    requiredConfig: 'payment_mandate.attempts',
  },
  {
    ...EVIDENCE,
    code: 'afa_evidence_missing',
    text: 'An additional factor of authentication is needed, by the Indian rules or because the merchant has not chosen whether they hold, and no evidence of it was given.',
    fix: 'Let the buyer authenticate this payment with the bank, and let the provider report it.',
    ucp: BUYER_INPUT,
  },
  {
    ...EVIDENCE,
    code: 'afa_evidence_unverified',
    text: 'The evidence of authentication does not come, provably, from the bank, the network or the provider.',
    fix: 'Let the payment provider report the authentication over its signed route; a code told to the agent is no evidence.',
    ucp: BUYER_INPUT,
  },
  {
    ...EVIDENCE,
    code: 'afa_factors_insufficient',
    text: 'The evidence shows fewer than two factors of authentication.',
    fix: 'Let the buyer authenticate with two factors.',
  },
  {
    ...EVIDENCE,
    code: 'afa_not_dynamic',
    text: 'None of the factors was made for this one payment.',
    fix: 'Let the buyer authenticate with a factor that is unique to the payment.',
  },
  {
    ...EVIDENCE,
    code: 'afa_in_future',
    text: 'The evidence of authentication bears a time that has not come.',
    fix: 'Correct the provider’s clock, or report the authentication anew.',
  },
  {
    ...EVIDENCE,
    code: 'afa_evidence_expired',
    text: 'The authentication is too old for this payment.',
    fix: 'Let the buyer authenticate this payment anew.',
    ucp: BUYER_INPUT,
  },
  {
    ...EVIDENCE,
    code: 'afa_evidence_amount_mismatch',
    text: 'The buyer authenticated another amount.',
    fix: 'Let the buyer authenticate this amount.',
    ucp: BUYER_INPUT,
  },
  {
    ...EVIDENCE,
    code: 'afa_currency_mismatch',
    text: 'The buyer authenticated an amount in another currency.',
    fix: 'Let the buyer authenticate the amount in the currency of the order.',
  },
  {
    ...EVIDENCE,
    code: 'afa_payee_mismatch',
    text: 'The buyer authenticated a payment to another payee.',
    fix: 'Let the buyer authenticate a payment to this merchant.',
  },
  {
    ...EVIDENCE,
    code: 'afa_cart_mismatch',
    text: 'The buyer authenticated the payment of another cart.',
    fix: 'Let the buyer authenticate the payment of this cart.',
  },
  {
    ...EVIDENCE,
    code: 'afa_evidence_mandate_mismatch',
    text: 'The authentication belongs to another mandate than the one to be debited.',
    fix: 'Let the buyer authenticate under this mandate.',
  },
  {
    ...EVIDENCE,
    code: 'afa_biometric_limit',
    text: 'The amount is above what a fingerprint or face may approve in place of the UPI PIN.',
    fix: 'Let the buyer approve with the UPI PIN.',
  },
  {
    ...NOTICE,
    code: 'pdn_too_late',
    whoFixes: 'retry',
    text: 'The buyer was notified less than 24 hours before this debit.',
    fix: 'Ask again at or after the time in `not_before`.',
    requiredConfig: 'pre_debit_notice, not_before',
  },
  {
    ...AFA,
    code: 'upi_window_closed',
    whoFixes: 'retry',
    text: 'UPI AutoPay debits do not run in the peak hours of the Indian day.',
    fix: 'Ask again at or after the time in `not_before`.',
    requiredConfig: 'payment_mandate.execution_at, not_before',
  },
  { ...RULE_ERROR, rule: 'rbi_afa', requiredConfig: 'payment_mandate, afa_evidence' },
] as const satisfies readonly ReasonEntry<'rbi_afa'>[];
