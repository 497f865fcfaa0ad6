import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk';
import { formatInstant, printMoney } from '../../core/kernel/index.js';
import type { ShopFact, ShopProduct, ShopVariant } from '../../trust/facts/index.js';
import type { DecisionAnswer, DecisionView } from '../api/decisions/index.js';
import { answerIdOf } from './names.js';

type Said = Pick<Message, 'parts' | 'metadata'>;

/** Words for people and data for programs, in this order. */
const said = (words: string, data: unknown, metadata: Said['metadata'] = undefined): Said => ({
  parts: [
    { content: { $case: 'text', value: words }, ...PLAIN, mediaType: 'text/plain' },
    { content: { $case: 'data', value: data }, ...PLAIN, mediaType: 'application/json' },
  ],
  metadata,
});

const PLAIN = { metadata: undefined, filename: '' } as const;

const agentMessage = (
  { parts, metadata }: Said,
  place: { readonly messageId: string; readonly contextId: string; readonly taskId: string },
): Message => ({
  ...place,
  role: Role.ROLE_AGENT,
  parts,
  metadata,
  extensions: [],
  referenceTaskIds: [],
});

/** An answer that makes no task. */
export const printMessage = (
  answer: Said,
  { askedBy, contextId }: { readonly askedBy: string; readonly contextId: string },
): Message =>
  agentMessage(answer, { messageId: answerIdOf(`${contextId}/${askedBy}`), contextId, taskId: '' });

/**
 * The task of a decision, ended: COMPLETED by an allow, REJECTED by a refusal. Nobody is waited for, so there is no other
 * end and no state before it. What the caller sent is no part of it: a body may name a person.
 */
export function printTask(
  decision: DecisionAnswer,
  { taskId, contextId }: { readonly taskId: string; readonly contextId: string },
): Task {
  const answer = sayDecision(decision);
  const isAllowed = decision.outcome === 'allow';
  return {
    id: taskId,
    contextId,
    status: {
      state: isAllowed ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_REJECTED,
      message: agentMessage(answer, { messageId: answerIdOf(taskId), contextId, taskId }),
      timestamp: decision.decided_at,
    },
    artifacts: isAllowed ? [artifactOf(decision)] : [],
    history: [],
    metadata: undefined,
  };
}

/** What came of it, where clients look for results. */
const artifactOf = (decision: DecisionAnswer): Task['artifacts'][number] => ({
  artifactId: decision.decision_id,
  name: 'decision',
  description: 'The decision as POST /v1/decisions answers it.',
  parts: [{ content: { $case: 'data', value: decision }, ...PLAIN, mediaType: 'application/json' }],
  metadata: undefined,
  extensions: [],
});

function sayDecision(decision: DecisionAnswer): Said {
  if (decision.outcome === 'refuse')
    return said(`${decision.action} Why: ${decision.reason_page}`, decision, flatRefusal(decision));
  const amount = `${decision.amount.amount} ${decision.amount.currency} (minor units)`;
  const words = decision.usable
    ? `The commerce arbiter allowed ${amount}: ${decision.decision_id}.`
    : `The rules allow ${amount}, but this decision cannot be used: ${decision.usable_action ?? ''}`;
  return said(words, decision);
}

type Refusal = Extract<DecisionAnswer, { outcome: 'refuse' }>;

/** The six fields of every refusal, exactly (facts/arbiter.md N1). */
const flatRefusal = (refusal: Refusal) => ({
  code: refusal.code,
  failing_rule: refusal.failing_rule,
  reason: refusal.reason,
  decision_id: refusal.decision_id,
  action: refusal.action,
  required_config: refusal.required_config,
});

/** The decision as its reader may see it, with what it says in words. */
export const sayExplanation = (decision: DecisionView): Said =>
  decision.outcome === 'refuse'
    ? said(
        `Refused by ${decision.failing_rule}: ${decision.reason}. What it means and what to do: ${decision.reason_page}`,
        decision,
        flatRefusal(decision),
      )
    : said(`Allowed: no rule of this flow (${decision.flow}) failed.`, decision);

/** Products with their prices; none is an answer too. `shopUrl` has no slash at its end. */
export function sayProducts(products: readonly ShopProduct[], shopUrl: string): Said {
  const data = { products: products.map((product) => printProduct(product, shopUrl)) };
  if (products.length === 0) return said('Nothing like that is offered here.', data);
  return said(products.map(sayProduct).join('\n'), data);
}

const sayProduct = ({ title, variants }: ShopProduct): string =>
  variants
    .map((variant) =>
      [
        variant.title === null ? title : `${title}, ${variant.title}`,
        printMoney(variant.price),
        variant.availability.replaceAll('_', ' '),
      ].join(': '),
    )
    .join('\n');

const printProduct = (product: ShopProduct, shopUrl: string) => ({
  merchant_id: product.merchantId,
  merchant_name: product.merchantName,
  product_id: product.productId,
  title: product.title,
  url: `${shopUrl}/products/${encodeURIComponent(product.slug)}`,
  image_url: product.imageUrl,
  valid_until: formatInstant(product.validUntilMs),
  fact: printFact(product.fact),
  variants: product.variants.map(printVariant),
});

const printVariant = (variant: ShopVariant) => ({
  variant_id: variant.variantId,
  title: variant.title,
  price: { amount: variant.price.amountMinor.toString(), currency: variant.price.currency },
  availability: variant.availability,
  valid_until: formatInstant(variant.validUntilMs),
  facts: variant.facts.map(printFact),
});

const printFact = ({ artifactId, type, validUntilMs }: ShopFact) => ({
  artifact_id: artifactId,
  type,
  valid_until: formatInstant(validUntilMs),
});
