import { beforeAll, describe, expect, it } from 'vitest';
import { RULESET_VERSION } from '../../src/core/kernel/index.js';
import { decidePurchase } from '../../src/core/rules/index.js';
import { SHOP } from '../../src/demo/demo-world.js';
import {
  ABOVE_THE_PASSPORT,
  ALLOWED_HANDOFF,
  ALLOWED_PURCHASE,
  SHOP_AUTHORITY,
} from '../../src/demo/purchases.js';
import { refusalsByRule, REVOKED_HANDOFF, STALL_HANDOFF } from '../../src/demo/tour-purchases.js';
import { decisionRecorded } from '../../src/money/arbiter/index.js';
import { testDatabase } from '../support/database.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';

let shop: Shop;
let quietShop: Shop;
beforeAll(async () => {
  const [switched, quiet] = await Promise.all([
    startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }),
    startTestService(),
  ]);
  shop = await openShop(switched);
  await switchAgentPayment(shop, true);
  quietShop = await openShop(quiet);
  await switchAgentPayment(quietShop, true);
});

describe('200 allow', () => {
  it('a handoff: usable, bound to its cart for ten minutes, once', async () => {
    const { status, body } = await shop.ask(ALLOWED_HANDOFF);
    expect(status).toBe(200);
    expect(body).toEqual({
      outcome: 'allow',
      decision_id: expect.stringMatching(/^arbdec_[0-9a-f]{12}$/),
      flow: 'handoff',
      merchant_id: SHOP,
      agent_id: shop.agentId,
      order_id: null,
      amount: { amount: '91800', currency: 'INR' },
      decided_at: '2026-11-30T09:30:00.000Z',
      ruleset: RULESET_VERSION,
      dry_run: false,
      usable: true,
      usable_reason: null,
      usable_action: null,
      allow: {
        decision_id: body.decision_id,
        cart_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        expires_at: '2026-11-30T09:40:00.000Z',
        single_use: true,
      },
    });
  });

  it('a purchase of the agent by all eight rules', async () => {
    const { body } = await shop.ask(ALLOWED_PURCHASE);
    expect(body).toMatchObject({ outcome: 'allow', flow: 'agent_payment', usable: true });
    const explained = await shop.call('GET', `/v1/decisions/${body.decision_id}`, {
      as: 'auditor',
    });
    expect(explained.body.trace).toHaveLength(8);
    expect(explained.body.judged.facts.authority.source).toBe('verified');
  });
});

describe('200 refuse', () => {
  const titles = ['1', '2', '3', '4', '5', '6', '7', '8'];
  it.each(titles)('rule %s alone decides', async (number) => {
    const refusal = refusalsByRule(shop)[Number(number) - 1];
    const { status, body } = await shop.ask(refusal?.body);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      code: 'arbiter_refused',
      failing_rule: refusal?.rule,
      reason: refusal?.reason,
      action: `The commerce arbiter refused: ${refusal?.rule} (${refusal?.reason}).`,
      outcome: 'refuse',
      usable: false,
      dry_run: false,
    });
    expect(body).not.toHaveProperty('allow');
    expect(body.required_config).not.toBe('');
  });

  it('begins with the six fields of the mission, exactly (M56)', async () => {
    const { body } = await shop.ask(ABOVE_THE_PASSPORT);
    expect(JSON.stringify(body)).toMatch(
      new RegExp(
        '^' +
          JSON.stringify({
            code: 'arbiter_refused',
            failing_rule: 'passport_amount_cap',
            reason: 'passport_amount_cap_exceeded',
            decision_id: body.decision_id,
            action:
              'The commerce arbiter refused: passport_amount_cap (passport_amount_cap_exceeded).',
            required_config:
              'buyer_authority.passport_ref, passport_max_amount_minor_units, passport_currency, passport_expires_at',
          })
            .slice(0, -1)
            .replace(/[().]/g, '\\$&'),
      ),
    );
  });

  it('names the revoked price of a handoff', async () => {
    expect((await shop.ask(REVOKED_HANDOFF)).body).toMatchObject({
      failing_rule: 'handoff_facts_valid',
      reason: 'artifact_revoked:price',
    });
  });

  it('a changed price, a piece more than there is, another currency', async () => {
    const cart = ALLOWED_HANDOFF['cart'] as { lines: object[]; total: object };
    const line = cart.lines[0] as { unit_price: object };
    const inr = (amount: string) => ({ amount, currency: 'INR' });
    const cheaper = {
      ...cart,
      lines: [{ ...line, quantity: 1, unit_price: inr('45899') }],
      total: inr('45899'),
    };
    expect((await shop.ask({ ...ALLOWED_HANDOFF, cart: cheaper })).body.reason).toBe(
      'price_changed:price',
    );
    const many = { ...cart, lines: [{ ...line, quantity: 101 }], total: inr(String(101 * 45_900)) };
    expect((await shop.ask({ ...ALLOWED_HANDOFF, cart: many })).body.reason).toBe(
      'inventory_snapshot_insufficient:inventory',
    );
  });

  it('a claim beside a registered passport widens nothing (F3)', async () => {
    const { body } = await shop.ask({
      ...ABOVE_THE_PASSPORT,
      buyer_authority: { ...SHOP_AUTHORITY, passport_max_amount_minor_units: 100_000_000 },
    });
    expect(body.reason).toBe('passport_amount_cap_exceeded');
  });
});

describe('dry runs', () => {
  it('while the deployment has agent-executed payment off: what the rules say, no allow', async () => {
    const { body } = await quietShop.ask(ALLOWED_PURCHASE);
    expect(body).toMatchObject({
      outcome: 'allow',
      dry_run: true,
      usable: false,
      usable_reason: 'agent_executed_payment_disabled',
      usable_action: expect.stringMatching(/ask for a new decision/),
      allow: null,
    });
  });

  it('while the merchant has it off', async () => {
    const other = await openShop(shop.service);
    expect((await other.ask(ALLOWED_PURCHASE)).body).toMatchObject({ dry_run: true, allow: null });
    expect((await other.ask(ABOVE_THE_PASSPORT)).body).toMatchObject({
      outcome: 'refuse',
      dry_run: true,
      usable_reason: 'agent_executed_payment_disabled',
    });
  });
});

describe('Idempotency-Key', () => {
  it('a repeat is the first answer and writes nothing; another body is a conflict', async () => {
    const first = await shop.ask(ALLOWED_PURCHASE, { idempotencyKey: 'purchase-1' });
    const before = await shop.entryCount();
    expect(await shop.ask(ALLOWED_PURCHASE, { idempotencyKey: 'purchase-1' })).toEqual(first);
    const other = await shop.ask(ALLOWED_HANDOFF, { idempotencyKey: 'purchase-1' });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    expect(await shop.entryCount()).toBe(before);
    expect((await shop.ask(ALLOWED_PURCHASE)).body.decision_id).not.toBe(first.body.decision_id);
  });
});

describe('who may ask', () => {
  it('403 an agent for another agent, or for a refund', async () => {
    const forOther = await shop.ask({ ...ALLOWED_HANDOFF, agent_id: 'agt_other' });
    expect([forOther.status, forOther.body.field]).toEqual([403, '/agent_id']);
    const refund = {
      flow: 'refund',
      merchant_id: SHOP,
      order_id: 'o',
      amount: { amount: '1', currency: 'INR' },
    };
    expect((await shop.ask(refund, { idempotencyKey: 'k' })).status).toBe(403);
  });

  it('404 an unknown merchant or agent, and nothing is written', async () => {
    const before = await shop.entryCount();
    expect((await shop.ask({ ...ALLOWED_HANDOFF, merchant_id: 'nobody' })).status).toBe(404);
    const asShop = { ...ALLOWED_HANDOFF, agent_id: 'agt_nobody' };
    expect((await shop.ask(asShop, { as: 'merchant_system' })).status).toBe(404);
    expect(await shop.entryCount()).toBe(before);
  });

  it('200 a merchant system without an agent', async () => {
    const { body } = await shop.ask(ALLOWED_HANDOFF, { as: 'merchant_system' });
    expect(body).toMatchObject({ outcome: 'allow', agent_id: null });
  });

  it.each([
    ['/cart/total/amount', { total: { amount: '91801', currency: 'INR' } }],
    ['/cart/discount/amount', { discount: { amount: '91801', currency: 'INR' } }],
    ['/cart/total/currency', { total: { amount: '91800', currency: 'USD' } }],
    ['/cart/currency', { currency: 'XXX' }],
    ['/cart/lines', { lines: [] }],
  ])('400 names the field %s, and nothing is written', async (field, change) => {
    const before = await shop.entryCount();
    const cart = { ...(ALLOWED_HANDOFF['cart'] as object), ...change };
    const asked = { ...ALLOWED_HANDOFF, cart };
    const { status, body } = await shop.ask(asked, { as: 'merchant_system' });
    expect([status, body.code, body.field]).toEqual([400, 'validation_failed', field]);
    expect(await shop.entryCount()).toBe(before);
  });

  it('keeps a buyer reference as a commitment only', async () => {
    const { body } = await shop.ask({ ...ALLOWED_HANDOFF, buyer_reference: 'asha@example.org' });
    const { rows } = await testDatabase().pool.query<{ body: string }>(
      `SELECT body FROM entries WHERE tenant_id = $1`,
      [shop.tenantId],
    );
    expect(body.outcome).toBe('allow');
    expect(rows.some((row) => row.body.includes('asha@'))).toBe(false);
    const other = await shop.ask({ ...ALLOWED_HANDOFF, buyer_reference: 'ravi@example.org' });
    expect(other.body.allow.cart_hash).not.toBe(body.allow.cart_hash);
  });
});

describe('reading', () => {
  it('the agent sees the short form of its own, an auditor what the rules saw', async () => {
    const asked = await shop.ask(REVOKED_HANDOFF);
    const path = `/v1/decisions/${asked.body.decision_id}`;
    const short = await shop.call('GET', path);
    expect(short.body).toEqual(asked.body);
    const long = await shop.call('GET', path, { as: 'auditor' });
    expect(long.body).toMatchObject(asked.body);
    expect(Object.keys(long.body)).toEqual(expect.arrayContaining(['judged', 'trace', 'entry']));
  });

  it('the entry in the ledger is the answer', async () => {
    const asked = await shop.ask(ALLOWED_HANDOFF);
    const path = `/v1/decisions/${asked.body.decision_id}`;
    const { body } = await shop.call('GET', path, { as: 'auditor' });
    const { rows } = await testDatabase().pool.query<{ body: string }>(
      'SELECT body FROM entries WHERE tenant_id = $1 AND seq = $2',
      [shop.tenantId, body.entry.seq],
    );
    const { type, data, id } = JSON.parse(rows[0]?.body ?? '');
    expect([type, id]).toEqual(['decision.recorded', body.entry.entry_id]);
    expect(data.decision_id).toBe(asked.body.decision_id);
    expect(data.judged).toEqual(body.judged);
    expect(data.decision.trace).toEqual(body.trace);
    expect(data.allow).toEqual({
      cart_hash: asked.body.allow.cart_hash,
      expires_at: asked.body.allow.expires_at,
      buyer_commitment: null,
    });
  });

  it('every decision can be judged again from its entry alone', async () => {
    const { rows } = await testDatabase().pool.query<{ body: string; at_ms: string }>(
      `SELECT body, at_ms FROM entries WHERE tenant_id = $1 AND type = 'decision.recorded'`,
      [shop.tenantId],
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const { data } = JSON.parse(row.body) as { data: unknown };
      const recorded = decisionRecorded.data.decode(data, 'decision');
      const atMs = Number(row.at_ms);
      if (recorded.judged.kind === 'purchase')
        expect(decidePurchase({ ...recorded.judged, atMs })).toEqual(recorded.decision);
    }
  });

  it('404 for another tenant, and for another agent of the same one', async () => {
    const asked = await shop.ask(ALLOWED_HANDOFF, { as: 'merchant_system' });
    const path = `/v1/decisions/${asked.body.decision_id}`;
    expect((await shop.call('GET', path)).status).toBe(404);
    const stranger = await openShop(shop.service);
    expect((await stranger.call('GET', path, { as: 'auditor' })).status).toBe(404);
  });

  it('the outcome of a decision cannot be changed, whoever tries', async () => {
    const { pool } = testDatabase();
    await shop.ask(REVOKED_HANDOFF);
    const change = `UPDATE decisions SET outcome = 'allow', failing_rule = NULL, reason = NULL WHERE tenant_id = $1`;
    await expect(pool.query(change, [shop.tenantId])).rejects.toThrow('is final');
    await expect(
      pool.query('DELETE FROM decisions WHERE tenant_id = $1', [shop.tenantId]),
    ).rejects.toThrow();
  });
});

describe('search', () => {
  it('walks all decisions once, newest first, whatever is decided meanwhile', async () => {
    const own = await openShop(shop.service);
    const bodies = [ALLOWED_HANDOFF, REVOKED_HANDOFF, STALL_HANDOFF];
    const asked: string[] = [];
    for (let turn = 0; turn < 9; turn += 1)
      asked.unshift(String((await own.ask(bodies[turn % 3])).body.decision_id));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await own.call('GET', `/v1/decisions?limit=2${after}`, { as: 'auditor' });
      const items = body.items as readonly { decision_id: string }[];
      seen.push(...items.map((item) => item.decision_id));
      cursor = body.next_cursor;
      await own.ask(ALLOWED_HANDOFF);
    }
    expect(seen).toEqual(asked);
    const count = async (query: string): Promise<number> => {
      const { body } = await own.call('GET', `/v1/decisions?${query}`, { as: 'auditor' });
      return (body.items as readonly unknown[]).length;
    };
    expect(await count('reason=artifact_revoked:price')).toBe(3);
    expect(await count('outcome=refuse&merchant_id=chai-stall')).toBe(0);
    expect(await count('failing_rule=handoff_facts_valid&flow=handoff')).toBe(3);
    expect(await count('flow=refund')).toBe(0);
    expect(await count('from=2026-11-30T09:30:00.001Z')).toBe(0);
    expect(await count('to=2026-11-30T09:30:00.000Z')).toBe(0);
    expect(await count('agent_id=agt_other')).toBe(0);
    expect((await own.call('GET', '/v1/decisions?limit=201')).status).toBe(400);
  });
});

describe('POST /v1/simulate', () => {
  it('judges the same, shows the whole trace and writes nothing', async () => {
    for (const [index, refusal] of refusalsByRule(shop).entries()) {
      const before = await shop.entryCount();
      const simulated = await shop.call('POST', '/v1/simulate', {
        as: 'tenant_admin',
        body: { ...refusal.body, agent_id: shop.agentId },
      });
      expect(simulated.body, `rule ${index + 1}`).toMatchObject({
        simulated: true,
        failing_rule: refusal.rule,
        reason: refusal.reason,
      });
      expect(simulated.body.trace).toHaveLength(8);
      expect(await shop.entryCount()).toBe(before);
      const decided = await shop.ask(refusal.body);
      const path = `/v1/decisions/${decided.body.decision_id}`;
      const explained = await shop.call('GET', path, { as: 'auditor' });
      expect(simulated.body.trace).toEqual(explained.body.trace);
      expect(simulated.body.judged).toEqual(explained.body.judged);
    }
  });

  it('is never for agents', async () => {
    expect((await shop.call('POST', '/v1/simulate', { body: ALLOWED_HANDOFF })).status).toBe(403);
  });
});
