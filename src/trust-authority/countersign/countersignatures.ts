import {
  canonicalize,
  type InstantMs,
  ok,
  type Problem,
  type Result,
} from '../../core/kernel/index.js';
import { COUNTERSIGNATURE_TYP, type StatusRef } from '../../core/proofs/index.js';
import { ISSUED_AHEAD_MS_MAX } from '../../core/rules/index.js';
import type { SigningKeys } from '../../base/keys/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { SLOT_VALUES } from '../ledger/index.js';
import { listNumberOf, type Place } from '../lists/index.js';
import { type ServedTenant, SYSTEM_TENANT } from '../tenants/index.js';
import { type AllowToConfirm, countersignatureClaims } from './claims.js';
import { placeName, type PlacesNow, readPlaces } from './places.store.js';

/** Allows that one request confirms at most. */
export const COUNTERSIGN_REQUESTS_MAX = 64;
/** An allow lives this long at most (facts/arbiter.md J1). */
export const ALLOW_LIFE_MS_MAX = 600_000;

/** An allow with what it rests on. A slot on somebody else's list is theirs to judge. */
export interface ConfirmationWanted extends Omit<AllowToConfirm, 'tenantId'> {
  readonly artifacts: readonly { readonly id: string; readonly slot: StatusRef | null }[];
}

export type Confirmation = { readonly jws: string } | { readonly refused: string };

export interface CountersignaturesParts {
  readonly database: Queryable;
  readonly signingKeys: Pick<SigningKeys, 'signJws'>;
  readonly origin: string;
}

/**
 * Confirms allows of an arbiter (facts/arbiter.md J4, J5). Not checked: whether the decision was right; that the caller
 * may speak for the tenant is. Nothing is recorded: asking twice makes two signatures of one thing.
 */
export class Countersignatures {
  constructor(private readonly parts: CountersignaturesParts) {}

  /**
   * One answer per request, in their order: signed, or why not. Refused, in this order: the allow does not last from
   * before its end to at most {@link ALLOW_LIFE_MS_MAX} after its decision, was decided ahead of commerce time, has ended;
   * and, unless it is a refund, an artifact whose slot on one of this authority's lists was never reserved for the tenant
   * or is not VALID at this moment. Problem: unavailable.
   */
  async confirm(
    { tenantId }: Pick<ServedTenant, 'tenantId'>,
    requests: readonly ConfirmationWanted[],
  ): Promise<Result<readonly Confirmation[], Problem>> {
    const { database, signingKeys, origin } = this.parts;
    const own = (slot: StatusRef) =>
      placeOn(slot, origin, listNumberOf(origin, tenantId, slot.uri));
    const places = requests.flatMap(({ flow, artifacts }) =>
      flow === 'refund' ? [] : artifacts.flatMap(({ slot }) => (slot && own(slot)?.place) ?? []),
    );
    const distinct = [...new Map(places.map((place) => [placeName(place), place])).values()];
    const now = await readPlaces(database, tenantId, distinct);
    const answers: Confirmation[] = [];
    for (const request of requests) {
      const refused = lifeFault(request, now.nowMs) ?? artifactFault(request, { now, own });
      if (refused !== null) {
        answers.push({ refused });
        continue;
      }
      const claims = countersignatureClaims(origin, { ...request, tenantId });
      const jws = await signingKeys.signJws(SYSTEM_TENANT, 'countersign', {
        header: { typ: COUNTERSIGNATURE_TYP },
        payload: Buffer.from(canonicalize(claims), 'utf8'),
      });
      if (!jws.ok) return jws;
      answers.push({ jws: jws.value });
    }
    return ok(answers);
  }
}

/** A slot on a list of this authority; `place` null = it names none of this tenant's lists. Undefined = somebody else's. */
type OwnSlot = { readonly place: Place | null } | undefined;

const placeOn = (slot: StatusRef, origin: string, listNumber: number | null): OwnSlot =>
  slot.uri.startsWith(`${origin}/`)
    ? { place: listNumber === null ? null : { listNumber, slotIndex: slot.index } }
    : undefined;

function lifeFault(
  { decidedAtMs, expiresAtMs }: Pick<ConfirmationWanted, 'decidedAtMs' | 'expiresAtMs'>,
  nowMs: InstantMs,
): string | null {
  if (expiresAtMs <= decidedAtMs || expiresAtMs > decidedAtMs + ALLOW_LIFE_MS_MAX)
    return `an allow lives at most ${ALLOW_LIFE_MS_MAX / 1_000} s`;
  if (decidedAtMs > nowMs + ISSUED_AHEAD_MS_MAX)
    return 'the decision is ahead of the time of this tenant here';
  return nowMs > expiresAtMs ? 'the allow has ended' : null;
}

function artifactFault(
  { flow, artifacts }: ConfirmationWanted,
  { now, own }: { readonly now: PlacesNow; readonly own: (slot: StatusRef) => OwnSlot },
): string | null {
  if (flow === 'refund') return null;
  for (const { id, slot } of artifacts) {
    const named = slot === null ? undefined : own(slot);
    if (named === undefined) continue;
    const value = named.place === null ? undefined : now.values.get(placeName(named.place));
    if (value === undefined) return `the slot of ${id} was never reserved for this tenant`;
    if (value !== SLOT_VALUES.valid)
      return `${id} is ${value === SLOT_VALUES.suspended ? 'suspended' : 'revoked'}`;
  }
  return null;
}
