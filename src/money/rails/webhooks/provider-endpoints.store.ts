import type { WrappedKey } from '../../../base/keys/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import type { TenantId } from '../../../core/kernel/index.js';

/** Where one provider reports to one tenant, with the secrets that its reports are signed with. */
export interface StoredEndpoint {
  readonly endpointId: string;
  readonly tenantId: TenantId;
  readonly provider: string;
  readonly current: WrappedKey;
  /** Null = never replaced, or its time is over. */
  readonly previous: WrappedKey | null;
}

interface EndpointColumns {
  endpoint_id: string;
  tenant_id: TenantId;
  provider: string;
  kek_id: string;
  wrapped: Buffer;
  previous_kek_id: string | null;
  previous_wrapped: Buffer | null;
}

const ENDPOINT = `SELECT endpoint_id, tenant_id, provider, kek_id, wrapped,
    CASE WHEN previous_ends_at_ms > arbiter_clock_ms() THEN previous_kek_id END AS previous_kek_id,
    CASE WHEN previous_ends_at_ms > arbiter_clock_ms() THEN previous_wrapped END AS previous_wrapped
  FROM provider_endpoints`;

const endpointOf = (row: EndpointColumns): StoredEndpoint => ({
  endpointId: row.endpoint_id,
  tenantId: row.tenant_id,
  provider: row.provider,
  current: { kekId: row.kek_id, wrapped: row.wrapped },
  previous:
    row.previous_kek_id === null || row.previous_wrapped === null
      ? null
      : { kekId: row.previous_kek_id, wrapped: row.previous_wrapped },
});

export async function findEndpoint(
  database: Queryable,
  endpointId: string,
): Promise<StoredEndpoint | null> {
  const { rows } = await database.query<EndpointColumns>(`${ENDPOINT} WHERE endpoint_id = $1`, [
    endpointId,
  ]);
  return rows[0] === undefined ? null : endpointOf(rows[0]);
}

export async function endpointOfTenant(
  database: Queryable,
  { tenantId, provider }: Pick<StoredEndpoint, 'tenantId' | 'provider'>,
): Promise<StoredEndpoint | null> {
  const { rows } = await database.query<EndpointColumns>(
    `${ENDPOINT} WHERE tenant_id = $1 AND provider = $2`,
    [tenantId, provider],
  );
  return rows[0] === undefined ? null : endpointOf(rows[0]);
}

/** Does nothing when the tenant has one. */
export async function insertEndpoint(
  database: Queryable,
  { endpointId, tenantId, provider, current }: Omit<StoredEndpoint, 'previous'>,
): Promise<void> {
  await database.query(
    `INSERT INTO provider_endpoints (endpoint_id, tenant_id, provider, kek_id, wrapped)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, provider) DO NOTHING`,
    [endpointId, tenantId, provider, current.kekId, current.wrapped],
  );
}

/** The secret there was stays good for `overlapMs`; the one before it ends at once. */
export async function replaceSecret(
  database: Queryable,
  endpointId: string,
  { current, overlapMs }: { readonly current: WrappedKey; readonly overlapMs: number },
): Promise<void> {
  await database.query(
    `UPDATE provider_endpoints
        SET previous_kek_id = kek_id, previous_wrapped = wrapped, previous_ends_at_ms = arbiter_clock_ms() + $4::bigint,
            kek_id = $2, wrapped = $3
      WHERE endpoint_id = $1`,
    [endpointId, current.kekId, current.wrapped, overlapMs],
  );
}
