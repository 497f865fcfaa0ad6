import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { DecisionId, TenantId } from '../../src/core/kernel/index.js';
import { consumedAllow } from '../../src/money/payments/consumed-allow.js';
import {
  type ChargeRail,
  type ConsumedAllow,
  type LinkRail,
  paymentIdOf,
  type RailPayment,
  refundIdOf,
  type RefundRail,
} from '../../src/money/payments/index.js';
import type { ProviderInquiry } from '../../src/money/rails/provider-inquiry.js';
import type { Behaviour } from '../../src/money/rails/sandbox/behaviour.js';

/** A rail and what a test does at its provider. */
export interface RailBench {
  readonly tenantId: TenantId;
  readonly merchantId: string;
  readonly rail: LinkRail & RefundRail & ProviderInquiry;
  readonly charges: ChargeRail;
  /** The buyer pays the link. */
  pay(paymentId: string): Promise<void>;
  /** How the provider behaves from now on. */
  behave(behaviour: Partial<Behaviour>): Promise<void>;
}

/** One promise of the ports of money/payments; fails by throwing. */
export type RailCheck = readonly [name: string, check: (bench: RailBench) => Promise<void>];

export const newDecisionId = (): DecisionId => `arbdec_${randomBytes(6).toString('hex')}`;

const AMOUNT_MINOR = 2_099n;
const DEADLINE_MS = 250;
const deadline = (ms = 5_000): AbortSignal => AbortSignal.timeout(ms);

interface Sample {
  readonly allow: ConsumedAllow;
  readonly payment: RailPayment;
}

function sample(
  { tenantId, merchantId }: RailBench,
  flow: 'handoff' | 'agent_payment' = 'handoff',
): Sample {
  const decisionId = newDecisionId();
  const paymentId = paymentIdOf(decisionId);
  const orderId = `order-${decisionId.slice(-6)}`;
  const money = { amountMinor: AMOUNT_MINOR, currency: 'INR' };
  const allow = consumedAllow({
    tenantId,
    decisionId,
    reference: paymentId,
    flow,
    merchantId,
    orderId,
    money,
    usedAtMs: Date.now(),
    usedEntrySeq: 1,
  });
  const payment = { tenantId, merchantId, orderId, paymentId, providerRef: null, money };
  return { allow, payment };
}

function refundOf({ payment }: Sample, amountMinor = AMOUNT_MINOR): ConsumedAllow {
  const decisionId = newDecisionId();
  return consumedAllow({
    ...payment,
    decisionId,
    reference: refundIdOf(decisionId),
    flow: 'refund',
    money: { amountMinor, currency: 'INR' },
    usedAtMs: Date.now(),
    usedEntrySeq: 1,
  });
}

const withMoney = ({ allow }: Sample, amountMinor: bigint): ConsumedAllow =>
  consumedAllow({ ...allow.parts, money: { amountMinor, currency: 'INR' } });

const terms = () => ({ expiresAtMs: Date.now() + 1_800_000, description: null, returnUrl: null });

const issue = (bench: RailBench, { allow }: Pick<Sample, 'allow'>, signal = deadline()) =>
  bench.rail.issueLink(allow, terms(), signal);

/** What a call comes to, and that it came before the deadline did, give or take a slow machine. */
async function inTime<Outcome>(call: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
  const beganMs = performance.now();
  const outcome = await call(deadline(DEADLINE_MS));
  expect(performance.now() - beganMs).toBeLessThan(DEADLINE_MS + 3_000);
  return outcome;
}

async function paid(bench: RailBench): Promise<Sample> {
  const link = sample(bench);
  expect(await issue(bench, link)).toMatchObject({ kind: 'issued' });
  await bench.pay(link.payment.paymentId);
  return link;
}

const LINKS: readonly RailCheck[] = [
  [
    'a link is issued, and is found under our reference',
    async (bench) => {
      const link = sample(bench);
      const issued = await issue(bench, link);
      expect(issued).toMatchObject({ kind: 'issued', url: expect.stringMatching(/^http/) });
      if (issued.kind !== 'issued') return;
      expect(await bench.rail.lookUp(link.payment, deadline())).toEqual({
        kind: 'found',
        providerRef: issued.providerRef,
        url: issued.url,
        state: 'open',
        captures: [],
      });
    },
  ],
  [
    'asked twice, at once and later, it is the same link',
    async (bench) => {
      const link = sample(bench);
      const [first, second] = await Promise.all([issue(bench, link), issue(bench, link)]);
      expect(first.kind).toBe('issued');
      expect(second).toEqual(first);
      expect(await issue(bench, link)).toEqual(first);
    },
  ],
  [
    'another amount under a known reference is not issued, and changes nothing',
    async (bench) => {
      const link = sample(bench);
      const first = await issue(bench, link);
      const other = await issue(bench, { allow: withMoney(link, 1n) });
      expect(other.kind).not.toBe('issued');
      expect(await issue(bench, link)).toEqual(first);
    },
  ],
  [
    'what was never asked for is absent',
    async (bench) => {
      const { payment } = sample(bench);
      expect(await bench.rail.lookUp(payment, deadline())).toEqual({ kind: 'absent' });
    },
  ],
  [
    'a definite no is rejected, and nothing is there',
    async (bench) => {
      await bench.behave({ issue: 'reject' });
      const link = sample(bench);
      expect(await issue(bench, link)).toMatchObject({ kind: 'rejected' });
      expect(await bench.rail.lookUp(link.payment, deadline())).toEqual({ kind: 'absent' });
    },
  ],
  [
    'a provider that breaks before it did anything leaves it unknown, and nothing is there',
    async (bench) => {
      await bench.behave({ issue: 'fail' });
      const link = sample(bench);
      expect(await issue(bench, link)).toMatchObject({ kind: 'unknown' });
      expect(await bench.rail.lookUp(link.payment, deadline())).toEqual({ kind: 'absent' });
    },
  ],
  ...(['fail_but_persist', 'lose_answer', 'slow'] as const).map((trouble): RailCheck => [
    `${trouble}: unknown in time, and the link is there`,
    async (bench) => {
      await bench.behave({ issue: trouble });
      const link = sample(bench);
      const issued = await (trouble === 'slow'
        ? inTime((signal) => issue(bench, link, signal))
        : issue(bench, link));
      expect(issued).toMatchObject({ kind: 'unknown' });
      await bench.behave({});
      const found = await bench.rail.lookUp(link.payment, deadline());
      expect(found).toMatchObject({ kind: 'found', state: 'open' });
      expect(await issue(bench, link)).toMatchObject({ kind: 'issued' });
    },
  ]),
  [
    'a deadline that has passed is no answer, and nothing throws',
    async (bench) => {
      const { allow, payment } = sample(bench);
      const over = AbortSignal.abort();
      expect((await issue(bench, { allow }, over)).kind).toBe('unknown');
      expect((await bench.rail.lookUp(payment, over)).kind).toBe('unknown');
      expect(await bench.rail.cancelLink(payment, over)).toEqual({ canceled: false });
      expect((await bench.charges.charge(allow, over)).kind).toBe('unknown');
    },
  ],
  [
    'questions that get no answer are unknown, never absent',
    async (bench) => {
      const { payment } = sample(bench);
      for (const lookUp of ['fail', 'lose_answer', 'slow'] as const) {
        await bench.behave({ lookUp });
        const looked = await inTime((signal) => bench.rail.lookUp(payment, signal));
        expect(looked.kind, lookUp).toBe('unknown');
      }
    },
  ],
  [
    'a link that is not paid can be canceled; one that is paid cannot',
    async (bench) => {
      const link = sample(bench);
      await issue(bench, link);
      expect(await bench.rail.cancelLink(link.payment, deadline())).toEqual({ canceled: true });
      expect(await bench.rail.cancelLink(link.payment, deadline())).toEqual({ canceled: true });
      expect(await bench.rail.lookUp(link.payment, deadline())).toMatchObject({
        state: 'canceled',
      });
      const other = await paid(bench);
      expect(await bench.rail.cancelLink(other.payment, deadline())).toEqual({ canceled: false });
    },
  ],
  [
    'a paid link shows its capture',
    async (bench) => {
      const { payment } = await paid(bench);
      expect(await bench.rail.lookUp(payment, deadline())).toMatchObject({
        state: 'paid',
        captures: [{ money: payment.money }],
      });
    },
  ],
  [
    'a question about another amount or merchant is not answered with this one',
    async (bench) => {
      const { payment } = await paid(bench);
      const money = { amountMinor: 1n, currency: 'INR' };
      for (const other of [{ money }, { merchantId: 'somebody-else' }]) {
        const looked = await bench.rail.lookUp({ ...payment, ...other }, deadline());
        expect(looked.kind).toBe('unknown');
      }
    },
  ],
  [
    'what was settled as absent is never taken afterwards',
    async (bench) => {
      const link = sample(bench);
      expect(await bench.rail.settlePayment(link.payment, deadline())).toEqual({ kind: 'absent' });
      expect((await issue(bench, link)).kind).not.toBe('issued');
      expect(await bench.rail.lookUp(link.payment, deadline())).toEqual({ kind: 'absent' });
    },
  ],
  [
    'settling what is there finds it and leaves it',
    async (bench) => {
      const link = sample(bench);
      await issue(bench, link);
      const settled = await bench.rail.settlePayment(link.payment, deadline());
      expect(settled).toMatchObject({ kind: 'found', state: 'open' });
    },
  ],
];

const CHARGES: readonly RailCheck[] = [
  [
    'a charge is captured in full, once',
    async (bench) => {
      const { allow, payment } = sample(bench, 'agent_payment');
      const charged = await bench.charges.charge(allow, deadline());
      expect(charged).toMatchObject({ kind: 'captured', money: payment.money });
      expect(await bench.charges.charge(allow, deadline())).toEqual(charged);
      expect(await bench.charges.lookUp(payment, deadline())).toMatchObject({ state: 'paid' });
    },
  ],
  [
    'a declined charge failed; one that was taken on is not paid',
    async (bench) => {
      await bench.behave({ charge: 'decline' });
      const declined = sample(bench, 'agent_payment');
      expect(await bench.charges.charge(declined.allow, deadline())).toMatchObject({
        kind: 'failed',
      });
      await bench.behave({ charge: 'later' });
      const later = sample(bench, 'agent_payment');
      expect(await bench.charges.charge(later.allow, deadline())).toMatchObject({
        kind: 'accepted',
      });
      const looked = await bench.charges.lookUp(later.payment, deadline());
      expect(looked).toMatchObject({ kind: 'found', state: 'open', captures: [] });
    },
  ],
  [
    'a charge whose answer was lost is unknown, and its money is found',
    async (bench) => {
      await bench.behave({ charge: 'lose_answer' });
      const { allow, payment } = sample(bench, 'agent_payment');
      expect(await bench.charges.charge(allow, deadline())).toMatchObject({ kind: 'unknown' });
      expect(await bench.charges.lookUp(payment, deadline())).toMatchObject({
        state: 'paid',
        captures: [{ money: payment.money }],
      });
    },
  ],
];

const REFUNDS: readonly RailCheck[] = [
  [
    'a refund is done once, however often it is asked for',
    async (bench) => {
      const link = await paid(bench);
      const allow = refundOf(link);
      const done = await bench.rail.refund(allow, link.payment, deadline());
      expect(done).toMatchObject({ kind: 'done' });
      expect(await bench.rail.refund(allow, link.payment, deadline())).toEqual(done);
      const again = await bench.rail.refund(refundOf(link, 1n), link.payment, deadline());
      expect(again).toMatchObject({ kind: 'failed' });
    },
  ],
  [
    'of parallel refunds of more than half, one is done',
    async (bench) => {
      const link = await paid(bench);
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () =>
          bench.rail.refund(refundOf(link, AMOUNT_MINOR / 2n + 1n), link.payment, deadline()),
        ),
      );
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
        'done',
        ...Array.from({ length: 7 }, () => 'failed'),
      ]);
    },
  ],
  [
    'what was not captured is not given back',
    async (bench) => {
      const link = sample(bench);
      await issue(bench, link);
      const refunded = await bench.rail.refund(refundOf(link), link.payment, deadline());
      expect(refunded).toMatchObject({ kind: 'failed' });
    },
  ],
  [
    'a refund whose answer was lost is unknown, and is found; one that was never asked for is absent',
    async (bench) => {
      const link = await paid(bench);
      await bench.behave({ refund: 'lose_answer' });
      const allow = refundOf(link);
      const { reference } = allow.parts;
      const lost = await bench.rail.refund(allow, link.payment, deadline());
      expect(lost).toMatchObject({ kind: 'unknown' });
      const looked = await bench.rail.lookUpRefund(reference, link.payment, deadline());
      expect(looked).toMatchObject({ kind: 'found', state: 'done' });
      const never = refundIdOf(newDecisionId());
      const none = await bench.rail.lookUpRefund(never, link.payment, deadline());
      expect(none).toEqual({ kind: 'absent' });
    },
  ],
  [
    'a refund settled as absent is never taken afterwards',
    async (bench) => {
      const link = await paid(bench);
      const allow = refundOf(link);
      const { reference } = allow.parts;
      const settled = await bench.rail.settleRefund(reference, link.payment, deadline());
      expect(settled).toEqual({ kind: 'absent' });
      const late = await bench.rail.refund(allow, link.payment, deadline());
      expect(late).not.toMatchObject({ kind: 'done' });
    },
  ],
];

/** What every rail promises, whatever provider stands behind it. */
export const RAIL_CONTRACT: readonly RailCheck[] = [...LINKS, ...CHARGES, ...REFUNDS];
