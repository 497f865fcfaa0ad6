import type { ReasonOf } from '../../kernel/index.js';

/** Codes with which rule 8 refuses; `rule_error` is the engine's own. */
export type AfaReason = Exclude<ReasonOf<'rbi_afa'>, 'rule_error'>;

/** Codes that refuse nothing: why a payment passed, what was asked for, what is doubtful (facts/payments.md 1.8). */
export type AfaNote =
  | 'not_applicable'
  | 'profile_not_chosen'
  | 'afa_ok_registration'
  | 'afa_ok_combined'
  | 'afa_ok_debit'
  | 'afa_delegated_ok'
  | 'afa_exempt_recurring_std'
  | 'afa_exempt_recurring_cat'
  | 'afa_exempt_block_debit'
  | 'afa_exempt_upi_lite'
  | 'afa_xborder_risk_based'
  | 'afa_withdraw_advisory'
  | 'afa_required_always'
  | 'afa_required_registration'
  | 'afa_required_first_debit'
  | 'afa_required_above_std'
  | 'afa_required_above_cat'
  | 'afa_required_modify'
  | 'afa_required_primary'
  | 'afa_required_one_time'
  | 'afa_required_xborder'
  | 'pdn_ok'
  | 'pdn_exempt_fastag_ncmc'
  | 'upi_window_open'
  | 'warning:afa_category_unproven'
  | 'warning:pdn_delivery_unproven'
  | 'warning:structuring_suspected'
  | 'uncertain:block_debit_in_rbi_terms'
  | 'uncertain:foreign_amount_near_threshold'
  | 'uncertain:first_debit_notice';

/** What a finding does to the payment, from mild to strict (note N1). Both refuse; DEFER says until when. */
export type Effect = 'note' | 'defer' | 'step_up' | 'deny';

/** One finding of one check. All are kept; the one that stands first in the catalogue of reasons decides. */
export type Remark =
  | { readonly effect: 'note'; readonly code: AfaNote }
  | { readonly effect: 'deny' | 'step_up'; readonly code: AfaReason }
  | { readonly effect: 'defer'; readonly code: AfaReason; readonly notBeforeMs: number };

export type Refusal = Exclude<Remark, { effect: 'note' }>;

export const note = (code: AfaNote): Remark => ({ effect: 'note', code });
export const deny = (code: AfaReason): Remark => ({ effect: 'deny', code });
export const stepUp = (code: AfaReason): Remark => ({ effect: 'step_up', code });
export const defer = (code: AfaReason, notBeforeMs: number): Remark => ({
  effect: 'defer',
  code,
  notBeforeMs,
});

/** Denies when `broken` holds. */
export const denyIf = (broken: boolean, code: AfaReason): readonly Remark[] =>
  broken ? [deny(code)] : [];
