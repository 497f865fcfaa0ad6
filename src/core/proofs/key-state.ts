import type { InstantMs } from '../kernel/index.js';

/** What a tenant's administrators said about one issuer key (decisions 3.10). Null = not (yet). */
export interface IssuerKeyState {
  readonly notBeforeAtMs: InstantMs;
  readonly retiredAtMs: InstantMs | null;
  readonly compromisedSinceAtMs: InstantMs | null;
}

export const KEY_STATES = ['usable', 'not_yet', 'retired', 'compromised'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/**
 * Whether a signature under this key counts, for an object that says it was issued at `issuedAtMs`.
 * Answers, the worst first:
 * - `compromised`: since then somebody else may sign, and whoever holds the key also chooses `iat`. Only our own clock
 *   is evidence: the object counts if we had its very bytes before (`knownSinceMs`, the entry that registered it).
 *   An object that comes in with the request has no such time and is refused, whatever its `iat` says.
 * - `retired`: issued at or after retirement. What was issued before stays good until its own end.
 * - `not_yet`: the key was not in force when the object was issued, or is not yet.
 */
export function keyStateFor(
  key: IssuerKeyState,
  {
    issuedAtMs,
    knownSinceMs,
    atMs,
  }: { issuedAtMs: InstantMs; knownSinceMs: InstantMs | null; atMs: InstantMs },
): KeyState {
  const { notBeforeAtMs, retiredAtMs, compromisedSinceAtMs } = key;
  if (
    compromisedSinceAtMs !== null &&
    (knownSinceMs === null ||
      knownSinceMs >= compromisedSinceAtMs ||
      issuedAtMs >= compromisedSinceAtMs)
  )
    return 'compromised';
  if (retiredAtMs !== null && issuedAtMs >= retiredAtMs) return 'retired';
  if (issuedAtMs < notBeforeAtMs || atMs < notBeforeAtMs) return 'not_yet';
  return 'usable';
}
