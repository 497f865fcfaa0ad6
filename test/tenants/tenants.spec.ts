import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TEST_CLOCK_AT_MS_MAX } from '../../src/base/tenants/index.js';
import { createTestTenant, problemOf, testHouse, valueOf } from '../support/tenants.js';

const house = testHouse({ quiet: true });
const { tenants, ledgerSettings } = house.rooms;

describe('a tenant', () => {
  it('begins with ledger.opened, tenant.created and its first administrator key', async () => {
    const tenant = await createTestTenant(house, { name: 'Acme' });
    const { rows } = await house.database.query<{ type: string }>(
      'SELECT type FROM entries WHERE tenant_id = $1 ORDER BY seq',
      [tenant.tenantId],
    );
    expect(rows.map((row) => row.type)).toEqual([
      'ledger.opened',
      'tenant.created',
      'api_key.created',
    ]);
    expect(valueOf(await tenants.get(tenant.tenantId))).toEqual({
      tenantId: tenant.tenantId,
      world: 'test',
      name: 'Acme',
      siblingTenantId: null,
      callerAssertedAllowed: false,
      primaryOrigin: null,
    });
  });

  it('is opened once: a second tenant with its id is a conflict', async () => {
    const { tenantId } = await createTestTenant(house);
    const again = await tenants.create(
      { actor: { role: 'platform_admin', id: 'key_platform' }, requestId: randomUUID() },
      { world: 'test', name: 'x', siblingTenantId: null, callerAssertedAllowed: false, tenantId },
    );
    expect(problemOf(again).code).toBe('conflict');
  });

  it('has a sibling in the other world only', async () => {
    const live = await createTestTenant(house, { world: 'live' });
    const test = await createTestTenant(house, { siblingTenantId: live.tenantId });
    expect(valueOf(await tenants.get(test.tenantId)).siblingTenantId).toBe(live.tenantId);
    await expect(createTestTenant(house, { siblingTenantId: test.tenantId })).rejects.toThrow(
      'sibling',
    );
    await expect(createTestTenant(house, { siblingTenantId: 'tnt_nobody' })).rejects.toThrow(
      'sibling',
    );
  });

  it('takes callers at their word in the test world only', async () => {
    const test = await createTestTenant(house);
    const allowed = await tenants.change(test.context(), { callerAssertedAllowed: true });
    expect(valueOf(allowed)).toMatchObject({ callerAssertedAllowed: true, name: 'a test tenant' });

    const live = await createTestTenant(house, { world: 'live' });
    const refused = problemOf(
      await tenants.change(live.context(), { callerAssertedAllowed: true }),
    );
    expect(refused).toMatchObject({
      code: 'validation_failed',
      field: '/caller_asserted_allowed',
    });
    await expect(
      createTestTenant(house, { world: 'live', callerAssertedAllowed: true }),
    ).rejects.toThrow('caller_asserted_allowed');
  });

  it('keeps its world, whatever a statement says', async () => {
    const { tenantId } = await createTestTenant(house);
    await expect(
      house.database.query(`UPDATE tenants SET world = 'live' WHERE tenant_id = $1`, [tenantId]),
    ).rejects.toThrow('never change');
    await expect(
      house.database.query('DELETE FROM tenants WHERE tenant_id = $1', [tenantId]),
    ).rejects.toThrow('refused');
  });
});

describe('the test clock', () => {
  it('moves forward, freezes commerce time, and never goes back', async () => {
    const tenant = await createTestTenant(house);
    const before = valueOf(await ledgerSettings.readClock(tenant.tenantId));
    expect(before.frozen).toBe(false);
    const to = before.nowMs + 86_400_000;
    expect(valueOf(await ledgerSettings.moveClock(tenant.context(), to))).toEqual({
      nowMs: to,
      frozen: true,
    });
    expect(valueOf(await ledgerSettings.readClock(tenant.tenantId)).nowMs).toBe(to);
    const back = problemOf(await ledgerSettings.moveClock(tenant.context(), to - 1));
    expect(back).toMatchObject({ code: 'validation_failed', field: '/now' });
    valueOf(await ledgerSettings.moveClock(tenant.context(), to));
    const beyond = TEST_CLOCK_AT_MS_MAX + 1;
    expect(problemOf(await ledgerSettings.moveClock(tenant.context(), beyond))).toMatchObject({
      code: 'validation_failed',
      field: '/now',
    });
    valueOf(await ledgerSettings.moveClock(tenant.context(), TEST_CLOCK_AT_MS_MAX));
  });

  it('does not exist in the live world', async () => {
    const live = await createTestTenant(house, { world: 'live' });
    const read = problemOf(await ledgerSettings.readClock(live.tenantId));
    expect(read.code).toBe('forbidden');
    const future = Date.now() + 86_400_000;
    expect(problemOf(await ledgerSettings.moveClock(live.context(), future)).code).toBe(
      'forbidden',
    );
    await expect(createTestTenant(house, { world: 'live', testClockAtMs: 0 })).rejects.toThrow(
      'test clock',
    );
  });

  it('with a seed makes agents that have the same id in every run', async () => {
    const ids = [];
    for (let run = 0; run < 2; run += 1) {
      const tenant = await createTestTenant(house, {
        idSeed: 'seed',
        testClockAtMs: 1_700_000_000_000,
      });
      const agent = valueOf(await house.rooms.agents.create(tenant.context(), 'an agent'));
      expect(agent.createdAtMs).toBe(1_700_000_000_000);
      ids.push(agent.agentId);
    }
    expect(ids[0]).toBe(ids[1]);
  });
});

describe('sealing', () => {
  it('starts off, is switched on with this very entry, and answers twice the same', async () => {
    const tenant = await createTestTenant(house);
    expect(valueOf(await ledgerSettings.head(tenant.tenantId))).toMatchObject({
      seq: 2,
      sealingKid: null,
      link: null,
    });
    const on = valueOf(await ledgerSettings.switchSealing(tenant.context(), true));
    expect(on).toMatchObject({ seq: 3, sealingKid: 'k1', sealingSinceSeq: 3 });
    expect(on.link).toMatch(/^[0-9a-f]{64}$/);
    expect(valueOf(await ledgerSettings.switchSealing(tenant.context(), true))).toEqual(on);
    const off = valueOf(await ledgerSettings.switchSealing(tenant.context(), false));
    expect(off).toMatchObject({ seq: 4, sealingKid: null });
  });

  it('is on from the first entry when asked for', async () => {
    const { tenantId } = await createTestTenant(house, { sealing: true });
    expect(valueOf(await ledgerSettings.head(tenantId))).toMatchObject({ sealingSinceSeq: 0 });
  });

  it('answers not_found for a tenant that does not exist', async () => {
    expect(problemOf(await ledgerSettings.head('tnt_nobody')).code).toBe('not_found');
    expect(problemOf(await ledgerSettings.readClock('tnt_nobody')).code).toBe('not_found');
  });
});
