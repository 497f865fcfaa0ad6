import type { RefundReport, RefundState } from './refund.events.js';

/** Whether the amount counts as given back to the buyer; only what definitely did not happen does not (I3). */
export const countsAsRefunded = (state: RefundState): boolean =>
  state !== 'failed' && state !== 'lapsed';

/** Later in this list = further. A refund that was done is done, whatever is said to have failed. */
const ORDER: readonly RefundState[] = ['reserved', 'submitted', 'lapsed', 'failed', 'done'];

const REPORTED: { readonly [Report in RefundReport]: RefundState } = {
  accepted: 'submitted',
  lapsed: 'lapsed',
  failed: 'failed',
  done: 'done',
};

/** The state after a report, or null when the refund is as far already; whatever order reports come in, the end is the same. */
export function refundStateAfter(state: RefundState, report: RefundReport): RefundState | null {
  const next = REPORTED[report];
  return ORDER.indexOf(next) > ORDER.indexOf(state) ? next : null;
}

/** How a move changes what was given back of an amount: all of it, nothing, or all of it again. */
export function refundedEffectOf(
  amountMinor: bigint,
  { from, to }: { readonly from: RefundState; readonly to: RefundState },
): bigint {
  if (countsAsRefunded(from) === countsAsRefunded(to)) return 0n;
  return countsAsRefunded(to) ? amountMinor : -amountMinor;
}
