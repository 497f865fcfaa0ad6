import { beforeAll, describe, expect, it } from 'vitest';
import { err, problem } from '../../src/core/kernel/index.js';
import type { Checkpoints } from '../../src/base/history/index.js';
import { LedgerExports } from '../../src/base/history/export/exports.js';
import { EXPORTS_KEPT_MAX } from '../../src/base/history/export/fronts.store.js';
import { testDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  createTestTenant,
  problemOf,
  testHouse,
  type TestHouse,
  type TestTenant,
  valueOf,
} from '../support/tenants.js';
import { fillLedger, getAs, verdictsOf } from './exporting.js';

let house: TestHouse;
beforeAll(() => {
  house = testHouse();
});

const away = problem('unavailable', 'The signing key does not open.', { fix: 'Wait.' });

/** Exports of a house without checkpoints; `meanwhile` runs while one is being fixed. */
function exportsOf(meanwhile: () => Promise<void>): LedgerExports {
  const checkpoints: Checkpoints = {
    make: () => meanwhile().then(() => err(away)),
    newest: () => Promise.resolve(null),
    newestWitnessed: () => Promise.resolve(null),
    listWitnessed: () => Promise.resolve([]),
    originOf: () => Promise.resolve(null),
    logKey: () => Promise.resolve(err(away)),
    logKeys: () => Promise.resolve([]),
  };
  return new LedgerExports({
    ...{ database: house.database, writer: house.writer, checkpoints },
    witnessing: { selfWitnesses: () => Promise.resolve([]) },
    log: { error: () => undefined },
  });
}

async function displaceAll(tenant: TestTenant): Promise<void> {
  const others = exportsOf(() => Promise.resolve());
  for (let left = EXPORTS_KEPT_MAX; left > 0; left -= 1)
    valueOf(await others.begin(tenant.context(), 'jsonl'));
}

describe('an export that a hundred newer ones displace while it is fixed', () => {
  it('is refused when it begins, and its place is free again', async () => {
    const tenant = await createTestTenant(house);
    let isFirst = true;
    const exports = exportsOf(async () => {
      if (isFirst) await displaceAll(tenant);
      isFirst = false;
    });
    expect(problemOf(await exports.begin(tenant.context(), 'jsonl')).code).toBe('rate_limited');
    for (let index = 0; index < 20; index += 1)
      valueOf(await exports.begin(tenant.context(), 'jsonl'));
  });

  it('is not there when it is asked for again', async () => {
    const tenant = await createTestTenant(house);
    const { exportId } = valueOf(
      await exportsOf(() => Promise.resolve()).begin(tenant.context(), 'json'),
    );
    await house.database.query('DELETE FROM ledger_export_fronts WHERE tenant_id = $1', [
      tenant.tenantId,
    ]);
    const exports = exportsOf(() => displaceAll(tenant));
    expect(problemOf(await exports.find(tenant.tenantId, exportId)).code).toBe('not_found');
  });
});

describe('two hundred exports at once', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });

  it('are files that verify, or refused; who is refused has written nothing', async () => {
    const tenant = await createTestTenant(house, { sealing: true });
    await fillLedger(house, tenant, 300);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => getAs(service, tenant.adminApiKey, '/v1/ledger/export')),
    );
    const files = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ problem: told }) => told?.code === 'rate_limited');
    expect(files.length).toBeGreaterThan(0);
    expect(files.length + refused.length).toBe(answers.length);
    const { rows } = await testDatabase().pool.query<{ count: string }>(
      `SELECT count(*) FROM entries WHERE tenant_id = $1 AND type = 'ledger.exported'`,
      [tenant.tenantId],
    );
    expect(Number(rows[0]?.count)).toBe(files.length);
    for (const { text } of files.slice(-2))
      for (const { exit } of verdictsOf(text)) expect(exit).toBe(0);
  });
});
