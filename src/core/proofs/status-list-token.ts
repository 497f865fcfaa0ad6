import { err, type InstantMs, ok, type Result } from '../kernel/index.js';
import { parseToken, type UncheckedJws, type UncheckedToken } from './jws.js';
import { type StatusRef } from './members.js';
import { STATUS_WIDTHS, type StatusWidth } from './status-list-codec.js';
import type { StatusListFault } from './status-list-faults.js';

/** Media type of a signed list, and its `typ` (IETF Token Status List, draft 20, section 5.1). */
export const STATUS_LIST_MEDIA_TYPE = 'application/statuslist+jwt';
export const STATUS_LIST_TYP = 'statuslist+jwt';
/** Longest signed list that is read, in characters: all of them are ASCII. */
export const STATUS_LIST_TOKEN_LENGTH_MAX = 16 * 1024 * 1024;
/** Longest life of a copy whatever the list allows, and longest `ttl`, in seconds (mission M10). */
export const STATUS_LIST_TTL_SECONDS_MAX = 600;
/** Longest time from `iat` to `exp`, in seconds. */
export const STATUS_LIST_LIFE_SECONDS_MAX = 3_600;
/** How far ahead of now `iat` may lie. It never lengthens anything (facts/arbiter.md A14). */
export const STATUS_LIST_AHEAD_MS_MAX = 30_000;

/** When a list was issued and until when it counts by its own word. */
export interface StatusListTimes {
  readonly issuedAtMs: InstantMs;
  /** Exclusive. */
  readonly expiresAtMs: InstantMs;
  readonly ttlMs: number;
}

export interface StatusListClaims extends StatusListTimes {
  /** Grows by one with every change of the list; null where the list states none. */
  readonly version: number | null;
  readonly bits: StatusWidth;
  /** The places, still deflated. */
  readonly lst: string;
}

/** A list of which only the form was read; `kid` names the key that has to verify it. */
export interface UncheckedStatusList extends UncheckedJws {
  readonly kid: string;
  readonly claims: UncheckedToken['claims'];
}

/** Whether a place can stand on any list at all: a uri without NUL, and a whole number from 0. */
export const isStatusRef = ({ uri, index }: StatusRef): boolean =>
  typeof uri === 'string' &&
  uri !== '' &&
  !uri.includes('\0') &&
  Number.isSafeInteger(index) &&
  index >= 0;

/**
 * Reads the form of a signed list. Faults, in order: status_too_large (more than {@link STATUS_LIST_TOKEN_LENGTH_MAX}
 * characters), status_token (no compact JWS of an object in strict JSON), status_header (another `typ`, no `kid`, an
 * algorithm other than ES256 and EdDSA, further members), status_signature (not 64 bytes).
 * Not checked: the signature and every claim, see {@link readStatusList}.
 */
export function parseStatusListToken(text: string): Result<UncheckedStatusList, StatusListFault> {
  if (text.length > STATUS_LIST_TOKEN_LENGTH_MAX) return err('status_too_large');
  const token = parseToken(text, [STATUS_LIST_TYP], STATUS_LIST_TOKEN_LENGTH_MAX);
  if (!token.ok) {
    const { check, member } = token.error;
    if (check === 'signature') return err('status_signature');
    return err(member?.startsWith('header') === true ? 'status_header' : 'status_token');
  }
  const { kid } = token.value.header;
  return kid === null ? err('status_header') : ok({ ...token.value, kid });
}

/** What a list has to be for one who asked for `uri` at `nowMs`. */
export interface StatusListProfile {
  readonly uri: string;
  readonly nowMs: InstantMs;
  /** Our own authority states a version; what another one calls so is none of our business. */
  readonly isVersioned: boolean;
}

/**
 * Reads the claims of a list whose signature was verified. Faults, in order: status_list_swap (`sub` is not the uri that
 * was asked for: only this stops one list from standing in for another), status_from_future (`iat` no whole second, or
 * more than {@link STATUS_LIST_AHEAD_MS_MAX} ahead), status_exp_before_iat, status_exp_too_late, status_ttl (not a whole
 * number from 1 to {@link STATUS_LIST_TTL_SECONDS_MAX}), status_version, status_bits, status_encoding (no `lst`).
 * Not checked: whether the list still counts ({@link statusListTimeFault}), its order among others, what is inside `lst`.
 */
export function readStatusList(
  { claims }: Pick<UncheckedStatusList, 'claims'>,
  { uri, nowMs, isVersioned }: StatusListProfile,
): Result<StatusListClaims, StatusListFault> {
  const { sub, iat, exp, ttl, version, status_list: list } = claims;
  if (sub !== uri) return err('status_list_swap');
  if (!isSeconds(iat) || iat * 1_000 > nowMs + STATUS_LIST_AHEAD_MS_MAX)
    return err('status_from_future');
  if (!isSeconds(exp) || exp <= iat) return err('status_exp_before_iat');
  if (exp - iat > STATUS_LIST_LIFE_SECONDS_MAX) return err('status_exp_too_late');
  if (!isSeconds(ttl) || ttl < 1 || ttl > STATUS_LIST_TTL_SECONDS_MAX) return err('status_ttl');
  if (isVersioned && !isSeconds(version)) return err('status_version');
  const { bits, lst } = (isObject(list) ? list : {}) as { bits?: unknown; lst?: unknown };
  const width = STATUS_WIDTHS.find((one) => one === bits);
  if (width === undefined) return err('status_bits');
  if (typeof lst !== 'string') return err('status_encoding');
  return ok({
    issuedAtMs: iat * 1_000,
    expiresAtMs: exp * 1_000,
    ttlMs: ttl * 1_000,
    version: isVersioned ? Number(version) : null,
    bits: width,
    lst,
  });
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The last instant at which a list counts by its own times, inclusive, whenever it was fetched (decisions 4.2). */
export const statusListEndsAtMs = ({ issuedAtMs, ttlMs }: StatusListTimes): InstantMs =>
  issuedAtMs + Math.min(ttlMs, STATUS_LIST_TTL_SECONDS_MAX * 1_000);

/**
 * Why a list does not count at `nowMs`, or null. In order: status_from_future, status_expired (at `exp` it is over, no
 * skew), status_stale (later than {@link statusListEndsAtMs}).
 */
export function statusListTimeFault(
  times: StatusListTimes,
  nowMs: InstantMs,
): StatusListFault | null {
  if (times.issuedAtMs > nowMs + STATUS_LIST_AHEAD_MS_MAX) return 'status_from_future';
  if (nowMs >= times.expiresAtMs) return 'status_expired';
  return nowMs > statusListEndsAtMs(times) ? 'status_stale' : null;
}
