import type { TenantId } from '../../core/kernel/index.js';
import type { Pool, PoolClient, Queryable } from '../platform/index.js';
import type { WebhookEndpointRow } from './endpoints.ledger.js';

/** A tenant whose ledger goes on behind the place up to which it was handed out. */
export interface TenantBehind {
  readonly tenantId: TenantId;
  readonly handedOutSeq: number;
  readonly lastSeq: number;
}

/** Tenants with something to hand out, in no order, so that none is always the last. */
export async function findTenantsBehind(
  database: Queryable,
  { tenantId, limit }: { readonly tenantId: TenantId | null; readonly limit: number },
): Promise<readonly TenantId[]> {
  const { rows } = await database.query<{ tenant_id: TenantId }>(
    `SELECT p.tenant_id FROM outbox_progress AS p JOIN heads AS h USING (tenant_id)
      WHERE h.last_seq > p.handed_out_seq AND ($1::text IS NULL OR p.tenant_id = $1)
      ORDER BY random() LIMIT $2`,
    [tenantId, limit],
  );
  return rows.map((row) => row.tenant_id);
}

/**
 * Runs `handOut` while this process alone hands out for the tenant, and remembers how far it came (its answer) in the
 * same transaction as what it wrote. Null when another process is at it, or nothing is left.
 */
export async function whileHandingOut(
  pool: Pool,
  tenantId: TenantId,
  handOut: (client: PoolClient, behind: TenantBehind) => Promise<number>,
): Promise<number | null> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ handed_out_seq: string; last_seq: string }>(
      `SELECT p.handed_out_seq, h.last_seq FROM outbox_progress AS p JOIN heads AS h USING (tenant_id)
        WHERE p.tenant_id = $1 AND h.last_seq > p.handed_out_seq FOR UPDATE OF p SKIP LOCKED`,
      [tenantId],
    );
    const [row] = rows;
    const throughSeq =
      row === undefined
        ? null
        : await handOut(client, {
            tenantId,
            handedOutSeq: Number(row.handed_out_seq),
            lastSeq: Number(row.last_seq),
          });
    if (throughSeq !== null) {
      await client.query('UPDATE outbox_progress SET handed_out_seq = $2 WHERE tenant_id = $1', [
        tenantId,
        throughSeq,
      ]);
    }
    await client.query('COMMIT');
    return throughSeq;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

export type Listener = Pick<WebhookEndpointRow, 'endpointId' | 'merchantId' | 'createdSeq'> & {
  readonly eventTypes: readonly string[];
};

/** The tenant's endpoints that are told of events. */
export async function listListeners(
  database: Queryable,
  tenantId: TenantId,
): Promise<readonly Listener[]> {
  const { rows } = await database.query<{
    endpoint_id: string;
    merchant_id: string | null;
    event_types: string;
    created_seq: string;
  }>(
    `SELECT endpoint_id, merchant_id, event_types, created_seq FROM webhook_endpoints
      WHERE tenant_id = $1 AND state = 'active'`,
    [tenantId],
  );
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    merchantId: row.merchant_id,
    eventTypes: JSON.parse(row.event_types) as string[],
    createdSeq: Number(row.created_seq),
  }));
}

/** A message for one endpoint, before it is stored. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly merchantId: string | null;
  readonly eventSeq: number;
  readonly messageId: string;
  readonly eventType: string;
}

/** Due at once. What an endpoint was handed already is left as it is. */
export async function insertDeliveries(
  database: Queryable,
  tenantId: TenantId,
  { deliveries, atMs }: { readonly deliveries: readonly NewDelivery[]; readonly atMs: number },
): Promise<void> {
  if (deliveries.length === 0) return;
  const column = <Name extends keyof NewDelivery>(name: Name) => deliveries.map((one) => one[name]);
  await database.query(
    `INSERT INTO webhook_deliveries (tenant_id, delivery_id, endpoint_id, merchant_id, event_seq, message_id,
        event_type, next_attempt_at_ms, created_at_ms)
      SELECT $1, d.*, $8::bigint, $8::bigint
        FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[]) AS d
      ON CONFLICT (tenant_id, endpoint_id, event_seq) DO NOTHING`,
    [
      tenantId,
      column('deliveryId'),
      column('endpointId'),
      column('merchantId'),
      column('eventSeq'),
      column('messageId'),
      column('eventType'),
      atMs,
    ],
  );
}
