import { codec } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';

const note = { noteId: codec.text, decisionId: codec.text, textSha256: codec.text };

/**
 * Somebody wrote a note beside a decision; the author is the entry's actor. The text is an erasable document: the digest
 * covers a salt beside it, so that an erased text cannot be guessed from it.
 */
export const decisionNoted = defineEvent('decision.noted', codec.record(note));

/** The text of a note was erased; that there was one stays. */
export const decisionNoteErased = defineEvent('decision.note_erased', codec.record(note));

export interface DecisionNoteRow {
  readonly noteId: string;
  readonly decisionId: string;
  readonly textSha256: string;
  readonly authorRole: string;
  readonly authorId: string;
  readonly notedAtMs: number;
}

export const decisionNotes = defineProjection<DecisionNoteRow>({
  table: 'decision_notes',
  mode: 'append',
  key: ['noteId'],
  columns: {
    noteId: column.text,
    decisionId: column.text,
    textSha256: column.text,
    authorRole: column.text,
    authorId: column.text,
    notedAtMs: column.integer,
  },
  on: [
    when(decisionNoted, {
      keys: ({ noteId }) => [[noteId]],
      evolve: (_row, data, { entry }) => ({
        ...data,
        authorRole: entry.actor.role,
        authorId: entry.actor.id,
        notedAtMs: entry.atMs,
      }),
    }),
  ],
});
