import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { RailKind } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** One authentication, notice or debit mandate by its own name. */
export interface RailSubject {
  readonly kind: RailKind;
  readonly subjectRef: string;
}

/** The newest report about a subject: its exact bytes and when we got them. `token` null = the document was erased. */
export interface StoredReport extends RailSubject {
  readonly reportId: string;
  readonly token: string | null;
  readonly payerCommitment: string | null;
  readonly registeredAtMs: InstantMs;
}

/** Of each subject the newest report; subjects nobody reported are absent. */
export async function findCurrentReports(
  database: Queryable,
  tenantId: TenantId,
  subjects: readonly RailSubject[],
): Promise<readonly StoredReport[]> {
  const { rows } = await database.query<{
    kind: RailKind;
    subject_ref: string;
    report_id: string;
    payer_commitment: string | null;
    registered_at_ms: string;
    bytes: Buffer | null;
  }>(
    `SELECT c.kind, c.subject_ref, c.report_id, r.payer_commitment, r.registered_at_ms, d.bytes
       FROM unnest($2::text[], $3::text[]) AS wanted (kind, subject_ref)
       JOIN current_rail_reports c
         ON c.tenant_id = $1 AND c.kind = wanted.kind AND c.subject_ref = wanted.subject_ref
       JOIN rail_reports r ON r.tenant_id = $1 AND r.kind = c.kind AND r.report_id = c.report_id
       LEFT JOIN documents d ON d.tenant_id = $1 AND d.sha256 = r.document_sha256`,
    [tenantId, subjects.map(({ kind }) => kind), subjects.map(({ subjectRef }) => subjectRef)],
  );
  return rows.map((row) => ({
    kind: row.kind,
    subjectRef: row.subject_ref,
    reportId: row.report_id,
    token: row.bytes === null ? null : row.bytes.toString('utf8'),
    payerCommitment: row.payer_commitment,
    registeredAtMs: Number(row.registered_at_ms),
  }));
}
