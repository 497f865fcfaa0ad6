import { mayTouchMerchant, noSuchMerchant } from '../../../base/tenants/index.js';
import type { CallerContext, InputOf } from '../../../base/platform/index.js';
import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import type { Arbiter, DecisionFilter } from '../../../money/arbiter/index.js';
import { commandContext } from '../command-context.js';
import type {
  CaptureAnswer,
  DecisionAnswer,
  DecisionPage,
  DecisionView,
  SimulationAnswer,
} from './answer.schema.js';
import type { reportCapture, searchDecisions } from './decisions.contract.js';
import {
  printCapture,
  printDecision,
  printExplained,
  printSimulation,
  printSummary,
} from './print.js';
import { readAsk } from './read-request.js';
import type { DecisionRequestBody } from './request.schema.js';

/** What answers decisions: who judges, and where the pages of the reasons stand (no slash at the end). */
export interface Desk {
  readonly arbiter: Arbiter;
  readonly reasonsUrl: string;
}

/** Decides a purchase or refund. Problems, in order: those of {@link readAsk}, idempotency_key_required, the arbiter's. */
export async function decide(
  { arbiter, reasonsUrl }: Desk,
  body: DecisionRequestBody,
  caller: CallerContext,
): Promise<Result<DecisionAnswer, Problem>> {
  const ask = readAsk(body, caller.principal);
  if (!ask.ok) return ask;
  if (ask.value.flow === 'purchase') {
    const decided = await arbiter.decidePurchase(commandContext(caller), ask.value.purchase);
    return decided.ok ? ok(printDecision(decided.value, reasonsUrl)) : decided;
  }
  // An allowed refund counts at once, so a repeat must find the first one (decisions 2.10).
  if (caller.idempotency === null) return err(IDEMPOTENCY_KEY_REQUIRED);
  const decided = await arbiter.decideRefund(commandContext(caller), ask.value.refund);
  return decided.ok ? ok(printDecision(decided.value, reasonsUrl)) : decided;
}

const IDEMPOTENCY_KEY_REQUIRED = problem(
  'idempotency_key_required',
  'A refund is asked for with an Idempotency-Key.',
  {
    fix: 'Send an Idempotency-Key of your choice and the same one when you repeat this request.',
    field: ':Idempotency-Key',
  },
);

/** Judges the same ask and writes nothing. Problems: those of {@link readAsk} and of the arbiter. */
export async function simulateAsk(
  { arbiter, reasonsUrl }: Desk,
  body: DecisionRequestBody,
  { principal }: CallerContext,
): Promise<Result<SimulationAnswer, Problem>> {
  const ask = readAsk(body, principal);
  if (!ask.ok) return ask;
  const simulated =
    ask.value.flow === 'purchase'
      ? await arbiter.simulatePurchase(principal.tenantId, ask.value.purchase)
      : await arbiter.simulateRefund(principal.tenantId, ask.value.refund);
  if (!simulated.ok) return simulated;
  return ok(printSimulation(simulated.value, reasonsUrl));
}

/** One decision in the form its reader may see. What a reader may not see is not there: not_found. */
export async function read(
  { arbiter, reasonsUrl }: Desk,
  decisionId: string,
  { principal }: CallerContext,
): Promise<Result<DecisionView, Problem>> {
  const decision = await arbiter.find(principal.tenantId, decisionId);
  if (decision === null || !maySee(decision, principal)) return err(NO_SUCH_DECISION);
  return ok(
    seesTrace(principal)
      ? printExplained(decision, reasonsUrl)
      : printDecision(decision, reasonsUrl),
  );
}

export const NO_SUCH_DECISION = problem('not_found', 'There is no decision of this id here.', {
  fix: 'Ask GET /v1/decisions for the decisions this key may see.',
});

/** Who may see what the rules saw, and the entry itself. */
export const seesTrace = ({ role }: Principal): boolean =>
  role === 'tenant_admin' || role === 'operator' || role === 'auditor';

export const maySee = (
  decision: { readonly merchantId: string; readonly agentId: string | null },
  principal: Principal,
): boolean =>
  mayTouchMerchant(principal, decision.merchantId) &&
  (principal.role !== 'agent' || decision.agentId === principal.agentId);

type SearchQuery = InputOf<typeof searchDecisions>['query'];

/** A page of what the caller may see, newest first. */
export async function search(
  arbiter: Arbiter,
  query: SearchQuery,
  { principal }: CallerContext,
): Promise<Result<DecisionPage, Problem>> {
  const filter = filterOf(query, principal);
  if (filter === null) return ok({ items: [], next_cursor: null });
  const beforeSeq = query.cursor === undefined ? null : Number(query.cursor);
  // One more than asked for tells whether there is a next page.
  const page = { beforeSeq, limit: query.limit + 1 };
  const found = await arbiter.search(principal.tenantId, { filter, page });
  const items = found.slice(0, query.limit);
  const last = items.at(-1);
  return ok({
    items: items.map(printSummary),
    next_cursor: found.length > query.limit && last !== undefined ? String(last.seq) : null,
  });
}

/** The query within what the caller may see; null = nothing can be found. */
function filterOf(query: SearchQuery, principal: Principal): DecisionFilter | null {
  const agentId = principal.role === 'agent' ? (principal.agentId ?? '') : query.agent_id;
  if (query.agent_id !== undefined && query.agent_id !== agentId) return null;
  if (query.merchant_id !== undefined && !mayTouchMerchant(principal, query.merchant_id))
    return null;
  const merchantIds = query.merchant_id === undefined ? principal.merchantIds : [query.merchant_id];
  return {
    flow: query.flow,
    outcome: query.outcome,
    failingRule: query.failing_rule,
    reason: query.reason,
    agentId,
    merchantIds: merchantIds ?? undefined,
    fromMs: query.from,
    toMs: query.to,
  };
}

/** Records captured money. Problems, in order: not_found `/merchant_id`, the arbiter's. */
export async function report(
  arbiter: Arbiter,
  body: InputOf<typeof reportCapture>['body'],
  caller: CallerContext,
): Promise<Result<CaptureAnswer, Problem>> {
  if (!mayTouchMerchant(caller.principal, body.merchant_id))
    return err(noSuchMerchant(body.merchant_id, '/merchant_id'));
  const recorded = await arbiter.reportCapture(commandContext(caller), {
    captureId: body.capture_id,
    merchantId: body.merchant_id,
    orderId: body.order_id,
    amountMinor: body.amount.amountMinor,
    currency: body.amount.currency,
    decisionId: body.decision_id ?? null,
    paymentId: body.payment_id ?? null,
  });
  return recorded.ok ? ok(printCapture(recorded.value)) : recorded;
}
