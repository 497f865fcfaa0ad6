import type { Queryable } from '../../../base/platform/index.js';
import type { TenantId } from '../../../core/kernel/index.js';

/**
 * One thing that a provider is asked about, and how often it was. `payment` and `refund` are in doubt until their outcome
 * is known; a `watch` is a payment whose money may have come although nobody told us. Times are real time.
 */
export interface Question {
  readonly tenantId: TenantId;
  readonly subject: 'payment' | 'refund' | 'watch';
  readonly reference: string;
  /** Entry of the payment that a watch is about; 0 for doubts. */
  readonly aboutSeq: number;
  /** Since it was first seen. */
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

// What is noted already is left out, so however many stay in doubt, a new one is seen; so is what a person has to settle.
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
         AND coalesce(d.review, '') NOT LIKE '%capture_refused%'
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

// Once per entry of a payment, however many processes look: the same again changes nothing. Half of a link's life is
// counted in its tenant's time and waited for in real time.
const NOTE_WATCHES = `WITH behind AS (
    SELECT h.tenant_id, h.last_seq, coalesce(w.seen_seq, -1) AS seen_seq
      FROM heads h LEFT JOIN rail_watermarks w USING (tenant_id)
      WHERE h.last_seq > coalesce(w.seen_seq, -1) AND ($1::text IS NULL OR h.tenant_id = $1)
  ), found AS (
    SELECT p.* FROM behind b CROSS JOIN LATERAL (
      SELECT tenant_id, payment_id, entry_seq, provider, kind, state, started_at_ms, expires_at_ms FROM payments
        WHERE tenant_id = b.tenant_id AND entry_seq > b.seen_seq AND (state IN ('open', 'lapsed', 'canceled')
          OR (state = 'paid' AND review LIKE '%amount_differs%'))
        ORDER BY entry_seq LIMIT $4) p
  ), noted AS (
    INSERT INTO rail_questions (tenant_id, subject, reference, about_seq, next_try_at_ms)
      SELECT tenant_id, 'watch', payment_id, entry_seq, arbiter_clock_ms() + CASE state
          WHEN 'open' THEN greatest(0, (started_at_ms + expires_at_ms) / 2 - now_ms) ELSE $3::bigint END
        FROM found JOIN tenant_clocks USING (tenant_id)
        WHERE provider = ANY ($2) AND (state <> 'open' OR kind = 'link')
        ORDER BY tenant_id, payment_id
    ON CONFLICT (tenant_id, subject, reference) DO UPDATE
      SET about_seq = excluded.about_seq, next_try_at_ms = excluded.next_try_at_ms,
        first_seen_at_ms = excluded.first_seen_at_ms, attempt_count = 0, last_answer = NULL
      WHERE rail_questions.about_seq < excluded.about_seq
  )
  INSERT INTO rail_watermarks AS w (tenant_id, seen_seq)
    SELECT b.tenant_id, CASE WHEN count(f.entry_seq) < $4 THEN b.last_seq ELSE max(f.entry_seq) END
      FROM behind b LEFT JOIN found f USING (tenant_id)
      GROUP BY b.tenant_id, b.last_seq ORDER BY b.tenant_id
  ON CONFLICT (tenant_id) DO UPDATE SET seen_seq = greatest(w.seen_seq, excluded.seen_seq)`;

/**
 * Begins a watch of every payment that became open, lapsed or canceled, or paid with another amount than its own, since
 * this was last asked, at most `limit` of each tenant: of an open link at half of its life, of others after `askAfterMs`.
 */
export async function noteWatches(
  database: Queryable,
  { tenantId, providers, askAfterMs, limit }: NoteScope,
): Promise<void> {
  await database.query(NOTE_WATCHES, [tenantId, providers, askAfterMs, limit]);
}

export interface LeaseScope {
  readonly tenantId: TenantId | null;
  readonly limit: number;
  readonly leaseMs: number;
  readonly kind: 'doubts' | 'watches';
  /** Questions of one tenant, those under way here counted. */
  readonly perTenantMax: number;
  readonly underWay: ReadonlyMap<TenantId, number>;
}

/** Takes what is to be asked now for `leaseMs`: another process leaves it alone, and takes it when this one dies. */
export async function leaseDueQuestions(
  database: Queryable,
  scope: LeaseScope,
): Promise<readonly Question[]> {
  const isDue = `subject ${scope.kind === 'watches' ? '=' : '<>'} 'watch'
    AND next_try_at_ms <= arbiter_clock_ms() AND ($1::text IS NULL OR tenant_id = $1)`;
  const { rows } = await database.query<{
    tenant_id: TenantId;
    subject: Question['subject'];
    reference: string;
    about_seq: string;
    age_ms: string;
    attempt_count: string;
  }>(
    `UPDATE rail_questions q
        SET attempt_count = q.attempt_count + 1, next_try_at_ms = arbiter_clock_ms() + $3::bigint
       FROM (SELECT tenant_id, subject, reference FROM rail_questions
              WHERE ${isDue} AND (tenant_id, subject, reference) IN (
                SELECT tenant_id, subject, reference
                  FROM (SELECT tenant_id, subject, reference,
                            row_number() OVER (PARTITION BY tenant_id ORDER BY next_try_at_ms) AS place
                          FROM rail_questions WHERE ${isDue}) ranked
                  LEFT JOIN unnest($4::text[], $5::bigint[]) AS busy (tenant_id, question_count) USING (tenant_id)
                  WHERE place + coalesce(question_count, 0) <= $6)
              ORDER BY next_try_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED) due
      WHERE (q.tenant_id, q.subject, q.reference) = (due.tenant_id, due.subject, due.reference)
      RETURNING q.tenant_id, q.subject, q.reference, q.attempt_count, q.about_seq,
        arbiter_clock_ms() - q.first_seen_at_ms AS age_ms`,
    [
      scope.tenantId,
      scope.limit,
      scope.leaseMs,
      [...scope.underWay.keys()],
      [...scope.underWay.values()],
      scope.perTenantMax,
    ],
  );
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    subject: row.subject,
    reference: row.reference,
    aboutSeq: Number(row.about_seq),
    ageMs: Number(row.age_ms),
    attemptCount: Number(row.attempt_count),
  }));
}

/** A watch that began anew meanwhile is another question: it stays as it is. */
const THIS = 'tenant_id = $1 AND subject = $2 AND reference = $3 AND about_seq = $4';
const nameOf = ({ tenantId, subject, reference, aboutSeq }: Question) => [
  tenantId,
  subject,
  reference,
  aboutSeq,
];

export async function askAgain(
  database: Queryable,
  question: Question,
  { afterMs, answer }: { readonly afterMs: number; readonly answer: string },
): Promise<void> {
  await database.query(
    `UPDATE rail_questions SET next_try_at_ms = arbiter_clock_ms() + $5::bigint, last_answer = $6 WHERE ${THIS}`,
    [...nameOf(question), afterMs, answer],
  );
}

export async function closeQuestion(database: Queryable, question: Question): Promise<void> {
  await database.query(`DELETE FROM rail_questions WHERE ${THIS}`, nameOf(question));
}
