import { codec, type Decoded } from '../../core/kernel/index.js';
import { ARTIFACT_TYPES } from '../../core/rules/index.js';
import {
  column,
  defineEvent,
  defineProjection,
  type EntryRef,
  type EventType,
  when,
} from '../../base/ledger/index.js';
import { subjectOf } from './publishing/envelope.js';
import {
  factNamed,
  factsPublished,
  factsRenewed,
  type Publication,
} from './publishing/lineages.ledger.js';

/** One signed fact was verified and is held. Its bytes are the document named by `documentSha256`. */
export const artifactRegistered = defineEvent(
  'artifact.registered',
  codec.record({
    artifactId: codec.text,
    artifactType: codec.oneOf(...ARTIFACT_TYPES),
    merchantId: codec.text,
    variantId: codec.nullable(codec.text),
    subjectType: codec.text,
    subjectId: codec.text,
    issuer: codec.text,
    issuerKid: codec.text,
    payloadHash: codec.text,
    documentSha256: codec.text,
    issuedAtMs: codec.instant,
    notBeforeAtMs: codec.instant,
    expiresAtMs: codec.instant,
    listUri: codec.text,
    slotIndex: codec.integer,
    sourceRevision: codec.added(codec.nullable(codec.text), null),
  }),
);
export type ArtifactRegistered = Decoded<typeof artifactRegistered.data>;

export interface ArtifactRow extends ArtifactRegistered {
  readonly registeredAtMs: number;
}

const artifactType = column.text as import('../../base/ledger/index.js').Column<
  ArtifactRegistered['artifactType']
>;

export const artifacts = defineProjection<ArtifactRow>({
  table: 'artifacts',
  mode: 'append',
  key: ['artifactId'],
  columns: {
    artifactId: column.text,
    artifactType,
    merchantId: column.text,
    variantId: column.nullable(column.text),
    subjectType: column.text,
    subjectId: column.text,
    sourceRevision: column.nullable(column.text),
    issuer: column.text,
    issuerKid: column.text,
    payloadHash: column.text,
    documentSha256: column.text,
    issuedAtMs: column.integer,
    notBeforeAtMs: column.integer,
    expiresAtMs: column.integer,
    listUri: column.text,
    slotIndex: column.integer,
    registeredAtMs: column.integer,
  },
  on: [
    when(artifactRegistered, {
      keys: ({ artifactId }) => [[artifactId]],
      evolve: (_row, data, { entry }) => ({ ...data, registeredAtMs: entry.atMs }),
    }),
    whenPublished(factsPublished),
    whenPublished(factsRenewed),
  ],
});

/** What was published here was made here; its row is that of any other verified fact. */
function whenPublished(eventType: EventType<Publication>) {
  return when<ArtifactRow, Publication>(eventType, {
    keys: ({ facts }) => facts.map(({ artifactId }) => [artifactId]),
    evolve(_row, data, { entry, key }) {
      const { merchantId, issuer, issuerKid } = data;
      const fact = factNamed(data, ({ artifactId }) => artifactId === key[0]);
      return publishedRow({ merchantId, issuer, issuerKid, fact, entry });
    },
  });
}

function publishedRow({
  merchantId,
  issuer,
  issuerKid,
  fact,
  entry,
}: Omit<Publication, 'facts'> & {
  readonly fact: Publication['facts'][number];
  readonly entry: EntryRef;
}): ArtifactRow {
  const { artifactType, subject, revision, issuedAtMs } = fact;
  const { type, ...about } = subjectOf(merchantId, { type: artifactType, subject, revision });
  return {
    artifactId: fact.artifactId,
    artifactType: type,
    ...about,
    issuer,
    issuerKid,
    payloadHash: fact.payloadHash,
    documentSha256: fact.documentSha256,
    issuedAtMs,
    notBeforeAtMs: issuedAtMs,
    expiresAtMs: fact.expiresAtMs,
    listUri: fact.listUri,
    slotIndex: fact.slotIndex,
    registeredAtMs: entry.atMs,
  };
}

/** The newest artifact of a merchant and type, and where the type speaks of one variant, of that variant (else ''). */
export interface CurrentArtifactRow {
  readonly merchantId: string;
  readonly artifactType: string;
  readonly variantId: string;
  readonly artifactId: string;
  readonly issuedAtMs: number;
}

export const currentArtifacts = defineProjection<CurrentArtifactRow>({
  table: 'current_artifacts',
  mode: 'update',
  key: ['merchantId', 'artifactType', 'variantId'],
  columns: {
    merchantId: column.text,
    artifactType: column.text,
    variantId: column.text,
    artifactId: column.text,
    issuedAtMs: column.integer,
  },
  on: [
    when(artifactRegistered, {
      keys: (data) => [[data.merchantId, data.artifactType, data.variantId ?? '']],
      evolve(row, data) {
        // Of two issued at the same instant the later registration counts; an older one never takes the place back.
        if (row !== undefined && row.issuedAtMs > data.issuedAtMs) return row;
        const { merchantId, artifactId, issuedAtMs } = data;
        const variantId = data.variantId ?? '';
        return { merchantId, artifactType: data.artifactType, variantId, artifactId, issuedAtMs };
      },
    }),
  ],
});
