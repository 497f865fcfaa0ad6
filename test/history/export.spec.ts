import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateSealingKey } from '../../src/base/tenants/sealing.commands.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  createTestTenant,
  testHouse,
  type TestHouse,
  type TestTenant,
} from '../support/tenants.js';
import { type Answered, fill, fillLedger, getAs, verdictsOf } from './exporting.js';

let service: TestService;
let house: TestHouse;
let shop: Shop;

beforeAll(async () => {
  service = await startTestService();
  house = testHouse();
  shop = await openShop(service);
});

const PATH = '/v1/ledger/export';
const exportOf = (tenant: TestTenant, query = ''): Promise<Answered> =>
  getAs(service, tenant.adminApiKey, `${PATH}${query}`);

const idOf = ({ headers }: Answered): string => headers.get('arbiter-export-id') ?? '';
const seqOf = ({ headers }: Answered): number => Number(headers.get('arbiter-export-head'));

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const linesOf = ({ text }: Answered): any[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

async function entryCount(tenantId: string): Promise<number> {
  const { rows } = await testDatabase().pool.query<{ count: string }>(
    'SELECT count(*) FROM entries WHERE tenant_id = $1',
    [tenantId],
  );
  return Number(rows[0]?.count);
}

const sealed = async (): Promise<TestTenant> => {
  const tenant = await createTestTenant(house);
  await house.rooms.ledgerSettings.switchSealing(tenant.context(), true);
  return tenant;
};

describe('who may export', () => {
  it('administrators of the tenant, and nobody else; a refused call writes no entry', async () => {
    const before = await entryCount(shop.tenantId);
    const operator = await shop.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'o', role: 'operator' },
    });
    const psp = await shop.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'p', role: 'psp' },
    });
    const keys = {
      auditor: shop.apiKeys.auditor,
      agent: shop.apiKeys.agent,
      merchant_system: shop.apiKeys.merchant_system,
      operator: operator.body.api_key as string,
      psp: psp.body.api_key as string,
      platform_admin: service.platformAdminKey,
    };
    for (const [role, key] of Object.entries(keys)) {
      const { status, problem } = await getAs(service, key, PATH);
      expect([role, status, problem.code]).toEqual([role, 403, 'forbidden']);
    }
    expect(await entryCount(shop.tenantId)).toBe(before + 2);
    expect((await getAs(service, shop.apiKeys.tenant_admin, PATH)).status).toBe(200);
    expect(await entryCount(shop.tenantId)).toBeGreaterThan(before + 2);
  });

  it('an export of another tenant does not exist', async () => {
    const [own, other] = [await sealed(), await sealed()];
    const exported = await exportOf(own);
    const answered = await exportOf(other, `?export_id=${idOf(exported)}`);
    expect([answered.status, answered.problem.code]).toEqual([404, 'not_found']);
  });
});

describe('the file', () => {
  it('holds every entry as it is stored, the export’s own included', async () => {
    const tenant = await sealed();
    await fillLedger(house, tenant, 20);
    const exported = await exportOf(tenant);
    expect(exported.status).toBe(200);
    expect(exported.headers.get('content-type')).toBe('application/jsonl');
    expect(exported.headers.get('content-disposition')).toBe(
      `attachment; filename="ledger-${tenant.tenantId}-${seqOf(exported)}.jsonl"`,
    );
    const lines = linesOf(exported);
    const rows = lines.filter(({ body }) => body !== undefined);
    const { rows: stored } = await testDatabase().pool.query(
      'SELECT body, kid, link, mac, prev, seq::integer FROM entries WHERE tenant_id = $1 AND seq <= $2 ORDER BY seq',
      [tenant.tenantId, seqOf(exported)],
    );
    expect(rows).toEqual(stored);
    const own = rows
      .map(({ body }) => JSON.parse(body as string) as { type: string; at: string })
      .find(({ type }) => type === 'ledger.exported');
    expect(own).toMatchObject({
      actor: { role: 'tenant_admin', id: tenant.admin.apiKeyId },
      data: { export_id: idOf(exported), form: 'jsonl' },
    });
    expect(lines[0]).toMatchObject({
      kind: 'header',
      tenant_id: tenant.tenantId,
      exported_at: own?.at,
      sealing: { enabled: true, kids: ['k1'] },
      head: { seq: seqOf(exported), hash: rows.at(-1).link },
    });
    // The checkpoint that this export made covers its own entry.
    expect(lines[1]).toMatchObject({ kind: 'anchor' });
    expect(lines[1].seq).toBeGreaterThanOrEqual(
      rows.findIndex(({ body }) => (body as string).includes('ledger.exported')),
    );
    expect(lines.at(-1)).toMatchObject({ kind: 'trailer', head: lines[0].head });
  });

  it.each(['jsonl', 'json'])('verifies, in the form %s', async (form) => {
    const tenant = await createTestTenant(house);
    await fillLedger(house, tenant, 3);
    await house.rooms.ledgerSettings.switchSealing(tenant.context(), true);
    await fillLedger(house, tenant, 5);
    await house.writer.execute(rotateSealingKey(tenant.context()));
    await fillLedger(house, tenant, 5);
    await house.rooms.ledgerSettings.switchSealing(tenant.context(), false);
    await fillLedger(house, tenant, 2);
    const exported = await exportOf(tenant, `?form=${form}`);
    const verdicts = verdictsOf(exported.text);
    expect(verdicts.length).toBeGreaterThan(0);
    for (const { exit, answer } of verdicts)
      expect([exit, answer]).toEqual([
        0,
        expect.objectContaining({
          result: 'verified',
          entries: seqOf(exported) + 1,
          sealed: 13,
          head: { seq: seqOf(exported), hash: expect.any(String) },
        }),
      ]);
    for (const verdict of verdicts) expect(verdict).toEqual(verdicts[0]);
  });

  it('of a ledger that was never sealed has no signed heads and says so', async () => {
    const tenant = await createTestTenant(house);
    const exported = await exportOf(tenant);
    const [header, ...rest] = linesOf(exported);
    expect(header).toMatchObject({
      sealing: { enabled: false, since_seq: null, kids: [] },
      head: { hash: null },
      counts: { sealed: 0, unsealed: seqOf(exported) + 1 },
      origin: null,
      log_key: null,
      self_witnesses: [],
    });
    expect(rest.map(({ kind }) => String(kind))).not.toContain('anchor');
    for (const { exit, answer } of verdictsOf(exported.text))
      expect([exit, answer.result, answer.sealed]).toEqual([0, 'verified', 0]);
    for (const { exit, answer } of verdictsOf(exported.text, ['--require-sealed']))
      expect([exit, answer.break]).toEqual([1, 'not_sealed']);
  });

  it('does not know HEAD, which writes nothing', async () => {
    const tenant = await sealed();
    const before = await entryCount(tenant.tenantId);
    const answered = await fetch(`${service.baseUrl}${PATH}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${tenant.adminApiKey}` },
    });
    expect([answered.status, answered.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await entryCount(tenant.tenantId)).toBe(before);
  });
});

describe('a part of the file', () => {
  it.each(['jsonl', 'json'])('behind any row goes on to the byte, in the form %s', async (form) => {
    const tenant = await createTestTenant(house);
    await fillLedger(house, tenant, 4);
    await house.rooms.ledgerSettings.switchSealing(tenant.context(), true);
    await fillLedger(house, tenant, 4);
    await house.rooms.ledgerSettings.switchSealing(tenant.context(), false);
    const whole = await exportOf(tenant, `?form=${form}`);
    await fillLedger(house, tenant, 3);
    const entries = await entryCount(tenant.tenantId);
    const query = `?export_id=${idOf(whole)}`;
    expect((await exportOf(tenant, query)).text).toBe(whole.text);
    const lines = whole.text.split('\n').map((line) => `${line}\n`);
    const firstRow = lines.findIndex((line) => /^,?\{"body"/.test(line));
    for (let seq = 0; seq <= seqOf(whole); seq += 1) {
      const rest = await exportOf(tenant, `${query}&after_seq=${seq}`);
      const first = lines.slice(0, firstRow + seq + 1).join('');
      expect(first + rest.text).toBe(whole.text);
      expect(rest.headers.get('arbiter-export-id')).toBe(idOf(whole));
    }
    // Going on takes nothing out: no second entry.
    expect(await entryCount(tenant.tenantId)).toBe(entries);
  });

  it.each([
    ['jsonl', 1],
    ['jsonl', 4],
    ['json', 3],
    ['jsonl', 100_000],
  ])('in the form %s of at most %i rows names the next', async (form, limit) => {
    const tenant = await sealed();
    await fillLedger(house, tenant, 6);
    const parts = [await exportOf(tenant, `?form=${form}&limit=${limit}`)];
    const [begun] = parts as [Answered];
    for (let part = begun; part.headers.get('arbiter-export-next') !== null;) {
      const next = part.headers.get('arbiter-export-next');
      part = await exportOf(
        tenant,
        `?export_id=${idOf(begun)}&after_seq=${next ?? ''}&limit=${limit}`,
      );
      expect(part.text).not.toBe('');
      parts.push(part);
    }
    expect(parts).toHaveLength(Math.ceil((seqOf(begun) + 1) / limit));
    const whole = await exportOf(tenant, `?export_id=${idOf(begun)}`);
    expect(parts.map(({ text }) => text).join('')).toBe(whole.text);
  });

  it('is the same after its front was lost before anybody read it', async () => {
    const tenant = await sealed();
    const first = await exportOf(tenant, '?limit=1');
    await testDatabase().pool.query('DELETE FROM ledger_export_fronts WHERE tenant_id = $1', [
      tenant.tenantId,
    ]);
    const parts = await Promise.all(
      Array.from({ length: 5 }, () => exportOf(tenant, `?export_id=${idOf(first)}`)),
    );
    expect(new Set(parts.map(({ text }) => text)).size).toBe(1);
    expect(parts[0]?.text.startsWith('{"counts"')).toBe(true);
  });

  it.each([
    ['?export_id=exp_1', 400, '?export_id'],
    ['?export_id=', 400, '?export_id'],
    [`?export_id=exp_${'0'.repeat(32)}`, 404, '?export_id'],
    ['?after_seq=1', 400, '?after_seq'],
    ['?form=xml', 400, '?form'],
    ['?limit=0', 400, '?limit'],
    ['?limit=-1', 400, '?limit'],
    ['?limit=1e3', 400, '?limit'],
    ['?limit=1&limit=2', 400, '?limit'],
    ['?after_seq[]=1', 400, '?after_seq[]'],
    ['?page=1', 400, '?page'],
    ['?export_id=EXP&after_seq=99999999999999999999', 400, '?after_seq'],
    ['?export_id=EXP&after_seq=-1', 400, '?after_seq'],
    ['?export_id=EXP&after_seq=01', 400, '?after_seq'],
    ['?export_id=EXP&after_seq=1.5', 400, '?after_seq'],
    ['?export_id=EXP&after_seq=', 400, '?after_seq'],
    ['?export_id=EXP&after_seq=LAST1', 400, '?after_seq'],
    ['?export_id=EXP&form=json', 400, '?form'],
  ])('asked for as %s answers %i and names %s', async (query, status, field) => {
    const tenant = await sealed();
    const begun = await exportOf(tenant);
    const entries = await entryCount(tenant.tenantId);
    const asked = query.replace('EXP', idOf(begun)).replace('LAST1', String(seqOf(begun) + 1));
    const answered = await exportOf(tenant, asked);
    expect([answered.status, answered.problem?.field]).toEqual([status, field]);
    expect(await entryCount(tenant.tenantId)).toBe(entries);
  });
});

describe('while the ledger goes on', () => {
  it('two exports at once are each whole, and end before what came later', async () => {
    const tenant = await sealed();
    await fillLedger(house, tenant, 1_500);
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) await house.writer.execute(fill(tenant, 3));
    })();
    const exports = await Promise.all([exportOf(tenant), exportOf(tenant, '?form=json')]);
    isWriting = false;
    await writing;
    expect(idOf(exports[0])).not.toBe(idOf(exports[1]));
    for (const exported of exports) {
      expect(seqOf(exported)).toBeLessThan(await entryCount(tenant.tenantId));
      for (const { exit, answer } of verdictsOf(exported.text))
        expect([exit, answer.entries]).toEqual([0, seqOf(exported) + 1]);
    }
  });

  it('sealing that is switched and rotated meanwhile leaves every file true', async () => {
    const tenant = await createTestTenant(house);
    const { ledgerSettings } = house.rooms;
    let isWriting = true;
    const writing = (async () => {
      for (let turn = 0; isWriting; turn += 1) {
        await ledgerSettings.switchSealing(tenant.context(), turn % 3 !== 2);
        if (turn % 3 === 1) await ledgerSettings.rotateSealingKey(tenant.context());
        await house.writer.execute(fill(tenant, turn % 5));
      }
    })();
    const exports: Answered[] = [];
    for (let count = 0; count < 8; count += 1)
      exports.push(await exportOf(tenant, count % 2 === 0 ? '' : '?form=json'));
    isWriting = false;
    await writing;
    for (const exported of exports)
      for (const { exit, answer } of verdictsOf(exported.text))
        expect([exit, answer.break]).toEqual([0, null]);
  });

  it('a reader that goes away ends the reading, and its place is free again', async () => {
    const tenant = await sealed();
    await fillLedger(house, tenant, 6_000);
    for (let turn = 0; turn < 12; turn += 1) {
      const aborted = new AbortController();
      const response = await fetch(`${service.baseUrl}${PATH}`, {
        headers: { authorization: `Bearer ${tenant.adminApiKey}` },
        signal: aborted.signal,
      });
      expect(response.status).toBe(200);
      await response.body?.getReader().read();
      aborted.abort();
    }
    await expect
      .poll(async () => (await exportOf(tenant, '?limit=1')).status, { timeout: 10_000 })
      .toBe(200);
  });
});

it('a file is what its digest says', async () => {
  const tenant = await createTestTenant(house);
  const exported = await exportOf(tenant);
  const lines = exported.text.trimEnd().split('\n');
  const digest = createHash('sha256')
    .update(`${lines.slice(0, -1).join('\n')}\n`)
    .digest('hex');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ digest });
});
