import type { ChainEntry } from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';
import { type SealingChange, sealingStory } from './sealing-spans.js';

/** Entries of one page at most, and the bytes of bodies after which a page takes no more: what a reader holds in memory. */
export const PAGE_ROWS_MAX = 500;
export const PAGE_BYTES_MAX = 1_048_576;

/** `afterSeq` is exclusive, `throughSeq` inclusive. */
export interface RowRange {
  readonly tenantId: TenantId;
  readonly afterSeq: number;
  readonly throughSeq: number;
}

/**
 * The next page of entries as they are stored, at least one if there is any. Every page is a statement of its own: entries
 * never change, so that no snapshot has to be held between two.
 */
export async function readRowPage(
  database: Queryable,
  { tenantId, afterSeq, throughSeq }: RowRange,
): Promise<readonly ChainEntry[]> {
  const { rows } = await database.query<Omit<ChainEntry, 'seq'> & { seq: string }>(
    `SELECT seq, body, kid, prev, mac, link FROM (
        SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before FROM (
          SELECT seq, body, kid, prev, mac, link FROM entries
            WHERE tenant_id = $1 AND seq > $2::bigint AND seq <= $3::bigint ORDER BY seq LIMIT ${PAGE_ROWS_MAX}
        ) AS following
      ) AS page WHERE bytes_before < ${PAGE_BYTES_MAX} ORDER BY seq`,
    [tenantId, afterSeq, throughSeq],
  );
  return rows.map(({ seq, body, kid, prev, mac, link }) => ({
    seq: Number(seq),
    body,
    kid,
    prev,
    mac,
    link,
  }));
}

/** Where sealing changed, in order. The condition on the type is that of the index `entries_sealing`. */
export async function readSealingChanges(
  database: Queryable,
  tenantId: TenantId,
  throughSeq: number,
): Promise<readonly SealingChange[]> {
  const { rows } = await database.query<{ seq: string; body: string }>(
    `SELECT seq, body FROM entries
      WHERE tenant_id = $1 AND seq <= $2::bigint AND type IN ('ledger.opened', 'ledger.sealing_switched')
      ORDER BY seq`,
    [tenantId, throughSeq],
  );
  const changes = rows.map(({ seq, body }) => ({ seq: Number(seq), kid: kidIn(body) }));
  // An entry 0 that leaves sealing off changes nothing.
  return changes.filter(({ seq, kid }) => seq > 0 || kid !== null);
}

/** Lenient: a ledger that somebody damaged is exported as it is, and the verifier finds the damage. */
function kidIn(body: string): string | null {
  try {
    const { data } = JSON.parse(body) as {
      readonly data?: { readonly kid?: unknown; readonly sealing?: { readonly kid?: unknown } };
    };
    const kid = data?.sealing?.kid ?? data?.kid;
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}

export async function readLink(
  database: Queryable,
  tenantId: TenantId,
  seq: number,
): Promise<string | null> {
  const { rows } = await database.query<{ link: string | null }>(
    'SELECT link FROM entries WHERE tenant_id = $1 AND seq = $2',
    [tenantId, seq],
  );
  return rows[0]?.link ?? null;
}

/** Ids of the keys that ever sealed, sorted; null = no such tenant. */
export async function readSealingKids(
  database: Queryable,
  tenantId: TenantId,
): Promise<readonly string[] | null> {
  const { rows } = await database.query<{ last_seq: string }>(
    'SELECT last_seq FROM heads WHERE tenant_id = $1 AND last_seq >= 0',
    [tenantId],
  );
  const [head] = rows;
  if (head === undefined) return null;
  const lastSeq = Number(head.last_seq);
  return sealingStory(await readSealingChanges(database, tenantId, lastSeq), lastSeq).kids;
}
