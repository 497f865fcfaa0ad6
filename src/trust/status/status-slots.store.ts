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
  changed_version: string | null;
}

/** The tenant's slots among these, by `<index> <uri>`; slots nobody reserved are absent. */
export async function findSlots(
  database: Queryable,
  tenantId: TenantId,
  refs: readonly StatusRef[],
): Promise<ReadonlyMap<string, StatusSlotRow>> {
  const { rows } = await database.query<SlotColumns>(
    `SELECT list_uri, slot_index, value, lineage, merchant_ids, changed_at_ms, revocation_id, reason_code,
            subject_id, root_subject_id, changed_version
       FROM status_slots
      WHERE tenant_id = $1 AND (list_uri, slot_index) IN (SELECT * FROM unnest($2::text[], $3::bigint[]))`,
    [tenantId, refs.map(({ uri }) => uri), refs.map(({ index }) => index)],
  );
  return new Map(rows.map((row) => [`${row.slot_index} ${row.list_uri}`, toSlot(row)]));
}

/** Our own slots on one list. `bound`: an object lives on them; the others were reserved and are not used yet. */
export interface OwnSlots {
  readonly reserved: number;
  readonly bound: number;
  readonly revoked: number;
  readonly suspended: number;
}

/** Lists of one answer at most: a tenant of many millions of slots has as many. */
export const LISTS_MAX = 200;

/** The slots that are reserved here, list by list, with the floor of each. */
export async function countSlotsByList(
  database: Queryable,
  tenantId: TenantId,
  uri: string | null,
): Promise<
  readonly { readonly uri: string; readonly minVersion: number | null; readonly own: OwnSlots }[]
> {
  const { rows } = await database.query<{
    list_uri: string;
    min_version: string | null;
    reserved: string;
    bound: string;
    revoked: string;
    suspended: string;
  }>(
    `SELECT slot.list_uri, max(floor.min_version) AS min_version, count(*) AS reserved, count(slot.lineage) AS bound,
            count(*) FILTER (WHERE slot.value = 1) AS revoked, count(*) FILTER (WHERE slot.value = 2) AS suspended
       FROM status_slots slot
       LEFT JOIN status_floors floor ON floor.tenant_id = slot.tenant_id AND floor.list_uri = slot.list_uri
      WHERE slot.tenant_id = $1 AND ($2::text IS NULL OR slot.list_uri = $2)
      GROUP BY slot.list_uri ORDER BY slot.list_uri LIMIT ${LISTS_MAX}`,
    [tenantId, uri],
  );
  return rows.map((row) => ({
    uri: row.list_uri,
    minVersion: row.min_version === null ? null : Number(row.min_version),
    own: {
      reserved: Number(row.reserved),
      bound: Number(row.bound),
      revoked: Number(row.revoked),
      suspended: Number(row.suspended),
    },
  }));
}

/** What this database knows of one place: its slot, when somebody reserved it, and the floor of its list. */
export interface KnownPlace {
  readonly slot: Pick<StatusSlotRow, 'value' | 'lineage'> | null;
  /** Null = no change was answered yet. */
  readonly minVersion: number | null;
}

/** Slots and floors in one look, by `<index> <uri>`: every place that was asked for is there. */
export async function findKnownPlaces(
  database: Queryable,
  tenantId: TenantId,
  refs: readonly StatusRef[],
): Promise<ReadonlyMap<string, KnownPlace>> {
  const { rows } = await database.query<{
    uri: string;
    index: string;
    value: string | null;
    lineage: string | null;
    min_version: string | null;
  }>(
    `SELECT asked.uri, asked.index, slot.value, slot.lineage, floor.min_version
       FROM unnest($2::text[], $3::bigint[]) AS asked (uri, index)
       LEFT JOIN status_slots slot
         ON slot.tenant_id = $1 AND slot.list_uri = asked.uri AND slot.slot_index = asked.index
       LEFT JOIN status_floors floor ON floor.tenant_id = $1 AND floor.list_uri = asked.uri`,
    [tenantId, refs.map(({ uri }) => uri), refs.map(({ index }) => index)],
  );
  return new Map(
    rows.map(({ uri, index, value, lineage, min_version: minVersion }) => [
      `${index} ${uri}`,
      {
        slot: value === null ? null : { value: Number(value), lineage },
        minVersion: minVersion === null ? null : Number(minVersion),
      },
    ]),
  );
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
  changedVersion: row.changed_version === null ? null : Number(row.changed_version),
});
