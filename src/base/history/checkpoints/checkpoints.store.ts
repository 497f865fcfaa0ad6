import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';

export interface CosignatureRow {
  readonly witnessName: string;
  readonly keyId: string;
  readonly line: string;
}

/** A checkpoint as its row says, with the cosignatures that are known. */
export interface CheckpointRow {
  readonly tenantId: TenantId;
  readonly size: number;
  readonly seq: number;
  readonly link: string;
  readonly root: Uint8Array;
  readonly text: string;
  readonly logLine: string;
  readonly logKid: string;
  readonly madeAtMs: number;
  /** Sorted by name and key. */
  readonly cosignatures: readonly CosignatureRow[];
}

interface Columns {
  readonly tenant_id: TenantId;
  readonly size: string;
  readonly seq: string;
  readonly link: string;
  readonly root: Buffer;
  readonly note_text: string;
  readonly log_signature_line: string;
  readonly log_kid: string;
  readonly made_at_ms: string;
  readonly cosignatures: readonly { name: string; key_id: string; line: string }[] | null;
}

const SELECT = `
  SELECT c.tenant_id, c.size, c.seq, c.link, c.root, c.note_text, c.log_signature_line, c.log_kid, c.made_at_ms,
      (SELECT json_agg(json_build_object('name', w.witness_name, 'key_id', w.key_id, 'line', w.line)
          ORDER BY w.witness_name, w.key_id)
        FROM checkpoint_cosignatures AS w WHERE w.tenant_id = c.tenant_id AND w.size = c.size) AS cosignatures
    FROM ledger_checkpoints AS c`;
const IS_WITNESSED = `EXISTS (SELECT FROM checkpoint_cosignatures AS w
  WHERE w.tenant_id = c.tenant_id AND w.size = c.size)`;

const rowOf = (row: Columns): CheckpointRow => ({
  tenantId: row.tenant_id,
  size: Number(row.size),
  seq: Number(row.seq),
  link: row.link,
  root: row.root,
  text: row.note_text,
  logLine: row.log_signature_line,
  logKid: row.log_kid,
  madeAtMs: Number(row.made_at_ms),
  cosignatures: (row.cosignatures ?? []).map(({ name, key_id: keyId, line }) => ({
    witnessName: name,
    keyId,
    line,
  })),
});

export async function newestCheckpoint(
  database: Queryable,
  tenantId: TenantId,
): Promise<CheckpointRow | null> {
  const { rows } = await database.query<Columns>(
    `${SELECT} WHERE c.tenant_id = $1 ORDER BY c.size DESC LIMIT 1`,
    [tenantId],
  );
  return rows[0] === undefined ? null : rowOf(rows[0]);
}

export async function checkpointOfSize(
  database: Queryable,
  tenantId: TenantId,
  size: number,
): Promise<CheckpointRow | null> {
  const { rows } = await database.query<Columns>(
    `${SELECT} WHERE c.tenant_id = $1 AND c.size = $2`,
    [tenantId, size],
  );
  return rows[0] === undefined ? null : rowOf(rows[0]);
}

/** The newest `limit` that a witness cosigned, newest first. */
export async function listWitnessedCheckpoints(
  database: Queryable,
  tenantId: TenantId,
  range: { readonly minSize: number; readonly throughSeq: number; readonly limit: number },
): Promise<readonly CheckpointRow[]> {
  const { rows } = await database.query<Columns>(
    `${SELECT} WHERE c.tenant_id = $1 AND c.size >= $2 AND c.seq <= $3 AND ${IS_WITNESSED}
      ORDER BY c.size DESC LIMIT $4`,
    [tenantId, range.minSize, range.throughSeq, range.limit],
  );
  return rows.map(rowOf);
}

/** Only under the lock of the tenant's tree. */
export async function insertCheckpoint(
  client: Queryable,
  row: Omit<CheckpointRow, 'cosignatures'>,
): Promise<void> {
  await client.query(
    `INSERT INTO ledger_checkpoints
        (tenant_id, size, seq, link, root, note_text, log_signature_line, log_kid, made_at_ms)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.tenantId,
      row.size,
      row.seq,
      row.link,
      row.root,
      row.text,
      row.logLine,
      row.logKid,
      row.madeAtMs,
    ],
  );
}
