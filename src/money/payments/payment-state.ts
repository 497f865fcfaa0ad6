/** Who moves the money: the buyer on a page behind a link, or the provider on the buyer's mandates. */
export const PAYMENT_KINDS = ['link', 'charge'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/**
 * `issuing`: the allow is used and the provider has been or will be called; its answer is not known. `open`: it can be
 * paid. `lapsed` and `canceled`: we no longer offer it, but the buyer may still be able to pay it. `rejected`: the
 * provider never took it. `failed`: the provider reported that it failed. `paid`: money was captured.
 */
export const PAYMENT_STATES = [
  'issuing',
  'open',
  'lapsed',
  'canceled',
  'rejected',
  'failed',
  'paid',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What somebody says happened to a payment; money that was captured is reported as a capture. */
export const PAYMENT_REPORTS = ['issued', 'rejected', 'lapsed', 'canceled', 'failed'] as const;
export type PaymentReport = (typeof PAYMENT_REPORTS)[number];

const REPORTED: { readonly [Report in PaymentReport]: PaymentState } = {
  issued: 'open',
  rejected: 'rejected',
  lapsed: 'lapsed',
  canceled: 'canceled',
  failed: 'failed',
};

/**
 * The state after a report, or null when the state stays as it is: states only ever move forward in the order of
 * {@link PAYMENT_STATES}, so reports may come late, twice and in any order and the end is the same (facts/payments.md
 * 7.4 I7; facts/arbiter.md C8). `wasIssued`: somebody said that the provider made it.
 */
export function stateAfter(
  { state, wasIssued }: { readonly state: PaymentState; readonly wasIssued: boolean },
  report: PaymentReport,
): PaymentState | null {
  // Both issued and rejected, in whichever order that is said: nobody offers it any more, and it may still be paid.
  const contradicted =
    (report === 'rejected' && wasIssued) || (report === 'issued' && state === 'rejected');
  if (contradicted && state === 'rejected') return 'canceled';
  const next = contradicted ? 'canceled' : REPORTED[report];
  return PAYMENT_STATES.indexOf(next) > PAYMENT_STATES.indexOf(state) ? next : null;
}
