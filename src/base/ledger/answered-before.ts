import { err, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import type { Command, Writer } from './command.js';
import type { CommandContext } from './ledger-commands.js';

/** Never shown to a caller. */
const NOT_ANSWERED = problem('conflict', 'The request was not answered before.', {
  fix: 'Nothing is left to do.',
});

/**
 * The answer that the claim of this request was given before, or null when it was not, or when there is no claim. Asks
 * the writer and writes nothing: for work that a party outside does first. Problems, in order: idempotency_conflict,
 * those of the writer.
 */
export async function answeredBefore<Answer>(
  writer: Writer,
  context: CommandContext,
  answer: Command<Answer>['answer'],
): Promise<Result<Answer | null, Problem>> {
  if (context.idempotency === null) return ok(null);
  const looked = await writer.execute<Answer>({
    ...context,
    name: 'ledger.look_back',
    reads: [],
    decide: () => err(NOT_ANSWERED),
    answer,
  });
  return !looked.ok && looked.error === NOT_ANSWERED ? ok(null) : looked;
}
