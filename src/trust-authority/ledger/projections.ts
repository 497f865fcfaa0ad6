import { type CanonicalValue, invariant } from '../../core/kernel/index.js';
import { currentSigningKeys, signingKeys } from '../../base/keys/index.js';
import {
  type AnyProjection,
  anyProjection,
  column,
  defineProjection,
  when,
} from '../../base/ledger/index.js';
import { withdrawalProofs } from './withdrawals.js';
import { witnessedLogs } from './witnessed-logs.js';
import {
  authorityOpened,
  headCosigned,
  mandateTerms,
  type ObjectBound,
  objectBound,
  type ObjectRef,
  revocationClaims,
  SLOT_VALUES,
  slotsReserved,
  statusChanged,
  tenantRegistered,
} from './events.js';

/** INVARIANT: what an event changes was made by an earlier one. */
function known<Row>(row: Row | undefined): Row {
  invariant(row !== undefined, 'what changes was there before');
  return row;
}

export const authorities = defineProjection<{ readonly origin: string }>({
  table: 'authorities',
  mode: 'update',
  key: [],
  columns: { origin: column.text },
  on: [when(authorityOpened, { keys: () => [[]], evolve: (_row, { origin }) => ({ origin }) })],
});

export interface AuthorityTenantRow {
  readonly world: string;
  /** Name of the service that registered it: for others it is not there. */
  readonly service: string;
}

export const authorityTenants = defineProjection<AuthorityTenantRow>({
  table: 'authority_tenants',
  mode: 'update',
  key: [],
  columns: { world: column.text, service: column.text },
  on: [
    when(tenantRegistered, {
      keys: () => [[]],
      evolve: (_row, { world, service }) => ({ world, service }),
    }),
  ],
});

export interface StatusListRow {
  readonly listNumber: number;
  /** +1 per change of a value on it; never by signing again. */
  readonly version: number;
  readonly reservedCount: number;
  readonly spread: string;
}

export const statusLists = defineProjection<StatusListRow>({
  table: 'status_lists',
  mode: 'update',
  key: ['listNumber'],
  columns: {
    listNumber: column.integer,
    version: column.integer,
    reservedCount: column.integer,
    spread: column.text,
  },
  on: [
    when(slotsReserved, {
      keys: ({ listNumber }) => [[listNumber]],
      evolve: (row, { listNumber, spread, indexes }) =>
        row === undefined
          ? { listNumber, version: 1, reservedCount: indexes.length, spread }
          : { ...row, reservedCount: row.reservedCount + indexes.length },
    }),
    when(statusChanged, {
      keys: ({ listNumber }) => [[listNumber]],
      evolve: (row, { claims }) => ({ ...known(row), version: claims.version }),
    }),
  ],
});

export interface SlotRow {
  readonly listNumber: number;
  readonly slotIndex: number;
  readonly value: number;
  /** Null = reserved, and nothing bound to it yet; the three are set together. */
  readonly lineage: string | null;
  readonly subjectKind: string | null;
  /** The object bound last; of a lineage of artifacts there are several. */
  readonly subjectId: string | null;
  readonly changedAtMs: number | null;
  /** The record that stands. */
  readonly revocationId: string | null;
}

export const slots = defineProjection<SlotRow>({
  table: 'slots',
  mode: 'update',
  key: ['listNumber', 'slotIndex'],
  columns: {
    listNumber: column.integer,
    slotIndex: column.integer,
    value: column.integer,
    lineage: column.nullable(column.text),
    subjectKind: column.nullable(column.text),
    subjectId: column.nullable(column.text),
    changedAtMs: column.nullable(column.integer),
    revocationId: column.nullable(column.text),
  },
  on: [
    when(slotsReserved, {
      keys: ({ listNumber, indexes }) => indexes.map((index) => [listNumber, index]),
      evolve(row, { listNumber }, { key }) {
        invariant(row === undefined, 'a slot is reserved once');
        return {
          listNumber,
          slotIndex: Number(key[1]),
          value: SLOT_VALUES.valid,
          lineage: null,
          subjectKind: null,
          subjectId: null,
          changedAtMs: null,
          revocationId: null,
        };
      },
    }),
    when(objectBound, {
      keys: ({ listNumber, slotIndex }) => [[listNumber, slotIndex]],
      evolve: (row, { lineage, kind, objectId }) => ({
        ...known(row),
        lineage,
        subjectKind: kind,
        subjectId: objectId,
      }),
    }),
    when(statusChanged, {
      keys: ({ listNumber, claims }) => [[listNumber, claims.idx]],
      evolve: (row, { claims }) => ({
        ...known(row),
        value: SLOT_VALUES[claims.status],
        changedAtMs: claims.effectiveAtMs,
        revocationId: claims.jti,
      }),
    }),
  ],
});

export interface ObjectRow {
  readonly kind: string;
  readonly objectId: string;
  readonly sha256: string;
  readonly lineage: string;
  readonly listNumber: number;
  readonly slotIndex: number;
  readonly merchantIds: CanonicalValue;
  readonly artifactType: string | null;
  /** Encoded by `mandateTerms`; of mandates and registrations only. */
  readonly mandate: CanonicalValue | null;
  readonly terms: CanonicalValue;
  readonly parentKind: string | null;
  readonly parentId: string | null;
  readonly rootKind: string | null;
  readonly rootId: string | null;
  readonly depth: number;
  /** Children of a mandate, passports of a consent. */
  readonly childCount: number;
  /** Members of the whole tree, kept at its root; 0 elsewhere. */
  readonly treeSize: number;
  readonly consentId: string | null;
  readonly expiresAtMs: number | null;
  readonly boundAtMs: number;
}

/** The row of an object that was just bound: nothing is counted at it yet. */
export const rowOfBound = (data: ObjectBound, boundAtMs: number): ObjectRow => ({
  kind: data.kind,
  objectId: data.objectId,
  sha256: data.sha256,
  lineage: data.lineage,
  listNumber: data.listNumber,
  slotIndex: data.slotIndex,
  merchantIds: [...data.merchantIds],
  artifactType: data.artifactType,
  mandate: data.mandate === null ? null : mandateTerms.encode(data.mandate),
  terms: data.terms,
  parentKind: data.parent?.kind ?? null,
  parentId: data.parent?.id ?? null,
  rootKind: data.root?.kind ?? null,
  rootId: data.root?.id ?? null,
  depth: data.depth,
  childCount: 0,
  treeSize: data.root !== null && data.parent === null ? 1 : 0,
  consentId: data.consentId,
  expiresAtMs: data.expiresAtMs,
  boundAtMs,
});

const isKey = (key: readonly (string | number)[], ref: ObjectRef | null): boolean =>
  ref !== null && key[0] === ref.kind && key[1] === ref.id;

const consentOf = ({ consentId }: ObjectBound): ObjectRef | null =>
  consentId === null ? null : { kind: 'consent', id: consentId };

/** The object, and where it is counted: at its parent, at the root of its tree, at its consent. */
function touched(data: ObjectBound): readonly (readonly string[])[] {
  const self: ObjectRef = { kind: data.kind, id: data.objectId };
  const refs = [self, data.parent, data.root, consentOf(data)].flatMap((ref) => ref ?? []);
  return [...new Map(refs.map(({ kind, id }) => [`${kind} ${id}`, [kind, id]])).values()];
}

export const objects = defineProjection<ObjectRow>({
  table: 'objects',
  mode: 'update',
  key: ['kind', 'objectId'],
  columns: {
    kind: column.text,
    objectId: column.text,
    sha256: column.text,
    lineage: column.text,
    listNumber: column.integer,
    slotIndex: column.integer,
    merchantIds: column.json,
    artifactType: column.nullable(column.text),
    mandate: column.nullable(column.json),
    terms: column.json,
    parentKind: column.nullable(column.text),
    parentId: column.nullable(column.text),
    rootKind: column.nullable(column.text),
    rootId: column.nullable(column.text),
    depth: column.integer,
    childCount: column.integer,
    treeSize: column.integer,
    consentId: column.nullable(column.text),
    expiresAtMs: column.nullable(column.integer),
    boundAtMs: column.integer,
  },
  on: [
    when(objectBound, {
      keys: touched,
      evolve(row, data, { entry, key }) {
        if (isKey(key, { kind: data.kind, id: data.objectId })) {
          invariant(row === undefined, 'an object is bound once');
          return rowOfBound(data, entry.atMs);
        }
        const counted = known(row);
        const isCounting = isKey(key, data.parent) || isKey(key, consentOf(data));
        return {
          ...counted,
          childCount: counted.childCount + (isCounting ? 1 : 0),
          treeSize: counted.treeSize + (isKey(key, data.root) ? 1 : 0),
        };
      },
    }),
  ],
});

export interface RevocationRecordRow {
  readonly revocationId: string;
  /** Encoded by `revocationClaims`: the very claims that are signed. */
  readonly claims: CanonicalValue;
}

export const revocationRecords = defineProjection<RevocationRecordRow>({
  table: 'revocation_records',
  mode: 'append',
  key: ['revocationId'],
  columns: { revocationId: column.text, claims: column.json },
  on: [
    when(statusChanged, {
      keys: ({ claims }) => [[claims.jti]],
      evolve: (_row, { claims }) => ({
        revocationId: claims.jti,
        claims: revocationClaims.encode(claims),
      }),
    }),
  ],
});

interface WitnessedHeadRow {
  readonly ledgerId: string;
  readonly seq: number;
  readonly link: string;
  /** When it was signed first: a repeat says the same. */
  readonly cosignedAtMs: number;
}

/** Written by nothing any more: what entries of the protocol before add-checkpoint fold to. */
const witnessedHeads = defineProjection<WitnessedHeadRow>({
  table: 'witnessed_heads',
  mode: 'update',
  key: ['ledgerId'],
  columns: {
    ledgerId: column.text,
    seq: column.integer,
    link: column.text,
    cosignedAtMs: column.integer,
  },
  on: [
    when(headCosigned, {
      keys: ({ ledgerId }) => [[ledgerId]],
      evolve: (_row, head, { entry }) => ({ ...head, cosignedAtMs: entry.atMs }),
    }),
  ],
});

/** Every projection of the authority: what its writer keeps, and what folding its ledgers again must give. */
export const AUTHORITY_PROJECTIONS: readonly AnyProjection[] = [
  anyProjection(signingKeys),
  anyProjection(currentSigningKeys),
  anyProjection(authorities),
  anyProjection(authorityTenants),
  anyProjection(statusLists),
  anyProjection(slots),
  anyProjection(objects),
  anyProjection(revocationRecords),
  anyProjection(witnessedHeads),
  anyProjection(witnessedLogs),
  anyProjection(withdrawalProofs),
];
