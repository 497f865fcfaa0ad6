import { describe, expect, it } from 'vitest';
import { openDesk } from './desk.js';

const desk = await openDesk();

describe('tenants of the authority', () => {
  it('registers a tenant once and answers the same again', async () => {
    const tenantId = await desk.tenant('test', '2026-01-01T00:00:00.000Z');
    const again = await desk.call('POST', '/v1/tenants', {
      tenant_id: tenantId,
      world: 'test',
      test_clock_at: '2026-01-01T00:00:00.000Z',
    });
    expect(again).toMatchObject({
      status: 200,
      body: { tenant_id: tenantId, world: 'test', now: '2026-01-01T00:00:00.000Z' },
    });
    expect(await desk.entryCount(tenantId)).toBe(2);
  });

  it('refuses another world, another service and its own tenant', async () => {
    const tenantId = await desk.tenant();
    for (const [body, service] of [
      [{ tenant_id: tenantId, world: 'live' }, 'arbiter'],
      [{ tenant_id: tenantId, world: 'test' }, 'stranger'],
      [{ tenant_id: 'tnt_authority', world: 'live' }, 'arbiter'],
    ] as const) {
      const refused = await desk.call('POST', '/v1/tenants', body, service);
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'conflict', field: '/tenant_id' },
      });
    }
    const other = await desk.call(
      'POST',
      `/v1/tenants/${tenantId}/slots`,
      { count: 1 },
      'stranger',
    );
    expect(other).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('forwards a test clock, never back, and no live one', async () => {
    const tenantId = await desk.tenant('test', '2026-01-01T00:00:00.000Z');
    const move = (now: string, of = tenantId) =>
      desk.call('POST', `/v1/tenants/${of}/clock`, { now });
    expect(await move('2026-02-01T00:00:00Z')).toMatchObject({
      status: 200,
      body: { now: '2026-02-01T00:00:00.000Z' },
    });
    const count = await desk.entryCount(tenantId);
    expect(await move('2026-01-15T00:00:00.000Z')).toMatchObject({
      status: 200,
      body: { now: '2026-02-01T00:00:00.000Z' },
    });
    expect(await desk.entryCount(tenantId)).toBe(count);
    const live = await desk.tenant('live');
    expect(await move('2027-02-01T00:00:00Z', live)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });
});

describe('slots', () => {
  it('never hands out a place twice, whoever asks at once', async () => {
    const tenantId = await desk.tenant();
    const taken = await Promise.all(
      [500, 1, 500, 7, 500].map((count) => desk.slots(tenantId, count)),
    );
    const places = taken.flat().map(({ uri, idx }) => `${uri} ${idx}`);
    expect(new Set(places).size).toBe(1_508);
    expect(places[0]).toMatch(new RegExp(`^${desk.origin}/status/${tenantId}/1 \\d+$`));
    expect(await desk.differences(tenantId)).toEqual([]);
  });
});
