import { describe, expect, it } from 'vitest';
import { parseRevocationRecord } from '../../src/core/proofs/index.js';
import { openDesk } from './desk.js';
import {
  artifact,
  bind,
  claimsOf,
  mandate,
  plain,
  placeIn,
  readList,
  revoke,
  valueAt,
  verified,
} from './forest.js';

const desk = await openDesk();

const take = async (count: number, clock: string | null = null) => {
  const tenantId = await desk.tenant('test', clock);
  return { tenantId, slots: await desk.slots(tenantId, count) };
};
const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error('enough were made');
  return item;
};

describe('one withdrawal', () => {
  it('flips the slot, raises the version by one and signs the record', async () => {
    const { tenantId, slots } = await take(1, '2026-03-01T10:00:00.250Z');
    const price = artifact(at(slots, 0));
    await bind(desk, tenantId, [price]);
    expect(await valueAt(desk, price.slot)).toBe(0);
    const done = await revoke(desk, tenantId, { kind: 'artifact', object_id: price.object_id });
    expect(done).toMatchObject({
      status: 200,
      body: { lists: [{ uri: price.slot.uri, version: 2 }] },
    });
    const [record] = done.body.revocations;
    const claims = await verified(desk, record, 'revocation');
    expect(claims).toEqual({
      iss: desk.origin,
      iat: Date.parse('2026-03-01T10:00:00Z') / 1000,
      jti: expect.stringMatching(/^rev_[0-9a-f]{32}$/),
      tenant_id: tenantId,
      subject_id: price.object_id,
      subject_kind: 'artifact',
      artifact_type: 'price',
      uri: price.slot.uri,
      idx: price.slot.idx,
      version: 2,
      status: 'revoked',
      reason_code: 'recall',
      effective_at: '2026-03-01T10:00:00.250Z',
      revoked_by: 'merchant',
      cause: 'direct',
      root_revocation_id: null,
      root_subject_id: null,
    });
    expect(parseRevocationRecord(record)).toMatchObject({ ok: true });
    const { claims: list } = await readList(desk, price.slot.uri);
    expect([list['version'], placeIn(list, price.slot.idx)]).toEqual([2, 1]);
    const served = await desk.call(
      'GET',
      `/revocations/${tenantId}/${String(claims['jti'])}`,
      undefined,
      null,
    );
    expect(served.text).toBe(record);
    expect(served.headers.get('content-type')).toBe('application/jwt');
    expect(served.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('is the same when it is repeated, by id, by lineage or by slot', async () => {
    const { tenantId, slots } = await take(1);
    const first = artifact(at(slots, 0));
    const second = artifact(at(slots, 0), first.lineage);
    await bind(desk, tenantId, [first, second]);
    const done = await revoke(desk, tenantId, { kind: 'artifact', object_id: first.object_id });
    const count = await desk.entryCount(tenantId);
    for (const target of [
      { kind: 'artifact', object_id: first.object_id },
      { kind: 'artifact', object_id: second.object_id },
      { slot: first.slot },
    ])
      expect((await revoke(desk, tenantId, target)).body).toEqual(done.body);
    expect(await desk.entryCount(tenantId)).toBe(count);
  });

  it('suspends and restores, and never leaves INVALID', async () => {
    const { tenantId, slots } = await take(1);
    const consent = plain('consent', at(slots, 0));
    await bind(desk, tenantId, [consent]);
    const target = { kind: 'consent', object_id: consent.object_id };
    const seen: (number | undefined)[] = [];
    for (const status of ['suspended', 'valid', 'suspended', 'revoked']) {
      const moved = await revoke(desk, tenantId, target, status);
      expect(claimsOf(moved.body.revocations[0])['status']).toBe(status);
      seen.push(await valueAt(desk, consent.slot));
    }
    expect(seen).toEqual([2, 0, 2, 1]);
    const count = await desk.entryCount(tenantId);
    for (const status of ['valid', 'suspended'])
      expect(await revoke(desk, tenantId, target, status)).toMatchObject({
        status: 409,
        body: { code: 'conflict', field: '/status' },
      });
    expect(await desk.entryCount(tenantId)).toBe(count);
    expect((await readList(desk, consent.slot.uri)).claims['version']).toBe(5);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('takes a slot that nothing is bound to, and then nothing can be', async () => {
    const { tenantId, slots } = await take(1);
    const done = await revoke(desk, tenantId, { slot: at(slots, 0) });
    expect(claimsOf(done.body.revocations[0])).toMatchObject({
      subject_kind: 'slot',
      subject_id: `${at(slots, 0).uri}#${at(slots, 0).idx}`,
    });
    expect((await bind(desk, tenantId, [artifact(at(slots, 0))])).status).toBe(409);
  });

  it('answers nothing for a restored slot that was never withdrawn', async () => {
    const { tenantId, slots } = await take(1);
    const done = await revoke(desk, tenantId, { slot: at(slots, 0) }, 'valid');
    expect(done).toMatchObject({ status: 200, body: { revocations: [] } });
    expect((await readList(desk, at(slots, 0).uri)).claims['version']).toBe(1);
  });
});

describe('what falls with it', () => {
  it('takes the subtree and no more: one entry per object, with cause and root', async () => {
    const { tenantId, slots } = await take(7);
    const root = mandate(at(slots, 0));
    const left = mandate(at(slots, 1), root.object_id);
    const right = mandate(at(slots, 2), root.object_id);
    const leaf = mandate(at(slots, 3), left.object_id);
    const deep = mandate(at(slots, 4), leaf.object_id);
    const alone = mandate(at(slots, 5));
    await bind(desk, tenantId, [root, left, right, leaf, deep, alone]);
    // A leaf that was withdrawn before keeps its own record.
    await revoke(desk, tenantId, { kind: 'mandate', object_id: deep.object_id });
    const count = await desk.entryCount(tenantId);
    const done = await revoke(desk, tenantId, { kind: 'mandate', object_id: left.object_id });
    expect(await desk.entryCount(tenantId)).toBe(count + 2);
    const claims = (done.body.revocations as string[]).map(claimsOf);
    expect(claims.map(({ subject_id: id, cause }) => [id, cause])).toEqual([
      [left.object_id, 'direct'],
      [leaf.object_id, 'cascade'],
      [deep.object_id, 'direct'],
    ]);
    expect(claims[1]).toMatchObject({
      root_revocation_id: claims[0]?.['jti'],
      root_subject_id: left.object_id,
      version: claims[0]?.['version'],
    });
    const values = await Promise.all(
      [root, left, right, leaf, deep, alone].map(({ slot }) => valueAt(desk, slot)),
    );
    expect(values).toEqual([0, 1, 0, 1, 1, 0]);
    // The root takes the rest, and answers with everything that stands below it.
    const all = await revoke(desk, tenantId, { slot: root.slot });
    expect(
      (all.body.revocations as string[]).map((jws) => claimsOf(jws)['subject_id']).sort(),
    ).toEqual([root, left, right, leaf, deep].map(({ object_id: id }) => id).sort());
    expect(await valueAt(desk, alone.slot)).toBe(0);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('suspends a mandate alone', async () => {
    const { tenantId, slots } = await take(2);
    const root = mandate(at(slots, 0));
    const child = mandate(at(slots, 1), root.object_id);
    await bind(desk, tenantId, [root, child]);
    const done = await revoke(
      desk,
      tenantId,
      { kind: 'mandate', object_id: root.object_id },
      'suspended',
    );
    expect(done.body.revocations).toHaveLength(1);
    expect(await valueAt(desk, child.slot)).toBe(0);
  });
});
