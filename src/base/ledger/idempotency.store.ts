import { createHash } from 'node:crypto';
import type { TenantId } from '../../core/kernel/index.js';
import type { IdempotencyClaim } from './command.js';
import type { Statement } from './session.store.js';

/** A claim as it is stored: scope and key only as SHA-256, so that a caller's key never stands in the database. */
export interface ClaimName {
  readonly tenantId: TenantId;
  readonly scopeSha256: string;
  readonly keySha256: string;
}

export interface IdempotencyRecord extends ClaimName {
  readonly requestHash: string;
  readonly firstSeq: number;
  readonly entryCount: number;
}

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export const claimNameOf = (tenantId: TenantId, claim: IdempotencyClaim): ClaimName => ({
  tenantId,
  scopeSha256: sha256Hex(claim.scope),
  keySha256: sha256Hex(claim.key),
});

/** One text per claim, for maps. */
export const claimTextOf = ({ tenantId, scopeSha256, keySha256 }: ClaimName): string =>
  `${tenantId}\n${scopeSha256}\n${keySha256}`;

export const loadClaims = (claims: readonly ClaimName[]): Statement => ({
  name: 'load_claims',
  text: `SELECT tenant_id, encode(scope_sha256, 'hex') AS scope, encode(key_sha256, 'hex') AS key, request_hash,
      first_seq, entry_count
    FROM unnest($1::text[], $2::text[], $3::text[]) AS k(t, s, i)
    JOIN idempotency_keys ON tenant_id = t AND scope_sha256 = decode(s, 'hex') AND key_sha256 = decode(i, 'hex')`,
  values: [
    claims.map((claim) => claim.tenantId),
    claims.map((claim) => claim.scopeSha256),
    claims.map((claim) => claim.keySha256),
  ],
});

export const idempotencyRecordOf = (
  stored: Readonly<Record<string, unknown>>,
): IdempotencyRecord => ({
  tenantId: stored['tenant_id'] as TenantId,
  scopeSha256: stored['scope'] as string,
  keySha256: stored['key'] as string,
  requestHash: stored['request_hash'] as string,
  firstSeq: Number(stored['first_seq']),
  entryCount: Number(stored['entry_count']),
});

export const insertClaims = (records: readonly IdempotencyRecord[]): Statement => ({
  name: 'insert_claims',
  text: `INSERT INTO idempotency_keys (tenant_id, scope_sha256, key_sha256, request_hash, first_seq, entry_count)
    SELECT t, decode(s, 'hex'), decode(i, 'hex'), h, f, c
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) AS r(t, s, i, h, f, c)`,
  values: [
    records.map((record) => record.tenantId),
    records.map((record) => record.scopeSha256),
    records.map((record) => record.keySha256),
    records.map((record) => record.requestHash),
    records.map((record) => record.firstSeq),
    records.map((record) => record.entryCount),
  ],
});
