import { createHash, randomUUID } from 'node:crypto';
import { leafHash, TreeBuilder, type WitnessPolicy } from '../../src/core/chain/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import { type HistoryRoom, historyRoom } from '../../src/base/history/history.module.js';
import { WitnessSources } from '../../src/base/history/index.js';
import { createOutboundClient, type Pool } from '../../src/base/platform/index.js';
import { type TestDatabase, testDatabase } from '../support/database.js';
import {
  createTestTenant,
  testHouse,
  type TestHouse,
  type TestTenant,
} from '../support/tenants.js';

export interface HistoryHouse extends HistoryRoom {
  readonly house: TestHouse;
  readonly pool: Pool;
  readonly sources: WitnessSources;
  readonly log: { message: string; details: Readonly<Record<string, unknown>> }[];
}

export interface HistoryOptions {
  readonly database?: TestDatabase;
  readonly house?: TestHouse;
  readonly policy?: WitnessPolicy;
  /** In place of the database's pool. */
  readonly pool?: Pool;
}

export const LOG_NAME = 'ledgers.test';

/** The room on a test database, as one process has it. Peers may live on this machine. */
export function historyHouse(options: HistoryOptions = {}): HistoryHouse {
  const database = options.database ?? testDatabase();
  const house = options.house ?? testHouse({ database });
  const pool = options.pool ?? database.pool;
  const sources = new WitnessSources();
  const log: HistoryHouse['log'] = [];
  const nowMs = () => house.clock.nowMs;
  const room = historyRoom({
    config: {
      ledgerLogName: LOG_NAME,
      witnessPolicy: options.policy ?? null,
      witnessingIntervalSeconds: 60,
    },
    ...{ pool, sources, nowMs },
    writer: house.writer,
    signingKeys: house.signingKeys,
    outbound: createOutboundClient({ allowLoopbackPeers: true, nowMs }),
    witnessDeadlineMs: 1_500,
    log: { error: (message, details) => void log.push({ message, details }) },
  });
  return { ...room, house, pool, sources, log };
}

/** A tenant whose ledger is sealed from its first entry. */
export const sealedTenant = (house: TestHouse): Promise<TestTenant> =>
  createTestTenant(house, { sealing: true });

/** Adds entries, one each. */
export async function write(house: TestHouse, tenant: TestTenant, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, () => house.rooms.agents.create(tenant.context(), 'an agent')),
  );
}

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * A ledger of made-up entries, as far as the tree looks at them: `sealed` says which are. Much quicker than the writer,
 * for ledgers of many thousands.
 */
export async function madeUpLedger(
  pool: Pool,
  sealed: readonly boolean[],
  more: {
    readonly tenantId?: TenantId;
    readonly afterSeq?: number;
    readonly lastLink?: string;
  } = {},
): Promise<{ readonly tenantId: TenantId; readonly links: readonly (string | null)[] }> {
  const { tenantId = `tnt_${randomUUID().replaceAll('-', '')}`, afterSeq = -1 } = more;
  let last = more.lastLink ?? '0'.repeat(64);
  const rows = sealed.map((isSealed, index) => {
    const seq = afterSeq + 1 + index;
    if (!isSealed) return { seq, prev: null, link: null };
    const prev = last;
    last = hexOf(`${tenantId} ${seq}`);
    return { seq, prev, link: last };
  });
  const column = <Name extends 'seq' | 'prev' | 'link'>(name: Name) => rows.map((row) => row[name]);
  await pool.query(
    `INSERT INTO entries (tenant_id, seq, entry_id, type, at_ms, body, kid, prev, mac, link)
      SELECT $1, e.seq, 'ent_' || e.seq, 'made.up', 0, '{}', CASE WHEN e.link IS NULL THEN NULL ELSE 'k1' END,
        e.prev, CASE WHEN e.link IS NULL THEN NULL ELSE repeat('0', 64) END, e.link
        FROM unnest($2::bigint[], $3::text[], $4::text[]) AS e (seq, prev, link) ORDER BY e.seq`,
    [tenantId, column('seq'), column('prev'), column('link')],
  );
  await pool.query(
    `INSERT INTO heads (tenant_id, world, last_seq, last_at_ms, last_link) VALUES ($1, 'test', $2, 0, $3)
      ON CONFLICT (tenant_id) DO UPDATE SET last_seq = excluded.last_seq, last_link = excluded.last_link`,
    [tenantId, afterSeq + sealed.length, last === '0'.repeat(64) ? null : last],
  );
  return { tenantId, links: rows.map(({ link }) => link) };
}

/** The tree over links, built from nothing: what every other tree is compared with. */
export function treeOver(links: readonly (string | null)[]): {
  readonly size: number;
  readonly leaves: readonly Buffer[];
  readonly rootAt: (size: number) => Uint8Array;
} {
  const leaves = links.flatMap((link) =>
    link === null ? [] : [leafHash(Buffer.from(link, 'hex'))],
  );
  return {
    size: leaves.length,
    leaves,
    rootAt(size) {
      const builder = new TreeBuilder();
      for (const leaf of leaves.slice(0, size)) builder.pushLeafHash(leaf);
      return builder.root();
    },
  };
}

export async function linksOf(pool: Pool, tenantId: TenantId): Promise<readonly (string | null)[]> {
  const { rows } = await pool.query<{ link: string | null }>(
    'SELECT link FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  return rows.map(({ link }) => link);
}
