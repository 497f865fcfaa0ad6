import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mayTouchMerchant } from '../../../base/tenants/index.js';
import { err, mapOk, ok, problem, type Problem, type Result } from '../../../core/kernel/index.js';
import {
  type Arbiter,
  ARBITER,
  DECISION_NOTES,
  type DecisionNotes,
  type RecordedDecision,
} from '../../../money/arbiter/index.js';
import { commandContext } from '../command-context.js';
import { addNote, eraseNote, listNotes, printNote } from './notes.contract.js';

@Controller()
export class NotesController {
  constructor(
    @Inject(ARBITER) private readonly arbiter: Arbiter,
    @Inject(DECISION_NOTES) private readonly notes: DecisionNotes,
  ) {}

  @Handles(addNote)
  async add(@Input() { params, body }: InputOf<typeof addNote>, @Caller() caller: CallerContext) {
    const decision = await this.#decision(params.decision_id, caller);
    if (!decision.ok) return decision;
    return mapOk(
      await this.notes.add(commandContext(caller), decision.value, body.text),
      printNote,
    );
  }

  @Handles(listNotes)
  async list(
    @Input() { params, query }: InputOf<typeof listNotes>,
    @Caller() caller: CallerContext,
  ) {
    const decision = await this.#decision(params.decision_id, caller);
    if (!decision.ok) return decision;
    const page = await this.notes.list(caller.principal.tenantId, {
      decisionId: params.decision_id,
      afterSeq: query.cursor === undefined ? -1 : Number(query.cursor),
      size: query.limit,
    });
    return ok({
      items: page.notes.map(printNote),
      next_cursor: page.nextSeq === null ? null : String(page.nextSeq),
    });
  }

  @Handles(eraseNote)
  async erase(@Input() { params }: InputOf<typeof eraseNote>, @Caller() caller: CallerContext) {
    const decision = await this.#decision(params.decision_id, caller);
    if (!decision.ok) return decision;
    const note = { decisionId: params.decision_id, noteId: params.note_id };
    const erased = await this.notes.erase(commandContext(caller), note);
    return mapOk(erased, () => ({ note_id: params.note_id, text: null }));
  }

  /** Problem: not_found, also for a decision about a merchant that is not this key's. */
  async #decision(
    decisionId: string,
    { principal }: CallerContext,
  ): Promise<Result<RecordedDecision, Problem>> {
    const decision = await this.arbiter.find(principal.tenantId, decisionId);
    return decision !== null && mayTouchMerchant(principal, decision.merchantId)
      ? ok(decision)
      : err(NO_SUCH_DECISION);
  }
}

const NO_SUCH_DECISION = problem('not_found', 'There is no decision of this id here.', {
  fix: 'Ask GET /v1/decisions for the decisions this key may see.',
});
