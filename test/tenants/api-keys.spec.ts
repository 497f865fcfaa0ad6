import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ApiKeyId } from '../../src/core/kernel/index.js';
import { KNOWN_KEY_MS } from '../../src/base/tenants/index.js';
import {
  createTestAgent,
  createTestApiKey,
  createTestMerchant,
  createTestTenant,
  problemOf,
  type TestHouse,
  testHouse,
  valueOf,
} from '../support/tenants.js';

const house = testHouse({ quiet: true });
const { apiKeys, authenticator, agents } = house.rooms;

const idOf = (apiKey: string): ApiKeyId => `key_${apiKey.split('_')[2]}`;
const works = async (apiKey: string, at: TestHouse = house): Promise<boolean> =>
  (await at.rooms.authenticator.authenticate(apiKey)).ok;

describe('an API key', () => {
  it('proves its principal: tenant, world, role, agent, merchants and scopes', async () => {
    const tenant = await createTestTenant(house);
    const merchantId = await createTestMerchant(house, tenant);
    const { agentId, apiKey } = await createTestAgent(house, tenant);
    expect(valueOf(await authenticator.authenticate(tenant.adminApiKey))).toEqual(tenant.admin);
    expect(valueOf(await authenticator.authenticate(apiKey))).toMatchObject({
      role: 'agent',
      agentId,
    });
    const bound = await createTestApiKey(house, tenant, {
      role: 'merchant_system',
      merchantIds: [merchantId],
      scopes: ['decisions'],
    });
    expect(valueOf(await authenticator.authenticate(bound))).toMatchObject({
      merchantIds: [merchantId],
      scopes: ['decisions'],
      world: 'test',
    });
  });

  it('is stored as a digest of the whole key and nowhere in the database as itself', async () => {
    const tenant = await createTestTenant(house);
    const [, , , secret = ''] = tenant.adminApiKey.split('_');
    expect(secret).toHaveLength(64);
    const { rows } = await house.database.query<{ digest: string }>(
      'SELECT digest FROM api_keys WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    expect(rows[0]?.digest).toBe(createHash('sha256').update(tenant.adminApiKey).digest('hex'));
    const entries = await house.database.query<{ body: string }>(
      'SELECT body FROM entries WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    expect(JSON.stringify(entries.rows)).not.toContain(secret);
    expect(
      JSON.stringify(await apiKeys.list(tenant.tenantId, { after: null, size: 50 })),
    ).not.toMatch(new RegExp(`${secret}|${rows[0]?.digest}`));
  });

  it('is refused alike when it is malformed, unknown, changed, or of the other world', async () => {
    const { adminApiKey } = await createTestTenant(house);
    const last = adminApiKey.endsWith('0') ? '1' : '0';
    const refused = [];
    for (const apiKey of [
      'ak_test_short',
      `ak_test_${'0'.repeat(32)}_${'0'.repeat(64)}`,
      `${adminApiKey.slice(0, -1)}${last}`,
      adminApiKey.replace('ak_test_', 'ak_live_'),
      adminApiKey.toUpperCase(),
      `${adminApiKey} `,
    ]) {
      refused.push(problemOf(await authenticator.authenticate(apiKey)));
    }
    expect(refused[0]?.code).toBe('unauthenticated');
    for (const problem of refused) expect(problem).toEqual(refused[0]);
  });

  it('of the platform administrator belongs to no tenant', async () => {
    const principal = valueOf(await authenticator.authenticate(house.platformAdminKey));
    expect(principal).toMatchObject({ role: 'platform_admin', tenantId: 'tnt_none' });
    expect(await works(`${house.platformAdminKey}0`)).toBe(false);
  });

  it('ends at its end, to the millisecond', async () => {
    const tenant = await createTestTenant(house);
    const expiresAtMs = house.clock.nowMs + 60_000;
    const apiKey = await createTestApiKey(house, tenant, { role: 'auditor', expiresAtMs });
    house.clock.nowMs = expiresAtMs - 1;
    expect(await works(apiKey)).toBe(true);
    house.clock.nowMs = expiresAtMs;
    expect(await works(apiKey)).toBe(false);
  });
});

describe('creating a key', () => {
  const grant = {
    name: 'k',
    role: 'operator',
    scopes: null,
    merchantIds: null,
    agentId: null,
    expiresAtMs: null,
  } as const;

  it('answers validation_failed when role, agent, merchants or end do not fit', async () => {
    const tenant = await createTestTenant(house);
    const faults = [
      [{ ...grant, role: 'agent' }, '/agent_id'],
      [{ ...grant, agentId: 'agt_x' }, '/agent_id'],
      [{ ...grant, role: 'tenant_admin', merchantIds: ['m'] }, '/merchant_ids'],
      [{ ...grant, expiresAtMs: house.clock.nowMs }, '/expires_at'],
    ] as const;
    for (const [wrong, field] of faults) {
      const problem = problemOf(await apiKeys.create(tenant.context(), wrong));
      expect(problem).toMatchObject({ code: 'validation_failed', field });
    }
  });

  it('answers not_found for agents and merchants of another tenant', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    const { agentId } = await createTestAgent(house, theirs);
    const merchantId = await createTestMerchant(house, theirs, { merchantId: 'theirs' });
    const asAgent = await apiKeys.create(ours.context(), { ...grant, role: 'agent', agentId });
    expect(problemOf(asAgent)).toMatchObject({ code: 'not_found', field: '/agent_id' });
    const bound = await apiKeys.create(ours.context(), { ...grant, merchantIds: [merchantId] });
    expect(problemOf(bound)).toMatchObject({ code: 'not_found', field: '/merchant_ids/0' });
  });

  it('shows the key once: a repeat under the same idempotency key has the id alone', async () => {
    const tenant = await createTestTenant(house);
    const claim = { scope: 's', key: 'k', requestHash: 'h' };
    const first = valueOf(await apiKeys.create(tenant.context(claim), grant));
    const again = valueOf(await apiKeys.create(tenant.context(claim), grant));
    expect(first.apiKey).toMatch(/^ak_test_/);
    expect(again).toEqual({ apiKeyId: first.apiKeyId, apiKey: null });
    const { items } = await apiKeys.list(tenant.tenantId, { after: null, size: 50 });
    expect(items).toHaveLength(2);
  });
});

describe('rotation', () => {
  it('gives a new key at once and ends the old one when the overlap is over, to the millisecond', async () => {
    const tenant = await createTestTenant(house);
    const old = await createTestApiKey(house, tenant, { role: 'operator', scopes: ['merchants'] });
    const rotatedAtMs = house.clock.nowMs;
    const rotated = valueOf(
      await apiKeys.rotate(tenant.context(), { apiKeyId: idOf(old), overlapSeconds: 90 }),
    );
    const successor = valueOf(await authenticator.authenticate(rotated.apiKey ?? ''));
    expect(successor).toMatchObject({ role: 'operator', scopes: ['merchants'] });
    house.clock.nowMs = rotatedAtMs + 89_999;
    expect(await works(old)).toBe(true);
    house.clock.nowMs = rotatedAtMs + 90_000;
    expect(await works(old)).toBe(false);
    expect(await works(rotated.apiKey ?? '')).toBe(true);
  });

  it('ends the old key at once without an overlap, and after 7 days when nothing is said', async () => {
    const tenant = await createTestTenant(house);
    const old = await createTestApiKey(house, tenant, { role: 'operator' });
    expect(await works(old)).toBe(true);
    valueOf(await apiKeys.rotate(tenant.context(), { apiKeyId: idOf(old), overlapSeconds: 0 }));
    expect(await works(old)).toBe(false);

    const other = await createTestApiKey(house, tenant, { role: 'operator' });
    valueOf(await apiKeys.rotate(tenant.context(), { apiKeyId: idOf(other) }));
    const row = valueOf(await apiKeys.get(tenant.tenantId, idOf(other)));
    expect(row.expiresAtMs).toBe(house.clock.nowMs + 7 * 86_400_000);
  });

  it('never lengthens a key: an earlier end stays, and the successor inherits it', async () => {
    const tenant = await createTestTenant(house);
    const expiresAtMs = house.clock.nowMs + 5_000;
    const old = await createTestApiKey(house, tenant, { role: 'operator', expiresAtMs });
    const rotated = valueOf(await apiKeys.rotate(tenant.context(), { apiKeyId: idOf(old) }));
    expect(valueOf(await apiKeys.get(tenant.tenantId, idOf(old))).expiresAtMs).toBe(expiresAtMs);
    const successor = valueOf(await apiKeys.get(tenant.tenantId, rotated.apiKeyId));
    expect(successor.expiresAtMs).toBe(expiresAtMs);
  });

  it('answers conflict for a key that was replaced or has ended, not_found for another tenant’s', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    const old = await createTestApiKey(house, ours, { role: 'operator' });
    const rotate = (apiKeyId: ApiKeyId, tenant = ours) =>
      apiKeys.rotate(tenant.context(), { apiKeyId });
    valueOf(await rotate(idOf(old)));
    expect(problemOf(await rotate(idOf(old))).code).toBe('conflict');
    expect(problemOf(await rotate(idOf(old), theirs)).code).toBe('not_found');
    const revoked = await createTestApiKey(house, ours, { role: 'operator' });
    valueOf(await apiKeys.revoke(ours.context(), idOf(revoked)));
    expect(problemOf(await rotate(idOf(revoked))).code).toBe('conflict');
  });
});

describe('revoking', () => {
  it('works at once in this process and within the cache’s life in another', async () => {
    const tenant = await createTestTenant(house);
    const apiKey = await createTestApiKey(house, tenant, { role: 'operator' });
    const other = testHouse({ quiet: true });
    other.clock.nowMs = house.clock.nowMs;
    expect([await works(apiKey), await works(apiKey, other)]).toEqual([true, true]);
    valueOf(await apiKeys.revoke(tenant.context(), idOf(apiKey)));
    expect(await works(apiKey)).toBe(false);
    other.clock.nowMs += KNOWN_KEY_MS - 1;
    expect(await works(apiKey, other)).toBe(true);
    other.clock.nowMs += 1;
    expect(await works(apiKey, other)).toBe(false);
  });

  it('twice is success; another tenant’s key is not found', async () => {
    const [ours, theirs] = [await createTestTenant(house), await createTestTenant(house)];
    const apiKey = await createTestApiKey(house, ours, { role: 'operator' });
    valueOf(await apiKeys.revoke(ours.context(), idOf(apiKey)));
    valueOf(await apiKeys.revoke(ours.context(), idOf(apiKey)));
    const foreign = await apiKeys.revoke(theirs.context(), idOf(apiKey));
    expect(problemOf(foreign).code).toBe('not_found');
  });

  it('never takes the last key that can make keys', async () => {
    const tenant = await createTestTenant(house);
    const revoke = (apiKeyId: ApiKeyId) => apiKeys.revoke(tenant.context(), apiKeyId);
    const first = tenant.admin.apiKeyId;
    expect(problemOf(await revoke(first)).code).toBe('conflict');
    // None of these can make keys for good: another role, narrowed scopes, an end that has come.
    await createTestApiKey(house, tenant, { role: 'operator' });
    await createTestApiKey(house, tenant, { role: 'tenant_admin', scopes: ['merchants'] });
    await createTestApiKey(house, tenant, { role: 'tenant_admin', scopes: ['api-keys'] });
    const soonMs = house.clock.nowMs + 60_000;
    await createTestApiKey(house, tenant, { role: 'tenant_admin', expiresAtMs: soonMs });
    const expiresAtMs = house.clock.nowMs + 1;
    await createTestApiKey(house, tenant, { role: 'tenant_admin', expiresAtMs });
    house.clock.nowMs += 1;
    expect(problemOf(await revoke(first)).code).toBe('conflict');
    const second = idOf(await createTestApiKey(house, tenant, { role: 'tenant_admin' }));
    valueOf(await revoke(first));
    expect(problemOf(await revoke(second)).code).toBe('conflict');
  });

  it('of two administrators by each other at the same moment leaves one', async () => {
    const tenant = await createTestTenant(house);
    const first = tenant.admin.apiKeyId;
    const second = idOf(await createTestApiKey(house, tenant, { role: 'tenant_admin' }));
    const outcomes = await Promise.all(
      [first, second].map((id) => apiKeys.revoke(tenant.context(), id)),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
  });
});

describe('a suspended agent', () => {
  it('cannot use any of its keys until it is resumed', async () => {
    const tenant = await createTestTenant(house);
    const { agentId, apiKey } = await createTestAgent(house, tenant);
    const second = await createTestApiKey(house, tenant, { role: 'agent', agentId });
    expect(await works(apiKey)).toBe(true);
    const suspended = await agents.switch(tenant.context(), { agentId, suspended: true });
    expect(valueOf(suspended).suspended).toBe(true);
    expect([await works(apiKey), await works(second)]).toEqual([false, false]);
    valueOf(await agents.switch(tenant.context(), { agentId, suspended: false }));
    expect(await works(apiKey)).toBe(true);
  });
});
