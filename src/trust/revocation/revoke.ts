import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
} from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
  type Moment,
  type RecordedEntry,
} from '../../base/ledger/index.js';
import { idAt } from '../../base/tenants/index.js';
import { type MandateRow, mandates } from '../buyer-authority/index.js';
import {
  type RevocationReason,
  slotCell,
  type SlotStatus,
  slotStatusOf,
  type StatusChanged,
  statusChanged,
  statusSlots,
} from '../status/index.js';

/** One slot that is to change, with what is known of the object that named it. */
export interface Withdrawal {
  readonly slot: StatusRef;
  readonly subjectId: string | null;
  readonly status: SlotStatus;
  readonly reasonCode: RevocationReason;
  /** Drawn before the lock: one id per entry, the named object's first. */
  readonly revocationIds: readonly `rev_${string}`[];
  /** For a mandate: itself and everything below it, parents first, as it was seen before the lock; else empty. */
  readonly subtree: readonly Pick<MandateRow, 'mandateId' | 'listUri' | 'slotIndex'>[];
}

export interface Withdrawn {
  readonly changes: readonly StatusChanged[];
  readonly effectiveAtMs: InstantMs | null;
}

/** The tree grew between the look and the lock: look again. Never shown to a caller. */
export const TREE_CHANGED = problem('conflict', 'The mandate tree changed at the same moment.', {
  fix: 'Repeat the request.',
});
/** The slot says so already: the record that stands is the answer. Never shown to a caller. */
export const NOTHING_TO_CHANGE = problem('conflict', 'The slot already has this status.', {
  fix: 'Nothing is left to do.',
});

/**
 * Sets one slot and, when a mandate is revoked, every slot below it, in one command: one entry per object with cause and
 * root (facts/arbiter.md B4 to B7). Parents and other branches are not touched; slots that are INVALID already stay as
 * they are. Payments that ran stay (A10).
 * Problems, in order: not_found (no such slot), conflict (INVALID is final), and the two markers above.
 */
export function withdraw(context: CommandContext, withdrawal: Withdrawal): Command<Withdrawn> {
  const { slot, subtree, status } = withdrawal;
  const below = status === 'revoked' ? subtree : [];
  return {
    ...context,
    name: 'status.change',
    reads: [
      slotCell(slot),
      ...below.map(({ mandateId }) => cell(mandates, mandateId)),
      ...below.map(({ listUri, slotIndex }) => slotCell({ uri: listUri, index: slotIndex })),
    ],
    decide(view, moment) {
      const row = view.get(statusSlots, [slot.uri, slot.index]);
      if (row === undefined) return err(noSuchSlot);
      const from = slotStatusOf(row);
      if (!isWholeSubtree(view, below)) return err(TREE_CHANGED);
      if (from === 'revoked' && status !== 'revoked') return err(invalidIsFinal);
      const events = changes(view, { withdrawal, below, moment });
      return events.length === 0 ? err(NOTHING_TO_CHANGE) : ok({ events });
    },
    answer: withdrawnOf,
  };
}

/**
 * INVARIANT: a child born at the same time is either refused or revoked with its parent. Every mandate of the set has
 * all its children in the set, by the count that registration keeps under the same lock.
 */
function isWholeSubtree(view: CellView, below: Withdrawal['subtree']): boolean {
  const children = new Map<string, number>();
  const rows = below.map(({ mandateId }) => view.get(mandates, [mandateId]));
  for (const row of rows) {
    const parentId = row?.parentId ?? null;
    if (parentId !== null) children.set(parentId, (children.get(parentId) ?? 0) + 1);
  }
  return rows.every(
    (row) => row !== undefined && row.childCount === (children.get(row.mandateId) ?? 0),
  );
}

interface Change {
  readonly withdrawal: Withdrawal;
  readonly below: Withdrawal['subtree'];
  readonly moment: Moment;
}

function changes(view: CellView, { withdrawal, below, moment }: Change): readonly LedgerEvent[] {
  const { slot, subjectId, status, reasonCode, revocationIds } = withdrawal;
  const all = [
    { slot, subjectId },
    ...below
      .filter(({ mandateId }) => mandateId !== subjectId)
      .map((row) => ({
        slot: { uri: row.listUri, index: row.slotIndex },
        subjectId: row.mandateId,
      })),
  ];
  return all.flatMap((one, index) => {
    const row = view.get(statusSlots, [one.slot.uri, one.slot.index]);
    const drawn = revocationIds[index];
    invariant(row !== undefined && drawn !== undefined, 'every slot of a mandate is reserved');
    const from = slotStatusOf(row);
    if (from === status || from === 'revoked') return [];
    return [
      event(statusChanged, {
        revocationId: idAt('rev', drawn, { ...moment, nextSeq: moment.nextSeq + index }),
        listUri: one.slot.uri,
        index: one.slot.index,
        from,
        to: status,
        reasonCode,
        subjectId: one.subjectId,
        cause: index === 0 ? 'request' : 'cascade',
        rootSubjectId: index === 0 ? null : subjectId,
      }),
    ];
  });
}

function withdrawnOf(entries: readonly RecordedEntry[]): Withdrawn {
  const changed = entries.filter(({ type }) => type === statusChanged.type);
  return {
    changes: changed.map(({ data }) => data as StatusChanged),
    effectiveAtMs: changed[0]?.atMs ?? null,
  };
}

export const noSuchSlot: Problem = problem('not_found', 'No such slot is reserved here.', {
  fix: 'Name a slot that POST /v1/status-slots answered with, or the id of a registered object.',
});

const invalidIsFinal = problem('conflict', 'The slot is INVALID, and INVALID is final.', {
  fix: 'Register the fact or right anew, with a slot of its own.',
  field: '/status',
});
