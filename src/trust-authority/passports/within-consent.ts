import type { InstantMs, Money } from '../../core/kernel/index.js';
import { fault, PASSPORT_LIFE_SECONDS_MAX, type ProofFault } from '../../core/proofs/index.js';

/** What of a consent its passport is measured by. `maxAmount` null = the buyer named no amount. */
export interface ConsentBounds {
  readonly scopes: readonly string[];
  readonly maxAmount: Money | null;
  readonly expiresAtMs: InstantMs;
}

export interface PassportWish {
  readonly passportType: 'browse' | 'checkout';
  readonly scopes: readonly string[];
  readonly maxAmount: Money | null;
  /** Null = as long as the type and the consent allow. */
  readonly lifeSeconds: number | null;
}

/**
 * Whether a passport stays within the consent it rests on, or the first way in which it does not: `lineage` at `scopes`,
 * `max_amount` (missing where the consent names one), `max_amount.currency`, `max_amount.amount`, `life_seconds` (longer
 * than the type allows, or than the consent lives from `issuedAtMs`). Equal is within.
 */
export function beyondConsent(
  wish: PassportWish,
  consent: ConsentBounds,
  issuedAtMs: InstantMs,
): ProofFault | null {
  const beyond = (member: string, detail: string) => fault('lineage', member, detail);
  const foreign = wish.scopes.find((scope) => !consent.scopes.includes(scope));
  if (foreign !== undefined)
    return beyond('scopes', `the consent does not name the scope ${foreign}`);
  const bound = consent.maxAmount;
  if (bound !== null) {
    if (wish.maxAmount === null)
      return beyond(
        'max_amount',
        `the consent allows at most ${bound.amountMinor} ${bound.currency}`,
      );
    if (wish.maxAmount.currency !== bound.currency)
      return beyond('max_amount.currency', `the consent is in ${bound.currency}`);
    if (wish.maxAmount.amountMinor > bound.amountMinor)
      return beyond('max_amount.amount', `the consent allows at most ${bound.amountMinor}`);
  }
  const { passportType, lifeSeconds } = wish;
  if (lifeSeconds === null) return null;
  const lifeSecondsMax = PASSPORT_LIFE_SECONDS_MAX[passportType];
  if (lifeSeconds > lifeSecondsMax)
    return beyond('life_seconds', `a ${passportType} passport lives at most ${lifeSecondsMax} s`);
  return issuedAtMs + lifeSeconds * 1_000 > consent.expiresAtMs
    ? beyond('life_seconds', 'the consent ends earlier')
    : null;
}

/** When a passport issued at `issuedAtMs` (a whole second) ends: after the life asked for, never after its consent. */
export const passportEnd = (
  { passportType, lifeSeconds }: PassportWish,
  consent: ConsentBounds,
  issuedAtMs: InstantMs,
): InstantMs =>
  Math.min(
    issuedAtMs + (lifeSeconds ?? PASSPORT_LIFE_SECONDS_MAX[passportType]) * 1_000,
    consent.expiresAtMs,
  );
