import { invariant, type TenantId, WORLDS, type World } from '../../core/kernel/index.js';
import type { Head } from './head.js';
import type { Statement } from './session.store.js';

const MEMBERS = `tenant_id, world, last_seq, last_at_ms, last_link, sealing_kid, sealing_since_seq, test_clock_at_ms, id_seed`;

/**
 * Locks the heads of a batch. INVARIANT: always in sorted order, so that two batches never wait for each other in a
 * circle; nothing else of a business transaction waits (decisions 2.1).
 */
export const lockHeads = (tenantIds: readonly TenantId[]): Statement => ({
  name: 'lock_heads',
  text: `SELECT ${MEMBERS} FROM heads WHERE tenant_id = ANY($1::text[]) ORDER BY tenant_id FOR UPDATE`,
  values: [tenantIds],
});

/** Those of the heads that nobody holds; waits for nobody. */
export const freeHeads = (tenantIds: readonly TenantId[]): Statement => ({
  text: `SELECT tenant_id FROM heads WHERE tenant_id = ANY($1::text[]) ORDER BY tenant_id FOR UPDATE SKIP LOCKED`,
  values: [tenantIds],
});

/** Creates the heads of tenants that are about to open, in sorted order; one that exists is left as it is. */
export const insertHeads = (tenantIds: readonly TenantId[]): Statement => ({
  name: 'insert_heads',
  text: `INSERT INTO heads (tenant_id) SELECT t FROM unnest($1::text[]) AS t ORDER BY t ON CONFLICT DO NOTHING`,
  values: [tenantIds],
});

/**
 * The database's clock and the transaction's id. INVARIANT: a statement of its own behind the lock, so the instant is
 * never from before the wait (ADR 0002). SQL never compares with this clock; the writer does.
 */
export const READ_CLOCK: Statement = {
  name: 'read_clock',
  text: `SELECT arbiter_clock_ms() AS clock_ms, pg_current_xact_id()::text AS tx_id`,
};

/** For reads outside a lock: the head with the database's clock beside it; no transaction id is drawn. */
export const readHead = (tenantId: TenantId): Statement => ({
  text: `SELECT ${MEMBERS}, arbiter_clock_ms() AS clock_ms FROM heads WHERE tenant_id = $1`,
  values: [tenantId],
});

export function updateHeads(heads: readonly Head[]): Statement {
  const column = <Name extends keyof Head>(name: Name) => heads.map((head) => head[name]);
  return {
    name: 'update_heads',
    text: `UPDATE heads AS h SET world = n.world, last_seq = n.last_seq, last_at_ms = n.last_at_ms,
        last_link = n.last_link, sealing_kid = n.sealing_kid, sealing_since_seq = n.sealing_since_seq,
        test_clock_at_ms = n.test_clock_at_ms, id_seed = n.id_seed
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[],
        $8::bigint[], $9::text[]) AS n(${MEMBERS})
      WHERE h.tenant_id = n.tenant_id`,
    values: [
      column('tenantId'),
      column('world'),
      column('lastSeq'),
      column('lastAtMs'),
      column('lastLink'),
      column('sealingKid'),
      column('sealingSinceSeq'),
      column('testClockAtMs'),
      column('idSeed'),
    ],
  };
}

type StoredHead = Readonly<Record<string, unknown>>;

export function headOf(stored: StoredHead): Head {
  const world = stored['world'];
  invariant(
    world === null || WORLDS.includes(world as World),
    'a head names one of the two worlds',
  );
  return {
    tenantId: stored['tenant_id'] as TenantId,
    world: world as World | null,
    lastSeq: Number(stored['last_seq']),
    lastAtMs: integerOf(stored['last_at_ms']),
    lastLink: stored['last_link'] as string | null,
    sealingKid: stored['sealing_kid'] as string | null,
    sealingSinceSeq: integerOf(stored['sealing_since_seq']),
    testClockAtMs: integerOf(stored['test_clock_at_ms']),
    idSeed: stored['id_seed'] as string | null,
  };
}

const integerOf = (value: unknown): number | null => (value === null ? null : Number(value));
