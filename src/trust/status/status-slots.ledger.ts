import { type CanonicalValue, codec, type Decoded, invariant } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';

/** Token Status List values (decisions 4.1). INVALID is final. */
export const SLOT_VALUES = { valid: 0, revoked: 1, suspended: 2 } as const;
export const SLOT_STATUSES = ['valid', 'revoked', 'suspended'] as const;
export type SlotStatus = (typeof SLOT_STATUSES)[number];

/** Why a fact or a right was withdrawn (facts/arbiter.md A7). */
export const REVOCATION_REASONS = [
  'price_error',
  'recall',
  'consent_withdrawn',
  'merchant_request',
  'key_compromise',
  'other',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** Places set aside on one list, before the objects that name them are signed (decisions 4.4). */
export const slotsReserved = defineEvent(
  'status.slots_reserved',
  codec.record({ listUri: codec.text, indexes: codec.list(codec.integer) }),
);

/**
 * A slot is taken by the object that was registered with it. `lineage` is what the slot stays with: a renewal of the
 * same fact keeps its slot, another fact never gets it. `merchantIds` says who may withdraw it.
 */
export const slotBound = defineEvent(
  'status.slot_bound',
  codec.record({
    listUri: codec.text,
    index: codec.integer,
    lineage: codec.text,
    merchantIds: codec.list(codec.text),
  }),
);

/** As {@link slotBound}, for many slots of one merchant at once; each is named once. */
export const slotsBound = defineEvent(
  'status.slots_bound',
  codec.record({
    merchantIds: codec.list(codec.text),
    slots: codec.list(
      codec.record({ listUri: codec.text, index: codec.integer, lineage: codec.text }),
    ),
  }),
);

/**
 * One slot changed. `cause` is `cascade` for a mandate that fell with the one named by `rootSubjectId`.
 * `subjectId` is the object that was named or walked to; null when only the slot was named.
 */
export const statusChanged = defineEvent(
  'status.changed',
  codec.record({
    revocationId: codec.text,
    listUri: codec.text,
    index: codec.integer,
    from: codec.oneOf(...SLOT_STATUSES),
    to: codec.oneOf(...SLOT_STATUSES),
    reasonCode: codec.oneOf(...REVOCATION_REASONS),
    subjectId: codec.nullable(codec.text),
    cause: codec.oneOf('request', 'cascade'),
    rootSubjectId: codec.nullable(codec.text),
    /** Version of the list at which it changed: puts changes of one slot into their order. */
    version: codec.added(codec.nullable(codec.integer), null),
  }),
);
export type StatusChanged = Decoded<typeof statusChanged.data>;

export interface StatusSlotRow {
  readonly listUri: string;
  readonly slotIndex: number;
  readonly value: number;
  readonly lineage: string | null;
  readonly merchantIds: CanonicalValue;
  readonly changedAtMs: number | null;
  readonly revocationId: string | null;
  readonly reasonCode: string | null;
  readonly subjectId: string | null;
  readonly rootSubjectId: string | null;
  readonly changedVersion: number | null;
}

const untouched = (listUri: string, slotIndex: number): StatusSlotRow => ({
  listUri,
  slotIndex,
  value: SLOT_VALUES.valid,
  lineage: null,
  merchantIds: [],
  changedAtMs: null,
  revocationId: null,
  reasonCode: null,
  subjectId: null,
  rootSubjectId: null,
  changedVersion: null,
});

const known = (row: StatusSlotRow | undefined): StatusSlotRow => {
  invariant(row !== undefined, 'a slot is reserved before it is used');
  return row;
};

export const statusSlots = defineProjection<StatusSlotRow>({
  table: 'status_slots',
  mode: 'update',
  key: ['listUri', 'slotIndex'],
  columns: {
    listUri: column.text,
    slotIndex: column.integer,
    value: column.integer,
    lineage: column.nullable(column.text),
    merchantIds: column.json,
    changedAtMs: column.nullable(column.integer),
    revocationId: column.nullable(column.text),
    reasonCode: column.nullable(column.text),
    subjectId: column.nullable(column.text),
    rootSubjectId: column.nullable(column.text),
    changedVersion: column.nullable(column.integer),
  },
  on: [
    when(slotsReserved, {
      keys: ({ listUri, indexes }) => indexes.map((index) => [listUri, index]),
      evolve(row, { listUri }, { key }) {
        invariant(row === undefined, 'a slot is reserved once');
        return untouched(listUri, Number(key[1]));
      },
    }),
    when(slotBound, {
      keys: ({ listUri, index }) => [[listUri, index]],
      evolve: (row, { lineage, merchantIds }) => ({ ...known(row), lineage, merchantIds }),
    }),
    when(slotsBound, {
      keys: ({ slots }) => slots.map(({ listUri, index }) => [listUri, index]),
      evolve(row, { merchantIds, slots }, { key }) {
        const [listUri, index] = key;
        const bound = slots.find((slot) => slot.listUri === listUri && slot.index === index);
        invariant(bound !== undefined, 'a slot is bound to a lineage of its entry');
        return { ...known(row), lineage: bound.lineage, merchantIds };
      },
    }),
    when(statusChanged, {
      keys: ({ listUri, index }) => [[listUri, index]],
      // What the authority made and nobody registered here may be withdrawn here as well.
      evolve: (row, data, { entry }) => ({
        ...(row ?? untouched(data.listUri, data.index)),
        value: SLOT_VALUES[data.to],
        changedAtMs: entry.atMs,
        revocationId: data.revocationId,
        reasonCode: data.reasonCode,
        subjectId: data.subjectId,
        rootSubjectId: data.rootSubjectId,
        changedVersion: data.version,
      }),
    }),
  ],
});

/** INVARIANT: a slot holds one of the three values; the table's CHECK says the same. */
export function slotStatusOf({ value }: Pick<StatusSlotRow, 'value'>): SlotStatus {
  const status = SLOT_STATUSES.find((one) => SLOT_VALUES[one] === value);
  invariant(status !== undefined, 'a slot holds 0, 1 or 2');
  return status;
}
