import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { STALL } from '../../src/demo/demo-world.js';
import { searchPayments } from '../../src/money/book/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { openShop, startTestService, type Shop } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { Till } from './links.js';

type Service = Shop['service'];

const NOON = Date.UTC(2026, 10, 30, 12);

let service: Service;
beforeAll(async () => {
  service = await startTestService();
});

const openTill = async (): Promise<Till> => new Till(await openShop(service, NOON), NOON);

/** Every table of the tenant is what its ledger folds to. */
async function expectRebuilt(till: Till): Promise<void> {
  const connection = await testDatabase().pool.connect();
  try {
    const options = { projections: PROJECTIONS, sealer: null };
    const report = await checkRebuild(connection, till.shop.tenantId, options);
    expect(report.differences).toEqual([]);
  } finally {
    connection.release();
  }
}

describe('a capture of a payment: POST /v1/captures', () => {
  it('names it by payment_id, by decision_id, or by both', async () => {
    const till = await openTill();
    const names = [
      (paymentId: string) => ({ payment_id: paymentId }),
      (paymentId: string) => ({ payment_id: undefined, decision_id: decisionOf(paymentId) }),
      (paymentId: string) => ({ payment_id: paymentId, decision_id: decisionOf(paymentId) }),
    ];
    for (const named of names) {
      const { body: decided } = await till.shop.ask({ ...HANDOFF });
      const paymentId = await till.link({ decisionId: decided.decision_id });
      const { status, body } = await till.capture(paymentId, named(paymentId));
      expect([status, body.payment_id, body.decision_id]).toEqual([
        201,
        paymentId,
        decided.decision_id,
      ]);
      expect((await till.payment(paymentId)).state).toBe('paid');
    }
    await expectRebuilt(till);
  });

  it.each<[string, number, string, (paymentId: string) => object]>([
    ['a payment that is not there', 404, '/payment_id', () => ({ payment_id: 'pay_000000000000' })],
    ['a payment of another merchant', 404, '/payment_id', () => ({ merchant_id: 'chai-house' })],
    ['another order', 409, '/order_id', () => ({ order_id: 'other' })],
    ['another currency', 409, '/amount/currency', () => ({ amount: usd })],
    [
      'two names that do not match',
      409,
      '/payment_id',
      () => ({ decision_id: 'arbdec_000000000000' }),
    ],
    ['a name of no form', 400, '/payment_id', () => ({ payment_id: 'pay_x' })],
  ])('refuses %s', async (_, status, field, changes) => {
    const till = await openTill();
    const paymentId = await till.link();
    const answer = await till.capture(paymentId, { ...changes(paymentId) });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
    expect((await till.payment(paymentId)).state).toBe('issuing');
  });
  const usd = { amount: '10000', currency: 'USD' };

  it('after the link lapsed or was canceled is recorded, and marked where a person has to look', async () => {
    const till = await openTill();
    const lapsed = await till.link({ lifeMs: 1_000 });
    const canceled = await till.link({ lifeMs: 1_000 });
    await till.report(canceled, 'canceled');
    await till.clockTo(NOON + 5_000);
    await till.sweep();
    expect((await till.payment(lapsed)).state).toBe('lapsed');
    for (const paymentId of [lapsed, canceled])
      expect((await till.capture(paymentId)).status).toBe(201);
    expect(await till.payment(lapsed)).toMatchObject({ state: 'paid', review: null });
    expect(await till.payment(canceled)).toMatchObject({
      state: 'paid',
      review: 'paid_after_cancel',
      capturedMinor: 10_000n,
    });
    const page = { beforeSeq: null, limit: 10 };
    const found = await searchPayments(testDatabase().pool, till.shop.tenantId, {
      filter: { review: true, merchantIds: [STALL] },
      page,
    });
    expect(found.map(({ paymentId }) => paymentId)).toEqual([canceled]);
    await expectRebuilt(till);
  });

  it('at the same time as its lapse and a failure: the money is recorded, whoever comes first', async () => {
    const till = await openTill();
    const paymentId = await till.link({ lifeMs: 1_000 });
    await till.clockTo(NOON + 5_000);
    await Promise.all([
      till.sweep(),
      till.capture(paymentId),
      till.report(paymentId, 'failed'),
      till.sweep(),
    ]);
    expect(await till.payment(paymentId)).toMatchObject({
      state: 'paid',
      capturedMinor: 10_000n,
    });
    expect(await till.dayMinor()).toBe('10000');
    await expectRebuilt(till);
  });
});

const decisionOf = (paymentId: string): string => paymentId.replace('pay_', 'arbdec_');

const HANDOFF = {
  flow: 'handoff',
  merchant_id: STALL,
  cart: {
    currency: 'INR',
    lines: [
      {
        product_id: 'masala-chai',
        variant_id: 'masala-chai-250g',
        quantity: 1,
        unit_price: { amount: '45900', currency: 'INR' },
      },
    ],
    total: { amount: '45900', currency: 'INR' },
  },
};

describe('refunds', () => {
  const refund = (till: Till, orderId: string, amount: string) =>
    till.shop.ask(
      {
        flow: 'refund',
        merchant_id: STALL,
        order_id: orderId,
        amount: { amount, currency: 'INR' },
      },
      { as: 'merchant_system', idempotencyKey: randomBytes(8).toString('hex') },
    );

  it('in parallel, two of half and one more, exactly one is allowed (I2)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const till = await openTill();
      const paymentId = await till.link({ orderId: 'o' });
      await till.capture(paymentId);
      const answers = await Promise.all([refund(till, 'o', '5001'), refund(till, 'o', '5001')]);
      const outcomes = answers.map(({ body }) => String(body.reason ?? body.outcome)).sort();
      expect(outcomes).toEqual(['allow', 'refund_exceeds_captured']);
    }
  });

  it('whose allow was not used give their amount back when it is over', async () => {
    const till = await openTill();
    const paymentId = await till.link({ orderId: 'o' });
    await till.capture(paymentId);
    const { body } = await refund(till, 'o', '10000');
    const refundId = String(body.decision_id).replace('arbdec_', 'rfd_');
    const stateOf = async () => (await till.book.refund(till.shop.tenantId, refundId))?.state;
    await till.clockTo(NOON + 600_000);
    await till.sweep();
    expect(await stateOf()).toBe('reserved');
    expect((await refund(till, 'o', '1')).body.reason).toBe('refund_exceeds_captured');
    await till.clockTo(NOON + 600_001);
    await till.sweep();
    expect(await stateOf()).toBe('lapsed');
    expect((await refund(till, 'o', '1')).body.outcome).toBe('allow');
    await expectRebuilt(till);
  });

  it('that failed give back, and are reported to the book by their id', async () => {
    const till = await openTill();
    const paymentId = await till.link({ orderId: 'o' });
    await till.capture(paymentId);
    const { body } = await refund(till, 'o', '10000');
    const refundId = String(body.decision_id).replace('arbdec_', 'rfd_');
    const say = (report: 'failed' | 'done') =>
      till.book.moveRefund(till.context(), { refundId, report, source: 'merchant' });
    expect(await say('failed')).toMatchObject({ value: { state: 'failed', changed: true } });
    expect((await refund(till, 'o', '10000')).body.outcome).toBe('allow');
    expect(await say('done')).toMatchObject({ value: { state: 'failed', changed: false } });
    const row = await till.book.refund(till.shop.tenantId, refundId);
    expect(row?.review).toBe('done_beyond_captured');
    const nobody = { refundId: 'rfd_000000000000', report: 'done', source: 'merchant' } as const;
    expect(await till.book.moveRefund(till.context(), nobody)).toMatchObject({
      error: { code: 'not_found' },
    });
    await expectRebuilt(till);
  });
});

describe('the sweep', () => {
  it('in several processes at once lapses each payment once', async () => {
    const till = await openTill();
    const ids = await Promise.all(Array.from({ length: 12 }, () => till.link({ lifeMs: 1_000 })));
    await till.clockTo(NOON + 5_000);
    const before = await till.shop.entryCount();
    const swept = await Promise.all([till.sweep(), till.sweep(), till.sweep()]);
    expect(swept).toHaveLength(3);
    for (const paymentId of ids) expect((await till.payment(paymentId)).state).toBe('lapsed');
    expect(await till.shop.entryCount()).toBe(before + ids.length);
  });

  it('on demand lapses what is due of one merchant only', async () => {
    const till = await openTill();
    const own = await till.link({ lifeMs: 1_000 });
    const other = await till.link({ lifeMs: 1_000, merchantId: 'chai-house' });
    await till.clockTo(NOON + 5_000);
    expect(await till.book.lapseDue(till.shop.tenantId, STALL)).toBe(1);
    expect((await till.payment(own)).state).toBe('lapsed');
    expect((await till.payment(other)).state).toBe('issuing');
  });
});

describe('after random moves in parallel', () => {
  it('the counters are the sums over the payments, and every table is what the ledger folds to', async () => {
    const till = await openTill();
    const states = ['issued', 'lapsed', 'canceled', 'failed', 'rejected'] as const;
    const providers = ['shopify', 'plural', 'merchant'];
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const paymentId = await till.link({
          amountMinor: BigInt(100 + index),
          provider: providers[index % 3] ?? 'plural',
          buyerAway: index % 2 === 0,
          passportRef: `pass-${index % 2}`,
          intentRefs: ['int-1', `int-${index % 4}`],
        });
        const reports = states.filter((__, place) => (index >> place) % 2 === 1);
        await Promise.all([
          ...reports.map((report) => till.report(paymentId, report)),
          ...(index % 5 === 0 ? [till.capture(paymentId)] : []),
        ]);
      }),
    );
    const { rows } = await testDatabase().pool.query<Record<string, string>>(COUNTERS_AND_SUMS, [
      till.shop.tenantId,
    ]);
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows) expect(row['counted'], JSON.stringify(row)).toBe(row['summed']);
    await expectRebuilt(till);
  });
});

/** Each counter beside the sum over the payments that it stands for. */
const COUNTERS_AND_SUMS = `
  WITH p AS (SELECT * FROM payments WHERE tenant_id = $1),
    drawn AS (SELECT *, jsonb_array_elements_text(intent_refs::jsonb) AS intent_ref FROM p)
  SELECT 'open' AS what, sum(open_minor)::text AS counted,
      (SELECT coalesce(sum(amount_minor), 0)::text FROM p WHERE state IN ('issuing', 'open')) AS summed
    FROM merchant_open_money WHERE tenant_id = $1
  UNION ALL SELECT 'open away', sum(open_away_minor)::text,
      (SELECT coalesce(sum(amount_minor), 0)::text FROM p WHERE state IN ('issuing', 'open') AND buyer_away)
    FROM merchant_open_money WHERE tenant_id = $1
  UNION ALL SELECT 'closed', sum(closed_minor)::text,
      (SELECT coalesce(sum(amount_minor), 0)::text FROM p WHERE state IN ('lapsed', 'canceled')
        OR (state = 'failed' AND provider = 'shopify'))
    FROM merchant_day_money WHERE tenant_id = $1
  UNION ALL SELECT 'confirmed', sum(confirmed_minor)::text,
      (SELECT coalesce(sum(captured_minor), 0)::text FROM p)
    FROM merchant_day_money WHERE tenant_id = $1
  UNION ALL SELECT authority_ref, sum(spent_minor + held_minor)::text,
      (SELECT coalesce(sum(CASE state WHEN 'paid' THEN captured_minor ELSE amount_minor END), 0)::text FROM (
          SELECT DISTINCT payment_id, state, captured_minor, amount_minor FROM drawn
          WHERE state NOT IN ('rejected', 'failed')
            AND authority_ref IN (passport_ref, intent_ref)) AS d)
    FROM authority_spend WHERE tenant_id = $1 GROUP BY authority_ref`;
