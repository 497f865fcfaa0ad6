import { expect, it } from 'vitest';
import type { TenantId } from '../../src/core/kernel/index.js';
import type { Queryable } from '../../src/base/platform/index.js';
import { exportBytes } from '../../src/base/history/export/export-bytes.js';
import { PAGE_ROWS_MAX } from '../../src/base/history/export/exported-rows.store.js';
import { testDatabase } from '../support/database.js';
import { madeUpLedger } from './house.js';

/** Places of the rows that an export of this ledger holds, and how many each statement could have read. */
async function exported(tenantId: TenantId, headSeq: number) {
  const { pool } = testDatabase();
  const windows: number[] = [];
  const database = {
    query: (text: string, values: readonly unknown[]) => {
      if (text.includes('bytes_before')) windows.push(Number(values[2]) - Number(values[1]));
      return pool.query(text, [...values]);
    },
  } as unknown as Queryable;
  const header = {
    ...{ tenantId, exportedAt: '2026-11-30T09:30:00.000Z', origin: null, logKey: null },
    sealing: { enabled: false, sinceSeq: null, kids: [] },
    head: { seq: headSeq, hash: null },
    counts: { sealed: 0, unsealed: headSeq + 1 },
    selfWitnesses: [],
  };
  const fixed = { tenantId, exportId: 'exp_1', form: 'jsonl', header, anchors: [] } as const;
  let text = '';
  for await (const bytes of exportBytes(database, fixed, { afterSeq: null, throughSeq: headSeq }))
    text += bytes.toString('utf8');
  const lines = text.split('\n').slice(1, -2);
  return { windows, seqs: lines.map((line) => (JSON.parse(line) as { seq: number }).seq) };
}

const through = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

it('an export reads no further than a page, whatever the database knows of the table', async () => {
  const { pool } = testDatabase();
  const last = 3 * PAGE_ROWS_MAX;
  const unsealed = Array.from({ length: last + 1 }, () => false);
  const { tenantId } = await madeUpLedger(pool, unsealed);
  const { windows, seqs } = await exported(tenantId, last);
  expect(seqs).toEqual(through(0, last));
  expect(Math.max(...windows)).toBe(PAGE_ROWS_MAX);
});

it('what stands behind a hole that is longer than a page is exported too', async () => {
  const { pool } = testDatabase();
  const last = 3 * PAGE_ROWS_MAX;
  const unsealed = Array.from({ length: last + 1 }, () => false);
  const { tenantId } = await madeUpLedger(pool, unsealed);
  // As the owner of a database can.
  await pool.query('ALTER TABLE entries DISABLE TRIGGER entries_immutable');
  await pool.query('DELETE FROM entries WHERE tenant_id = $1 AND seq BETWEEN 2 AND $2', [
    tenantId,
    last - 2,
  ]);
  await pool.query('ALTER TABLE entries ENABLE TRIGGER entries_immutable');
  const { seqs } = await exported(tenantId, last);
  expect(seqs).toEqual([0, 1, last - 1, last]);
});
