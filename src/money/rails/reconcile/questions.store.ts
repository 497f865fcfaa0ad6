import type { Queryable } from '../../../base/platform/index.js';
import type { TenantId } from '../../../core/kernel/index.js';

/** One thing whose outcome is not known, and how often its provider was asked. Times are real time. */
export interface Question {
  readonly tenantId: TenantId;
  readonly subject: 'payment' | 'refund';
  readonly reference: string;
  /** Since it was first seen in doubt. */
  readonly ageMs: number;
  readonly attemptCount: number;
}

interface NoteScope {
  readonly tenantId: TenantId | null;
  readonly limit: number;
  /** Only these are asked: others report by themselves. */
  readonly providers: readonly string[];
  readonly askAfterMs: number;
}

// What is noted already is left out, so however many stay in doubt, a new one is seen.
const noteAbout = (subject: 'payment' | 'refund') => {
  const id = `${subject}_id`;
  const doubts =
    subject === 'payment'
      ? ["state = 'issuing'", "kind = 'charge' AND state = 'open'"]
      : ["state = 'submitted'"];
  const found = doubts.map(
    (doubt) => `SELECT d.tenant_id, d.${id} AS reference FROM ${subject}s d
       WHERE d.${doubt.replace(' AND ', ' AND d.')} AND d.provider = ANY ($2)
         AND ($1::text IS NULL OR d.tenant_id = $1)
         AND NOT EXISTS (SELECT 1 FROM rail_questions q
           WHERE q.tenant_id = d.tenant_id AND q.subject = '${subject}' AND q.reference = d.${id})`,
  );
  return `INSERT INTO rail_questions (tenant_id, subject, reference, next_try_at_ms)
    SELECT tenant_id, '${subject}', reference, arbiter_clock_ms() + $3::bigint
      FROM (${found.join(' UNION ALL ')} LIMIT $4) found
    ON CONFLICT DO NOTHING`;
};

const NOTES = [noteAbout('payment'), noteAbout('refund')];

/** Notes what is in doubt now: payments being issued, charges and refunds that were taken on. */
export async function noteDoubts(
  database: Queryable,
  { tenantId, providers, askAfterMs, limit }: NoteScope,
): Promise<void> {
  for (const note of NOTES) await database.query(note, [tenantId, providers, askAfterMs, limit]);
}

/** Takes what is to be asked now for `leaseMs`: another process leaves it alone, and takes it when this one dies. */
export async function leaseDueQuestions(
  database: Queryable,
  scope: { readonly tenantId: TenantId | null; readonly limit: number; readonly leaseMs: number },
): Promise<readonly Question[]> {
  const { rows } = await database.query<{
    tenant_id: TenantId;
    subject: Question['subject'];
    reference: string;
    age_ms: string;
    attempt_count: string;
  }>(
    `UPDATE rail_questions q
        SET attempt_count = q.attempt_count + 1, next_try_at_ms = arbiter_clock_ms() + $3::bigint
       FROM (SELECT tenant_id, subject, reference FROM rail_questions
              WHERE next_try_at_ms <= arbiter_clock_ms() AND ($1::text IS NULL OR tenant_id = $1)
              ORDER BY next_try_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED) due
      WHERE (q.tenant_id, q.subject, q.reference) = (due.tenant_id, due.subject, due.reference)
      RETURNING q.tenant_id, q.subject, q.reference, q.attempt_count,
        arbiter_clock_ms() - q.first_seen_at_ms AS age_ms`,
    [scope.tenantId, scope.limit, scope.leaseMs],
  );
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    subject: row.subject,
    reference: row.reference,
    ageMs: Number(row.age_ms),
    attemptCount: Number(row.attempt_count),
  }));
}

type Name = Pick<Question, 'tenantId' | 'subject' | 'reference'>;

export async function askAgain(
  database: Queryable,
  { tenantId, subject, reference }: Name,
  { afterMs, answer }: { readonly afterMs: number; readonly answer: string },
): Promise<void> {
  await database.query(
    `UPDATE rail_questions SET next_try_at_ms = arbiter_clock_ms() + $4::bigint, last_answer = $5
      WHERE tenant_id = $1 AND subject = $2 AND reference = $3`,
    [tenantId, subject, reference, afterMs, answer],
  );
}

export async function closeQuestion(
  database: Queryable,
  { tenantId, subject, reference }: Name,
): Promise<void> {
  await database.query(
    'DELETE FROM rail_questions WHERE tenant_id = $1 AND subject = $2 AND reference = $3',
    [tenantId, subject, reference],
  );
}
