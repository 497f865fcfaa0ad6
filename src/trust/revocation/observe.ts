import { ok } from '../../core/kernel/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  type Command,
  type CommandContext,
  dataOf,
  documentWrite,
  event,
  type LedgerEvent,
  type RecordedEntry,
} from '../../base/ledger/index.js';
import type { Revoked, VerifiedRecord } from '../authority/index.js';
import {
  floorCells,
  REVOCATION_REASONS,
  slotCell,
  slotStatusOf,
  statusChanged,
  statusFloorRaised,
  statusFloors,
  statusSlots,
} from '../status/index.js';
import {
  type ObservedRecord,
  RECORDS_PER_ENTRY_MAX,
  revocationObservations,
  revocationObserved,
} from './observations.ledger.js';

/**
 * Writes down what the authority answered a change with, in one transaction: `status.floor_raised` for every list,
 * `status.changed` for every slot, `revocation.observed` with the digests of the records, whose bytes are documents.
 * What was written down before is left as it is, so that repeating an answer after a crash ends in the same state, in
 * whatever order answers arrive. Answers with the record of the object that was named; null = it told none.
 * Problems: those of the writer.
 */
export function observe(
  context: CommandContext,
  { records, lists }: Revoked,
): Command<string | null> {
  return {
    ...context,
    name: 'revocation.observe',
    reads: [
      ...floorCells(lists.map(({ uri }) => uri)),
      ...records.flatMap(({ revocationId, slot }): readonly CellRef[] => [
        cell(revocationObservations, revocationId),
        slotCell(slot),
      ]),
    ],
    decide(view) {
      const documents = records.map((record, position) => ({
        record,
        position,
        document: documentWrite(context.tenantId, {
          mediaType: 'application/fact-revocation+jwt',
          bytes: Buffer.from(record.jws, 'utf8'),
          erasable: false,
        }),
      }));
      const unseen = documents.filter(
        ({ record }) => view.get(revocationObservations, [record.revocationId]) === undefined,
      );
      const observed = unseen.map(({ record, position, document }) =>
        observedOf(record, position, document.sha256),
      );
      return ok({
        events: [
          ...raised(view, lists),
          ...unseen.flatMap(({ record }) => changed(view, record)),
          ...chunks(observed).map((some) => event(revocationObserved, { records: some })),
        ],
        sideWrites: unseen.map(({ document }) => document.write),
      });
    },
    answer: (entries, replayed) =>
      replayed ? revocationIdIn(entries) : (records[0]?.revocationId ?? null),
  };
}

/** The record of the object that was named, where this command wrote it down; null = it had nothing new to write down. */
export const revocationIdIn = (entries: readonly RecordedEntry[]): string | null =>
  dataOf(entries, revocationObserved)?.records.find(({ position }) => position === 0)
    ?.revocationId ?? null;

const raised = (view: CellView, lists: Revoked['lists']): readonly LedgerEvent[] =>
  lists.flatMap(({ uri, version }) => {
    const floor = view.get(statusFloors, [uri]);
    if (floor !== undefined && floor.minVersion >= version) return [];
    return [event(statusFloorRaised, { listUri: uri, version })];
  });

/**
 * INVARIANT: INVALID stays, and of two changes of one slot the one that the authority made later stands, whichever is
 * written down first.
 */
function changed(view: CellView, record: VerifiedRecord): readonly LedgerEvent[] {
  const { slot, status, subjectId, revocationId, rootSubjectId } = record;
  const row = view.get(statusSlots, [slot.uri, slot.index]);
  const from = row === undefined ? 'valid' : slotStatusOf(row);
  if (from === 'revoked' || (row?.changedVersion ?? -1) >= record.listVersion) return [];
  const reasonCode = REVOCATION_REASONS.find((one) => one === record.reasonCode) ?? 'other';
  return [
    event(statusChanged, {
      revocationId,
      listUri: slot.uri,
      index: slot.index,
      from,
      to: status,
      reasonCode,
      subjectId,
      cause: record.cause === 'cascade' ? 'cascade' : 'request',
      rootSubjectId,
      version: record.listVersion,
    }),
  ];
}

const observedOf = (
  record: VerifiedRecord,
  position: number,
  recordSha256: string,
): ObservedRecord => ({
  revocationId: record.revocationId,
  subjectKind: record.subjectKind,
  subjectId: record.subjectId,
  artifactType: record.artifactType,
  listUri: record.slot.uri,
  slotIndex: record.slot.index,
  listVersion: record.listVersion,
  status: record.status,
  reasonCode: record.reasonCode,
  revokedBy: record.revokedBy,
  cause: record.cause,
  rootRevocationId: record.rootRevocationId,
  rootSubjectId: record.rootSubjectId,
  position,
  effectiveAtMs: record.effectiveAtMs,
  recordSha256,
});

function chunks(records: readonly ObservedRecord[]): readonly (readonly ObservedRecord[])[] {
  const count = Math.ceil(records.length / RECORDS_PER_ENTRY_MAX);
  return Array.from({ length: count }, (_, index) =>
    records.slice(index * RECORDS_PER_ENTRY_MAX, (index + 1) * RECORDS_PER_ENTRY_MAX),
  );
}
