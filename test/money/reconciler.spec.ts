import { beforeAll, describe, expect, it } from 'vitest';
import { WRITER, type Writer } from '../../src/base/ledger/index.js';
import { Book } from '../../src/money/book/index.js';
import type { RailPayment } from '../../src/money/payments/index.js';
import { inProcess, type ProviderTransport } from '../../src/money/rails/provider-call.js';
import type { ProviderInquiry } from '../../src/money/rails/provider-inquiry.js';
import { Reconciler, type ReconcilerTimes } from '../../src/money/rails/reconcile/reconciler.js';
import type { Behaviour } from '../../src/money/rails/sandbox/behaviour.js';
import { SandboxChargeRail, SandboxRail } from '../../src/money/rails/sandbox-rail.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { issued, paymentOf, press, railsOf, refundOf, started, submitted } from './paying.js';
import { behave as behaveAt, sandboxProvider } from './sandbox-bench.js';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  // Its own ticker would ask as well: here each question is asked by the reconciler under test.
  service = await startTestService({ JOBS: 'off' });
  shop = await openShop(service);
});

const database = testDatabase;
const transport = (): ProviderTransport =>
  inProcess(sandboxProvider({ database: database().pool }));

/** As in the service, with other times: at once, and an absence is an end at once. */
function reconciler(
  times: Partial<ReconcilerTimes> = {},
  inquiry: ProviderInquiry = new SandboxRail(transport()),
): Reconciler {
  const { pool } = database();
  const writer = service.app.get<Writer>(WRITER);
  const book = new Book({
    database: pool,
    writer,
    lapse: { lapseDue: () => Promise.resolve(0) },
  });
  return new Reconciler({
    database: pool,
    book,
    inquiries: [inquiry],
    log: { error: (line: string, details?: unknown) => console.error(line, details) },
    times: { askAfterMs: 0, settleAfterMs: 0, questionMsMax: 1_000, ...times },
  });
}

const ask = (one: Reconciler, of: Shop = shop) =>
  one.sweepDue({ tenantId: of.tenantId, limit: 100 });
const behave = (behaviour: Partial<Behaviour>) =>
  behaveAt({ database: database().pool }, shop.tenantId, behaviour);
const questionOf = async (reference: string) => {
  const { rows } = await database().pool.query<{ attempt_count: string; last_answer: string }>(
    'SELECT attempt_count, last_answer FROM rail_questions WHERE tenant_id = $1 AND reference = $2',
    [shop.tenantId, reference],
  );
  return rows[0];
};

describe('a link whose answer was lost', () => {
  it.each(['lose_answer', 'fail_but_persist'] as const)(
    '%s: it is found and open',
    async (issue) => {
      await behave({ issue });
      const payment = await started(shop);
      await expect(issued(shop, payment)).rejects.toThrow('unknown');
      await behave({});
      expect((await paymentOf(shop, payment)).state).toBe('issuing');
      await ask(reconciler());
      const row = await paymentOf(shop, payment);
      expect(row).toMatchObject({ state: 'open', wasIssued: true });
      expect((await fetch(`${service.baseUrl}${new URL(row.url ?? '').pathname}`)).status).toBe(
        200,
      );
      expect(await questionOf(payment.paymentId)).toBeUndefined();
    },
  );

  it('that was paid meanwhile: its capture is recorded once, whoever tells first', async () => {
    await behave({ webhooks: 'never' });
    const payment = await started(shop);
    const url = await issued(shop, payment);
    await press(url, 'pay');
    await behave({});
    const two = [reconciler(), reconciler()];
    await Promise.all(two.map((one) => ask(one)));
    expect(await paymentOf(shop, payment)).toMatchObject({ state: 'paid', review: null });
    const row = await paymentOf(shop, payment);
    expect(row.capturedMinor).toBe(row.amountMinor);
  });

  it.each([
    ['fail', 'failed'],
    ['cancel', 'canceled'],
  ])('on which somebody pressed %s is %s', async (button, state) => {
    await behave({ webhooks: 'never' });
    const payment = await started(shop);
    await press(await issued(shop, payment), button);
    await behave({});
    await ask(reconciler());
    expect((await paymentOf(shop, payment)).state).toBe(state);
  });
});

describe('a link that the provider does not have', () => {
  it('is rejected, but only when its call cannot be under way any more', async () => {
    const payment = await started(shop);
    await ask(reconciler({ settleAfterMs: 3_600_000 }));
    expect((await paymentOf(shop, payment)).state).toBe('issuing');
    expect(await questionOf(payment.paymentId)).toMatchObject({
      last_answer: expect.stringContaining('under way') as string,
    });
    await ask(reconciler());
    expect(await paymentOf(shop, payment)).toMatchObject({ state: 'rejected', wasIssued: false });
  });

  it('and a call that comes after all, from a process that stood still, makes none', async () => {
    const payment = await started(shop);
    await ask(reconciler());
    expect((await paymentOf(shop, payment)).state).toBe('rejected');
    await expect(issued(shop, payment)).rejects.toThrow('unknown');
    const rail = railsOf(shop).linkRail('sandbox');
    const { tenantId } = shop;
    const { merchantId, orderId, money } = payment.allow.parts;
    const { paymentId } = payment;
    const asked = { tenantId, merchantId, orderId, paymentId, providerRef: null, money };
    expect(await rail?.lookUp(asked, AbortSignal.timeout(5_000))).toEqual({ kind: 'absent' });
  });
});

describe('what the provider does not say', () => {
  it('is asked again, later and later, and holds up nobody', async () => {
    const poison = await started(shop);
    const well = await started(shop);
    await behave({});
    await issued(shop, well);
    const inquiry = new SandboxRail(transport());
    const sick = overriding(inquiry, (payment) => {
      if (payment.paymentId === poison.paymentId) throw new Error('poison');
      return null;
    });
    const one = reconciler({ backoffMsMax: 0 }, sick);
    await ask(one);
    expect((await paymentOf(shop, well)).state).toBe('open');
    expect((await paymentOf(shop, poison)).state).toBe('issuing');
    // Its lease holds it back, not the others.
    const later = await started(shop);
    await ask(one);
    expect((await paymentOf(shop, later)).state).toBe('rejected');
  });

  it('is unknown while the provider is away: nothing moves, and the question stands', async () => {
    const payment = await started(shop);
    await behave({ lookUp: 'fail' });
    await ask(reconciler());
    await behave({});
    expect((await paymentOf(shop, payment)).state).toBe('issuing');
    expect(await questionOf(payment.paymentId)).toMatchObject({ attempt_count: '1' });
    await ask(reconciler());
    expect((await paymentOf(shop, payment)).state).toBe('rejected');
  });

  it('a provider that names another amount moves nothing', async () => {
    const payment = await started(shop);
    await issued(shop, payment);
    const real = transport();
    const lying: ProviderTransport = async (call, deadline) => {
      const reply = await real(call, deadline);
      return { ...reply, text: reply.text.replace('"91800"', '"91801"') };
    };
    await ask(reconciler({}, new SandboxRail(lying)));
    expect((await paymentOf(shop, payment)).state).toBe('issuing');
    await ask(reconciler());
    expect((await paymentOf(shop, payment)).state).toBe('open');
  });

  it('nobody asks about payments of providers that report by themselves', async () => {
    const payment = await started(shop, { provider: 'merchant' });
    await ask(reconciler());
    expect((await paymentOf(shop, payment)).state).toBe('issuing');
    expect(await questionOf(payment.paymentId)).toBeUndefined();
  });

  it('is asked by one of two processes at a time', async () => {
    const payments = await Promise.all(Array.from({ length: 12 }, () => started(shop)));
    const asked: string[] = [];
    const counting = overriding(new SandboxRail(transport()), (payment) => {
      asked.push(payment.paymentId);
      return null;
    });
    await Promise.all([ask(reconciler({}, counting)), ask(reconciler({}, counting))]);
    const ours = asked.filter((id) => payments.some(({ paymentId }) => paymentId === id));
    expect(ours.sort()).toEqual(payments.map(({ paymentId }) => paymentId).sort());
  });
});

describe('charges and refunds', () => {
  it('a charge that was taken on is asked about until it is captured', async () => {
    await behave({ charge: 'later', webhooks: 'never' });
    const charge = await started(shop, { kind: 'charge' });
    const rail = new SandboxChargeRail(transport());
    const outcome = await rail.charge(charge.allow, AbortSignal.timeout(5_000));
    expect(outcome.kind).toBe('accepted');
    const one = reconciler({ backoffMsMax: 0 });
    await ask(one);
    expect(await paymentOf(shop, charge)).toMatchObject({ state: 'open', capturedMinor: 0n });
    await settleAtProvider();
    await ask(one);
    await ask(one);
    expect((await paymentOf(shop, charge)).state).toBe('paid');
    await behave({});
  });

  it('a refund whose answer was lost is found done; one that never came is failed and gives back', async () => {
    const payment = await started(shop);
    await press(await issued(shop, payment), 'pay');
    await ask(reconciler());
    const row = await paymentOf(shop, payment);
    expect(row.state).toBe('paid');
    await behave({ refund: 'lose_answer' });
    const lost = await submitted(shop, row, 500n);
    const never = await submitted(shop, row, 700n);
    const of: RailPayment = {
      tenantId: shop.tenantId,
      merchantId: row.merchantId,
      orderId: row.orderId,
      paymentId: row.paymentId,
      providerRef: null,
      money: { amountMinor: row.amountMinor, currency: row.currency },
    };
    const rail = railsOf(shop).refundRail('sandbox');
    const outcome = await rail?.refund(lost.allow, of, AbortSignal.timeout(5_000));
    expect(outcome?.kind).toBe('unknown');
    await behave({});
    expect((await paymentOf(shop, payment)).refundedMinor).toBe(1_200n);
    await ask(reconciler());
    expect((await refundOf(shop, lost.refundId))?.state).toBe('done');
    expect((await refundOf(shop, never.refundId))?.state).toBe('failed');
    expect((await paymentOf(shop, payment)).refundedMinor).toBe(500n);
    // The call that comes after all finds its reference closed.
    const late = await rail?.refund(never.allow, of, AbortSignal.timeout(5_000));
    expect(late?.kind).toBe('unknown');
  });

  async function settleAtProvider(): Promise<void> {
    const { SandboxWork } = await import('../../src/money/rails/sandbox/sandbox-work.js');
    await service.app.get(SandboxWork).sweepDue({ tenantId: shop.tenantId, limit: 100 });
  }
});

describe('the switch of agent-executed payment', () => {
  it('off: no charge adapter can be resolved; on: there is one', async () => {
    const { SANDBOX_CHARGE_RAIL } = await import('../../src/money/rails/rails.module.js');
    expect(railsOf(shop).chargeRail('sandbox')).toBeNull();
    expect(() => service.app.get<unknown>(SANDBOX_CHARGE_RAIL)).toThrow();
    const on = await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true', JOBS: 'off' });
    expect(railsOf({ service: on }).chargeRail('sandbox')).not.toBeNull();
    expect(on.app.get<unknown>(SANDBOX_CHARGE_RAIL)).toBeDefined();
    expect(railsOf(shop).linkRail('plural')).toBeNull();
  });
});

/** The same inquiry, looked at before each look-up. */
function overriding(inquiry: SandboxRail, before: (payment: RailPayment) => null): ProviderInquiry {
  return {
    provider: inquiry.provider,
    lookUp: async (payment, deadline) => {
      before(payment);
      return inquiry.lookUp(payment, deadline);
    },
    cancelLink: (payment, deadline) => inquiry.cancelLink(payment, deadline),
    settlePayment: (payment, deadline) => inquiry.settlePayment(payment, deadline),
    lookUpRefund: (...args) => inquiry.lookUpRefund(...args),
    settleRefund: (...args) => inquiry.settleRefund(...args),
  };
}
