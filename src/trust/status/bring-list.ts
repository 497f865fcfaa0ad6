import { createHash } from 'node:crypto';
import { err, type InstantMs, ok, type Result, type TenantId } from '../../core/kernel/index.js';
import {
  hasLostInvalid,
  inflateStatusList,
  keyStateFor,
  parseStatusListToken,
  readStatusList,
  STATUS_LIST_BYTES_MAX,
  type StatusListClaims,
  type StatusListFault,
  statusListBytes,
  statusListTimeFault,
  type UncheckedStatusList,
} from '../../core/proofs/index.js';
import type { OutboundClient, Queryable } from '../../base/platform/index.js';
import type { SignatureChecker } from '../peers/index.js';
import { type FetchedList, fetchStatusList, LIST_FETCH_MS_MAX } from './fetch-status-list.js';
import { type HeldList, liveUntilMonoMs, type VerifiedList } from './held-list.js';
import { listKindOf } from './list-origin.js';
import { listOrder, markFault } from './list-order.js';
import type { ListKeys } from './list-keys.js';
import type { CopyClock } from './ports.js';
import { STATUS_LIST_CAPACITY } from './slots.js';
import { findMark, raiseMark, type StatusMark } from './status-marks.store.js';

/** What brings lists: the network, the keys, and the memory of what was seen before. */
export interface ListSources {
  readonly database: Queryable;
  readonly outbound: OutboundClient;
  readonly keys: ListKeys;
  readonly signatures: SignatureChecker;
  readonly clock: CopyClock;
  /** {@link LIST_FETCH_MS_MAX} when left out. */
  readonly fetchMsMax?: number;
}

export interface ListErrand {
  readonly tenantId: TenantId;
  readonly uri: string;
  /** The tenant's commerce time, as far as it is known. */
  readonly nowMs: InstantMs;
  /** The {@link trustedCopy} that is held, be it dead: what it revoked stays revoked. */
  readonly held: HeldList | null;
}

/** Width of the places on lists of our own authority, in bits (decisions 4.1). */
const OWN_BITS = 2;

/**
 * Brings one list anew. Faults, in the order of STATUS_LIST_FAULTS; `status_unavailable` also when our own database does
 * not answer. Not checked: whether the list still counts at the instant of its use.
 */
export async function bringList(
  sources: ListSources,
  errand: ListErrand,
): Promise<Result<HeldList, StatusListFault>> {
  const kind = listKindOf(errand.uri, { ...errand, ownOrigin: sources.keys.ownOrigin });
  if (kind === null || !(await sources.keys.isTrusted(errand))) return err('status_uri_refused');
  const { held } = errand;
  const requestedMonoMs = sources.clock.monotonicMs();
  const [fetched, mark] = await Promise.all([
    fetchStatusList(sources.outbound, {
      uri: errand.uri,
      etag: confirmableEtag(held, errand),
      deadlineMs: sources.fetchMsMax ?? LIST_FETCH_MS_MAX,
    }),
    findMark(sources.database, errand),
  ]);
  if (!fetched.ok) return fetched;
  if (fetched.value.token === null)
    return held === null
      ? err('status_http')
      : ok(confirmed(held, { ...fetched.value, requestedMonoMs }));
  const list = await verifiedList(sources, {
    ...errand,
    mark,
    token: fetched.value.token,
    isOwn: kind === 'own',
  });
  if (!list.ok) return list;
  const { etag, lifeMs } = fetched.value;
  const until = liveUntilMonoMs(list.value, { requestedMonoMs, lifeMs });
  return ok({ ...list.value, etag, lifeMs, liveUntilMonoMs: until });
}

/** What is held, unless nobody may sign with its key any more: then it proves nothing (facts/trust.md 2.2). */
export async function trustedCopy(
  { keys }: ListSources,
  errand: ListErrand,
): Promise<HeldList | null> {
  const { held, nowMs } = errand;
  if (held === null) return null;
  const key = await keys.keyOf(errand, held.kid);
  const times = { issuedAtMs: held.issuedAtMs, knownSinceMs: null, atMs: nowMs };
  return key !== null && keyStateFor(key, times) === 'usable' ? held : null;
}

/** A 304 only confirms what could be used: a copy that is over by its own times is fetched whole. */
const confirmableEtag = (held: HeldList | null, { nowMs }: ListErrand): string | null =>
  held !== null && statusListTimeFault(held, nowMs) === null ? held.etag : null;

function confirmed(
  held: HeldList,
  { lifeMs, requestedMonoMs }: FetchedList & { readonly requestedMonoMs: number },
): HeldList {
  const allowed = lifeMs ?? held.lifeMs;
  const until = liveUntilMonoMs(held, { requestedMonoMs, lifeMs: allowed });
  return { ...held, lifeMs: allowed, liveUntilMonoMs: Math.max(held.liveUntilMonoMs, until) };
}

interface Delivery extends ListErrand {
  readonly token: string;
  readonly mark: StatusMark | null;
  readonly isOwn: boolean;
}

async function verifiedList(
  sources: ListSources,
  delivery: Delivery,
): Promise<Result<VerifiedList, StatusListFault>> {
  const token = parseStatusListToken(delivery.token);
  if (!token.ok) return token;
  const claims = await signedClaims(sources, delivery, token.value);
  if (!claims.ok) return claims;
  const distrustedKid = await distrustedMarkKid(sources, delivery);
  const mark = distrustedKid === null ? delivery.mark : null;
  // Before it is inflated: an old list is refused for being old, whatever else may be wrong with it.
  if (mark !== null && listOrder(claims.value, mark) < 0) return err('status_rollback');
  const list = inflated(claims.value, { kid: token.value.kid, isOwn: delivery.isOwn });
  if (!list.ok) return list;
  const fault = markFault(list.value, mark) ?? lostFault(list.value, delivery.held);
  if (fault !== null) return err(fault);
  return markedList(sources, delivery, { list: list.value, mark, distrustedKid });
}

/** The claims once key and signature are found good. The key is looked for again, once in a while, when it is unknown. */
async function signedClaims(
  { keys, signatures }: ListSources,
  { tenantId, uri, nowMs, isOwn }: Delivery,
  token: UncheckedStatusList,
): Promise<Result<StatusListClaims, StatusListFault>> {
  const place = { tenantId, uri };
  const key = (await keys.keyOf(place, token.kid)) ?? (await keys.keyOfAgain(place, token.kid));
  if (key === null) return err('status_key_unknown');
  if (key.key.alg !== token.header.alg) return err('status_header');
  if (!(await signatures.isValid({ tenantId, key: key.key, ...token })))
    return err('status_signature');
  const claims = readStatusList(token, { uri, nowMs, isVersioned: isOwn });
  if (!claims.ok) return claims;
  if (isOwn && claims.value.bits !== OWN_BITS) return err('status_bits');
  const { issuedAtMs } = claims.value;
  const state = keyStateFor(key, { issuedAtMs, knownSinceMs: null, atMs: nowMs });
  return state === 'usable' ? claims : err('status_key_state');
}

/** The key id of a mark that nobody may sign under any more: it would otherwise lock us out, or let nothing in. */
async function distrustedMarkKid(
  { keys }: ListSources,
  { mark, ...place }: Delivery,
): Promise<string | null> {
  if (mark === null) return null;
  const key = await keys.keyOf(place, mark.kid);
  return key === null || key.compromisedSinceAtMs !== null ? mark.kid : null;
}

function inflated(
  { lst, ...claims }: StatusListClaims,
  { kid, isOwn }: { readonly kid: string; readonly isOwn: boolean },
): Result<VerifiedList, StatusListFault> {
  const bytesExact = isOwn ? { bytesExact: statusListBytes(STATUS_LIST_CAPACITY, OWN_BITS) } : {};
  const bytes = inflateStatusList(lst, { bytesMax: STATUS_LIST_BYTES_MAX, ...bytesExact });
  if (!bytes.ok) return bytes;
  const sha256 = createHash('sha256').update(bytes.value).digest('hex');
  return ok({ ...claims, bytes: bytes.value, sha256, kid });
}

/** INVALID is final: a list that takes it back is no later state of the one that was held (decisions 4.1). */
function lostFault(list: VerifiedList, held: HeldList | null): StatusListFault | null {
  if (held === null || held.sha256 === list.sha256) return null;
  if (held.bits !== list.bits) return 'status_bits';
  return hasLostInvalid(held.bytes, list.bytes, list.bits) ? 'status_unrevoked' : null;
}

/** Raises the mark as the last step, so that no list which is refused shuts out the good one after it. */
async function markedList(
  { database }: ListSources,
  place: { readonly tenantId: TenantId; readonly uri: string },
  {
    list,
    mark,
    distrustedKid,
  }: { list: VerifiedList; mark: StatusMark | null; distrustedKid: string | null },
): Promise<Result<VerifiedList, StatusListFault>> {
  if (mark !== null && listOrder(list, mark) === 0) return ok(list);
  const { version, issuedAtMs, sha256, kid } = list;
  const raised = { version, issuedAtMs, sha256, kid };
  if (await raiseMark(database, place, { mark: raised, distrustedKid })) return ok(list);
  // Another replica was faster. What it saw counts for us too.
  const fault = markFault(list, await findMark(database, place));
  return fault === null ? ok(list) : err(fault);
}
