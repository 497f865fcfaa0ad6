import { err, type InstantMs, ok, type Result } from '../kernel/index.js';
import { fault, type ProofFault } from './fault.js';
import { parseToken, type TypPolicy, type UncheckedToken } from './jws.js';
import { MemberReader, type StatusRef } from './members.js';

/** A signed revocation record is a compact JWS of this type, and of no other. */
export const REVOCATION_RECORD_TYP = 'fact-revocation+jwt';
const TYPS: TypPolicy = [REVOCATION_RECORD_TYP];

export const REVOCATION_SUBJECT_KINDS = [
  'artifact',
  'mandate',
  'consent',
  'passport',
  'registration',
  'slot',
] as const;

/** What an authority says about one slot that changed. `cause` is `cascade` when it fell with the subject of the root. */
export interface RevocationClaims {
  readonly issuer: string;
  readonly issuedAtMs: InstantMs;
  readonly revocationId: string;
  readonly tenantId: string;
  readonly subjectId: string | null;
  readonly subjectKind: (typeof REVOCATION_SUBJECT_KINDS)[number];
  readonly artifactType: string | null;
  readonly slot: StatusRef;
  /** Of the list from which on the change shows. */
  readonly listVersion: number;
  readonly status: 'valid' | 'revoked' | 'suspended';
  readonly reasonCode: string;
  readonly effectiveAtMs: InstantMs;
  readonly revokedBy: string;
  readonly cause: 'direct' | 'cascade';
  readonly rootRevocationId: string | null;
  readonly rootSubjectId: string | null;
}

const MEMBERS: ReadonlySet<string> = new Set([
  'iss',
  'iat',
  'jti',
  'tenant_id',
  'subject_id',
  'subject_kind',
  'artifact_type',
  'uri',
  'idx',
  'version',
  'status',
  'reason_code',
  'effective_at',
  'revoked_by',
  'cause',
  'root_revocation_id',
  'root_subject_id',
]);

export interface UncheckedRecord {
  readonly token: UncheckedToken;
  readonly kid: string;
  readonly claims: RevocationClaims;
}

/**
 * Reads a revocation record. Faults, in order: those of {@link parseToken}, shape (no kid, the first claim that does
 * not fit). Not checked here: issuer, key and signature, and what the record is needed for.
 */
export function parseRevocationRecord(jws: string): Result<UncheckedRecord, ProofFault> {
  const token = parseToken(jws, TYPS);
  if (!token.ok) return token;
  const { kid } = token.value.header;
  if (kid === null) return err(fault('shape', 'header.kid', 'it names no key'));
  const read = new MemberReader(token.value.claims);
  read.only(MEMBERS);
  const claims: RevocationClaims = {
    issuer: read.text('iss'),
    issuedAtMs: read.seconds('iat'),
    revocationId: read.id('jti'),
    tenantId: read.id('tenant_id'),
    subjectId: read.optionalText('subject_id'),
    subjectKind: read.oneOf('subject_kind', REVOCATION_SUBJECT_KINDS),
    artifactType: read.optionalText('artifact_type'),
    slot: { uri: read.text('uri'), index: read.count('idx') },
    listVersion: read.count('version'),
    status: read.oneOf('status', ['valid', 'revoked', 'suspended']),
    reasonCode: read.text('reason_code'),
    effectiveAtMs: read.instant('effective_at'),
    revokedBy: read.text('revoked_by'),
    cause: read.oneOf('cause', ['direct', 'cascade']),
    rootRevocationId: read.optionalText('root_revocation_id'),
    rootSubjectId: read.optionalText('root_subject_id'),
  };
  return read.fault === null ? ok({ token: token.value, kid, claims }) : err(read.fault);
}
