import { beforeAll, describe, expect, it } from 'vitest';
import { err, problem } from '../../src/core/kernel/index.js';
import type { Checkpoints } from '../../src/base/history/index.js';
import { EXPORTS_RUNNING_MAX, LedgerExports } from '../../src/base/history/export/exports.js';
import { EXPORTS_KEPT_MAX } from '../../src/base/history/export/fronts.store.js';
import {
  PAGE_BYTES_MAX,
  PAGE_ROWS_MAX,
} from '../../src/base/history/export/exported-rows.store.js';
import type { Queryable } from '../../src/base/platform/index.js';
import {
  createTestTenant,
  problemOf,
  testHouse,
  type TestHouse,
  type TestTenant,
  valueOf,
} from '../support/tenants.js';
import { fill, fillLedger, verdictsOf } from './exporting.js';

let house: TestHouse;
beforeAll(() => {
  house = testHouse();
});

const away = problem('unavailable', 'The signing key does not open.', { fix: 'Wait.' });

/** Checkpoints that cannot be made. */
const noCheckpoints: Checkpoints = {
  make: () => Promise.resolve(err(away)),
  newest: () => Promise.resolve(null),
  newestWitnessed: () => Promise.resolve(null),
  listWitnessed: () => Promise.reject(new Error('no table')),
  originOf: () => Promise.resolve(null),
  logKey: () => Promise.resolve(err(away)),
  logKeys: () => Promise.resolve([]),
};

interface Counted {
  readonly database: Queryable;
  /** Rows and bytes of bodies of each page of entries that was read, in order. */
  readonly pages: { rows: number; bytes: number }[];
}

function counted(): Counted {
  const pages: Counted['pages'] = [];
  const database: Queryable = {
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const answer = await house.database.query<Row>(text, values);
      if (text.includes('bytes_before')) {
        const bodies = answer.rows as unknown as readonly { readonly body: string }[];
        const bytes = bodies.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
        pages.push({ rows: bodies.length, bytes });
      }
      return answer;
    },
  };
  return { database, pages };
}

function exportsOn(database: Queryable): { exports: LedgerExports; errors: string[] } {
  const errors: string[] = [];
  const exports = new LedgerExports({
    database,
    writer: house.writer,
    checkpoints: noCheckpoints,
    witnessing: { selfWitnesses: () => Promise.resolve([]) },
    log: { error: (message) => errors.push(message) },
  });
  return { exports, errors };
}

async function textOf(exports: LedgerExports, tenant: TestTenant): Promise<string> {
  const fixed = valueOf(await exports.begin(tenant.context(), 'jsonl'));
  const part = { afterSeq: null, throughSeq: fixed.header.head.seq };
  const chunks: Buffer[] = [];
  for await (const chunk of valueOf(exports.read(fixed, part))) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function sealedTenant(entryCount: number): Promise<TestTenant> {
  const tenant = await createTestTenant(house);
  await house.rooms.ledgerSettings.switchSealing(tenant.context(), true);
  await fillLedger(house, tenant, entryCount);
  return tenant;
}

it('without a checkpoint it is the ledger all the same, and the log says so', async () => {
  const tenant = await sealedTenant(3);
  const { exports, errors } = exportsOn(house.database);
  const text = await textOf(exports, tenant);
  expect(text).toContain('"origin":null');
  expect(text).not.toContain('"kind":"anchor"');
  expect(errors).toEqual(Array(2).fill('An export goes without signed heads'));
  for (const { exit, answer } of verdictsOf(text)) expect([exit, answer.break]).toEqual([0, null]);
});

describe('a long ledger', () => {
  it('is read in pages, and no further than the reader has come', async () => {
    const tenant = await sealedTenant(20_000);
    const { database, pages } = counted();
    const { exports } = exportsOn(database);
    const fixed = valueOf(await exports.begin(tenant.context(), 'jsonl'));
    const whole = { afterSeq: null, throughSeq: fixed.header.head.seq };
    const bytes = valueOf(exports.read(fixed, whole));
    const reader = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let read = 0;
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
      read += next.value.length;
      const held = pages.reduce((sum, page) => sum + page.bytes, 0) - read;
      // The page that waits to be taken, and the one that is read behind it.
      expect(held).toBeLessThan(2 * Math.max(1, ...pages.map((page) => page.bytes)));
    }
    expect(pages.length).toBe(Math.ceil((fixed.header.head.seq + 1) / PAGE_ROWS_MAX));
    expect(Math.max(...pages.map(({ rows }) => rows))).toBe(PAGE_ROWS_MAX);
  });

  it('of long entries is read in smaller pages', async () => {
    const tenant = await createTestTenant(house);
    const { writer } = house;
    for (let turn = 0; turn < 30; turn += 1)
      valueOf(await writer.execute(fill(tenant, 1, 'x'.repeat(200_000))));
    const { database, pages } = counted();
    const text = await textOf(exportsOn(database).exports, tenant);
    expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThan(PAGE_BYTES_MAX + 262_144);
    expect(pages.length).toBeGreaterThan(4);
    for (const { exit } of verdictsOf(text)) expect(exit).toBe(0);
  });

  it('that nobody reads on is not read on', async () => {
    const tenant = await sealedTenant(5_000);
    const { database, pages } = counted();
    const { exports } = exportsOn(database);
    const fixed = valueOf(await exports.begin(tenant.context(), 'jsonl'));
    const whole = { afterSeq: null, throughSeq: fixed.header.head.seq };
    const bytes = valueOf(exports.read(fixed, whole));
    await (bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>).next();
    const closed = new Promise((resolve) => bytes.once('close', resolve));
    bytes.destroy();
    await closed;
    // One page may have been on its way.
    expect(pages.length).toBeLessThanOrEqual(2);
  });
});

it('of one tenant only so many are read at once; one that ends makes room', async () => {
  const [tenant, other] = [await sealedTenant(1), await sealedTenant(1)];
  const { exports } = exportsOn(house.database);
  const fixed = valueOf(await exports.begin(tenant.context(), 'jsonl'));
  const whole = { afterSeq: null, throughSeq: fixed.header.head.seq };
  const open = Array.from({ length: EXPORTS_RUNNING_MAX }, () =>
    valueOf(exports.read(fixed, whole)),
  );
  expect(problemOf(exports.read(fixed, whole)).code).toBe('rate_limited');
  const before = await house.rooms.ledgerSettings.head(tenant.tenantId);
  expect(problemOf(await exports.begin(tenant.context(), 'jsonl')).code).toBe('rate_limited');
  expect(await house.rooms.ledgerSettings.head(tenant.tenantId)).toEqual(before);
  valueOf(await exports.begin(other.context(), 'jsonl'));
  const closed = new Promise((resolve) => open[0]?.once('close', resolve));
  open[0]?.destroy();
  await closed;
  valueOf(exports.read(fixed, whole)).destroy();
  for (const stream of open) stream.destroy();
});

it('the newest hundred can be asked for again, and older ones hold no place', async () => {
  const tenant = await sealedTenant(1);
  const { exports } = exportsOn(house.database);
  const ids: string[] = [];
  for (let count = 0; count <= EXPORTS_KEPT_MAX; count += 1)
    ids.push(valueOf(await exports.begin(tenant.context(), 'jsonl')).exportId);
  const [oldest = '', second = ''] = ids;
  expect(problemOf(await exports.find(tenant.tenantId, oldest)).code).toBe('not_found');
  expect(valueOf(await exports.find(tenant.tenantId, second)).exportId).toBe(second);
  const { rows } = await house.database.query(
    'SELECT export_id FROM ledger_export_fronts WHERE tenant_id = $1',
    [tenant.tenantId],
  );
  expect(rows).toHaveLength(EXPORTS_KEPT_MAX);
});

it('is given whole although an old one cannot be let go: the log says so', async () => {
  const tenant = await sealedTenant(2);
  const database: Queryable = {
    query: (text, values) =>
      text.startsWith('DELETE')
        ? Promise.reject(new Error('no table'))
        : house.database.query(text, values),
  };
  const { exports, errors } = exportsOn(database);
  const text = await textOf(exports, tenant);
  for (const { exit } of verdictsOf(text)) expect(exit).toBe(0);
  expect(errors.filter((line) => line.startsWith('Old exports'))).toHaveLength(1);
});

it('an entry that was damaged is exported as it stands', async () => {
  const tenant = await sealedTenant(3);
  const pool = house.database;
  await pool.query('ALTER TABLE entries DISABLE TRIGGER entries_immutable');
  await pool.query(`UPDATE entries SET body = '{"no json' WHERE tenant_id = $1 AND seq = 4`, [
    tenant.tenantId,
  ]);
  await pool.query('ALTER TABLE entries ENABLE TRIGGER entries_immutable');
  const text = await textOf(exportsOn(house.database).exports, tenant);
  for (const { exit, answer } of verdictsOf(text))
    expect([exit, answer.break, answer.seq]).toEqual([1, 'link_hash', 4]);
});
