import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { demoRooms, type DemoRooms } from '../../src/demo/demo-rooms.js';
import { FROZEN_AT_MS, ISSUERS, ISSUERS_SINCE_MS } from '../../src/demo/demo-world.js';
import { takeTour } from '../../src/demo/run-demo.js';
import { seedDemoTenant } from '../../src/demo/seed.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { freshDatabase } from '../support/database.js';
import { openShop, startTestService } from './shop.js';

let rooms: DemoRooms;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
  rooms = demoRooms(service.app);
});

it('seeding twice writes once', async () => {
  const shop = await openShop(service);
  const before = await shop.entryCount();
  const spec = {
    tenantId: shop.tenantId,
    name: 'again',
    frozenAtMs: FROZEN_AT_MS,
    isWitnessed: true,
  };
  const again = await seedDemoTenant(rooms, spec);
  expect(again.ok && again.value).toMatchObject({ agentId: shop.agentId, apiKeys: shop.apiKeys });
  expect(await shop.entryCount()).toBe(before);
});

it('a decision of a tenant with seeded ids follows from its place in the ledger', async () => {
  const shop = await openShop(service);
  const count = await shop.entryCount();
  const { body } = await shop.ask(ALLOWED_HANDOFF);
  const seeded = createHash('sha256').update(`${shop.tenantId}\narbdec\n${count}`).digest('hex');
  expect(body.decision_id).toBe(`arbdec_${seeded.slice(0, 12)}`);
});

it('demo issuers are refused in the live world', async () => {
  const by = { actor: { role: 'platform_admin', id: 'key_platform' }, requestId: 'r' } as const;
  const created = await rooms.tenants.create(by, {
    world: 'live',
    name: 'live',
    siblingTenantId: null,
    callerAssertedAllowed: false,
  });
  if (!created.ok) throw new Error(created.error.detail);
  const context = { tenantId: created.value.tenant.tenantId, ...by, idempotency: null };
  const { issuer, kid, jwk } = ISSUERS.facts;
  const key = {
    issuer,
    kid,
    role: 'fact_issuer',
    types: [],
    notBeforeAtMs: ISSUERS_SINCE_MS,
  } as const;
  const refused = await rooms.issuerKeys.add(context, { ...key, jwk });
  expect(refused.ok ? null : refused.error).toMatchObject({
    code: 'validation_failed',
    field: '/jwk',
  });
});

it('every step of the tour is as expected, and README.md counts them', async () => {
  const { connectionString } = await freshDatabase();
  const demo = await startTestService({
    DATABASE_URL: connectionString,
    SEED_DEMO: 'on',
    JOBS: 'on',
    AGENT_EXECUTED_PAYMENT_ENABLED: 'true',
  });
  const said: string[] = [];
  const exitCode = await takeTour(demo, (line) => said.push(line));
  expect(said.filter((line) => line.startsWith('FAIL'))).toEqual([]);
  expect(exitCode).toBe(0);
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\n${said.at(-1)}\n`);
});
