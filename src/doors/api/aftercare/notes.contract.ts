import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../../base/tenants/index.js';
import { type DecisionNote, NOTE_CHARACTERS_MAX } from '../../../money/arbiter/index.js';
import { instantOutput, printInstant, seqPage } from '../wire.js';

const decisionId = z.string().regex(/^arbdec_[0-9a-f]{12}$/, 'arbdec_ and 12 hex digits');
const noteId = z.string().regex(/^note_[0-9a-f]{32}$/, 'note_ and 32 hex digits');

const noteView = z.strictObject({
  note_id: z.string(),
  decision_id: z.string(),
  author: z.strictObject({ role: z.string(), api_key_id: z.string() }),
  text: z.string().nullable().meta({ description: 'Null: it was erased.' }),
  noted_at: instantOutput,
});

export const printNote = (note: DecisionNote): z.input<typeof noteView> => ({
  note_id: note.noteId,
  decision_id: note.decisionId,
  author: { role: note.author.role, api_key_id: note.author.id },
  text: note.text,
  noted_at: printInstant(note.notedAtMs) ?? '',
});

export const addNote = route({
  method: 'POST',
  path: '/v1/decisions/{decision_id}/notes',
  summary: 'Write a note beside a decision',
  description:
    'A note has no force: it changes no decision, makes no allow out of a refusal, and its text is never parsed. It is an ' +
    'entry of the ledger and never changes; the text is kept beside the ledger, so that it can be erased.',
  tag: 'decisions',
  access: ['operator', 'tenant_admin'],
  idempotency: 'optional',
  params: z.strictObject({ decision_id: decisionId }),
  body: z.strictObject({ text: z.string().min(1).max(NOTE_CHARACTERS_MAX) }),
  examples: {
    a_call: { text: 'The merchant has called: the price was right, the signature was late.' },
  },
  success: { status: 201, body: noteView },
  problems: ['not_found'],
});

export const listNotes = route({
  method: 'GET',
  path: '/v1/decisions/{decision_id}/notes',
  summary: 'Notes beside a decision, oldest first',
  tag: 'decisions',
  access: ['operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  params: z.strictObject({ decision_id: decisionId }),
  query: z.strictObject({
    ...seqPage({ sizeMax: PAGE_SIZE_MAX, sizeDefault: PAGE_SIZE_DEFAULT }),
  }),
  success: {
    status: 200,
    body: z.strictObject({ items: z.array(noteView), next_cursor: z.string().nullable() }),
  },
  problems: ['not_found'],
});

export const eraseNote = route({
  method: 'POST',
  path: '/v1/decisions/{decision_id}/notes/{note_id}/erase',
  summary: 'Erase the text of a note',
  description:
    'For a note that names a person. That there was a note, whose and when, stays in the ledger. Erasing a buyer erases ' +
    'the notes beside decisions that name the buyer as well.',
  tag: 'decisions',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: z.strictObject({ decision_id: decisionId, note_id: noteId }),
  success: { status: 200, body: z.strictObject({ note_id: z.string(), text: z.null() }) },
  problems: ['not_found'],
});
