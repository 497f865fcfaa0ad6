import { describe, expect, it } from 'vitest';
import { openDesk } from './desk.js';
import {
  artifact,
  bind,
  drawnId,
  mandate,
  plain,
  revoke,
  sha256,
  type WireObject,
} from './forest.js';

const desk = await openDesk();

const slotsOf = async (count: number) => {
  const tenantId = await desk.tenant();
  return { tenantId, slots: await desk.slots(tenantId, count) };
};
const slotAt = <Item>(slots: readonly Item[], index: number): Item => {
  const slot = slots[index];
  if (slot === undefined) throw new Error('enough slots were reserved');
  return slot;
};

describe('binding objects', () => {
  it('binds 500 in one round and answers the same again without an entry', async () => {
    const { tenantId, slots } = await slotsOf(500);
    const objects = slots.map((slot) => artifact(slot));
    expect(await bind(desk, tenantId, objects)).toMatchObject({
      status: 200,
      body: { bound: 500 },
    });
    const count = await desk.entryCount(tenantId);
    expect(await bind(desk, tenantId, objects)).toMatchObject({
      status: 200,
      body: { bound: 500 },
    });
    expect(await desk.entryCount(tenantId)).toBe(count);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('binds all or none, and names the object and what is wrong with it', async () => {
    const { tenantId, slots } = await slotsOf(4);
    const good = artifact(slotAt(slots, 0));
    const root = mandate(slotAt(slots, 1));
    await bind(desk, tenantId, [good, root]);
    const stray = { uri: slotAt(slots, 0).uri, idx: 131_071 };
    const free = slotAt(slots, 2);
    const refusals: readonly [WireObject, number, string][] = [
      [artifact(stray), 404, '/objects/1/slot'],
      [artifact({ ...free, uri: 'urn:arbiter:status-list:1' }), 404, '/objects/1/slot'],
      [{ ...good, sha256: sha256('other') }, 409, '/objects/1/object_id'],
      [{ ...good, slot: free }, 409, '/objects/1/object_id'],
      [artifact(good.slot), 409, '/objects/1/slot'],
      [mandate(root.slot), 409, '/objects/1/slot'],
      [mandate(free, 'mnd_unknown'), 422, '/objects/1/mandate/parent_id'],
      [{ ...mandate(free), mandate: null }, 400, '/objects/1/mandate'],
      [{ ...good, artifact_type: null }, 400, '/objects/1/artifact_type'],
    ];
    const count = await desk.entryCount(tenantId);
    for (const [object, status, field] of refusals) {
      const refused = await bind(desk, tenantId, [artifact(slotAt(slots, 3)), object]);
      expect(refused).toMatchObject({ status, body: { field } });
    }
    expect(await desk.entryCount(tenantId)).toBe(count);
  });

  it('keeps a lineage of artifacts on its slot, whatever their ids', async () => {
    const { tenantId, slots } = await slotsOf(1);
    const first = artifact(slotAt(slots, 0));
    const renewed = artifact(slotAt(slots, 0), first.lineage);
    expect((await bind(desk, tenantId, [first])).status).toBe(200);
    expect((await bind(desk, tenantId, [renewed])).status).toBe(200);
    await revoke(desk, tenantId, { kind: 'artifact', object_id: first.object_id });
    const late = artifact(slotAt(slots, 0), first.lineage);
    expect(await bind(desk, tenantId, [late])).toMatchObject({
      status: 409,
      body: { field: '/objects/0/slot' },
    });
    expect((await bind(desk, tenantId, [first, renewed])).status).toBe(200);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it.each([
    ['mandate_kind', { mandate_kind: 'intent' }, '/mandate/mandate_kind'],
    ['another buyer', { subject_commitment: 'buyer-2' }, '/mandate/subject_commitment'],
    ['another agent', { agent_id: 'agt_2' }, '/mandate/agent_id'],
    ['another cart', { cart_hash: sha256('b') }, '/mandate/cart_hash'],
    ['another currency', { cap: { amount: '1', currency: 'USD' } }, '/mandate/cap/currency'],
    ['a greater cap', { cap: { amount: '10001', currency: 'INR' } }, '/mandate/cap/amount'],
    ['an earlier start', { not_before: '2025-12-31T23:59:59.999Z' }, '/mandate/not_before'],
    ['a later end', { expires_at: '2036-01-01T00:00:00.001Z' }, '/mandate/expires_at'],
  ])('refuses a child beyond its parent: %s', async (_name, terms, member) => {
    const { tenantId, slots } = await slotsOf(2);
    const whole = { mandate_kind: 'cart', cart_hash: sha256('a') };
    const root = mandate(slotAt(slots, 0), null, whole);
    expect((await bind(desk, tenantId, [root])).status).toBe(200);
    const within = mandate(slotAt(slots, 1), root.object_id, whole);
    const beyond = { ...within, mandate: { ...within.mandate, ...terms } };
    expect(await bind(desk, tenantId, [beyond])).toMatchObject({
      status: 422,
      body: { code: 'unverifiable', field: `/objects/0${member}` },
    });
    expect((await bind(desk, tenantId, [within])).status).toBe(200);
  });

  it('builds parents and children in one request, to depth 64 and no deeper', async () => {
    const { tenantId, slots } = await slotsOf(65);
    const chain: WireObject[] = [];
    for (const slot of slots) chain.push(mandate(slot, chain.at(-1)?.object_id ?? null));
    expect(await bind(desk, tenantId, chain)).toMatchObject({
      status: 422,
      body: { field: '/objects/64/mandate/parent_id' },
    });
    expect((await bind(desk, tenantId, chain.slice(0, 64))).status).toBe(200);
    expect((await bind(desk, tenantId, chain.slice(64))).status).toBe(422);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('refuses children of what is revoked, suspended or expired', async () => {
    const tenantId = await desk.tenant('test', '2026-02-01T00:00:00.000Z');
    const slots = await desk.slots(tenantId, 5);
    const root = mandate(slotAt(slots, 0));
    const short = mandate(slotAt(slots, 1), null, { expires_at: '2026-02-02T00:00:00.000Z' });
    await bind(desk, tenantId, [root, short]);
    const child = mandate(slotAt(slots, 2), root.object_id);
    const target = { kind: 'mandate', object_id: root.object_id };
    await revoke(desk, tenantId, target, 'suspended');
    expect((await bind(desk, tenantId, [child])).status).toBe(422);
    await revoke(desk, tenantId, target, 'valid');
    expect((await bind(desk, tenantId, [child])).status).toBe(200);
    await revoke(desk, tenantId, target);
    const late = mandate(slotAt(slots, 3), child.object_id);
    expect((await bind(desk, tenantId, [late])).status).toBe(422);
    await desk.call('POST', `/v1/tenants/${tenantId}/clock`, { now: '2026-02-02T00:00:00.000Z' });
    const ofShort = mandate(slotAt(slots, 4), short.object_id, {
      expires_at: '2026-02-02T00:00:00.000Z',
    });
    expect(await bind(desk, tenantId, [ofShort])).toMatchObject({
      status: 422,
      body: { field: '/objects/0/mandate/parent_id' },
    });
  });

  it('lets one passport rest on a consent, and none on one that is gone', async () => {
    const { tenantId, slots } = await slotsOf(4);
    const consent = plain('consent', slotAt(slots, 0));
    const passport = plain('passport', slotAt(slots, 1), consent.object_id);
    expect((await bind(desk, tenantId, [consent, passport])).status).toBe(200);
    const second = plain('passport', slotAt(slots, 2), consent.object_id);
    expect(await bind(desk, tenantId, [second])).toMatchObject({
      status: 409,
      body: { field: '/objects/0/consent_id' },
    });
    const nowhere = plain('passport', slotAt(slots, 3), 'cns_nowhere');
    expect((await bind(desk, tenantId, [nowhere])).status).toBe(422);
    const gone = await revoke(desk, tenantId, { kind: 'consent', object_id: consent.object_id });
    expect(gone.body.revocations).toHaveLength(2);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('refuses a tree of more than 2,000', async () => {
    const { tenantId, slots } = await slotsOf(500);
    const root = mandate(slotAt(slots, 0));
    let under = [root, ...slots.slice(1).map((slot) => mandate(slot, root.object_id))];
    for (let round = 0; round < 4; round += 1) {
      expect((await bind(desk, tenantId, under)).status).toBe(200);
      under = (await desk.slots(tenantId, 500)).map((slot) => mandate(slot, root.object_id));
    }
    expect(await bind(desk, tenantId, under.slice(0, 1))).toMatchObject({
      status: 422,
      body: { detail: 'lineage: a tree has at most 2000 mandates' },
    });
    const startedAt = performance.now();
    const fallen = await revoke(desk, tenantId, { kind: 'mandate', object_id: root.object_id });
    console.log(`a tree of 2,000 fell in ${Math.round(performance.now() - startedAt)} ms`);
    expect(fallen.body.revocations).toHaveLength(2_000);
    expect(fallen.body.lists).toEqual([{ uri: root.slot.uri, version: 2 }]);
    const again = await revoke(desk, tenantId, { kind: 'mandate', object_id: root.object_id });
    expect(again.body).toEqual(fallen.body);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('keeps other services out', async () => {
    const { tenantId, slots } = await slotsOf(1);
    const objects = [artifact(slotAt(slots, 0))];
    const count = await desk.entryCount(tenantId);
    const path = `/v1/tenants/${tenantId}/objects`;
    expect((await desk.call('POST', path, { objects }, 'stranger')).status).toBe(404);
    expect((await desk.call('POST', path, { objects }, null)).status).toBe(401);
    expect(
      (await desk.call('POST', `/v1/tenants/${drawnId('tnt')}/objects`, { objects })).status,
    ).toBe(404);
    expect(await desk.entryCount(tenantId)).toBe(count);
  });
});
