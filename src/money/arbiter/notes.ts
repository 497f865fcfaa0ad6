import { randomBytes } from 'node:crypto';
import {
  cell,
  type Command,
  type CommandContext,
  dataOf,
  documentErasure,
  documentWrite,
  event,
  readRow,
  type Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { drawId, idAt } from '../../base/tenants/index.js';
import {
  type Actor,
  canonicalize,
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { anyErased, erasedBuyerCells } from '../../trust/buyer-authority/index.js';
import { type DecisionRecorded, decisions } from './decision.events.js';
import { decisionNoted, decisionNoteErased, decisionNotes } from './note.events.js';
import { findNotes, type StoredNote } from './notes.store.js';
import { buyersOf } from './resolve.js';

/** Longest text of a note, in UTF-16 units. */
export const NOTE_CHARACTERS_MAX = 2_000;

/** `text` null = it was erased. */
export interface DecisionNote {
  readonly noteId: string;
  readonly decisionId: string;
  readonly author: Pick<Actor, 'id'> & { readonly role: string };
  readonly text: string | null;
  readonly notedAtMs: InstantMs;
}

type NotedDecision = Pick<DecisionRecorded, 'decisionId' | 'judged' | 'allow'>;

/** A page of notes, oldest first; `nextSeq` null = this was the last. */
export interface NotesPage {
  readonly notes: readonly DecisionNote[];
  readonly nextSeq: number | null;
}

/**
 * Notes that people write beside decisions. INVARIANT: nothing that decides or pays reads one, no text is ever parsed, and
 * none is changed; its text can be erased. Whether the caller may see the decision is the door's to judge.
 */
export class DecisionNotes {
  constructor(
    private readonly dependencies: { readonly database: Queryable; readonly writer: Writer },
  ) {}

  /** Problem: not_found (the decision). A note on the decision of one buyer is erased together with that buyer. */
  add(
    context: CommandContext,
    decision: NotedDecision,
    text: string,
  ): Promise<Result<DecisionNote, Problem>> {
    return this.dependencies.writer.execute(addNote(context, decision, text));
  }

  async list(
    tenantId: TenantId,
    query: { readonly decisionId: string; readonly afterSeq: number; readonly size: number },
  ): Promise<NotesPage> {
    const { decisionId, afterSeq, size } = query;
    const { database } = this.dependencies;
    const found = await findNotes(database, tenantId, { decisionId, afterSeq, limit: size + 1 });
    const page = found.slice(0, size);
    const last = page.at(-1);
    return {
      notes: page.map(noteOf),
      nextSeq: found.length > size && last !== undefined ? last.seq : null,
    };
  }

  /** Takes the text away; that there was a note, whose and when stays. Repeated, it is done already. Problem: not_found. */
  async erase(
    context: CommandContext,
    { decisionId, noteId }: { readonly decisionId: string; readonly noteId: string },
  ): Promise<Result<null, Problem>> {
    const { database, writer } = this.dependencies;
    const row = await readRow(database, decisionNotes, {
      tenantId: context.tenantId,
      key: [noteId],
    });
    if (row?.decisionId !== decisionId) return err(noSuchNote);
    return writer.execute(eraseNote(context, { noteId, decisionId, textSha256: row.textSha256 }));
  }
}

function addNote(
  context: CommandContext,
  decision: NotedDecision,
  text: string,
): Command<DecisionNote> {
  const { tenantId, actor } = context;
  const { decisionId } = decision;
  const buyer = buyerNamed(decision);
  const watched = buyer === null ? [] : [buyer];
  const drawn = drawId('note');
  const bytes = Buffer.from(canonicalize({ salt: randomBytes(32).toString('hex'), text }), 'utf8');
  return {
    ...context,
    name: 'decision.note',
    reads: [cell(decisions, decisionId), ...erasedBuyerCells(watched)],
    decide(view, moment) {
      if (view.get(decisions, [decisionId]) === undefined) return err(noSuchDecision);
      const { sha256, write } = documentWrite(tenantId, {
        mediaType: 'application/json',
        bytes,
        erasable: true,
        // What is written after the erasure is erased on its own.
        buyerCommitment: anyErased(view, watched) ? null : buyer,
      });
      const noteId = idAt('note', drawn, moment);
      return ok({
        events: [event(decisionNoted, { noteId, decisionId, textSha256: sha256 })],
        sideWrites: [write],
      });
    },
    answer(entries) {
      const [entry] = entries;
      const noted = dataOf(entries, decisionNoted);
      invariant(noted !== null && entry !== undefined, 'a note is one entry');
      const { noteId } = noted;
      return { noteId, decisionId, author: actor, text, notedAtMs: entry.atMs };
    },
  };
}

const eraseNote = (
  context: CommandContext,
  note: { readonly noteId: string; readonly decisionId: string; readonly textSha256: string },
): Command<null> => ({
  ...context,
  name: 'decision.erase_note',
  reads: [],
  decide: () =>
    ok({
      events: [event(decisionNoteErased, note)],
      sideErasures: [documentErasure(note.textSha256)],
    }),
  answer: () => null,
});

/** The buyer whom the decision names, as a commitment; null also for whoever a caller means without evidence. */
function buyerNamed({ allow, judged }: NotedDecision): string | null {
  const certified = judged.kind === 'purchase' ? buyersOf(judged.facts.authority) : [];
  return [allow?.buyerCommitment ?? '', ...certified].find((one) => COMMITMENT.test(one)) ?? null;
}

const COMMITMENT = /^[0-9a-f]{64}$/;

function noteOf({ document, authorRole, authorId, ...row }: StoredNote): DecisionNote {
  const { noteId, decisionId, notedAtMs } = row;
  const held =
    document === null
      ? null
      : (JSON.parse(document.toString('utf8')) as { readonly text: string }).text;
  return {
    noteId,
    decisionId,
    author: { role: authorRole, id: authorId },
    text: held,
    notedAtMs,
  };
}

const noSuchDecision = problem('not_found', 'There is no decision of this id here.', {
  fix: 'Ask GET /v1/decisions for the decisions this key may see.',
});
const noSuchNote = problem('not_found', 'There is no note of this id beside this decision.', {
  fix: 'Ask GET /v1/decisions/{decision_id}/notes for the notes there are.',
});
