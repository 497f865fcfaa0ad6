import type { Message, Task } from '@a2a-js/sdk';
import { Task as TaskForm } from '@a2a-js/sdk';
import { mayTouchMerchant } from '../../base/tenants/index.js';
import { type CallerContext, inputReader, type Queryable } from '../../base/platform/index.js';
import { invariant, parseInstant, problem, type TenantId } from '../../core/kernel/index.js';
import type { ShopProduct, ShopReading } from '../../trust/facts/index.js';
import {
  askForDecision,
  decide,
  type DecisionAnswer,
  decisionId,
  type DecisionRequestBody,
  type Desk,
  readDecision,
} from '../api/decisions/index.js';
import { HttpFailure, malformed, thrownFor } from './errors.js';
import { endedStateOf, printStored } from './kept-tasks.js';
import { TASK_BYTES_MAX } from './limits.js';
import { contextIdOf, requestHashOf, taskIdOf } from './names.js';
import { printMessage, printTask, sayExplanation, sayProducts } from './print-answer.js';
import type { ProductQuestion, Wish } from './read-message.js';
import { addTask, findTask, type Viewer } from './tasks.store.js';
import type { Turns } from './turns.js';

export interface SkillsParts {
  readonly database: Queryable;
  readonly desk: Desk;
  readonly shop: ShopReading;
  readonly turns: Turns;
  readonly nowMs: () => number;
}

/** Who asks, and at which shop. `known` null = nobody known. */
export interface Asker {
  readonly tenantId: TenantId;
  readonly shopUrl: string;
  readonly known: { readonly caller: CallerContext; readonly viewer: Viewer } | null;
}

/** Answers one message. Throws errors of the protocol, HttpFailure, or what broke. */
export async function answerWish(
  parts: SkillsParts,
  asker: Asker,
  { wish, message }: { readonly wish: Wish; readonly message: Message },
): Promise<Message | Task> {
  const place = {
    askedBy: message.messageId,
    contextId: message.contextId === '' ? contextIdOf(message.messageId) : message.contextId,
  };
  if (wish.skill === 'product-questions') {
    const products = await findProducts(parts.shop, asker.tenantId, wish.question);
    return printMessage(sayProducts(products, asker.shopUrl), place);
  }
  invariant(asker.known !== null, 'a caller is required before');
  if (wish.skill === 'decision-explanation') {
    const decision = await explained(parts.desk, wish.decisionId, asker.known.caller);
    return printMessage(sayExplanation(decision), place);
  }
  const { viewer } = asker.known;
  const turn = `${viewer.tenantId} ${viewer.callerId} ${message.messageId}`;
  const known = asker.known;
  return parts.turns.take(turn, () => decideOnce(parts, known, { data: wish.data, message }));
}

async function findProducts(
  shop: ShopReading,
  tenantId: TenantId,
  question: ProductQuestion,
): Promise<readonly ShopProduct[]> {
  if ('words' in question) return (await shop.search(tenantId, question.words)).products;
  const found = await shop.find(tenantId, question);
  return found === null ? [] : [found];
}

async function explained(desk: Desk, id: string, caller: CallerContext) {
  if (!decisionId.safeParse(id).success)
    throw malformed('This is no id of a decision.', {
      fix: 'Send decision_id as a decision was answered with: arbdec_ and 12 hex digits.',
      field: '/message/parts/data/decision_id',
    });
  const decision = await readDecision(desk, id, caller);
  if (!decision.ok) throw thrownFor(decision.error);
  return decision.value;
}

const readBody = inputReader(askForDecision);

/** Problems of its members are told one by one, as the native route tells them. */
function bodyOf(data: object): DecisionRequestBody {
  const read = readBody({ params: undefined, query: undefined, body: data });
  if (read.ok) return read.value.body as DecisionRequestBody;
  const { problem: wrong, extras } = read.error;
  const fields = (extras.errors ?? []).map(({ field, detail }) => `${field}: ${detail}`);
  throw malformed([wrong.detail, ...fields].join(' '), {
    fix: wrong.fix,
    field: wrong.field,
    code: wrong.code,
  });
}

/**
 * The task of a purchase, decided by its first sending. The task's id and the ledger's claim follow from who sent which
 * message: a repeat finds the task, and one whose first sending broke before the task was written finds the decision.
 * Another body under the same messageId is refused by whichever of the two stands.
 */
async function decideOnce(
  { database, desk, nowMs }: SkillsParts,
  { caller, viewer }: NonNullable<Asker['known']>,
  { data, message }: { readonly data: object; readonly message: Message },
): Promise<Task> {
  const taskId = taskIdOf(viewer, message.messageId);
  const requestHash = requestHashOf(message);
  // The sender's own task, whatever this key may see of it: what it decided must not be decided again.
  const own = { ...viewer, merchantIds: null };
  const first = await findTask(database, own, taskId);
  if (first !== null && first.requestHash !== requestHash) throw thrownFor(SAID_OTHERWISE);
  // A merchant that this key may not touch is refused below, as everywhere.
  if (first !== null && mayTouchMerchant(caller.principal, first.merchantId))
    return printStored(first);
  const decided = await decide(desk, bodyOf(data), {
    ...caller,
    idempotency: {
      scope: `${viewer.tenantId} a2a ${viewer.callerId}`,
      key: message.messageId,
      requestHash,
    },
  });
  if (!decided.ok) throw failureOf(decided.error);
  const contextId = message.contextId === '' ? contextIdOf(taskId) : message.contextId;
  await addTask(database, own, {
    task: storedOf(decided.value, { taskId, contextId, requestHash }),
    createdAtMs: nowMs(),
  });
  const stored = await findTask(database, own, taskId);
  if (stored === null) throw new HttpFailure(TASK_GONE);
  return printStored(stored);
}

function storedOf(
  decision: DecisionAnswer,
  names: { readonly taskId: string; readonly contextId: string; readonly requestHash: string },
) {
  const task = printTask(decision, names);
  const text = JSON.stringify(TaskForm.toJSON(task));
  const statusAtMs = parseInstant(decision.decided_at);
  invariant(statusAtMs !== null, 'a decision has an instant');
  invariant(
    Buffer.byteLength(text) <= TASK_BYTES_MAX,
    'an answer is far smaller than a task may be',
  );
  const { merchant_id: merchantId } = decision;
  return { ...names, merchantId, state: endedStateOf(task), statusAtMs, text };
}

function failureOf(problemOfUse: Parameters<typeof thrownFor>[0]): Error {
  return problemOfUse.code === 'idempotency_conflict'
    ? thrownFor(SAID_OTHERWISE)
    : thrownFor(problemOfUse);
}

const SAID_OTHERWISE = problem(
  'idempotency_conflict',
  'This messageId was used for another message.',
  {
    fix: 'Choose a new messageId for every message, and send a repeat exactly as the first.',
    field: '/message/messageId',
  },
);

const TASK_GONE = problem('unavailable', 'The task went while it was answered.', {
  fix: 'Repeat the message.',
});
