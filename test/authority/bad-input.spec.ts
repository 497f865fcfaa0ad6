import { afterAll, describe, expect, it } from 'vitest';
import { openDesk } from './desk.js';
import { artifact, bind, mandate, revoke, sha256 } from './forest.js';

const desk = await openDesk();
const tenantId = await desk.tenant();
const [slot, rootSlot] = (await desk.slots(tenantId, 2)) as [
  { uri: string; idx: number },
  { uri: string; idx: number },
];
const root = mandate(rootSlot);
await bind(desk, tenantId, [root]);
const before = await desk.entryCount(tenantId);

afterAll(async () => {
  // Nothing of what stands above changed anything.
  expect(await desk.entryCount(tenantId)).toBe(before);
});

const base = `/v1/tenants/${tenantId}`;
const good = artifact(slot);
const revocation = {
  target: { kind: 'mandate', object_id: root.object_id },
  status: 'revoked',
  reason_code: 'recall',
  revoked_by: 'merchant',
};

describe('what a service sends wrong', () => {
  it.each<[string, string, string, unknown, number, string | null]>([
    ['no body', 'POST', `${base}/slots`, undefined, 400, ''],
    ['no JSON', 'POST', `${base}/slots`, '{', 400, null],
    ['a fraction', 'POST', `${base}/slots`, { count: 1.5 }, 400, '/count'],
    ['none', 'POST', `${base}/slots`, { count: 0 }, 400, '/count'],
    ['too many', 'POST', `${base}/slots`, { count: 501 }, 400, '/count'],
    ['more members', 'POST', `${base}/slots`, { count: 1, x: 1 }, 400, '/x'],
    ['no tenant id', 'POST', '/v1/tenants', { tenant_id: 'T', world: 'test' }, 400, '/tenant_id'],
    ['no world', 'POST', '/v1/tenants', { tenant_id: 'tnt_x', world: 'prod' }, 400, '/world'],
    [
      'a live clock',
      'POST',
      '/v1/tenants',
      { tenant_id: 'tnt_x', world: 'live', test_clock_at: '2026-01-01T00:00:00Z' },
      400,
      '/test_clock_at',
    ],
    ['no time', 'POST', `${base}/clock`, { now: '2026-13-01T00:00:00Z' }, 400, '/now'],
    ['the end of time', 'POST', `${base}/clock`, { now: '10000-01-01T00:00:00Z' }, 400, '/now'],
    ['no objects', 'POST', `${base}/objects`, { objects: [] }, 400, '/objects'],
    ['501 objects', 'POST', `${base}/objects`, { objects: Array(501).fill({}) }, 400, '/objects'],
    [
      'an unknown kind',
      'POST',
      `${base}/objects`,
      { objects: [{ ...good, kind: 'registration' }] },
      400,
      '/objects/0/kind',
    ],
    [
      'a place off the list',
      'POST',
      `${base}/objects`,
      { objects: [{ ...good, slot: { ...slot, idx: 131_072 } }] },
      400,
      '/objects/0/slot/idx',
    ],
    [
      'a short digest',
      'POST',
      `${base}/objects`,
      { objects: [{ ...good, sha256: 'ab' }] },
      400,
      '/objects/0/sha256',
    ],
    [
      'an id with a space',
      'POST',
      `${base}/objects`,
      { objects: [{ ...good, object_id: 'a b' }] },
      400,
      '/objects/0/object_id',
    ],
    [
      'a negative cap',
      'POST',
      `${base}/objects`,
      { objects: [mandate(slot, null, { cap: { amount: '-1', currency: 'INR' } })] },
      400,
      '/objects/0/mandate/cap/amount',
    ],
    [
      'an unknown currency',
      'POST',
      `${base}/objects`,
      { objects: [mandate(slot, null, { cap: { amount: '1', currency: 'XXX' } })] },
      400,
      '/objects/0/mandate/cap/currency',
    ],
    [
      'an end before its start',
      'POST',
      `${base}/objects`,
      { objects: [mandate(slot, null, { expires_at: '2026-01-01T00:00:00.000Z' })] },
      400,
      '/objects/0/mandate/expires_at',
    ],
    ['no artifact', 'POST', `${base}/artifacts`, { artifacts: [{ artifact_id: 'a' }] }, 422, null],
    ['no target', 'POST', `${base}/revocations`, { ...revocation, target: {} }, 400, null],
    [
      'two targets',
      'POST',
      `${base}/revocations`,
      { ...revocation, target: { ...revocation.target, slot } },
      400,
      null,
    ],
    [
      'an unknown id',
      'POST',
      `${base}/revocations`,
      { ...revocation, target: { kind: 'consent', object_id: 'nobody' } },
      404,
      '/target/object_id',
    ],
    [
      'an unknown slot',
      'POST',
      `${base}/revocations`,
      { ...revocation, target: { slot: { ...slot, idx: (slot.idx + 1) % 131_072 } } },
      404,
      '/target',
    ],
    [
      'a foreign list',
      'POST',
      `${base}/revocations`,
      { ...revocation, target: { slot: { uri: 'https://x.example/status/1', idx: 0 } } },
      404,
      '/target',
    ],
    [
      'an unknown status',
      'POST',
      `${base}/revocations`,
      { ...revocation, status: 'gone' },
      400,
      '/status',
    ],
    [
      'a reason of many words',
      'POST',
      `${base}/revocations`,
      { ...revocation, reason_code: 'because I say so' },
      400,
      '/reason_code',
    ],
    ['an unknown record', 'GET', `/revocations/${tenantId}/rev_nothing`, undefined, 404, null],
    ['an unknown path', 'GET', '/v1/nothing', undefined, 404, null],
    ['another method', 'DELETE', `${base}/slots`, undefined, 405, null],
  ])('%s', async (_name, ...[method, path, body, status, field]) => {
    const answer = await desk.call(method, path, body);
    expect(answer).toMatchObject({ status, body: { code: expect.any(String) } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    if (field !== null) expect(answer.body.field ?? '').toBe(field);
  });

  it('a body of 1.1 MiB', async () => {
    const answer = await desk.call('POST', `${base}/objects`, {
      objects: [{ ...good, lineage: 'x'.repeat(1_100 * 1024) }],
    });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  it('JSON nested a thousand deep, and a member twice over', async () => {
    const deep = `{"count":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    expect((await desk.call('POST', `${base}/slots`, deep)).status).toBe(400);
    expect((await desk.call('POST', `${base}/slots`, '{"__proto__":{"count":1}}')).status).toBe(
      400,
    );
  });

  it('no token, an unknown one, and the token of a stranger', async () => {
    for (const service of [null, 'stranger'] as const) {
      for (const [path, body] of [
        [`${base}/slots`, { count: 1 }],
        [`${base}/objects`, { objects: [good] }],
        [`${base}/artifacts`, { artifacts: [{}] }],
        [`${base}/revocations`, revocation],
        [`${base}/clock`, { now: '2036-01-01T00:00:00Z' }],
      ] as const) {
        const answer = await desk.call('POST', path, body, service);
        expect(answer.status).toBe(service === null ? 401 : 404);
      }
    }
    const unknown = await fetch(`${desk.url}${base}/slots`, {
      method: 'POST',
      headers: { authorization: `Bearer ${'z'.repeat(40)}`, 'content-type': 'application/json' },
      body: '{"count":1}',
    });
    expect(unknown.status).toBe(401);
  });

  it('a mandate beyond its parent beside good ones', async () => {
    const child = mandate(slot, root.object_id, { cap: { amount: '10001', currency: 'INR' } });
    expect((await bind(desk, tenantId, [child])).status).toBe(422);
    expect((await bind(desk, tenantId, [{ ...root, sha256: sha256('x') }])).status).toBe(409);
    expect(
      (await revoke(desk, tenantId, { kind: 'artifact', object_id: root.object_id })).status,
    ).toBe(404);
  });
});
