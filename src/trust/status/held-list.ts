import { err, type InstantMs, type Result } from '../../core/kernel/index.js';
import {
  statusListEndsAtMs,
  type StatusListFault,
  statusListTimeFault,
  type StatusListTimes,
  statusValueAt,
  type StatusWidth,
} from '../../core/proofs/index.js';

/** A list as it was verified: signature, name, profile, places. */
export interface VerifiedList extends StatusListTimes {
  readonly version: number | null;
  readonly bits: StatusWidth;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly kid: string;
}

/** A verified list in memory, and until when the fetch lets it live on the clock that never steps back. */
export interface HeldList extends VerifiedList {
  readonly etag: string | null;
  /** Inclusive. */
  readonly liveUntilMonoMs: number;
  /** What HTTP allowed, for an answer that says nothing of its own. */
  readonly lifeMs: number | null;
}

/** Now, on both clocks that judge a copy: the tenant's commerce time, and the one that never steps back. */
export interface BothClocks {
  readonly atMs: InstantMs;
  readonly monoMs: number;
}

/** When a copy dies by the clock that never steps back: request + min(ttl, max-age - Age) (decisions 4.2). */
export const liveUntilMonoMs = (
  { ttlMs }: Pick<StatusListTimes, 'ttlMs'>,
  { requestedMonoMs, lifeMs }: { requestedMonoMs: number; lifeMs: number | null },
): number => requestedMonoMs + Math.min(ttlMs, lifeMs ?? ttlMs);

/** No floor: every copy is above it. */
export const NO_FLOOR = -1;

/** Why a copy cannot be relied on now, or null. The times of the list first, then those of the fetch, then the floor. */
export function copyFault(
  copy: HeldList,
  { atMs, monoMs }: BothClocks,
  minVersion: number,
): StatusListFault | null {
  const fault = statusListTimeFault(copy, atMs);
  if (fault !== null) return fault;
  if (monoMs > copy.liveUntilMonoMs) return 'status_copy_too_old';
  return isAboveFloor(copy, minVersion) ? null : 'status_below_floor';
}

/** A list with a floor has versions, so a copy without one is below it. */
const isAboveFloor = ({ version }: HeldList, minVersion: number): boolean =>
  (version ?? -1) >= minVersion;

/** How long a copy still counts by whichever clock ends it first, in milliseconds. */
export const lifeLeftMs = (copy: HeldList, { atMs, monoMs }: BothClocks): number =>
  Math.min(copy.liveUntilMonoMs - monoMs, statusListEndsAtMs(copy) - atMs, copy.expiresAtMs - atMs);

/** What one place of a list says, and which list that was. */
export interface PlaceAnswer {
  readonly value: number;
  readonly issuedAtMs: InstantMs;
  readonly version: number | null;
}

export function answerOf(copy: HeldList, index: number): Result<PlaceAnswer, StatusListFault> {
  const value = statusValueAt(copy.bytes, copy.bits, index);
  if (!value.ok) return err(value.error);
  const { issuedAtMs, version } = copy;
  return { ok: true, value: { value: value.value, issuedAtMs, version } };
}

/** What a whole list says: of each value how many places have it. Unused places look valid. */
export interface ListSurvey {
  readonly version: number | null;
  readonly issuedAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
  /** By value. */
  readonly counts: readonly number[];
}

export function surveyOf({ version, issuedAtMs, expiresAtMs, bits, bytes }: HeldList): ListSurvey {
  const counts = Array.from({ length: 2 ** bits }, () => 0);
  const perByte = 8 / bits;
  for (const byte of bytes)
    for (let place = 0; place < perByte; place += 1) {
      const value = (byte >> (place * bits)) & (2 ** bits - 1);
      counts[value] = (counts[value] ?? 0) + 1;
    }
  return { version, issuedAtMs, expiresAtMs, counts };
}
