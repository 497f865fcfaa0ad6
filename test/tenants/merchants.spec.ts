import { describe, expect, it } from 'vitest';
import { limitsOf } from '../../src/base/tenants/index.js';
import {
  createTestMerchant,
  createTestTenant,
  problemOf,
  setTestLimits,
  TEST_LIMITS,
  testHouse,
  valueOf,
} from '../support/tenants.js';

const house = testHouse({ quiet: true });
const { merchants, agents } = house.rooms;
const first = { after: null, size: 50 } as const;

describe('a merchant', () => {
  it('starts with agent payment off and without limits', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    expect(valueOf(await merchants.get(tenant.admin, merchantId))).toEqual({
      merchantId,
      name: 'A shop',
      country: 'IN',
      rbiProfile: 'in-rbi-2026-04',
      rbiRails: ['upi_autopay'],
      agentPaymentEnabled: false,
      copiesRefusalsToReviewQueue: false,
      limitsVersion: null,
    });
    expect(problemOf(await merchants.currentLimits(tenant.admin, merchantId)).code).toBe(
      'not_found',
    );
  });

  it('answers conflict when the id is taken, and two at once make one', async () => {
    const tenant = await createTestTenant(house);
    const draft = { merchantId: 'm', name: 'x', country: 'IN', rbiProfile: null, rbiRails: null };
    const outcomes = await Promise.all([1, 2].map(() => merchants.create(tenant.context(), draft)));
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(problemOf(await merchants.create(tenant.context(), draft)).code).toBe('conflict');
  });

  it('changes the named members only, each change an entry', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    const change = (change: object) =>
      merchants.change(tenant.context(), tenant.admin, { merchantId, change });
    expect(valueOf(await change({ name: 'Other' }))).toMatchObject({
      name: 'Other',
      country: 'IN',
    });
    expect(valueOf(await change({ rbiRails: ['card_once'] })).rbiRails).toEqual(['card_once']);
    expect(valueOf(await change({ rbiProfile: null })).rbiRails).toEqual([]);
    expect(valueOf(await change({ rbiProfile: 'in-rbi-2026-04' })).rbiRails).toEqual([
      'upi_autopay',
    ]);
    expect(problemOf(await change({ rbiProfile: 'none' })).field).toBe('/rbi_profile');
    valueOf(await change({ country: 'DE', rbiProfile: 'none' }));
    expect(problemOf(await change({ country: 'IN' })).field).toBe('/rbi_profile');
    const on = { merchantId, enabled: true };
    valueOf(await merchants.switchAgentPayment(tenant.context(), tenant.admin, on));
    valueOf(await merchants.switchAgentPayment(tenant.context(), tenant.admin, on));
    const { rows } = await house.database.query<{ type: string }>(
      'SELECT type FROM entries WHERE tenant_id = $1 AND seq > 3 ORDER BY seq',
      [tenant.tenantId],
    );
    expect(rows.map((row) => row.type)).toEqual([
      ...Array<string>(5).fill('merchant.changed'),
      'merchant.agent_payment_switched',
    ]);
    expect(valueOf(await merchants.get(tenant.admin, merchantId)).agentPaymentEnabled).toBe(true);
  });

  it('of another tenant, or outside a key’s binding, is not found by any use case', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    const merchantId = await createTestMerchant(house, ours);
    await createTestMerchant(house, ours, { merchantId: 'other' });
    await setTestLimits(house, ours, { merchantId });
    const bound = { ...ours.admin, merchantIds: ['other'] };
    for (const [tenant, reader] of [
      [theirs, theirs.admin],
      [ours, bound],
    ] as const) {
      const answers = [
        await merchants.get(reader, merchantId),
        await merchants.change(tenant.context(), reader, { merchantId, change: { name: 'x' } }),
        await merchants.switchAgentPayment(tenant.context(), reader, { merchantId, enabled: true }),
        await merchants.setLimits(tenant.context(), reader, { merchantId, limits: TEST_LIMITS }),
        await merchants.currentLimits(reader, merchantId),
        await merchants.limitsVersion(reader, { merchantId, version: 1 }),
        await merchants.listLimits(reader, merchantId, first),
      ];
      for (const answer of answers) expect(problemOf(answer).code).toBe('not_found');
    }
    const listed = await merchants.list(bound, first);
    expect(listed.items.map((merchant) => merchant.merchantId)).toEqual(['other']);
    expect((await merchants.list(theirs.admin, first)).items).toEqual([]);
  });

  it('is listed in pages', async () => {
    const tenant = await createTestTenant(house);
    for (const merchantId of ['c', 'a', 'b']) {
      await createTestMerchant(house, tenant, { merchantId });
    }
    const page = await merchants.list(tenant.admin, { after: null, size: 2 });
    expect(page.items.map((merchant) => merchant.merchantId)).toEqual(['a', 'b']);
    const last = await merchants.list(tenant.admin, { after: page.next, size: 2 });
    expect(last).toMatchObject({ items: [{ merchantId: 'c' }], next: null });
  });
});

describe('limits', () => {
  it('get a version each, and every version stays readable', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    expect(await setTestLimits(house, tenant, { merchantId })).toBe(1);
    const lower = { ...TEST_LIMITS, itemsMax: 7 };
    expect(await setTestLimits(house, tenant, { merchantId, limits: lower })).toBe(2);
    const current = valueOf(await merchants.currentLimits(tenant.admin, merchantId));
    expect(current.limits).toEqual({ version: 2, ...lower });
    const name = { merchantId, version: 1 };
    const old = valueOf(await merchants.limitsVersion(tenant.admin, name));
    expect(old.limits).toEqual({ version: 1, ...TEST_LIMITS });
    const listed = valueOf(
      await merchants.listLimits(tenant.admin, merchantId, { after: null, size: 1 }),
    );
    expect(listed).toMatchObject({ items: [{ limits: { version: 2 } }], next: 2 });
    expect(valueOf(await merchants.get(tenant.admin, merchantId)).limitsVersion).toBe(2);
  });

  it('set at the same moment get versions without a gap', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    const versions = await Promise.all(
      Array.from({ length: 8 }, () => setTestLimits(house, tenant, { merchantId })),
    );
    expect(versions.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('that cannot be meant write nothing', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    const away = TEST_LIMITS.notPresent;
    const limits = {
      ...TEST_LIMITS,
      notPresent:
        away === null ? null : { ...away, orderMaxMinor: 5_000_001n, dailyMaxMinor: null },
    };
    const set = await merchants.setLimits(tenant.context(), tenant.admin, { merchantId, limits });
    expect(problemOf(set)).toMatchObject({
      code: 'validation_failed',
      field: '/not_present/order_max_minor',
    });
    expect(valueOf(await merchants.get(tenant.admin, merchantId)).limitsVersion).toBeNull();
  });

  it('are never updated or deleted, whatever a statement says', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    await setTestLimits(house, tenant, { merchantId });
    for (const statement of [
      `UPDATE merchant_limits SET limits = '{}' WHERE tenant_id = $1`,
      'DELETE FROM merchant_limits WHERE tenant_id = $1',
    ]) {
      await expect(house.database.query(statement, [tenant.tenantId])).rejects.toThrow('refused');
    }
    // Nor slipped in: a row without an entry of its own transaction does not commit.
    await expect(
      house.database.query(
        `INSERT INTO merchant_limits (tenant_id, merchant_id, version, limits, set_at_ms, entry_seq)
         VALUES ($1, $2, 99, '{}', 0, 0)`,
        [tenant.tenantId, merchantId],
      ),
    ).rejects.toThrow('merchant_limits_from_entry');
  });

  it('are read by rules as they were set', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    await setTestLimits(house, tenant, { merchantId });
    const { rows } = await house.database.query<{ limits: string }>(
      'SELECT limits FROM merchant_limits_current WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    const limits = JSON.parse(rows[0]?.limits ?? '') as Parameters<typeof limitsOf>[0]['limits'];
    expect(limitsOf({ limits })).toEqual({ version: 1, ...TEST_LIMITS });
  });
});

describe('an agent', () => {
  it('is created, listed, suspended and resumed; twice is once', async () => {
    const tenant = await createTestTenant(house);
    const agent = valueOf(await agents.create(tenant.context(), 'Buyer bot'));
    expect(agent).toMatchObject({ name: 'Buyer bot', suspended: false });
    expect(agent.agentId).toMatch(/^agt_[0-9a-f]{32}$/);
    const change = (suspended: boolean) =>
      agents.switch(tenant.context(), { agentId: agent.agentId, suspended });
    for (const suspended of [true, true, false, false]) {
      expect(valueOf(await change(suspended)).suspended).toBe(suspended);
    }
    const { rows } = await house.database.query<{ type: string }>(
      'SELECT type FROM entries WHERE tenant_id = $1 AND seq > 2 ORDER BY seq',
      [tenant.tenantId],
    );
    expect(rows.map((row) => row.type)).toEqual([
      'agent.created',
      'agent.suspended',
      'agent.resumed',
    ]);
    const stranger = await createTestTenant(house);
    expect(problemOf(await agents.get(stranger.tenantId, agent.agentId)).code).toBe('not_found');
    const foreign = await agents.switch(stranger.context(), {
      agentId: agent.agentId,
      suspended: true,
    });
    expect(problemOf(foreign).code).toBe('not_found');
  });
});
