import type { CanonicalValue, TenantId } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { StatusSlotRow } from './status-slots.ledger.js';

interface SlotColumns {
  list_uri: string;
  slot_index: string;
  value: string;
  lineage: string | null;
  merchant_ids: string;
  changed_at_ms: string | null;
  revocation_id: string | null;
  reason_code: string | null;
  subject_id: string | null;
  root_subject_id: string | null;
}

/** The tenant's slots among these, by `<index> <uri>`; slots nobody reserved are absent. */
export async function findSlots(
  database: Queryable,
  tenantId: TenantId,
  refs: readonly StatusRef[],
): Promise<ReadonlyMap<string, StatusSlotRow>> {
  const { rows } = await database.query<SlotColumns>(
    `SELECT list_uri, slot_index, value, lineage, merchant_ids, changed_at_ms, revocation_id, reason_code,
            subject_id, root_subject_id
       FROM status_slots
      WHERE tenant_id = $1 AND (list_uri, slot_index) IN (SELECT * FROM unnest($2::text[], $3::bigint[]))`,
    [tenantId, refs.map(({ uri }) => uri), refs.map(({ index }) => index)],
  );
  return new Map(rows.map((row) => [`${row.slot_index} ${row.list_uri}`, toSlot(row)]));
}

/** How many slots of the tenant are reserved, on all its lists. */
export async function countSlots(database: Queryable, tenantId: TenantId): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'SELECT count(*) AS count FROM status_slots WHERE tenant_id = $1',
    [tenantId],
  );
  return Number(rows[0]?.count ?? 0);
}

const toSlot = (row: SlotColumns): StatusSlotRow => ({
  listUri: row.list_uri,
  slotIndex: Number(row.slot_index),
  value: Number(row.value),
  lineage: row.lineage,
  merchantIds: JSON.parse(row.merchant_ids) as CanonicalValue,
  changedAtMs: row.changed_at_ms === null ? null : Number(row.changed_at_ms),
  revocationId: row.revocation_id,
  reasonCode: row.reason_code,
  subjectId: row.subject_id,
  rootSubjectId: row.root_subject_id,
});
