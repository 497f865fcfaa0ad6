import { createHash } from 'node:crypto';
import { err, type InstantMs, invariant, ok, problem } from '../../core/kernel/index.js';
import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import {
  objects,
  type RevocationClaims,
  SLOT_STATUSES,
  SLOT_VALUES,
  type SlotRow,
  type SlotStatus,
  slots,
  statusChanged,
  statusLists,
} from '../ledger/index.js';
import { listUriOf, type Place } from '../lists/index.js';

/** What a slot stands for, as records name it. */
export interface Subject {
  readonly kind: RevocationClaims['subjectKind'];
  readonly id: string;
  readonly artifactType: string | null;
}

/** One slot with what it stands for. */
export interface Affected extends Place {
  readonly subject: Subject;
}

/** Where the things that fall with the target are counted, and how many there were before the lock. */
export interface Census {
  readonly kind: string;
  readonly id: string;
  readonly counted: 'treeSize' | 'childCount';
  readonly seen: number;
}

export interface StatusChange {
  readonly origin: string;
  readonly target: Affected;
  /** What falls with it, parents before children; empty when nothing hangs on it or the status is none that falls on. */
  readonly below: readonly Affected[];
  readonly census: Census | null;
  readonly status: SlotStatus;
  readonly reasonCode: string;
  readonly revokedBy: string;
}

/** Something grew, or a slot was bound, between the look and the lock: look again. Never shown to a caller. */
export const LOOK_AGAIN = problem('conflict', 'The tree changed at the same moment.', {
  fix: 'Repeat the request.',
});

/**
 * Sets one slot and, when it is revoked, every slot that hangs on it, in one command: one entry per object, with cause
 * and root. A slot that says so already keeps the record that stands; so a repeat records nothing.
 * Problems, in order: not_found (never reserved), conflict (INVALID is final), and {@link LOOK_AGAIN}.
 */
export function changeStatus(context: CommandContext, change: StatusChange): Command<null> {
  const { target, below, census } = change;
  const affected = [target, ...below];
  const listNumbers = [...new Set(affected.map(({ listNumber }) => listNumber))];
  return {
    ...context,
    name: 'authority.change_status',
    reads: [
      ...affected.map(({ listNumber, slotIndex }) => cell(slots, listNumber, slotIndex)),
      ...listNumbers.map((listNumber) => cell(statusLists, listNumber)),
      ...(census === null ? [] : [cell(objects, census.kind, census.id)]),
    ],
    decide(view, { atMs }) {
      const slot = slotOf(view, target);
      if (slot === undefined) return err(noSuchSlot);
      if (!isAsSeen(view, change, slot)) return err(LOOK_AGAIN);
      if (slot.value === SLOT_VALUES.revoked && change.status !== 'revoked')
        return err(invalidIsFinal);
      return ok({ events: changesOf(view, { change, slot, tenantId: context.tenantId, atMs }) });
    },
    answer: () => null,
  };
}

/**
 * INVARIANT: a child born at the same time is either refused or falls with its parent: binding counts it under this
 * very lock, and here the count has to be the one that was walked.
 */
function isAsSeen(view: CellView, { target, census }: StatusChange, slot: SlotRow): boolean {
  const { subject } = target;
  const isBoundAsSeen =
    subject.kind === 'slot'
      ? slot.subjectId === null
      : slot.subjectKind === subject.kind &&
        (subject.kind === 'artifact' || slot.subjectId === subject.id);
  if (!isBoundAsSeen) return false;
  if (census === null) return true;
  return view.get(objects, [census.kind, census.id])?.[census.counted] === census.seen;
}

interface Changing {
  readonly change: StatusChange;
  readonly slot: SlotRow;
  readonly tenantId: string;
  readonly atMs: InstantMs;
}

function changesOf(view: CellView, changing: Changing): readonly LedgerEvent[] {
  const { change, slot } = changing;
  const { target, below, status } = change;
  const direct = slot.value === SLOT_VALUES[status] ? null : drawEvent(view, changing, target);
  const root = direct?.claims.jti ?? slot.revocationId;
  const falling = below.flatMap((one) => {
    const value = slotOf(view, one)?.value;
    invariant(value !== undefined, 'what is bound has a reserved slot');
    return value === SLOT_VALUES.revoked ? [] : [drawEvent(view, changing, one, root)];
  });
  return [...(direct === null ? [] : [direct]), ...falling].map((data) =>
    event(statusChanged, data),
  );
}

function drawEvent(
  view: CellView,
  { change, tenantId, atMs }: Changing,
  ...[{ listNumber, slotIndex, subject }, root]: [Affected, (string | null)?]
) {
  const list = view.get(statusLists, [listNumber]);
  const before = slotOf(view, { listNumber, slotIndex });
  invariant(list !== undefined && before !== undefined, 'a slot is reserved on a list');
  const uri = listUriOf(change.origin, tenantId as `tnt_${string}`, listNumber);
  const version = list.version + 1;
  const isCascade = root !== undefined;
  const claims: RevocationClaims = {
    iss: change.origin,
    iat: Math.floor(atMs / 1_000),
    jti: revocationIdOf(tenantId, { uri, slotIndex, version }),
    tenantId,
    subjectId: subject.id,
    subjectKind: subject.kind,
    artifactType: subject.artifactType,
    uri,
    idx: slotIndex,
    version,
    status: change.status,
    reasonCode: change.reasonCode,
    effectiveAtMs: atMs,
    revokedBy: change.revokedBy,
    cause: isCascade ? 'cascade' : 'direct',
    rootRevocationId: isCascade ? root : null,
    rootSubjectId: isCascade ? change.target.subject.id : null,
  };
  return { listNumber, from: statusOf(before), claims };
}

/** INVARIANT: a slot changes at most once with each version of its list, so the id is given to one record alone. */
const revocationIdOf = (
  tenantId: string,
  { uri, slotIndex, version }: { uri: string; slotIndex: number; version: number },
): string =>
  `rev_${createHash('sha256')
    .update(`revocation\n${tenantId}\n${uri}\n${slotIndex}\n${version}`)
    .digest('hex')
    .slice(0, 32)}`;

const slotOf = (view: CellView, { listNumber, slotIndex }: Place): SlotRow | undefined =>
  view.get(slots, [listNumber, slotIndex]);

export function statusOf({ value }: Pick<SlotRow, 'value'>): SlotStatus {
  const status = SLOT_STATUSES.find((one) => SLOT_VALUES[one] === value);
  invariant(status !== undefined, 'a slot holds 0, 1 or 2');
  return status;
}

export const noSuchSlot = problem('not_found', 'No such slot is reserved here.', {
  fix: 'Name a slot that was reserved for this tenant, or the id of what is bound to it.',
  field: '/target',
});

const invalidIsFinal = problem('conflict', 'The slot is INVALID, and INVALID is final.', {
  fix: 'Issue the fact or right anew, with a slot of its own.',
  field: '/status',
});
