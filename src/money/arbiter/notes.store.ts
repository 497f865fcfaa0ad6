import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import { type DecisionNoteRow, decisionNotes } from './note.events.js';

/** A note as it is held; `document` null = its text was erased. */
export interface StoredNote extends DecisionNoteRow {
  readonly seq: number;
  readonly document: Buffer | null;
}

type StoredRow = Readonly<Record<string, unknown>>;

/** Notes of one decision, oldest first, at most `limit`. */
export async function findNotes(
  database: Queryable,
  tenantId: TenantId,
  query: { readonly decisionId: string; readonly afterSeq: number; readonly limit: number },
): Promise<readonly StoredNote[]> {
  const { rows } = await database.query<StoredRow>(
    `SELECT n.note_id, n.decision_id, n.text_sha256, n.author_role, n.author_id, n.noted_at_ms, n.entry_seq, d.bytes
      FROM decision_notes n
      LEFT JOIN documents d ON d.tenant_id = n.tenant_id AND d.sha256 = n.text_sha256
      WHERE n.tenant_id = $1 AND n.decision_id = $2 AND n.entry_seq > $3
      ORDER BY n.entry_seq LIMIT $4`,
    [tenantId, query.decisionId, query.afterSeq, query.limit],
  );
  return rows.map(noteOf);
}

const { columns } = decisionNotes;

const noteOf = (row: StoredRow): StoredNote => ({
  noteId: columns.noteId.fromSql(row['note_id']),
  decisionId: columns.decisionId.fromSql(row['decision_id']),
  textSha256: columns.textSha256.fromSql(row['text_sha256']),
  authorRole: columns.authorRole.fromSql(row['author_role']),
  authorId: columns.authorId.fromSql(row['author_id']),
  notedAtMs: columns.notedAtMs.fromSql(row['noted_at_ms']),
  seq: columns.notedAtMs.fromSql(row['entry_seq']),
  document: row['bytes'] as Buffer | null,
});
