import { type InstantMs, invariant, type TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { Place } from '../lists/index.js';

/** What these places say, by {@link placeName}, and commerce time: of one moment. A place nobody reserved is missing. */
export interface PlacesNow {
  readonly nowMs: InstantMs;
  readonly values: ReadonlyMap<string, number>;
}

export const placeName = ({ listNumber, slotIndex }: Place): string => `${listNumber}/${slotIndex}`;

/** INVARIANT: one statement, so no revoke falls between two of the answers. */
export async function readPlaces(
  database: Queryable,
  tenantId: TenantId,
  places: readonly Place[],
): Promise<PlacesNow> {
  const { rows } = await database.query<{
    now_ms: string;
    list_number: string | null;
    slot_index: string | null;
    value: string | null;
  }>(
    `SELECT c.now_ms, s.list_number, s.slot_index, s.value
       FROM tenant_clocks AS c
       LEFT JOIN (unnest($2::bigint[], $3::bigint[]) AS k(list_number, slot_index)
                  JOIN slots AS s USING (list_number, slot_index)) ON s.tenant_id = c.tenant_id
      WHERE c.tenant_id = $1`,
    [
      tenantId,
      places.map(({ listNumber }) => listNumber),
      places.map(({ slotIndex }) => slotIndex),
    ],
  );
  const nowMs = Number(rows[0]?.now_ms);
  invariant(Number.isSafeInteger(nowMs), 'a served tenant has a ledger');
  const values = rows.flatMap(({ list_number: list, slot_index: index, value }) =>
    value === null ? [] : [[`${Number(list)}/${Number(index)}`, Number(value)] as const],
  );
  return { nowMs, values: new Map(values) };
}
