import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import { withCountersignature } from './countersigned.js';
import { decisionOfEntry, type RecordedDecision } from './decide.js';
import { decisionRecorded, type DecisionRow, decisions } from './decision.events.js';

/** A decision's searchable part with its place in the ledger. */
export interface FoundDecision extends DecisionRow {
  readonly seq: number;
}

/** What to look for; absent members do not restrict. Times are inclusive `from`, exclusive `to`. */
export interface DecisionFilter {
  readonly flow?: string;
  readonly outcome?: string;
  readonly failingRule?: string;
  readonly reason?: string;
  readonly agentId?: string;
  /** Any of these merchants. */
  readonly merchantIds?: readonly string[];
  readonly fromMs?: number;
  readonly toMs?: number;
}

export interface PageRequest {
  /** Only decisions before this place in the ledger; null = from the newest on. */
  readonly beforeSeq: number | null;
  readonly limit: number;
}

type StoredRow = Readonly<Record<string, unknown>>;

/** Usable by its own entry, or by that of its countersignature (facts/arbiter.md J7). */
const COLUMNS = `d.decision_id, d.flow, d.merchant_id, d.agent_id, d.order_id, d.outcome, d.failing_rule, d.reason,
  d.dry_run, d.usable OR a.countersignature_sha256 IS NOT NULL AS usable, d.currency, d.amount_minor, d.decided_at_ms,
  d.entry_seq`;

const WITH_ALLOWS = `decisions AS d
  LEFT JOIN allows AS a ON a.tenant_id = d.tenant_id AND a.decision_id = d.decision_id`;

/** Every filter is optional: a null parameter does not restrict. */
const SEARCH = `SELECT ${COLUMNS} FROM ${WITH_ALLOWS}
  WHERE d.tenant_id = $1
    AND ($2::bigint IS NULL OR d.entry_seq < $2::bigint)
    AND ($3::text IS NULL OR d.flow = $3)
    AND ($4::text IS NULL OR d.outcome = $4)
    AND ($5::text IS NULL OR d.failing_rule = $5)
    AND ($6::text IS NULL OR d.reason = $6)
    AND ($7::text IS NULL OR d.agent_id = $7)
    AND ($8::text[] IS NULL OR d.merchant_id = ANY($8))
    AND ($9::bigint IS NULL OR d.decided_at_ms >= $9::bigint)
    AND ($10::bigint IS NULL OR d.decided_at_ms < $10::bigint)
  ORDER BY d.entry_seq DESC LIMIT $11`;

/** Newest first, at most `limit`. */
export async function searchDecisions(
  database: Queryable,
  tenantId: TenantId,
  { filter, page }: { readonly filter: DecisionFilter; readonly page: PageRequest },
): Promise<readonly FoundDecision[]> {
  const { rows } = await database.query<StoredRow>(SEARCH, [
    tenantId,
    page.beforeSeq,
    filter.flow ?? null,
    filter.outcome ?? null,
    filter.failingRule ?? null,
    filter.reason ?? null,
    filter.agentId ?? null,
    filter.merchantIds ?? null,
    filter.fromMs ?? null,
    filter.toMs ?? null,
    page.limit,
  ]);
  return rows.map(foundOf);
}

/** One decision as its entry holds it, or null. */
export async function readDecision(
  database: Queryable,
  tenantId: TenantId,
  decisionId: string,
): Promise<RecordedDecision | null> {
  const { rows } = await database.query<StoredRow>(
    `SELECT e.entry_id, e.seq, e.at_ms, e.link, e.body, a.countersignature_sha256
      FROM ${WITH_ALLOWS} JOIN entries AS e ON e.tenant_id = d.tenant_id AND e.seq = d.entry_seq
      WHERE d.tenant_id = $1 AND d.decision_id = $2`,
    [tenantId, decisionId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { data } = JSON.parse(String(row['body'])) as { readonly data: unknown };
  const decision = decisionOfEntry({
    data: decisionRecorded.data.decode(data, decisionRecorded.type),
    atMs: Number(row['at_ms']),
    id: String(row['entry_id']),
    seq: Number(row['seq']),
    link: row['link'] as string | null,
  });
  const countersignatureSha256 = row['countersignature_sha256'] as string | null;
  return withCountersignature(decision, { countersignatureSha256 });
}

const { columns } = decisions;

const foundOf = (row: StoredRow): FoundDecision => ({
  decisionId: columns.decisionId.fromSql(row['decision_id']),
  flow: columns.flow.fromSql(row['flow']),
  merchantId: columns.merchantId.fromSql(row['merchant_id']),
  agentId: columns.agentId.fromSql(row['agent_id']),
  orderId: columns.orderId.fromSql(row['order_id']),
  outcome: columns.outcome.fromSql(row['outcome']),
  failingRule: columns.failingRule.fromSql(row['failing_rule']),
  reason: columns.reason.fromSql(row['reason']),
  dryRun: columns.dryRun.fromSql(row['dry_run']),
  usable: columns.usable.fromSql(row['usable']),
  currency: columns.currency.fromSql(row['currency']),
  amountMinor: columns.amountMinor.fromSql(row['amount_minor']),
  decidedAtMs: columns.decidedAtMs.fromSql(row['decided_at_ms']),
  seq: columns.decidedAtMs.fromSql(row['entry_seq']),
});
