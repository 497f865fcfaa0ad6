import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WRITER, type Writer } from '../../src/base/ledger/index.js';
import { Book, type PaymentNews } from '../../src/money/book/index.js';
import type { LookUpOutcome, RailPayment } from '../../src/money/payments/index.js';
import { inProcess } from '../../src/money/rails/provider-call.js';
import type { ProviderInquiry } from '../../src/money/rails/provider-inquiry.js';
import { Reconciler, type ReconcilerTimes } from '../../src/money/rails/reconcile/reconciler.js';
import type { Behaviour } from '../../src/money/rails/sandbox/behaviour.js';
import { SandboxRail } from '../../src/money/rails/sandbox-rail.js';
import { SHOP } from '../../src/demo/demo-world.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { moveClock } from '../arbiter/uses.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { valueOf } from '../support/tenants.js';
import { contextOf, issued, paymentOf, press, type Started, started } from './paying.js';
import { behave as behaveAt, sandboxProvider } from './sandbox-bench.js';

/** Every webhook is lost: only who asks learns what became of a link. */
const SILENT: Partial<Behaviour> = { webhooks: 'never' };

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  // Its own ticker would ask as well: here each question is asked by the reconciler under test.
  service = await startTestService({ JOBS: 'off' });
});
beforeEach(async () => {
  shop = await openShop(service);
  await behave(SILENT);
});

const behave = (behaviour: Partial<Behaviour>) =>
  behaveAt({ database: testDatabase().pool }, shop.tenantId, behaviour);
const bookOf = (): Book =>
  new Book({
    database: testDatabase().pool,
    writer: service.app.get<Writer>(WRITER),
    lapse: { lapseDue: () => Promise.resolve(0) },
  });
const sandbox = () =>
  new SandboxRail(inProcess(sandboxProvider({ database: testDatabase().pool })));

/** A provider's answers, and how often it was asked about what. */
class Asked implements ProviderInquiry {
  readonly provider = 'sandbox';
  readonly asked: string[] = [];
  readonly #rail = sandbox();

  constructor(
    private readonly before: (payment: RailPayment) => LookUpOutcome | null = () => null,
  ) {}

  async lookUp(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome> {
    this.asked.push(payment.paymentId);
    return this.before(payment) ?? this.#rail.lookUp(payment, deadline);
  }
  readonly cancelLink: ProviderInquiry['cancelLink'] = (...asked) =>
    this.#rail.cancelLink(...asked);
  settlePayment: ProviderInquiry['settlePayment'] = (...asked) =>
    this.#rail.settlePayment(...asked);
  readonly lookUpRefund: ProviderInquiry['lookUpRefund'] = (...asked) =>
    this.#rail.lookUpRefund(...asked);
  readonly settleRefund: ProviderInquiry['settleRefund'] = (...asked) =>
    this.#rail.settleRefund(...asked);
}

/** As in the service, but that nobody waits for an answer that may be on its way. */
function reconciler(times: Partial<ReconcilerTimes> = {}, inquiry: ProviderInquiry = sandbox()) {
  const told: string[] = [];
  const one = new Reconciler({
    database: testDatabase().pool,
    book: bookOf(),
    inquiries: [inquiry],
    log: { error: (line) => told.push(line) },
    times: { askAfterMs: 0, settleAfterMs: 0, questionMsMax: 1_000, ...times },
  });
  return { told, ask: (limit = 100) => one.sweepDue({ tenantId: shop.tenantId, limit }) };
}

const report = async ({ paymentId }: Started, news: PaymentNews) =>
  valueOf(await bookOf().movePayment(contextOf(shop.tenantId), { paymentId, ...news }));

/** A link that the buyer has, and its pay page. */
async function open(): Promise<Started & { readonly url: string }> {
  const payment = await started(shop);
  const url = await issued(shop, payment);
  await report(payment, { report: 'issued', source: 'rail', url });
  return { ...payment, url };
}

async function lapse({ expiresAtMs }: Started): Promise<void> {
  await moveClock(shop, expiresAtMs);
  // Moving a clock sweeps, so the watch is noted, with the times of the service.
  await hurry();
}

const cancel = (payment: Started) => report(payment, { report: 'canceled', source: 'merchant' });

interface Watch {
  readonly reference: string;
  readonly attempts: number;
  readonly due_in_ms: number;
}

async function watches(): Promise<readonly Watch[]> {
  const { rows } = await testDatabase().pool.query<Watch>(
    `SELECT reference, attempt_count::int AS attempts, (next_try_at_ms - arbiter_clock_ms())::int AS due_in_ms
       FROM rail_questions WHERE tenant_id = $1 AND subject = 'watch' ORDER BY reference`,
    [shop.tenantId],
  );
  return rows;
}

const hurry = () =>
  testDatabase().pool.query('UPDATE rail_questions SET next_try_at_ms = 0 WHERE tenant_id = $1', [
    shop.tenantId,
  ]);

async function lastSeq(): Promise<number> {
  const { rows } = await testDatabase().pool.query<{ last_seq: string }>(
    'SELECT last_seq FROM heads WHERE tenant_id = $1',
    [shop.tenantId],
  );
  return Number(rows[0]?.last_seq);
}

describe('an open link whose webhooks are lost', () => {
  it('is asked about at half of its life, and the money that came is recorded once', async () => {
    const payment = await open();
    await press(payment.url, 'pay');
    const inquiry = new Asked();
    const two = [reconciler({}, inquiry), reconciler({}, inquiry)];
    await Promise.all(two.map(({ ask }) => ask()));
    expect(inquiry.asked).toEqual([]);
    const [watch, ...others] = await watches();
    expect(others).toEqual([]);
    expect(watch?.due_in_ms).toBeGreaterThan(900_000 - 60_000);
    expect(watch?.due_in_ms).toBeLessThanOrEqual(900_000);
    await hurry();
    await Promise.all(two.map(({ ask }) => ask()));
    const row = await paymentOf(shop, payment);
    expect(row).toMatchObject({ state: 'paid', review: null, capturedMinor: row.amountMinor });
    expect(inquiry.asked).toEqual([payment.paymentId]);
    expect(await watches()).toEqual([]);
  });

  it('is asked at once when it is first seen past half of its life', async () => {
    const payment = await open();
    await press(payment.url, 'fail');
    await moveClock(shop, payment.expiresAtMs - 899_000);
    await reconciler().ask();
    expect((await paymentOf(shop, payment)).state).toBe('failed');
  });

  it('that was paid and told of is not asked about at all', async () => {
    const payment = await open();
    const inquiry = new Asked();
    const { ask } = reconciler({}, inquiry);
    await ask();
    const book = bookOf();
    const { merchantId, orderId, money } = payment.allow.parts;
    const capture = { captureId: 'cap-told', merchantId, orderId, authority: null, ...money };
    valueOf(await book.recordCapture(contextOf(shop.tenantId), capture, payment.paymentId));
    await hurry();
    await ask();
    expect(inquiry.asked).toEqual([]);
    expect(await watches()).toEqual([]);
  });
});

describe('a link that is offered no more', () => {
  it.each([
    ['lapsed', lapse, null],
    ['canceled', cancel, 'paid_after_cancel'],
  ] as const)('%s: money that came before it is found', async (state, end, review) => {
    const payment = await open();
    await press(payment.url, 'pay');
    await end(payment);
    expect((await paymentOf(shop, payment)).state).toBe(state);
    await reconciler().ask();
    const row = await paymentOf(shop, payment);
    expect(row).toMatchObject({ state: 'paid', review, capturedMinor: row.amountMinor });
  });

  it('lapsed: money that comes later is found by a later question', async () => {
    await behave({ ...SILENT, latePayments: 'taken' });
    const payment = await open();
    await lapse(payment);
    const { ask } = reconciler();
    await ask();
    expect((await paymentOf(shop, payment)).state).toBe('lapsed');
    await press(payment.url, 'pay');
    await hurry();
    await ask();
    expect((await paymentOf(shop, payment)).state).toBe('paid');
  });

  it('lapsed before anybody knew whether it was made: it is rejected and made no more', async () => {
    const payment = await started(shop);
    await lapse(payment);
    await reconciler({ settleAfterMs: 3_600_000 }).ask();
    expect((await paymentOf(shop, payment)).state).toBe('lapsed');
    await hurry();
    await reconciler().ask();
    expect((await paymentOf(shop, payment)).state).toBe('rejected');
    await expect(issued(shop, payment)).rejects.toThrow('unknown');
  });

  it('canceled while its provider was away: the provider is told again', async () => {
    const payment = await open();
    await cancel(payment);
    await reconciler().ask();
    await press(payment.url, 'pay');
    await hurry();
    await reconciler().ask();
    expect(await paymentOf(shop, payment)).toMatchObject({ state: 'canceled', capturedMinor: 0n });
  });

  it('stays as it is when its provider has forgotten it', async () => {
    const payment = await open();
    await lapse(payment);
    const forgetful = new Asked(() => ({ kind: 'absent' }));
    forgetful.settlePayment = () => Promise.resolve({ kind: 'absent' });
    await reconciler({}, forgetful).ask();
    expect((await paymentOf(shop, payment)).state).toBe('lapsed');
  });
});

describe('a watch', () => {
  it('is asked a handful of times and writes nothing that is no news', async () => {
    const payment = await open();
    await lapse(payment);
    const inquiry = new Asked();
    const { ask, told } = reconciler({ watchAfterMs: [0, 0, 0] }, inquiry);
    const before = await lastSeq();
    for (let turn = 0; turn < 8; turn += 1) await ask();
    expect(inquiry.asked).toHaveLength(4);
    expect(await lastSeq()).toBe(before);
    expect(await watches()).toEqual([]);
    expect(told).toEqual([]);
  });

  it('waits longer each time, about a day in all', async () => {
    const payment = await open();
    await lapse(payment);
    const { ask } = reconciler();
    const waits: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await ask();
      waits.push(...(await watches()).map(({ due_in_ms }) => Math.ceil(due_in_ms / 60_000)));
      await hurry();
    }
    expect(waits).toEqual([5, 30, 180, 1_080]);
  });

  it('that is never answered, or breaks, ends as well, is told of, and holds up nobody', async () => {
    const silent = await open();
    const poison = await open();
    const well = await open();
    await press(well.url, 'pay');
    for (const one of [silent, poison, well]) await cancel(one);
    const doubt = await started(shop);
    const inquiry = new Asked(({ paymentId }) => {
      if (paymentId === poison.paymentId) throw new Error('poison');
      return paymentId === silent.paymentId ? { kind: 'unknown', detail: 'away' } : null;
    });
    const { ask, told } = reconciler({ watchAfterMs: [0] }, inquiry);
    await ask();
    expect((await paymentOf(shop, well)).state).toBe('paid');
    expect((await paymentOf(shop, doubt)).state).toBe('rejected');
    await ask();
    await ask();
    expect(await watches()).toEqual([]);
    expect(inquiry.asked.filter((id) => id === poison.paymentId)).toHaveLength(2);
    expect(inquiry.asked.filter((id) => id === silent.paymentId)).toHaveLength(2);
    expect(told.filter((line) => line.includes('no longer'))).toHaveLength(2);
  });

  it('begins anew when the payment changes while its provider is asked', async () => {
    const payment = await open();
    const late = reconciler();
    const { ask } = reconciler({}, new Asked(() => ({ kind: 'unknown', detail: 'away' })));
    await ask();
    await hurry();
    const slow = new Asked();
    const lookUp = slow.lookUp.bind(slow);
    slow.lookUp = async (of, deadline) => {
      const answer = await lookUp(of, deadline);
      await cancel(payment);
      await late.ask();
      return answer;
    };
    await reconciler({ watchAfterMs: [] }, slow).ask();
    // The one that was asked ended; the one of the canceled link stands.
    expect(await watches()).toEqual([
      expect.objectContaining({ reference: payment.paymentId, attempts: 1 }),
    ]);
  });

  it('of many links is bounded: so many at once, each once, and a doubt does not wait for them', async () => {
    const many = await Promise.all(Array.from({ length: 23 }, () => open()));
    const inquiry = new Asked();
    const two = [reconciler({}, inquiry), reconciler({}, inquiry)];
    await Promise.all(two.map(({ ask }) => ask()));
    await hurry();
    const doubt = await started(shop);
    await Promise.all(two.map(({ ask }) => ask(5)));
    expect(inquiry.asked).toContain(doubt.paymentId);
    expect(inquiry.asked.length).toBeLessThanOrEqual(1 + 2 * 5);
    for (let turn = 0; turn < 4; turn += 1) await Promise.all(two.map(({ ask }) => ask(5)));
    const ids = [doubt, ...many].map(({ paymentId }) => paymentId);
    expect([...inquiry.asked].sort()).toEqual(ids.sort());
  });
});

it('a part that somebody else tells of ends no doubt: what the provider took is asked for and recorded', async () => {
  const payment = await open();
  await press(payment.url, 'pay');
  const told = await shop.call('POST', '/v1/captures', {
    as: 'merchant_system',
    idempotencyKey: payment.orderId,
    body: {
      capture_id: `told-${payment.orderId}`,
      merchant_id: SHOP,
      order_id: payment.orderId,
      amount: { amount: '1', currency: 'INR' },
    },
  });
  expect([told.status, told.body.payment_id]).toEqual([201, payment.paymentId]);
  const { ask } = reconciler();
  for (let round = 0; round < 4; round += 1) {
    await ask();
    await hurry();
  }
  const row = await paymentOf(shop, payment);
  expect(row).toMatchObject({ state: 'paid', capturedMinor: row.amountMinor + 1n });
  expect(row.review).toContain('amount_differs');
});
