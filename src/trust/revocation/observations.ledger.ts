import { codec, type Decoded, invariant } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';
import { SLOT_STATUSES } from '../status/index.js';

export const SUBJECT_KINDS = [
  'artifact',
  'mandate',
  'consent',
  'passport',
  'registration',
  'slot',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** One signed revocation record of the authority; its bytes are the document `recordSha256`. */
const observed = codec.record({
  revocationId: codec.text,
  subjectKind: codec.oneOf(...SUBJECT_KINDS),
  subjectId: codec.nullable(codec.text),
  artifactType: codec.nullable(codec.text),
  listUri: codec.text,
  slotIndex: codec.integer,
  listVersion: codec.integer,
  status: codec.oneOf(...SLOT_STATUSES),
  reasonCode: codec.text,
  revokedBy: codec.text,
  cause: codec.oneOf('direct', 'cascade'),
  rootRevocationId: codec.nullable(codec.text),
  rootSubjectId: codec.nullable(codec.text),
  /** Its place in the authority's answer: the named object's record has 0, parents stand before their children. */
  position: codec.integer,
  effectiveAtMs: codec.instant,
  recordSha256: codec.text,
});
export type ObservedRecord = Decoded<typeof observed>;

/** Records that one entry holds, at most: the entry stays within the longest body. */
export const RECORDS_PER_ENTRY_MAX = 200;

/**
 * Records of the authority were verified here (decisions 4.6): from now on the authority cannot say that it never made
 * them, and we cannot say that we never saw them.
 */
export const revocationObserved = defineEvent(
  'revocation.observed',
  codec.record({ records: codec.list(observed) }),
);

/** Closed words are plain text in a row; the table's CHECKs hold the lists. */
export type RevocationObservationRow = Omit<ObservedRecord, 'subjectKind' | 'status' | 'cause'> & {
  readonly subjectKind: string;
  readonly status: string;
  readonly cause: string;
};

export const revocationObservations = defineProjection<RevocationObservationRow>({
  table: 'revocation_observations',
  mode: 'append',
  key: ['revocationId'],
  columns: {
    revocationId: column.text,
    subjectKind: column.text,
    subjectId: column.nullable(column.text),
    artifactType: column.nullable(column.text),
    listUri: column.text,
    slotIndex: column.integer,
    listVersion: column.integer,
    status: column.text,
    reasonCode: column.text,
    revokedBy: column.text,
    cause: column.text,
    rootRevocationId: column.nullable(column.text),
    rootSubjectId: column.nullable(column.text),
    position: column.integer,
    effectiveAtMs: column.integer,
    recordSha256: column.text,
  },
  on: [
    when(revocationObserved, {
      keys: ({ records }) => records.map(({ revocationId }) => [revocationId]),
      evolve(_row, { records }, { key }) {
        const record = records.find(({ revocationId }) => revocationId === key[0]);
        invariant(record !== undefined, 'a row is named by the record that it holds');
        return record;
      },
    }),
  ],
});
