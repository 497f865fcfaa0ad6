import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.js';
import { openDesk } from './desk.js';
import { headerOf, readList, revoke, verified } from './forest.js';

// A database of its own: whoever verifies on the shared one would have to look for new keys.
const desk = await openDesk({}, (await freshDatabase()).connectionString);

describe('a key is rotated', () => {
  it('keeps the bytes of a record when the key was rotated meanwhile', async () => {
    const tenantId = await desk.tenant();
    const slots = await desk.slots(tenantId, 2);
    const first = await revoke(desk, tenantId, { slot: slots[0] });
    const [record] = first.body.revocations as [string];
    const rotated = await desk.call(
      'POST',
      '/v1/keys/rotations',
      { purpose: 'revocation', overlap_seconds: 7 * 24 * 3600 },
      'operator',
    );
    expect(rotated.status).toBe(200);
    const again = await revoke(desk, tenantId, { slot: slots[0] });
    expect(again.body.revocations).toEqual([record]);
    await verified(desk, record, 'revocation');
    const second = await revoke(desk, tenantId, { slot: slots[1] });
    await verified(desk, second.body.revocations[0], 'revocation');
    expect(headerOf(second.body.revocations[0])['kid']).toBe(rotated.body.kid);
    expect(headerOf(record)['kid']).not.toBe(rotated.body.kid);
  });
  it('verifies through a rotation of its key', async () => {
    const tenantId = await desk.tenant('test', '2026-03-01T10:00:00.000Z');
    const [slot] = (await desk.slots(tenantId, 1)) as [{ uri: string; idx: number }];
    const before = (await readList(desk, slot.uri)).answer.text;
    const rotated = await desk.call(
      'POST',
      '/v1/keys/rotations',
      { purpose: 'status_list', overlap_seconds: 7 * 24 * 3600 },
      'operator',
    );
    await desk.call('POST', `/v1/tenants/${tenantId}/clock`, { now: '2026-03-01T10:01:00.000Z' });
    const after = (await readList(desk, slot.uri)).answer.text;
    expect(headerOf(after)['kid']).toBe(rotated.body.kid);
    await verified(desk, before, 'status_list');
  });

  it('lets only the operator rotate, within the bounds of the overlap', async () => {
    const rotate = (body: object, service: 'arbiter' | 'operator') =>
      desk.call('POST', '/v1/keys/rotations', body, service);
    const week = { purpose: 'witness', overlap_seconds: 7 * 24 * 3600 };
    expect((await rotate(week, 'arbiter')).status).toBe(403);
    expect((await rotate({ ...week, overlap_seconds: 60 }, 'operator')).status).toBe(400);
    expect((await rotate({ ...week, purpose: 'ucp' }, 'operator')).status).toBe(400);
    expect((await rotate(week, 'operator')).status).toBe(200);
    expect(await desk.differences('tnt_authority')).toEqual([]);
  });
});
