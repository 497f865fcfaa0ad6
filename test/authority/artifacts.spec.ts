import { describe, expect, it } from 'vitest';
import { ARTIFACT_TYPES, type ArtifactType } from '../../src/core/rules/index.js';
import { PAYLOAD_MEMBERS } from '../../src/core/proofs/artifact-types.js';
import { freshId, makeKey, type Scene, signedEnvelope } from '../support/issuer.js';
import { openDesk } from './desk.js';
import { revoke, valueAt } from './forest.js';

const desk = await openDesk();
const key = makeKey();

async function shop(count: number) {
  const tenantId = await desk.tenant('test', '2026-03-01T10:00:00.000Z');
  const slots = (await desk.slots(tenantId, count)).map(({ uri, idx }) => ({ uri, index: idx }));
  const scene: Scene = {
    tenantId,
    merchantId: 'shop-1',
    agentId: 'agt_1',
    buyer: 'buyer-1',
    issuer: 'urn:shop',
    atMs: Date.parse('2026-03-01T10:00:00.000Z'),
  };
  return {
    tenantId,
    slots,
    send: (artifacts: readonly unknown[]) =>
      desk.call('POST', `/v1/tenants/${tenantId}/artifacts`, { artifacts }),
    make: (place: number, options: Parameters<typeof signedEnvelope>[1] = {}) =>
      signedEnvelope({ key, scene, slot: slots[place] ?? { uri: '', index: 0 } }, options),
  };
}

describe('artifacts by their envelopes', () => {
  it('takes every type, once', async () => {
    const { tenantId, send, make } = await shop(ARTIFACT_TYPES.length);
    const all = ARTIFACT_TYPES.map((type, place) => make(place, { type }));
    expect(await send(all)).toMatchObject({ status: 200, body: { bound: ARTIFACT_TYPES.length } });
    const count = await desk.entryCount(tenantId);
    expect((await send(all)).status).toBe(200);
    expect(await desk.entryCount(tenantId)).toBe(count);
    expect(await desk.differences(tenantId)).toEqual([]);
  });

  it('keeps a renewal on its slot, and withdraws both with either', async () => {
    const { tenantId, slots, send, make } = await shop(1);
    const first = make(0);
    const second = make(0);
    expect((await send([first, second])).status).toBe(200);
    expect(await send([make(0, { variantId: 'tea-200g' })])).toMatchObject({
      status: 409,
      body: { field: '/artifacts/0/slot' },
    });
    const done = await revoke(desk, tenantId, {
      kind: 'artifact',
      object_id: first['artifact_id'] as string,
    });
    expect(done.status).toBe(200);
    const [slot] = slots;
    expect(await valueAt(desk, { uri: slot?.uri ?? '', idx: slot?.index ?? 0 })).toBe(1);
    expect((await send([make(0)])).status).toBe(409);
  });

  it.each(ARTIFACT_TYPES.map((type): [ArtifactType] => [type]))(
    'reads the payload of a %s, and binds nothing beside a wrong one',
    async (type) => {
      const { tenantId, send, make } = await shop(2);
      const count = await desk.entryCount(tenantId);
      for (const member of Object.keys(PAYLOAD_MEMBERS[type])) {
        const answer = await send([make(0), make(1, { type, payload: { [member]: undefined } })]);
        expect(answer).toMatchObject({ status: 422, body: { code: 'unverifiable' } });
        expect(answer.body.field).toBe(`/artifacts/1/payload/${member}`);
      }
      expect(await desk.entryCount(tenantId)).toBe(count);
    },
  );

  it('refuses another tenant, another payload, a name that may stand nowhere and a stray slot', async () => {
    const { tenantId, send, make } = await shop(1);
    const count = await desk.entryCount(tenantId);
    for (const [artifact, status, field] of [
      [make(0, { envelope: { tenant_id: 'tnt_other' } }), 422, '/artifacts/0/tenant_id'],
      [make(0, { tamper: { payload_hash: '00'.repeat(32) } }), 422, '/artifacts/0/payload_hash'],
      [make(0, { payload: { secret: 'x' } }), 422, '/artifacts/0/payload/secret'],
      [make(0, { envelope: { artifact_id: freshId('a b') } }), 422, '/artifacts/0/artifact_id'],
      [make(7), 422, '/artifacts/0/status/status_list/uri'],
      [
        make(0, {
          envelope: {
            revocation_status_url: 'https://x.example/status/1',
            status: { status_list: { uri: 'https://x.example/status/1', idx: 1 } },
          },
        }),
        404,
        '/artifacts/0/status',
      ],
    ] as const) {
      expect(await send([artifact])).toMatchObject({ status, body: { field } });
    }
    expect(await desk.entryCount(tenantId)).toBe(count);
  });
});
