import { type CommandContext, readRow, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  type DecisionId,
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { AGENT_EXECUTED_PAYMENT_DISABLED } from '../../core/rules/index.js';
import type { StatusChecker } from '../../trust/status/index.js';
import type { Book } from '../book/index.js';
import { allows } from './allow.events.js';
import { consumeCommand, type UseOutcome, type UseSubject } from './consume.js';
import { type Draw, LAPSE_FIRST, type RecordedDecision } from './decide.js';
import { readDecision } from './decisions.store.js';
import type { ArbiterSwitches } from './judge.js';
import { isPurchase, lookAgain } from './recheck-use.js';
import { LINK_LIFE_MS_DEFAULT, type UseTarget } from './use-effects.js';

/** A request to use an allow. `lifeMs` and `paymentId` may be left out. */
export interface UseRequest {
  readonly decisionId: string;
  readonly subject: UseSubject;
  readonly target: Pick<UseTarget, 'orderId' | 'provider'> & Partial<UseTarget>;
  /** Whose decision it may be; another's is not there. */
  mayUse(decision: RecordedDecision): boolean;
}

export interface UseParts {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly book: Pick<Book, 'lapseDue'>;
  readonly statuses: StatusChecker;
  readonly switches: ArbiterSwitches;
}

/**
 * Uses an allow for one payment or refund. The statuses of everything that the decision rests on are asked for before the
 * lock, at `atMs`; under it they are judged with what was revoked meanwhile. A decision that is no allow is answered with the refusal it was, and writes
 * nothing: there is no allow to be used. Problems, in order: not_found (unknown, or another's), validation_failed `/cart`
 * or `/order_id` (a cart for a refund, or none for a purchase), those of {@link consumeCommand} and of the writer.
 */
export async function useAllow(
  { database, writer, book, statuses, switches }: UseParts,
  context: CommandContext,
  { request, drawn, atMs }: { request: UseRequest; drawn: Draw; atMs: InstantMs },
): Promise<Result<UseOutcome, Problem>> {
  const { tenantId } = context;
  const decision = await readDecision(database, tenantId, request.decisionId);
  if (decision === null || !request.mayUse(decision)) return err(NO_SUCH_DECISION);
  if (isPurchase(decision) !== (request.subject.kind === 'purchase'))
    return err(isPurchase(decision) ? CART_NEEDED : NO_CART_NEEDED);
  if (decision.allow === null) return ok(refusalOf(decision));
  const { decisionId } = decision;
  const allow = await readRow(database, allows, { tenantId, key: [decisionId] });
  invariant(allow !== undefined, 'an allow has its row from its decision on');
  const { subject, target } = request;
  const use = {
    decision,
    allow,
    subject,
    target: { lifeMs: LINK_LIFE_MS_DEFAULT, paymentId: null, ...target },
    switches,
    looked: await lookAgain(statuses, { tenantId, decision, atMs }),
  };
  const outcome = await writer.execute(consumeCommand(context, use, drawn));
  if (outcome.ok || outcome.error !== LAPSE_FIRST) return outcome;
  await book.lapseDue(tenantId, decision.merchantId);
  return writer.execute(consumeCommand(context, { ...use, dueLapsed: true }, drawn));
}

function refusalOf({ decisionId, decision, dryRun }: RecordedDecision): UseOutcome {
  const refused = dryRun ? AGENT_EXECUTED_PAYMENT_DISABLED : decision;
  return { kind: 'use_refused', decisionId: decisionId satisfies DecisionId, refused };
}

const NO_SUCH_DECISION = problem('not_found', 'There is no decision with this id.', {
  fix: 'Check the id; decisions of others are not shown.',
});

const CART_NEEDED = problem('validation_failed', 'This decision is about a purchase.', {
  fix: 'Send the whole cart that was decided, and the order it is paid for.',
  field: '/cart',
});

const NO_CART_NEEDED = problem('validation_failed', 'This decision is about a refund.', {
  fix: 'Send order_id and, if you like, the amount that was decided; a refund has no cart.',
  field: '/cart',
});
