import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';

/** Which entries of one decision: behind a place in the order that is asked for, at most `limit`. */
export interface DecisionEntriesQuery {
  readonly decisionId: string;
  readonly afterSeq: number | null;
  readonly descending: boolean;
  readonly limit: number;
}

/**
 * What a decision's tables name: its own entry, those of its allow (countersigned, used), of its payment and that one's
 * captures and refunds, of its own refund, and its notes. Of a row that changes, its first and its newest entry. Every part
 * is found by an index.
 */
const NAMED = `SELECT entry_seq FROM decisions WHERE tenant_id = $1 AND decision_id = $2
  UNION SELECT entry_seq FROM allows WHERE tenant_id = $1 AND decision_id = $2
  UNION SELECT entry_seq FROM allow_uses WHERE tenant_id = $1 AND decision_id = $2
  UNION SELECT entry_seq FROM decision_notes WHERE tenant_id = $1 AND decision_id = $2
  UNION SELECT unnest(ARRAY[started_seq, entry_seq]) FROM payments WHERE tenant_id = $1 AND decision_id = $2
  UNION SELECT unnest(ARRAY[allowed_seq, entry_seq]) FROM refunds WHERE tenant_id = $1 AND decision_id = $2
  UNION SELECT c.entry_seq FROM payments AS p
    JOIN captures AS c ON c.tenant_id = p.tenant_id AND c.payment_id = p.payment_id
    WHERE p.tenant_id = $1 AND p.decision_id = $2
  UNION SELECT unnest(ARRAY[r.allowed_seq, r.entry_seq]) FROM payments AS p
    JOIN refunds AS r
      ON r.tenant_id = p.tenant_id AND r.merchant_id = p.merchant_id AND r.order_id = p.order_id
        AND r.payment_id = p.payment_id
    WHERE p.tenant_id = $1 AND p.decision_id = $2
  UNION SELECT c.entry_seq FROM decisions AS d
    JOIN captures AS c
      ON c.tenant_id = d.tenant_id AND c.merchant_id = d.merchant_id AND c.order_id = d.order_id
        AND c.decision_id = d.decision_id
    WHERE d.tenant_id = $1 AND d.decision_id = $2`;

/** Sequence numbers, none twice; empty when there is no such decision. */
export async function entrySeqsOfDecision(
  database: Queryable,
  tenantId: TenantId,
  { decisionId, afterSeq, descending, limit }: DecisionEntriesQuery,
): Promise<readonly number[]> {
  const [behind, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const { rows } = await database.query<{ entry_seq: string }>(
    `SELECT entry_seq FROM (${NAMED}) AS named
      WHERE $3::bigint IS NULL OR entry_seq ${behind} $3::bigint ORDER BY entry_seq ${order} LIMIT $4`,
    [tenantId, decisionId, afterSeq, limit],
  );
  return rows.map((row) => Number(row.entry_seq));
}

/** Place of the decision itself; null = there is no such decision. */
export async function entrySeqOfDecision(
  database: Queryable,
  tenantId: TenantId,
  decisionId: string,
): Promise<number | null> {
  const { rows } = await database.query<{ entry_seq: string }>(
    'SELECT entry_seq FROM decisions WHERE tenant_id = $1 AND decision_id = $2',
    [tenantId, decisionId],
  );
  const [row] = rows;
  return row === undefined ? null : Number(row.entry_seq);
}
