import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainStart, GENESIS_PREV, verifyRun } from '../../src/core/chain/index.js';
import { ok } from '../../src/core/kernel/index.js';
import { type LedgerWriter, switchSealing } from '../../src/base/ledger/index.js';
import { storedEntryOf } from '../../src/base/ledger/entries.store.js';
import type { TestDatabase } from '../support/database.js';
import { add, contextOf, newTenant, opening, toyDatabase, toyWriter } from './toy.js';

let database: TestDatabase;
let writer: LedgerWriter;

beforeAll(async () => {
  database = await toyDatabase();
  ({ writer } = toyWriter(database.connectionString));
});
afterAll(() => writer.close());

async function ledgerOf(tenantId: string) {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'SELECT *, tx_id::text AS tx_id FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  return rows.map(storedEntryOf);
}

async function verified(tenantId: `tnt_${string}`) {
  const entries = await ledgerOf(tenantId);
  const result = verifyRun(chainStart(tenantId), entries, (kid) =>
    writer.sealer.keyOf(tenantId, kid),
  );
  return { entries, result };
}

describe('sealing', () => {
  it('that is on at birth seals entry 0', async () => {
    const tenantId = newTenant();
    await writer.open(opening(tenantId, { sealingKid: 'k1' }));
    await Promise.all(Array.from({ length: 20 }, () => writer.execute(add(tenantId))));
    const { entries, result } = await verified(tenantId);
    expect(entries[0]).toMatchObject({ seq: 0, kid: 'k1', prev: GENESIS_PREV });
    expect(result).toMatchObject({ ok: true, value: { sealedCount: 21, unsealedCount: 0 } });
  });

  it('switched on, to another key, off and on again in the middle of batches leaves one chain', async () => {
    const tenantId = newTenant();
    await writer.open(opening(tenantId));
    const context = () => contextOf(tenantId);
    const results = await Promise.all([
      writer.execute(add(tenantId)),
      writer.execute(switchSealing(context(), 'k1')),
      writer.execute(add(tenantId)),
      writer.execute(switchSealing(context(), 'k2')),
      writer.execute(add(tenantId)),
      writer.execute(switchSealing(context(), null)),
      writer.execute(add(tenantId)),
      writer.execute(switchSealing(context(), 'k2')),
    ]);
    expect(results[1]).toEqual(ok({ seq: 2, kid: 'k1' }));
    const { entries, result } = await verified(tenantId);
    expect(entries.map(({ kid }) => kid)).toEqual([
      null,
      null,
      'k1',
      'k1',
      'k2',
      'k2',
      'k2',
      null,
      'k2',
    ]);
    expect(entries[2]?.prev).toBe(GENESIS_PREV);
    expect(entries[8]?.prev).toBe(entries[6]?.link);
    expect(result).toMatchObject({ ok: true, value: { sealedCount: 6, unsealedCount: 3 } });
    expect(entries[2]?.body).toContain('"data":{"entries_before":2,"kid":"k1","on":true}');
    const { rows } = await database.pool.query(
      'SELECT sealing_kid, sealing_since_seq FROM heads WHERE tenant_id = $1',
      [tenantId],
    );
    expect(rows).toEqual([{ sealing_kid: 'k2', sealing_since_seq: '8' }]);
  });

  it('that is so already is a conflict', async () => {
    const tenantId = newTenant();
    await writer.open(opening(tenantId));
    expect(await writer.execute(switchSealing(contextOf(tenantId), null))).toMatchObject({
      error: { code: 'conflict' },
    });
    await writer.execute(switchSealing(contextOf(tenantId), 'k1'));
    expect(await writer.execute(switchSealing(contextOf(tenantId), 'k1'))).toMatchObject({
      error: { code: 'conflict' },
    });
  });
});
