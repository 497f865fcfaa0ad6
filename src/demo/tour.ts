import type { HttpAnswer, HttpAsk, HttpCaller } from './http-caller.js';
import { PRODUCTS, SHOP, STALL } from './demo-world.js';
import { ABOVE_THE_PASSPORT, ALLOWED_HANDOFF, ALLOWED_PURCHASE, cartOf, inr } from './purchases.js';
import type { SeededTenant } from './seed.js';
import {
  purchaseToCapture,
  refusalsByRule,
  REVOKED_HANDOFF,
  STALL_HANDOFF,
} from './tour-purchases.js';

/** One step of the tour: what is sent, and what the answer has to hold (`a.b` is member `b` of member `a`). */
export interface TourStep {
  readonly title: string;
  readonly ask: HttpAsk;
  readonly status: number;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** What came of one step. `missed` names the members that were not as expected. */
export interface TourResult {
  readonly step: TourStep;
  readonly answer: HttpAnswer;
  readonly missed: readonly string[];
}

const [CHAI] = PRODUCTS;

const allows = { outcome: 'allow', usable: true };
const refuses = (rule: string, reason: string) => ({
  code: 'arbiter_refused',
  failing_rule: rule,
  reason,
  outcome: 'refuse',
});

const refund = (amountMinor: number, idempotencyKey: string): HttpAsk => ({
  as: 'merchant_system',
  idempotencyKey,
  body: { flow: 'refund', merchant_id: SHOP, order_id: 'tour-order-1', amount: inr(amountMinor) },
});

/** Every step of the tour, in order: each rests on what the ones before it did. */
export function tourSteps(tenant: SeededTenant): readonly TourStep[] {
  return [
    {
      title: 'dry run: the switch of the merchant is off, the rules say what they would say',
      ask: { body: ABOVE_THE_PASSPORT },
      status: 200,
      expected: {
        ...refuses('passport_amount_cap', 'passport_amount_cap_exceeded'),
        dry_run: true,
        usable_reason: 'agent_executed_payment_disabled',
      },
    },
    ...[SHOP, STALL].map((merchantId) => ({
      title: `agent-executed payment is switched on for ${merchantId}`,
      ask: {
        method: 'PUT',
        path: `/v1/merchants/${merchantId}/agent-payment`,
        as: 'tenant_admin',
        body: { enabled: true },
      } as const,
      status: 200,
      expected: { agent_payment_enabled: true },
    })),
    {
      title: 'allowed: the buyer pays on the page of the merchant',
      ask: { body: ALLOWED_HANDOFF },
      status: 200,
      expected: { ...allows, flow: 'handoff' },
    },
    ...refusalsByRule(tenant).map(({ title, body, rule, reason }) => ({
      title: `refused by ${title}`,
      ask: { body },
      status: 200,
      expected: { ...refuses(rule, reason), dry_run: false },
    })),
    {
      title: 'refused handoff: the price was a mistake and is revoked',
      ask: { body: REVOKED_HANDOFF },
      status: 200,
      expected: refuses('handoff_facts_valid', 'artifact_revoked:price'),
    },
    {
      title: 'the stall reports what it took today',
      ask: capture({ captureId: 'tour-capture-0', merchantId: STALL, orderId: 'tour-order-0' }),
      status: 201,
      expected: { merchant_id: STALL },
    },
    {
      title: 'refused handoff: the day of the stall is full',
      ask: { body: STALL_HANDOFF },
      status: 200,
      expected: refuses('handoff_merchant_limits', 'daily_amount_cap_exceeded'),
    },
  ];
}

/** Captures and refunds of a purchase that was allowed a moment ago. */
export const moneySteps = (decisionId: string): readonly TourStep[] => [
  {
    title: 'the merchant system reports the capture of that purchase',
    ask: capture({
      captureId: 'tour-capture-1',
      merchantId: SHOP,
      orderId: 'tour-order-1',
      decisionId,
    }),
    status: 201,
    expected: { decision_id: decisionId },
  },
  {
    title: 'allowed: a refund of part of it',
    ask: refund(60_000, 'tour-refund-1'),
    status: 200,
    expected: { ...allows, flow: 'refund' },
  },
  {
    title: 'the same refund again under its key is the same answer, not a second refund',
    ask: refund(60_000, 'tour-refund-1'),
    status: 200,
    expected: { ...allows, flow: 'refund' },
  },
  {
    title: 'refused: a refund of more than is left',
    ask: refund(60_000, 'tour-refund-2'),
    status: 200,
    expected: refuses('refund_within_captured', 'refund_exceeds_captured'),
  },
  {
    title:
      'refused: three more packs alone would fit the passport, with what was captured they do not',
    ask: { body: { ...ALLOWED_PURCHASE, cart: cartOf(CHAI, 3) } },
    status: 200,
    expected: refuses('passport_amount_cap', 'passport_amount_cap_exceeded'),
  },
];

export const allowedPurchaseStep = (tenant: SeededTenant): TourStep => ({
  title: 'allowed: the agent pays, all eight rules passed',
  ask: { body: purchaseToCapture(tenant) },
  status: 200,
  expected: { ...allows, flow: 'agent_payment', dry_run: false },
});

function capture(named: {
  readonly captureId: string;
  readonly merchantId: string;
  readonly orderId: string;
  readonly decisionId?: string;
}): HttpAsk {
  return {
    path: '/v1/captures',
    as: 'merchant_system',
    idempotencyKey: named.captureId,
    body: {
      capture_id: named.captureId,
      merchant_id: named.merchantId,
      order_id: named.orderId,
      amount: inr(91_800),
      ...(named.decisionId === undefined ? {} : { decision_id: named.decisionId }),
    },
  };
}

/** Sends one step and compares. */
export async function takeStep(caller: HttpCaller, step: TourStep): Promise<TourResult> {
  const answer = await caller.send(step.ask);
  const missed = Object.entries(step.expected).flatMap(([member, wanted]) => {
    const found = valueAt(answer.body, member);
    return found === wanted
      ? []
      : [`${member}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];
  });
  if (answer.status !== step.status)
    missed.unshift(`status: ${answer.status} instead of ${step.status}`);
  return { step, answer, missed };
}

/** A member, or of `a.b` the member within it; undefined when there is none. */
export const valueAt = (body: HttpAnswer['body'], member: string): unknown =>
  member
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      body,
    );
