import { type InstantMs, isInstantMs } from '../../kernel/index.js';

/** How far ahead an issuer's clock may run: `iat` may lie this much later than now (decisions 1.5). Never `nbf`. */
export const ISSUED_AHEAD_MS_MAX = 30_000;

/**
 * An instant as a fact holds it. Null is an absent time. INVARIANT: everything below answers "no" to an absent or
 * impossible instant, so nothing reads as still good because nobody said until when (facts/arbiter.md W17).
 */
type InstantFact = InstantMs | null;

/** From `notBeforeAtMs` on, that millisecond included. No skew. */
export const hasBegun = (notBeforeAtMs: InstantFact, atMs: InstantMs): boolean =>
  isInstantMs(notBeforeAtMs) && notBeforeAtMs <= atMs;

/** Before `expiresAtMs`; at that very millisecond it is over. No skew. */
export const isUnexpired = (expiresAtMs: InstantFact, atMs: InstantMs): boolean =>
  isInstantMs(expiresAtMs) && atMs < expiresAtMs;

/** Issued by now, give or take the issuer's clock. */
export const wasIssued = (issuedAtMs: InstantFact, atMs: InstantMs): boolean =>
  isInstantMs(issuedAtMs) && issuedAtMs <= atMs + ISSUED_AHEAD_MS_MAX;

/** The time passed since an instant (negative when it lies ahead), or null when it is not known. */
export const ageMs = (sinceMs: InstantFact, atMs: InstantMs): number | null =>
  isInstantMs(sinceMs) && isInstantMs(atMs) ? atMs - sinceMs : null;

/** At most `ageMsMax` old, that millisecond included, and not from the future. */
export function isWithin(sinceMs: InstantFact, atMs: InstantMs, ageMsMax: number): boolean {
  const age = ageMs(sinceMs, atMs);
  return age !== null && age >= -ISSUED_AHEAD_MS_MAX && age <= ageMsMax;
}
