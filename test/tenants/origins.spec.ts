import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/base/platform/index.js';
import { Origins } from '../../src/base/tenants/index.js';
import { freshDatabase } from '../support/database.js';
import {
  createTestTenant,
  problemOf,
  testHouse,
  type TestTenant,
  valueOf,
} from '../support/tenants.js';

const house = testHouse({ quiet: true });
const { origins, tenants } = house.rooms;

const freshOrigin = (): string => `https://${randomUUID()}.example`;
const add = (tenant: TestTenant, origin: string, primary = false) =>
  origins.add(tenant.context(), { origin, primary });
const hostOf = (origin: string): string => new URL(origin).host;

describe('an origin', () => {
  it('leads from its host to its tenant until it is retired', async () => {
    const tenant = await createTestTenant(house);
    const origin = freshOrigin();
    const host = hostOf(origin);
    expect(problemOf(await origins.tenantByHost(host)).code).toBe('misdirected_request');
    valueOf(await add(tenant, origin));
    expect(valueOf(await origins.tenantByHost(host))).toBe(tenant.tenantId);
    expect(valueOf(await origins.tenantByHost(`${host.toUpperCase()}:443`))).toBe(tenant.tenantId);
    valueOf(await origins.retire(tenant.context(), origin));
    valueOf(await origins.retire(tenant.context(), origin));
    expect(problemOf(await origins.tenantByHost(host)).code).toBe('misdirected_request');
    const other = await createTestTenant(house);
    valueOf(await add(other, origin));
    expect(valueOf(await origins.tenantByHost(host))).toBe(other.tenantId);
  });

  it('is one tenant’s only, also when two ask at the same moment', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    const origin = freshOrigin();
    const outcomes = await Promise.all([add(ours, origin), add(theirs, origin)]);
    const lost = outcomes.filter((outcome) => !outcome.ok);
    expect(lost).toHaveLength(1);
    expect(lost[0]).toMatchObject({ error: { code: 'conflict', field: '/origin' } });
    const late = outcomes[0]?.ok === true ? theirs : ours;
    expect(problemOf(await add(late, origin)).code).toBe('conflict');
  });

  it('is refused by the unique index when another tenant took it right after the look', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    const origin = freshOrigin();
    valueOf(await add(theirs, origin));
    let looks = 0;
    const blindAtFirst: Queryable = {
      query: (text, values) =>
        house.database.query(text, (looks += 1) === 1 ? ['nobody.example'] : values),
    };
    const { writer } = house;
    const late = new Origins({ database: blindAtFirst, writer, loopbackAllowed: true });
    const answer = await late.add(ours.context(), { origin, primary: false });
    expect(problemOf(answer)).toMatchObject({ code: 'conflict', field: '/origin' });
    expect(valueOf(await origins.tenantByHost(hostOf(origin)))).toBe(theirs.tenantId);
  });

  it('has one primary: the first, until another is made it', async () => {
    const tenant = await createTestTenant(house);
    const [first, second] = [freshOrigin(), freshOrigin()];
    expect(valueOf(await add(tenant, first))).toEqual([{ origin: first, primary: true }]);
    valueOf(await add(tenant, second));
    const retireFirst = () => origins.retire(tenant.context(), first);
    expect(problemOf(await retireFirst()).code).toBe('conflict');
    expect(valueOf(await add(tenant, second, true))).toEqual([
      { origin: second, primary: true },
      { origin: first, primary: false },
    ]);
    valueOf(await retireFirst());
    valueOf(await origins.retire(tenant.context(), second));
    expect(valueOf(await tenants.get(tenant.tenantId)).primaryOrigin).toBeNull();
    expect(await origins.list(tenant.tenantId)).toEqual([]);
  });

  it('cannot be retired by another tenant', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    const origin = freshOrigin();
    valueOf(await add(ours, origin));
    expect(problemOf(await origins.retire(theirs.context(), origin)).code).toBe('not_found');
  });
});

describe('loopback names', () => {
  it('belong to a test tenant whatever the port, and to nobody once there is a public URL', async () => {
    const database = await freshDatabase();
    const local = testHouse({ database, quiet: true });
    const published = testHouse({ database, quiet: true, publicBaseUrl: 'https://pay.example' });
    const tenant = await createTestTenant(local);
    for (const origin of ['http://localhost', 'http://127.0.0.1']) {
      valueOf(await local.rooms.origins.add(tenant.context(), { origin, primary: false }));
    }
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:39999']) {
      expect(valueOf(await local.rooms.origins.tenantByHost(host))).toBe(tenant.tenantId);
      const answer = await published.rooms.origins.tenantByHost(host);
      expect(problemOf(answer).code).toBe('misdirected_request');
    }
    const origin = 'http://localhost:1';
    const refused = await published.rooms.origins.add(tenant.context(), { origin, primary: false });
    expect(problemOf(refused).code).toBe('validation_failed');
  });

  it('are refused for a live tenant', async () => {
    const live = await createTestTenant(house, { world: 'live' });
    expect(problemOf(await add(live, 'http://localhost:7777')).code).toBe('validation_failed');
  });
});
