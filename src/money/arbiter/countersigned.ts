import type { AllowRow } from './allow.events.js';
import type { RecordedDecision } from './decide.js';

/** The decision with its countersignature. */
export const usable = (decision: RecordedDecision): RecordedDecision => ({
  ...decision,
  usable: true,
  usableReason: null,
});

/** A decision is usable by its own entry, or by that of its countersignature (facts/arbiter.md J7). */
export const withCountersignature = (
  decision: RecordedDecision,
  allow: Pick<AllowRow, 'countersignatureSha256'> | undefined,
): RecordedDecision =>
  decision.usableReason === 'grantex_countersignature_missing' &&
  allow !== undefined &&
  allow.countersignatureSha256 !== null
    ? usable(decision)
    : decision;
