import { codec, type Decoded, invariant, WORLDS } from '../../core/kernel/index.js';
import { ARTIFACT_TYPES } from '../../core/rules/index.js';
import { MANDATE_KINDS } from '../../core/proofs/index.js';
import { defineEvent } from '../../base/ledger/index.js';

/** What has a slot. Mandates and registrations stand in one tree and share one space of ids. */
export const OBJECT_KINDS = ['artifact', 'mandate', 'consent', 'passport', 'registration'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Token Status List values (decisions 4.1). INVALID is final. */
export const SLOT_VALUES = { valid: 0, revoked: 1, suspended: 2 } as const;
export const SLOT_STATUSES = ['valid', 'revoked', 'suspended'] as const;
export type SlotStatus = (typeof SLOT_STATUSES)[number];

/** INVARIANT: a stored kind is one of the closed list; the table's CHECK says the same. */
export function objectKindOf(text: string): ObjectKind {
  const kind = OBJECT_KINDS.find((one) => one === text);
  invariant(kind !== undefined, 'an object has a kind of the closed list');
  return kind;
}

/** Names one object of a tenant. */
export const objectRef = codec.record({ kind: codec.oneOf(...OBJECT_KINDS), id: codec.text });
export type ObjectRef = Decoded<typeof objectRef>;

/** Which authority this is: its permanent name, of which every uri of it is made. First event of the system tenant. */
export const authorityOpened = defineEvent(
  'authority.opened',
  codec.record({ origin: codec.text }),
);

/** A tenant of an arbiter is served from now on, for the service that registered it. */
export const tenantRegistered = defineEvent(
  'authority.tenant_registered',
  codec.record({ world: codec.oneOf(...WORLDS), service: codec.text }),
);

/** Places taken on one list, before the objects that name them are signed (decisions 4.4). The first of a list makes it. */
export const slotsReserved = defineEvent(
  'authority.slots_reserved',
  codec.record({
    listNumber: codec.integer,
    spread: codec.text,
    indexes: codec.list(codec.integer),
  }),
);

/** What children of a mandate are measured by; `subject_commitment` is the same text for the same buyer. */
export const mandateTerms = codec.record({
  mandateKind: codec.oneOf(...MANDATE_KINDS),
  subjectCommitment: codec.text,
  agentId: codec.text,
  cartHash: codec.nullable(codec.text),
  cap: codec.money,
  notBeforeAtMs: codec.instant,
  expiresAtMs: codec.instant,
});
export type MandateTermsRecord = Decoded<typeof mandateTerms>;

/**
 * An object stands for the slot from now on. `parent` and `root` place a mandate or registration in its tree (the root
 * of a tree is its own root, at depth 1); everything else has depth 0. `terms` belongs to the kind.
 */
export const objectBound = defineEvent(
  'authority.object_bound',
  codec.record({
    kind: codec.oneOf(...OBJECT_KINDS),
    objectId: codec.text,
    sha256: codec.text,
    lineage: codec.text,
    listNumber: codec.integer,
    slotIndex: codec.integer,
    merchantIds: codec.list(codec.text),
    artifactType: codec.nullable(codec.oneOf(...ARTIFACT_TYPES)),
    mandate: codec.nullable(mandateTerms),
    parent: codec.nullable(objectRef),
    root: codec.nullable(objectRef),
    depth: codec.integer,
    consentId: codec.nullable(codec.text),
    expiresAtMs: codec.nullable(codec.instant),
    terms: codec.opaque,
  }),
);
export type ObjectBound = Decoded<typeof objectBound.data>;

/** The claims of a signed revocation record, exactly as they are signed (docs/authority.md). */
export const revocationClaims = codec.record({
  iss: codec.text,
  iat: codec.integer,
  jti: codec.text,
  tenantId: codec.text,
  subjectId: codec.text,
  subjectKind: codec.oneOf(...OBJECT_KINDS, 'slot'),
  artifactType: codec.nullable(codec.text),
  uri: codec.text,
  idx: codec.integer,
  version: codec.integer,
  status: codec.oneOf(...SLOT_STATUSES),
  reasonCode: codec.text,
  effectiveAtMs: codec.instant,
  revokedBy: codec.text,
  cause: codec.oneOf('direct', 'cascade'),
  rootRevocationId: codec.nullable(codec.text),
  rootSubjectId: codec.nullable(codec.text),
});
export type RevocationClaims = Decoded<typeof revocationClaims>;

/** One slot changed: one entry per object, holding the record's claims. */
export const statusChanged = defineEvent(
  'authority.status_changed',
  codec.record({
    listNumber: codec.integer,
    from: codec.oneOf(...SLOT_STATUSES),
    claims: revocationClaims,
  }),
);
export type StatusChanged = Decoded<typeof statusChanged.data>;

/** A head of a ledger was signed as seen. Recorded until checkpoints took its place; it stays, so that those entries can be read. */
export const headCosigned = defineEvent(
  'authority.head_cosigned',
  codec.record({ ledgerId: codec.text, seq: codec.integer, link: codec.text }),
);
