import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { ObjectRef } from '../ledger/index.js';

/** Where an object and its tree stand: what has to be read under the lock to judge something that hangs on it. */
export interface ObjectPlace {
  readonly kind: string;
  readonly objectId: string;
  readonly listNumber: number;
  readonly slotIndex: number;
  readonly parentKind: string | null;
  readonly parentId: string | null;
  readonly rootKind: string | null;
  readonly rootId: string | null;
  readonly depth: number;
}

interface PlaceColumns {
  kind: string;
  object_id: string;
  list_number: string;
  slot_index: string;
  parent_kind: string | null;
  parent_id: string | null;
  root_kind: string | null;
  root_id: string | null;
  depth: string;
}

const PLACE = `o.kind, o.object_id, o.list_number, o.slot_index, o.parent_kind, o.parent_id, o.root_kind, o.root_id, o.depth`;

const placeOf = (row: PlaceColumns): ObjectPlace => ({
  kind: row.kind,
  objectId: row.object_id,
  listNumber: Number(row.list_number),
  slotIndex: Number(row.slot_index),
  parentKind: row.parent_kind,
  parentId: row.parent_id,
  rootKind: row.root_kind,
  rootId: row.root_id,
  depth: Number(row.depth),
});

/** Of the named objects, those that are there. */
export async function findPlaces(
  database: Queryable,
  tenantId: TenantId,
  refs: readonly ObjectRef[],
): Promise<readonly ObjectPlace[]> {
  if (refs.length === 0) return [];
  const { rows } = await database.query<PlaceColumns>(
    `SELECT ${PLACE} FROM unnest($2::text[], $3::text[]) AS named(kind, object_id)
       JOIN objects AS o ON o.tenant_id = $1 AND o.kind = named.kind AND o.object_id = named.object_id`,
    [tenantId, refs.map(({ kind }) => kind), refs.map(({ id }) => id)],
  );
  return rows.map(placeOf);
}

/** Every member of the tree with this root, parents before children. */
export async function findTree(
  database: Queryable,
  tenantId: TenantId,
  root: { readonly kind: string; readonly id: string },
): Promise<readonly ObjectPlace[]> {
  const { rows } = await database.query<PlaceColumns>(
    `SELECT ${PLACE} FROM objects AS o
      WHERE o.tenant_id = $1 AND o.root_kind = $2 AND o.root_id = $3 ORDER BY o.depth, o.kind, o.object_id`,
    [tenantId, root.kind, root.id],
  );
  return rows.map(placeOf);
}

/** Everything that rests on a consent. */
export async function findRestingOn(
  database: Queryable,
  tenantId: TenantId,
  consentId: string,
): Promise<readonly ObjectPlace[]> {
  const { rows } = await database.query<PlaceColumns>(
    `SELECT ${PLACE} FROM objects AS o
      WHERE o.tenant_id = $1 AND o.consent_id = $2 ORDER BY o.kind, o.object_id`,
    [tenantId, consentId],
  );
  return rows.map(placeOf);
}
