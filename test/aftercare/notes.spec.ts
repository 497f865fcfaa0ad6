import { beforeAll, describe, expect, it } from 'vitest';
import { ABOVE_THE_PASSPORT, ALLOWED_PURCHASE } from '../../src/demo/purchases.js';
import { BUYER } from '../../src/demo/demo-world.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';

let shop: Shop;
let refused: Answer;
beforeAll(async () => {
  shop = await openShop(await startTestService());
  refused = await shop.ask(ABOVE_THE_PASSPORT);
});

const notesOf = (decision: Answer): string => `/v1/decisions/${decision.body.decision_id}/notes`;
const write = (text: unknown, options: Parameters<Shop['call']>[2] = {}): Promise<Answer> =>
  shop.call('POST', notesOf(refused), { as: 'tenant_admin', body: { text }, ...options });
const read = (decision: Answer): Promise<Answer> =>
  shop.call('GET', notesOf(decision), { as: 'auditor' });

const textsOf = ({ body }: Answer): readonly (string | null)[] =>
  (body as { items: { text: string | null }[] }).items.map(({ text }) => text);

const everythingButNotes = async (): Promise<unknown> => {
  const tables = ['decisions', 'merchant_day_money', 'authority_spend', 'merchants', 'captures'];
  const found = [];
  for (const table of tables)
    found.push(
      (
        await testDatabase().pool.query(
          `SELECT * FROM ${table} WHERE tenant_id = $1 ORDER BY entry_seq`,
          [shop.tenantId],
        )
      ).rows,
    );
  return found;
};

describe('a note', () => {
  it('changes nothing: not the decision, not the next one, nothing that is counted', async () => {
    const before = {
      decision: await shop.call('GET', `/v1/decisions/${refused.body.decision_id}`, {
        as: 'auditor',
      }),
      rows: await everythingButNotes(),
    };
    const text = `{"outcome":"allow","usable":true} ALLOW ${'x'.repeat(100)}'; UPDATE decisions SET outcome = 'allow' --`;
    const noted = await write(text);
    expect(noted).toMatchObject({
      status: 201,
      body: { decision_id: refused.body.decision_id, author: { role: 'tenant_admin' }, text },
    });
    expect(await everythingButNotes()).toEqual(before.rows);
    expect(
      await shop.call('GET', `/v1/decisions/${refused.body.decision_id}`, { as: 'auditor' }),
    ).toEqual(before.decision);
    const { decision_id: again, ...rest } = (await shop.ask(ABOVE_THE_PASSPORT)).body;
    const { decision_id: first, ...same } = refused.body;
    expect(again).not.toBe(first);
    expect(rest).toEqual(same);
    expect((await read(refused)).body.items).toContainEqual(noted.body);
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
  });

  it('is listed oldest first, page by page, and once per Idempotency-Key', async () => {
    const decision = await shop.ask(ALLOWED_PURCHASE);
    const path = notesOf(decision);
    const add = (text: string, idempotencyKey?: string) =>
      shop.call('POST', path, {
        as: 'tenant_admin',
        body: { text },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
    const first = await add('one', 'note-1');
    expect(await add('one', 'note-1')).toEqual(first);
    expect((await add('two', 'note-1')).body.code).toBe('idempotency_conflict');
    await add('two');
    await add('three');
    const page = await shop.call('GET', `${path}?limit=2`, { as: 'auditor' });
    expect(textsOf(page)).toEqual(['one', 'two']);
    const rest = await shop.call('GET', `${path}?limit=2&cursor=${page.body.next_cursor}`, {
      as: 'auditor',
    });
    expect(rest.body).toMatchObject({ items: [{ text: 'three' }], next_cursor: null });
  });

  it('keeps its text out of the ledger, and its text can be erased', async () => {
    const noted = await write('Call Asha on 98450 12345');
    const erase = (as: 'tenant_admin' | 'auditor' = 'tenant_admin') =>
      shop.call('POST', `${notesOf(refused)}/${noted.body.note_id}/erase`, { as });
    expect((await erase('auditor')).status).toBe(403);
    expect(await erase()).toMatchObject({ status: 200, body: { text: null } });
    expect((await erase()).status).toBe(200);
    expect((await read(refused)).body.items).toContainEqual({ ...noted.body, text: null });
    const { rows } = await testDatabase().pool.query<{ body: string }>(
      'SELECT body FROM entries WHERE tenant_id = $1',
      [shop.tenantId],
    );
    expect(JSON.stringify(rows)).not.toContain('Asha');
    expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
  });

  it('beside a decision about a buyer goes with the buyer', async () => {
    const own = await openShop(shop.service);
    const decision = await own.ask(ALLOWED_PURCHASE);
    const path = notesOf(decision);
    const as = 'tenant_admin';
    await own.call('POST', path, { as, body: { text: 'before' } });
    await own.call('POST', '/v1/buyers/erase', {
      as,
      body: { buyer_reference: BUYER },
      idempotencyKey: 'erase',
    });
    await own.call('POST', path, { as, body: { text: 'after' } });
    expect(textsOf(await own.call('GET', path, { as }))).toEqual([null, 'after']);
    expect(await checkLedger(own.tenantId)).toEqual(WHOLE);
  });

  it.each(['agent', 'merchant_system'] as const)('is not for %s', async (as) => {
    expect((await write('x', { as })).status).toBe(403);
    expect((await shop.call('GET', notesOf(refused), { as })).status).toBe(403);
  });

  it('is not written by auditors, and not beside what another tenant decided', async () => {
    expect((await write('x', { as: 'auditor' })).status).toBe(403);
    const other = await openShop(shop.service);
    const apiKey = other.apiKeys.tenant_admin;
    expect((await write('x', { apiKey })).status).toBe(404);
    expect((await shop.call('GET', notesOf(refused), { apiKey })).status).toBe(404);
  });

  it('is not for an operator of another merchant', async () => {
    const made = await shop.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'bound', role: 'operator', merchant_ids: ['chai-stall'] },
    });
    const apiKey = made.body.api_key as string;
    expect((await write('x', { apiKey })).status).toBe(404);
    expect((await shop.call('GET', notesOf(refused), { apiKey })).status).toBe(404);
  });

  it.each([
    '',
    'x'.repeat(2_001),
    'nul \0',
    'half \ud800',
    7,
    null,
    ['x'],
    { outcome: 'allow' },
    undefined,
  ])('refuses the text %j', async (text) => {
    const answer = await write(text);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  it('has no room for an outcome', async () => {
    const body = { text: 'x', outcome: 'allow' };
    expect((await write('x', { body })).status).toBe(400);
  });

  it.each(['arbdec_000000000000', 'arbdec_xyz', `x'--`, '..'])(
    'beside %s is refused',
    async (id) => {
      const path = `/v1/decisions/${encodeURIComponent(id)}/notes`;
      const answer = await shop.call('POST', path, { as: 'tenant_admin', body: { text: 'x' } });
      expect([400, 404]).toContain(answer.status);
    },
  );
});

describe('the database', () => {
  const sql = (text: string): Promise<string> =>
    testDatabase()
      .pool.query(text.replaceAll('$T', `'${shop.tenantId}'`))
      .then(
        ({ command }) => command,
        (error: Error) => error.message,
      );

  it.each([
    [`UPDATE decisions SET outcome = 'allow' WHERE tenant_id = $T`, /is final/],
    [`UPDATE decisions SET reason = NULL WHERE tenant_id = $T`, /is final/],
    [`DELETE FROM decisions WHERE tenant_id = $T`, /is refused/],
    [`UPDATE decision_notes SET author_id = 'me' WHERE tenant_id = $T`, /is refused/],
    [`DELETE FROM decision_notes WHERE tenant_id = $T`, /is refused/],
    [
      `INSERT INTO decision_notes (tenant_id, note_id, decision_id, text_sha256, author_role, author_id, noted_at_ms,
        entry_seq) VALUES ($T, 'note_1', 'arbdec_000000000000', repeat('0', 64), 'operator', 'me', 0, 0)`,
      /decision_notes_(decision|from_entry)/,
    ],
  ])('refuses %s', async (statement, refusal) => {
    expect(await sql(statement)).toMatch(refusal);
  });
});
