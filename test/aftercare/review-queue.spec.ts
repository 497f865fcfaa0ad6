import { beforeAll, describe, expect, it } from 'vitest';
import { DUE_WORKS, type DueWorks } from '../../src/base/ledger/index.js';
import { SHOP, STALL } from '../../src/demo/demo-world.js';
import { ABOVE_THE_PASSPORT, ALLOWED_HANDOFF, ALLOWED_PURCHASE } from '../../src/demo/purchases.js';
import { REVIEW_QUEUE, type ReviewQueue } from '../../src/money/arbiter/index.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { freshDatabase, type TestDatabase, testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await startTestService();
  shop = await openShop(service);
});

const choose = (own: Shop, enabled: boolean, merchantId: string = SHOP): Promise<Answer> =>
  own.call('PUT', `/v1/merchants/${merchantId}/review-copy`, {
    as: 'tenant_admin',
    body: { copy_refusals_to_review_queue: enabled },
  });
const sweep = (own: Shop) =>
  own.service.app.get<DueWorks>(DUE_WORKS, { strict: false }).sweep(own.tenantId);
const queueOf = (own: Shop, query = ''): Promise<Answer> =>
  own.call('GET', `/v1/review-queue${query}`, { as: 'auditor' });
const idsOf = ({ body }: Answer): readonly string[] =>
  (body as { items: { decision_id: string }[] }).items.map((item) => item.decision_id);

/** A refusal of the stall, whose merchant never chose anything. */
const STALL_REFUSAL = { ...ABOVE_THE_PASSPORT, merchant_id: STALL };

describe('the review queue', () => {
  it('holds the refusals of merchants that chose it, from their choice on, and no allow', async () => {
    const own = await openShop(service);
    await own.ask(ABOVE_THE_PASSPORT);
    await sweep(own);
    expect((await queueOf(own)).body).toEqual({ items: [], next_cursor: null });
    expect(await choose(own, true)).toMatchObject({
      status: 200,
      body: { copy_refusals_to_review_queue: true },
    });
    const refused = await own.ask(ABOVE_THE_PASSPORT);
    await own.ask(ALLOWED_HANDOFF);
    await own.ask(STALL_REFUSAL);
    const second = await own.ask(ABOVE_THE_PASSPORT);
    await sweep(own);
    const queue = await queueOf(own);
    expect(idsOf(queue)).toEqual([second.body.decision_id, refused.body.decision_id]);
    const { failing_rule, reason, amount, decided_at } = refused.body;
    expect(queue.body.items[1]).toMatchObject({ failing_rule, reason, amount, decided_at });

    await choose(own, false);
    await own.ask(ABOVE_THE_PASSPORT);
    await sweep(own);
    expect(idsOf(await queueOf(own))).toHaveLength(2);
    await choose(own, true);
    await sweep(own);
    expect(idsOf(await queueOf(own))).toHaveLength(2);
    expect(await checkLedger(own.tenantId)).toEqual(WHOLE);
  });

  it('is filtered and read page by page', async () => {
    const own = await openShop(service);
    await choose(own, true);
    await choose(own, true, STALL);
    for (const ask of [ABOVE_THE_PASSPORT, STALL_REFUSAL, ABOVE_THE_PASSPORT]) await own.ask(ask);
    await sweep(own);
    const all = idsOf(await queueOf(own));
    expect(all).toHaveLength(3);
    const first = await queueOf(own, '?limit=2');
    expect(idsOf(first)).toEqual(all.slice(0, 2));
    expect(idsOf(await queueOf(own, `?limit=2&cursor=${first.body.next_cursor}`))).toEqual(
      all.slice(2),
    );
    expect(idsOf(await queueOf(own, `?merchant_id=${STALL}`))).toEqual([all[1]]);
    const { reason } = first.body.items[0];
    expect(idsOf(await queueOf(own, `?merchant_id=${SHOP}&reason=${reason}`))).toHaveLength(2);
    expect(idsOf(await queueOf(own, '?reason=no_such_reason'))).toEqual([]);
    expect(idsOf(await queueOf(own, '?since=2026-11-30T09:30:00.000Z'))).toHaveLength(3);
    expect(idsOf(await queueOf(own, '?since=2026-11-30T09:30:00.001Z'))).toEqual([]);
    const made = await own.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'bound', role: 'operator', merchant_ids: [STALL] },
    });
    const apiKey = made.body.api_key as string;
    expect(idsOf(await own.call('GET', '/v1/review-queue', { apiKey }))).toEqual([all[1]]);
    expect(
      idsOf(await own.call('GET', `/v1/review-queue?merchant_id=${SHOP}`, { apiKey })),
    ).toEqual([]);
  });

  it('copies once, however many follow at once and wherever one stopped', async () => {
    const own = await openShop(service);
    await choose(own, true);
    const asked = await Promise.all(Array.from({ length: 25 }, () => own.ask(ABOVE_THE_PASSPORT)));
    const queue = own.service.app.get<ReviewQueue>(REVIEW_QUEUE, { strict: false });
    const scope = { tenantId: own.tenantId, limit: 10 };
    await Promise.all(Array.from({ length: 4 }, () => queue.sweepDue(scope)));
    await testDatabase().pool.query('DELETE FROM review_cursors WHERE tenant_id = $1', [
      own.tenantId,
    ]);
    await Promise.all(Array.from({ length: 4 }, () => sweep(own)));
    expect([...idsOf(await queueOf(own, '?limit=200'))].sort()).toEqual(
      asked.map(({ body }) => body.decision_id as string).sort(),
    );
    expect(await queue.sweepDue(scope)).toBe(0);
  });

  it('overlooks nothing that is decided while it follows', async () => {
    const own = await openShop(service);
    await choose(own, true);
    const queue = own.service.app.get<ReviewQueue>(REVIEW_QUEUE, { strict: false });
    let asking = true;
    const following = (async () => {
      while (asking) await queue.sweepDue({ tenantId: own.tenantId, limit: 3 });
    })();
    const asked = await Promise.all(Array.from({ length: 40 }, () => own.ask(ABOVE_THE_PASSPORT)));
    asking = false;
    await following;
    await sweep(own);
    expect([...idsOf(await queueOf(own, '?limit=200'))].sort()).toEqual(
      asked.map(({ body }) => body.decision_id as string).sort(),
    );
  });

  it.each(['agent', 'merchant_system'] as const)('is not for %s', async (as) => {
    expect((await shop.call('GET', '/v1/review-queue', { as })).status).toBe(403);
    expect(
      (
        await shop.call('PUT', `/v1/merchants/${SHOP}/review-copy`, {
          as,
          body: { copy_refusals_to_review_queue: true },
        })
      ).status,
    ).toBe(403);
  });

  it.each([{}, { enabled: true }, { copy_refusals_to_review_queue: 'yes' }, [], null])(
    'refuses the choice %j',
    async (body) => {
      const path = `/v1/merchants/${SHOP}/review-copy`;
      expect((await shop.call('PUT', path, { as: 'tenant_admin', body })).status).toBe(400);
    },
  );

  it.each(['?limit=0', '?limit=201', '?cursor=x', '?since=yesterday', `?reason='--`, '?all=1'])(
    'refuses the query %s',
    async (query) => {
      expect((await queueOf(shop, query)).status).toBe(400);
    },
  );

  it('of a merchant that is not there has no choice, and nobody sees another tenant', async () => {
    expect((await choose(shop, true, 'nobody')).status).toBe(404);
    const other = await openShop(service);
    const apiKey = other.apiKeys.auditor;
    expect(idsOf(await shop.call('GET', '/v1/review-queue', { apiKey }))).toEqual([]);
  });
});

describe('a decision', () => {
  /** The answers of one run of asks, and the facts and findings that were recorded; ids follow from seed and place. */
  const asked = async (own: Shop): Promise<readonly Answer[]> => [
    await own.ask(ABOVE_THE_PASSPORT),
    await own.ask(ALLOWED_PURCHASE),
    await own.ask(ALLOWED_HANDOFF),
    await own.ask(STALL_REFUSAL),
  ];
  /** All of an answer but what follows from the tenant's own ids. */
  const findings = (answers: readonly Answer[]) =>
    answers.map(({ status, body }) => {
      const { allow, ...rest } = body as { readonly allow?: object | null };
      const own = { decision_id: null, agent_id: null, allow: typeof allow };
      return { status, ...rest, ...own };
    });

  it('is the same with the choice in either position', async () => {
    const [off, on] = [await openShop(service), await openShop(service)];
    await choose(on, true);
    await choose(on, true, STALL);
    const answers = await asked(on);
    await sweep(on);
    expect(findings(answers)).toEqual(findings(await asked(off)));
    expect(findings(await asked(on))).toEqual(findings(answers));
  });

  describe('with a queue that is locked or gone', () => {
    let database: TestDatabase;
    let own: Shop;
    beforeAll(async () => {
      database = await freshDatabase();
      own = await openShop(await startTestService({ DATABASE_URL: database.connectionString }));
      await choose(own, true);
    });

    it('is answered the same while somebody holds the table', async () => {
      const before = await asked(own);
      const client = await database.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query('LOCK TABLE review_queue, review_cursors IN ACCESS EXCLUSIVE MODE');
        expect(findings(await asked(own))).toEqual(findings(before));
        const swept = await sweep(own);
        expect(swept).toContainEqual({ name: 'arbiter.review_copies', handled: 0, failed: true });
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
      await sweep(own);
      expect(idsOf(await queueOf(own))).toHaveLength(2);
    });

    it('is answered the same while there is no table, and copied when it is back', async () => {
      const before = await asked(own);
      await database.pool.query('ALTER TABLE review_queue RENAME TO review_queue_away');
      expect(findings(await asked(own))).toEqual(findings(before));
      const swept = await sweep(own);
      expect(swept).toContainEqual({ name: 'arbiter.review_copies', handled: 0, failed: true });
      await database.pool.query('ALTER TABLE review_queue_away RENAME TO review_queue');
      await sweep(own);
      expect(idsOf(await queueOf(own))).toHaveLength(4);
      expect(await checkLedger(own.tenantId, database)).toEqual(WHOLE);
    });
  });
});
