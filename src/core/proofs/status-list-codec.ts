import { deflateSync, inflateSync } from 'node:zlib';
import { err, invariant, ok, type Result } from '../kernel/index.js';
import { decodeBase64url, encodeBase64url } from './base64url.js';
import type { StatusListFault } from './status-list-faults.js';

/** Widths of one place on a list, in bits (IETF Token Status List section 4.1). */
export const STATUS_WIDTHS = [1, 2, 4, 8] as const;
export type StatusWidth = (typeof STATUS_WIDTHS)[number];

/** Values of a place. INVALID is final; anything that is none of these three is not valid either. */
export const STATUS_VALUES = { valid: 0, invalid: 1, suspended: 2 } as const;

/** Largest list that is inflated, in bytes: 64 million places of two bits (facts/arbiter.md A15). */
export const STATUS_LIST_BYTES_MAX = 16 * 1024 * 1024;

/** Bytes that a list of so many places takes. */
export const statusListBytes = (places: number, bits: StatusWidth): number =>
  Math.ceil((places * bits) / 8);

/** Places on a list. Padding bits of the last byte count as places: nobody is ever given one of them. */
export const statusListPlaces = (bytes: Uint8Array, bits: StatusWidth): number =>
  (bytes.length * 8) / bits;

/**
 * The value of one place; places are packed from the lowest bit of a byte upward. Fault: status_index (not a whole
 * number from 0 that the list has a place for).
 */
export function statusValueAt(
  bytes: Uint8Array,
  bits: StatusWidth,
  index: number,
): Result<number, StatusListFault> {
  if (!Number.isSafeInteger(index) || index < 0) return err('status_index');
  // INVARIANT: no shift of the index: JavaScript shifts in 32 bits, and (2 ** 32 + 8) >> 3 is 1.
  const byte = bytes[Math.floor((index * bits) / 8)];
  if (byte === undefined) return err('status_index');
  return ok((byte >> ((index * bits) % 8)) & (2 ** bits - 1));
}

/** Writes one place into `bytes`. The place and the value have to exist: whoever writes owns the list. */
export function setStatusValue(
  bytes: Uint8Array,
  bits: StatusWidth,
  { index, value }: { readonly index: number; readonly value: number },
): void {
  const mask = 2 ** bits - 1;
  const at = Math.floor((index * bits) / 8);
  const byte = bytes[at];
  invariant(Number.isSafeInteger(index) && byte !== undefined, 'the list has this place');
  invariant(Number.isInteger(value) && value >= 0 && value <= mask, 'the place holds this value');
  const shift = (index * bits) % 8;
  bytes[at] = (byte & ~(mask << shift)) | (value << shift);
}

/** `lst`: base64url of the ZLIB stream (RFC 1950). `level` 1 to 9; encoders differ, so only inflated bytes compare. */
export const deflateStatusList = (bytes: Uint8Array, level: number): string =>
  encodeBase64url(deflateSync(bytes, { level }));

/** How much a list may inflate to; `bytesExact` where its size is known beforehand. */
export interface InflateBounds {
  readonly bytesMax: number;
  readonly bytesExact?: number;
}

/**
 * The bytes of `lst`. Faults, in order: status_encoding (not strict base64url, not exactly a ZLIB stream, cut, wrong
 * checksum), status_bomb (more than the bounds allow; it is not inflated further), status_trailing (anything after the
 * stream), status_length (less than `bytesExact`).
 */
export function inflateStatusList(
  lst: string,
  { bytesMax, bytesExact }: InflateBounds,
): Result<Uint8Array, StatusListFault> {
  const deflated = decodeBase64url(lst);
  if (deflated === null || deflated.length === 0) return err('status_encoding');
  const inflated = inflateWhole(deflated, Math.min(bytesMax, bytesExact ?? bytesMax));
  if (!inflated.ok) return inflated;
  const { bytes, bytesRead } = inflated.value;
  // zlib is content with the first stream and says nothing of what stands behind it.
  if (bytesRead !== deflated.length) return err('status_trailing');
  if (bytesExact !== undefined && bytes.length !== bytesExact) return err('status_length');
  return ok(bytes);
}

function inflateWhole(
  deflated: Buffer,
  bytesMax: number,
): Result<{ readonly bytes: Uint8Array; readonly bytesRead: number }, StatusListFault> {
  try {
    // With `info` the answer is an object; the type declarations know only of the buffer.
    const { buffer, engine } = inflateSync(deflated, {
      maxOutputLength: bytesMax,
      info: true,
    }) as unknown as { buffer: Uint8Array; engine: { bytesWritten: number } };
    return ok({ bytes: buffer, bytesRead: engine.bytesWritten });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    return err(code === 'ERR_BUFFER_TOO_LARGE' ? 'status_bomb' : 'status_encoding');
  }
}

/** Bit k of `INVALID_PLACES[bits][byte]` says that the k-th place of that byte holds INVALID. */
const INVALID_PLACES: Readonly<Record<StatusWidth, Uint8Array>> = {
  1: invalidPlaces(1),
  2: invalidPlaces(2),
  4: invalidPlaces(4),
  8: invalidPlaces(8),
};

function invalidPlaces(bits: StatusWidth): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    let places = 0;
    for (let place = 0; place < 8 / bits; place += 1)
      if (((byte >> (place * bits)) & (2 ** bits - 1)) === STATUS_VALUES.invalid)
        places |= 1 << place;
    return places;
  });
}

/** Whether a place that said INVALID in `before` says something else in `after`, or is gone (decisions 4.1). */
export function hasLostInvalid(before: Uint8Array, after: Uint8Array, bits: StatusWidth): boolean {
  const invalid = INVALID_PLACES[bits];
  for (let at = 0; at < before.length; at += 1)
    if ((invalid[before[at] ?? 0] ?? 0) & ~(invalid[after[at] ?? 0] ?? 0)) return true;
  return false;
}
