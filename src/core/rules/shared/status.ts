import type { InstantMs } from '../../kernel/index.js';
import type { StatusFact } from '../facts.js';
import { isWithin } from './instants.js';

/** Nobody could say anything about this place; null = there is no place. It refuses. */
export const unknownStatus = (
  place: { readonly listUri: string; readonly index: number } | null,
  fault: string | null = null,
): StatusFact => ({
  verdict: 'unavailable',
  listUri: place?.listUri ?? null,
  index: place?.index ?? null,
  listIssuedAtMs: null,
  listVersion: null,
  fault,
});

/** Hard cap for the age of a status list, whatever the list allows for itself (mission M10). Inclusive. */
export const STATUS_AGE_MS_MAX = 600_000;

export type StatusFault = 'revoked' | 'suspended' | 'unavailable' | 'stale';

/**
 * What a status list says against a signed thing; null = in force. In order: revoked and suspended whatever the age of
 * the list; unavailable when there was no usable copy, or a verdict names no slot or a fault; stale when the copy is too old.
 */
export function statusFault(status: StatusFact, atMs: InstantMs): StatusFault | null {
  if (status.verdict === 'revoked' || status.verdict === 'suspended') return status.verdict;
  const { verdict, listUri, index, fault } = status;
  if (verdict !== 'valid' || fault !== null || !isSlot(listUri, index)) return 'unavailable';
  return isWithin(status.listIssuedAtMs, atMs, STATUS_AGE_MS_MAX) ? null : 'stale';
}

const isSlot = (listUri: string | null, index: number | null): boolean =>
  typeof listUri === 'string' &&
  listUri !== '' &&
  Number.isSafeInteger(index) &&
  Number(index) >= 0;

const WORST_FIRST = ['revoked', 'suspended', 'unavailable', 'not_checked', 'valid'] as const;

/** The worst of several states; null = there is none. Of equal ones the oldest look at the list counts. */
export const worstStatus = (statuses: readonly StatusFact[]): StatusFact | null =>
  statuses.reduce<StatusFact | null>((worst, one) => {
    if (worst === null) return one;
    const lead = WORST_FIRST.indexOf(one.verdict) - WORST_FIRST.indexOf(worst.verdict);
    if (lead !== 0) return lead < 0 ? one : worst;
    return (one.listIssuedAtMs ?? 0) < (worst.listIssuedAtMs ?? 0) ? one : worst;
  }, null);
