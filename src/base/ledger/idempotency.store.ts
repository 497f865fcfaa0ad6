import { createHash } from 'node:crypto';
import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
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

/** A record about to be written. `isKept`: of a step of the program itself, never swept. */
export interface NewIdempotencyRecord extends IdempotencyRecord {
  readonly isKept: boolean;
}

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export const claimNameOf = (tenantId: TenantId, claim: IdempotencyClaim): ClaimName => ({
  tenantId,
  scopeSha256: sha256Hex(claim.scope),
  keySha256: sha256Hex(claim.key),
});

/**
 * What is stored of a request. A body may name a person, and its plain digest would let whoever reads the table try names:
 * the caller's key, of which the table has the digest only, goes in first.
 */
export const storedHashOf = ({ key, requestHash }: IdempotencyClaim): string =>
  sha256Hex(`arbiter-claim/2\n${key}\n${requestHash}`);

/** Whether a record is of this very request. Those of earlier versions hold the plain hash. */
export const isRepeatOf = (
  record: Pick<IdempotencyRecord, 'requestHash'>,
  claim: IdempotencyClaim,
): boolean =>
  record.requestHash === storedHashOf(claim) || record.requestHash === claim.requestHash;

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

export const insertClaims = (records: readonly NewIdempotencyRecord[]): Statement => ({
  name: 'insert_claims',
  text: `INSERT INTO idempotency_keys (tenant_id, scope_sha256, key_sha256, request_hash, first_seq, entry_count, kept)
    SELECT t, decode(s, 'hex'), decode(i, 'hex'), h, f, c, k
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::boolean[])
      AS r(t, s, i, h, f, c, k)`,
  values: [
    records.map((record) => record.tenantId),
    records.map((record) => record.scopeSha256),
    records.map((record) => record.keySha256),
    records.map((record) => record.requestHash),
    records.map((record) => record.firstSeq),
    records.map((record) => record.entryCount),
    records.map((record) => record.isKept),
  ],
});

/** How long the first answer to an Idempotency-Key can be repeated, in real time: a day, as payment APIs promise. */
export const IDEMPOTENCY_KEPT_MS = 24 * 60 * 60 * 1_000;
/** Records deleted in one statement. */
export const IDEMPOTENCY_SWEEP_ROWS_MAX = 1_000;

/**
 * Deletes records older than {@link IDEMPOTENCY_KEPT_MS} by the database's real clock, the oldest first and at most
 * `limit` of them; answers how many. After that their keys are free. Takes no head, so it never holds up a decision;
 * what another process is deleting is passed over. A record that is due is valid until it is gone.
 */
export async function sweepIdempotency(
  database: Queryable,
  limit = IDEMPOTENCY_SWEEP_ROWS_MAX,
): Promise<number> {
  invariant(
    Number.isSafeInteger(limit) && limit > 0 && limit <= IDEMPOTENCY_SWEEP_ROWS_MAX,
    `a sweep deletes 1 to ${IDEMPOTENCY_SWEEP_ROWS_MAX} records`,
  );
  const { rows } = await database.query<{ swept: string }>(
    `WITH due AS (
        SELECT tenant_id, scope_sha256, key_sha256 FROM idempotency_keys
        WHERE NOT kept AND created_at < clock_timestamp() - $1 * interval '1 millisecond'
        ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM idempotency_keys USING due
        WHERE idempotency_keys.tenant_id = due.tenant_id AND idempotency_keys.scope_sha256 = due.scope_sha256
          AND idempotency_keys.key_sha256 = due.key_sha256
        RETURNING 1
      ) SELECT count(*) AS swept FROM gone`,
    [IDEMPOTENCY_KEPT_MS, limit],
  );
  return Number(rows[0]?.swept);
}
