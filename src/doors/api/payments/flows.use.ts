import type { CallerContext, InputOf } from '../../../base/platform/index.js';
import { mayTouchMerchant, noSuchMerchant } from '../../../base/tenants/index.js';
import { err, invariant, ok, type Problem, type Result } from '../../../core/kernel/index.js';
import {
  LINK_LIFE_MS_DEFAULT,
  type Payer,
  type PaymentTerms,
  type PurchaseAsk,
  type Started,
} from '../../../money/arbiter/index.js';
import type { PaymentRow, RefundRow } from '../../../money/book/index.js';
import { commandContext } from '../command-context.js';
import type { DecisionAnswer } from '../decisions/answer.schema.js';
import { printDecision } from '../decisions/print.js';
import { readAsk } from '../decisions/read-request.js';
import type { DecisionRequestBody } from '../decisions/request.schema.js';
import { refusedProblem } from '../refused.js';
import type { charge, handOff, refund } from './flows.contract.js';
import type { PaymentView, RefundView } from './pieces.js';
import { printPayment, printRefund } from './print.js';

/** `reasonsUrl` has no slash at its end. */
export interface PayerDesk {
  readonly payer: Payer;
  readonly reasonsUrl: string;
}

interface PaidAnswer {
  readonly decision: DecisionAnswer;
  readonly payment: PaymentView;
}

/** Problems, in order: those of {@link readAsk}, of {@link Payer.handOff}, arbiter_refused. */
export async function handOffLink(
  desk: PayerDesk,
  body: InputOf<typeof handOff>['body'],
  caller: CallerContext,
): Promise<Result<PaidAnswer, Problem>> {
  const { order_id, provider, expires_in_seconds, description, return_url, ...purchase } = body;
  const ask = purchaseAsk({ flow: 'handoff', ...purchase }, caller);
  if (!ask.ok) return ask;
  const terms: PaymentTerms = {
    orderId: order_id,
    provider,
    lifeMs: expires_in_seconds === undefined ? LINK_LIFE_MS_DEFAULT : expires_in_seconds * 1_000,
    description: description ?? null,
    returnUrl: return_url ?? null,
  };
  const started = await desk.payer.handOff(commandContext(caller), ask.value, terms);
  return started.ok ? paidAnswer(desk, started.value, caller) : started;
}

/** Problems, in order: those of {@link readAsk}, of {@link Payer.charge}, arbiter_refused. */
export async function chargeMandate(
  desk: PayerDesk,
  body: InputOf<typeof charge>['body'],
  caller: CallerContext,
): Promise<Result<PaidAnswer, Problem>> {
  const { order_id, provider, ...purchase } = body;
  const ask = purchaseAsk({ flow: 'agent_payment', ...purchase }, caller);
  if (!ask.ok) return ask;
  const terms: PaymentTerms = {
    orderId: order_id,
    provider,
    lifeMs: LINK_LIFE_MS_DEFAULT,
    description: null,
    returnUrl: null,
  };
  const started = await desk.payer.charge(commandContext(caller), ask.value, terms);
  return started.ok ? paidAnswer(desk, started.value, caller) : started;
}

/** Problems, in order: not_found `/merchant_id`, those of {@link Payer.refund}, arbiter_refused. */
export async function refundOrder(
  desk: PayerDesk,
  body: InputOf<typeof refund>['body'],
  caller: CallerContext,
): Promise<Result<{ readonly decision: DecisionAnswer; readonly refund: RefundView }, Problem>> {
  const { principal } = caller;
  if (!mayTouchMerchant(principal, body.merchant_id))
    return err(noSuchMerchant(body.merchant_id, '/merchant_id'));
  const ask = {
    world: principal.world,
    merchantId: body.merchant_id,
    orderId: body.order_id,
    amountMinor: body.amount.amountMinor,
    currency: body.amount.currency,
  };
  const made = await desk.payer.refund(commandContext(caller), ask, body.payment_id ?? null);
  if (!made.ok) return made;
  return answerOf(desk, made.value, (decision, row: RefundRow) => ({
    decision,
    refund: printRefund(row),
  }));
}

function purchaseAsk(
  body: Exclude<DecisionRequestBody, { flow: 'refund' }>,
  { principal }: CallerContext,
): Result<PurchaseAsk, Problem> {
  const ask = readAsk(body, principal);
  if (!ask.ok) return ask;
  invariant(ask.value.flow === 'purchase', 'a purchase body reads as a purchase');
  return ok(ask.value.purchase);
}

const paidAnswer = (
  desk: PayerDesk,
  started: Started<PaymentRow>,
  { principal }: CallerContext,
): Result<PaidAnswer, Problem> =>
  answerOf(desk, started, (decision, row) => ({ decision, payment: printPayment(row, principal) }));

function answerOf<Subject, Answer>(
  { reasonsUrl }: PayerDesk,
  started: Started<Subject>,
  print: (decision: DecisionAnswer, subject: Subject) => Answer,
): Result<Answer, Problem> {
  if (started.kind === 'refused')
    return err(refusedProblem(started.refused, { decisionId: started.decisionId, reasonsUrl }));
  return ok(print(printDecision(started.decision, reasonsUrl), started.subject));
}
