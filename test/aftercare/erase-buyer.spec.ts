import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Writer, WRITER } from '../../src/base/ledger/index.js';
import { canonicalize } from '../../src/core/kernel/index.js';
import { decidePurchase, decisionCodec } from '../../src/core/rules/index.js';
import {
  BUYER,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  intentToken,
  SHOP,
} from '../../src/demo/demo-world.js';
import {
  ALLOWED_HANDOFF,
  ALLOWED_PURCHASE,
  type Body,
  SHOP_AUTHORITY,
} from '../../src/demo/purchases.js';
import { decisionRecorded } from '../../src/money/arbiter/index.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  shop = await openShop(service);
});

const rowsOf = async (text: string): Promise<readonly Record<string, unknown>[]> =>
  (await testDatabase().pool.query<Record<string, unknown>>(text, [shop.tenantId])).rows;

/** The different carts that were judged; the hash of a cart covers its buyer. */
const HASHES = `SELECT DISTINCT body::jsonb #>> '{data,judged,facts,cart,hash}' AS hash FROM entries
  WHERE tenant_id = $1 AND type = 'decision.recorded'`;

let keys = 0;
const erase = (body: unknown, options: Parameters<Shop['call']>[2] = {}): Promise<Answer> =>
  shop.call('POST', '/v1/buyers/erase', {
    as: 'tenant_admin',
    body,
    idempotencyKey: `erase-${(keys += 1)}`,
    ...options,
  });

const commitmentOf = async (buyerRef: string): Promise<string | undefined> => {
  const { rows } = await testDatabase().pool.query<{ commitment: string }>(
    'SELECT commitment FROM buyer_references WHERE tenant_id = $1 AND buyer_ref = $2',
    [shop.tenantId, buyerRef],
  );
  return rows[0]?.commitment;
};

/** A mandate that nobody registered, as it comes along with a purchase. */
const inlineIntent = (id: string): string =>
  intentToken(
    {
      id,
      merchantId: SHOP,
      slot: shop.spareSlots[0] ?? { uri: '', index: 0 },
    },
    { tenantId: shop.tenantId, agentId: shop.agentId, atMs: FROZEN_AT_MS },
    { capMinor: 500_000 },
  );

const withMandates = (...mandateRefs: readonly string[]): Body => ({
  ...ALLOWED_PURCHASE,
  buyer_authority: { ...SHOP_AUTHORITY, mandate_refs: [...mandateRefs] },
});

/** Does something else between what the next command of this name found out and its judgement under the lock. */
function beforeCommand(name: string, something: () => Promise<unknown>): void {
  const writer = service.app.get<Writer>(WRITER, { strict: false });
  const execute = writer.execute.bind(writer);
  writer.execute = async (command) => {
    if (command.name === name) {
      writer.execute = execute;
      await something();
    }
    return execute(command);
  };
}

describe('an erased buyer', () => {
  it('is in nothing that is kept, and the ledger is whole', async () => {
    const decided = await shop.ask(ALLOWED_PURCHASE);
    expect(decided.body).toMatchObject({ outcome: 'allow' });
    const commitment = await commitmentOf(BUYER);
    const before = await rowsOf('SELECT body, link FROM entries WHERE tenant_id = $1 ORDER BY seq');

    const answer = await erase({ buyer_reference: BUYER });
    expect(answer).toMatchObject({
      status: 200,
      body: { buyer_commitment: commitment, documents_erased: 8 },
    });

    expect(await rowsOf('SELECT * FROM buyer_references WHERE tenant_id = $1')).toEqual([]);
    expect(
      await rowsOf(
        `SELECT 1 FROM documents WHERE tenant_id = $1 AND media_type = 'application/jwt' AND bytes IS NOT NULL`,
      ),
    ).toEqual([]);
    const after = await rowsOf('SELECT body, link FROM entries WHERE tenant_id = $1 ORDER BY seq');
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(before.length + 1);
    expect(JSON.stringify(after)).not.toContain(BUYER);
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);

    const read = await shop.call('GET', `/v1/decisions/${decided.body.decision_id}`);
    expect(read.body).toEqual(decided.body);
  });

  it('leaves decisions that can be judged again, byte for byte', async () => {
    await shop.ask(ALLOWED_PURCHASE);
    await shop.ask({ ...ALLOWED_HANDOFF, buyer_reference: BUYER });
    await erase({ buyer_reference: BUYER });
    const entries = await rowsOf(
      `SELECT body, at_ms FROM entries WHERE tenant_id = $1 AND type = 'decision.recorded'`,
    );
    expect(entries).toHaveLength(2);
    for (const { body, at_ms: atMs } of entries) {
      const { data } = JSON.parse(String(body)) as {
        readonly data: { readonly decision: unknown };
      };
      const { judged } = decisionRecorded.data.decode(data, 'test');
      if (judged.kind !== 'purchase') throw new Error('both are purchases');
      const again = decidePurchase({
        facts: judged.facts,
        counters: judged.counters,
        atMs: Number(atMs),
      });
      expect(canonicalize(decisionCodec.encode(again))).toBe(canonicalize(data.decision as never));
    }
  });

  it('has no credentials any more: a named refusal, not an error', async () => {
    await erase({ buyer_reference: BUYER });
    expect((await shop.ask(ALLOWED_PURCHASE)).body).toMatchObject({
      outcome: 'refuse',
      failing_rule: 'mandate_present',
      reason: 'mandate_missing',
    });
    const { intent } = CREDENTIAL_IDS.shop;
    const row = await shop.call('GET', `/v1/mandates/${intent}`, { as: 'auditor' });
    expect(row.status).toBe(200);
    expect(JSON.stringify(row.body)).not.toContain(BUYER);
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
  });

  it('does not come back with a token that somebody kept', async () => {
    const kept = inlineIntent('kept');
    const ask = () => shop.ask(withMandates(kept, CREDENTIAL_IDS.shop.payment));
    expect((await ask()).body).toMatchObject({ outcome: 'allow' });
    await erase({ buyer_reference: BUYER });
    expect((await ask()).body).toMatchObject({ outcome: 'refuse', reason: 'mandate_missing' });
    const registered = await shop.call('POST', '/v1/mandates', {
      as: 'tenant_admin',
      body: { token: kept },
    });
    expect(registered).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await commitmentOf(BUYER)).toBeUndefined();
  });

  it('gets another commitment when it comes again', async () => {
    const ask = () => shop.ask({ ...ALLOWED_HANDOFF, buyer_reference: 'someone@example.org' });
    const [first, second] = [await ask(), await ask()];
    expect(first.body.allow.cart_hash).toBe(second.body.allow.cart_hash);
    const commitment = await commitmentOf('someone@example.org');
    await erase({ buyer_reference: 'someone@example.org' });
    const third = await ask();
    expect(third.body.outcome).toBe('allow');
    expect(third.body.allow.cart_hash).not.toBe(first.body.allow.cart_hash);
    expect(await commitmentOf('someone@example.org')).not.toBe(commitment);
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
  });
});

describe('erasing', () => {
  it('is done once, whatever it is asked by', async () => {
    const commitment = await commitmentOf(BUYER);
    const first = await erase({ buyer_reference: BUYER }, { idempotencyKey: 'once' });
    expect(await erase({ buyer_reference: BUYER }, { idempotencyKey: 'once' })).toEqual(first);
    const count = await shop.entryCount();
    expect(await erase({ buyer_commitment: commitment })).toEqual(first);
    expect((await erase({ buyer_reference: BUYER })).body).toEqual({
      buyer_commitment: null,
      erased_at: null,
      documents_erased: 0,
    });
    expect(await shop.entryCount()).toBe(count);
  });

  it('of nobody is told apart only by commitment', async () => {
    const count = await shop.entryCount();
    expect(await erase({ buyer_reference: 'nobody' })).toMatchObject({
      status: 200,
      body: { buyer_commitment: null },
    });
    expect(await erase({ buyer_commitment: 'a'.repeat(64) })).toMatchObject({
      status: 404,
      body: { field: '/buyer_commitment' },
    });
    expect(await shop.entryCount()).toBe(count);
  });

  it('ends at the tenant', async () => {
    const other = await openShop(service);
    const commitment = await commitmentOf(BUYER);
    const foreign = { apiKey: other.apiKeys.tenant_admin };
    expect((await erase({ buyer_commitment: commitment }, foreign)).status).toBe(404);
    expect((await erase({ buyer_reference: BUYER }, foreign)).status).toBe(200);
    expect(await commitmentOf(BUYER)).toBe(commitment);
  });

  it.each(['agent', 'merchant_system', 'auditor'] as const)('is not for %s', async (role) => {
    expect((await erase({ buyer_reference: BUYER }, { as: role })).status).toBe(403);
    expect(await commitmentOf(BUYER)).toBeDefined();
  });

  it('is not for an operator, nor for a key of other routes', async () => {
    for (const grant of [{ role: 'operator' }, { role: 'tenant_admin', scopes: ['decisions'] }]) {
      const body = { name: 'another', ...grant };
      const made = await shop.call('POST', '/v1/api-keys', { as: 'tenant_admin', body });
      const apiKey = made.body.api_key as string;
      expect((await erase({ buyer_reference: BUYER }, { apiKey })).status).toBe(403);
    }
    expect(await commitmentOf(BUYER)).toBeDefined();
  });

  it.each([
    {},
    { buyer_reference: '' },
    { buyer_reference: BUYER, buyer_commitment: 'a'.repeat(64) },
    { buyer_reference: 7 },
    { buyer_reference: ['x'] },
    { buyer_reference: 'x'.repeat(2_049) },
    { buyer_reference: 'nul \0' },
    { buyer_reference: 'half \ud800' },
    { buyer_commitment: 'A'.repeat(64) },
    { buyer_commitment: `' OR 1=1 --` },
    { buyer_reference: BUYER, everybody: true },
    [],
    'buyer',
    null,
  ])('refuses %j', async (body) => {
    const answer = await erase(body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await commitmentOf(BUYER)).toBeDefined();
  });

  it('takes names that look like SQL or need every byte', async () => {
    for (const reference of [`'; DROP TABLE documents --`, '%', '₹'.repeat(2_048), ' '])
      expect((await erase({ buyer_reference: reference })).status).toBe(200);
  });

  it('needs an Idempotency-Key', async () => {
    const path = '/v1/buyers/erase';
    const options = { as: 'tenant_admin', body: { buyer_reference: BUYER } } as const;
    expect((await shop.call('POST', path, options)).body.code).toBe('idempotency_key_required');
  });

  it('keeps no digest by which the name could be tried', async () => {
    const requestHash = (body: unknown): string =>
      createHash('sha256')
        .update(`arbiter-request/1\nPOST\n/v1/buyers/erase\n${adminKeyId}\n`)
        .update(JSON.stringify(body))
        .digest('hex');
    const adminKeyId = (
      await rowsOf(`SELECT api_key_id FROM api_keys WHERE tenant_id = $1 AND role = 'tenant_admin'`)
    )[0]?.['api_key_id'] as string;
    const body = { buyer_reference: BUYER };
    await erase(body);
    const stored = await rowsOf(
      'SELECT request_hash FROM idempotency_keys WHERE tenant_id = $1 AND NOT kept',
    );
    expect(stored).toHaveLength(1);
    expect(stored).not.toContainEqual({ request_hash: requestHash(body) });
  });
});

describe('at the same instant', () => {
  const leftOfTheErased = () =>
    rowsOf(
      `SELECT 1 FROM documents d JOIN erased_buyers e ON e.tenant_id = d.tenant_id
        AND e.commitment = d.buyer_commitment WHERE d.tenant_id = $1 AND d.bytes IS NOT NULL`,
    );

  it('what was found out before an erasure is found out again after it', async () => {
    const commitment = await commitmentOf(BUYER);
    beforeCommand('decision.purchase', () => erase({ buyer_reference: BUYER }));
    const decided = await shop.ask(
      withMandates(inlineIntent('inline'), CREDENTIAL_IDS.shop.payment),
    );
    expect(decided.body).toMatchObject({ outcome: 'refuse', reason: 'mandate_missing' });
    expect(await commitmentOf(BUYER)).not.toBe(commitment);
    expect(await leftOfTheErased()).toEqual([]);
  });

  it('a token that is registered behind an erasure is one of a new buyer', async () => {
    const commitment = await commitmentOf(BUYER);
    beforeCommand('mandate.register', () => erase({ buyer_reference: BUYER }));
    const registered = await shop.call('POST', '/v1/mandates', {
      as: 'tenant_admin',
      body: { token: inlineIntent('late') },
    });
    expect(registered.status).toBe(201);
    expect(await commitmentOf(BUYER)).not.toBe(commitment);
    expect(await commitmentOf(BUYER)).toBeDefined();
    expect(await leftOfTheErased()).toEqual([]);
  });

  it('two first decisions about one buyer: the second finds the first', async () => {
    shop = await openShop(service, null);
    const ask = () => shop.ask({ ...ALLOWED_HANDOFF, buyer_reference: 'newcomer' });
    beforeCommand('decision.purchase', ask);
    expect((await ask()).status).toBe(200);
    expect(await rowsOf(HASHES)).toHaveLength(1);
  });

  it('decisions about a buyer and its erasure leave nothing of it behind', async () => {
    const erased = new Set<string>();
    const asks = Array.from({ length: 30 }, (_, index) =>
      shop.ask(withMandates(inlineIntent(`inline-${index}`), CREDENTIAL_IDS.shop.payment)),
    );
    const handoffs = Array.from({ length: 10 }, () =>
      shop.ask({ ...ALLOWED_HANDOFF, buyer_reference: BUYER }),
    );
    const erasures = [erase({ buyer_reference: BUYER }), erase({ buyer_reference: BUYER })];
    const answers = await Promise.all([...asks, ...handoffs]);
    for (const { body } of await Promise.all(erasures))
      if (body.buyer_commitment !== null) erased.add(body.buyer_commitment as string);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(erased.size).toBeGreaterThanOrEqual(1);
    const left = await rowsOf(
      `SELECT 1 FROM documents d JOIN erased_buyers e ON e.tenant_id = d.tenant_id AND e.commitment = d.buyer_commitment
        WHERE d.tenant_id = $1 AND d.bytes IS NOT NULL
        UNION ALL SELECT 1 FROM buyer_references r JOIN erased_buyers e USING (tenant_id, commitment) WHERE tenant_id = $1`,
    );
    expect(left).toEqual([]);
    const orphans = await rowsOf(
      `SELECT d.buyer_commitment FROM documents d WHERE d.tenant_id = $1 AND d.buyer_commitment IS NOT NULL
        AND d.bytes IS NOT NULL AND NOT EXISTS (SELECT 1 FROM buyer_references r
          WHERE r.tenant_id = d.tenant_id AND r.commitment = d.buyer_commitment)`,
    );
    expect(orphans).toEqual([]);
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
  });

  it.each([
    ['frozen', FROZEN_AT_MS],
    ['real', null],
  ])('first decisions about one buyer agree on one commitment, on %s time', async (_, atMs) => {
    shop = await openShop(service, atMs);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        shop.ask({ ...ALLOWED_HANDOFF, buyer_reference: 'newcomer' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await rowsOf(HASHES)).toEqual([
      { hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    ]);
    expect(
      await rowsOf(
        `SELECT buyer_ref FROM buyer_references WHERE tenant_id = $1 AND buyer_ref = 'newcomer'`,
      ),
    ).toHaveLength(1);
  });

  it('what is only simulated keeps no name', async () => {
    const body = { ...ALLOWED_HANDOFF, buyer_reference: 'only-asked' };
    expect((await shop.call('POST', '/v1/simulate', { as: 'auditor', body })).status).toBe(200);
    expect(await commitmentOf('only-asked')).toBeUndefined();
  });
});
