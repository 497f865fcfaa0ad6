import { beforeAll, describe, expect, it } from 'vitest';
import { statusSlots } from '../../src/trust/status/index.js';
import { Revocations } from '../../src/trust/revocation/index.js';
import { mandateToken, type MandateOptions, signedEnvelope } from '../support/issuer.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';
import {
  resolveArtifacts,
  resolveAuthority,
  type TrustScene,
  trustScene,
} from '../support/trust.js';

const house = testHouse({ quiet: true });
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const mandate = async (options: MandateOptions = {}): Promise<string> => {
  const token = mandateToken(
    { key: scene.keys.mandates, scene, slot: await scene.slot() },
    options,
  );
  return valueOf(
    await scene.rooms.credentials.register(scene.tenant.context(), { kind: 'mandate', token }),
  );
};
const change = (
  subjectId: string,
  status: 'revoked' | 'suspended' | 'valid' = 'revoked',
  merchantIds: string[] | null = null,
) =>
  scene.rooms.revocations.change(scene.tenant.context(), {
    target: { subjectId },
    status,
    reasonCode: 'merchant_request',
    scope: { merchantIds },
  });
const verdictOf = async (id: string): Promise<string> =>
  valueOf(
    await scene.rooms.credentials.get(scene.tenantId, {
      kind: 'mandate',
      id,
      viewer: scene.tenant.admin,
      atMs: scene.atMs,
    }),
  ).status.verdict;

describe('status slots', () => {
  it('reserves distinct places, in range, never one twice', async () => {
    const { slots } = scene.rooms;
    const all = [
      ...valueOf(await slots.reserve(scene.tenant.context(), 200)),
      ...valueOf(await slots.reserve(scene.tenant.context(), 200)),
    ];
    expect(new Set(all.map(({ uri, index }) => `${uri} ${index}`)).size).toBe(400);
    expect(all.every(({ index }) => index >= 0 && index < 131_072)).toBe(true);
    expect(problemOf(await slots.reserve(scene.tenant.context(), 0)).field).toBe('/count');
    expect(problemOf(await slots.reserve(scene.tenant.context(), 501)).field).toBe('/count');
  });

  it('calls a slot nobody reserved unavailable, also on a list of another tenant', async () => {
    const other = await trustScene(house);
    const foreign = await other.slot();
    const answers = await scene.rooms.statuses.check(
      scene.tenantId,
      [foreign, { uri: 'urn:none', index: 0 }, await scene.slot()].map((slot) => ({
        ...slot,
        lineage: 'mandate|mnd_1',
      })),
      scene.atMs,
    );
    expect(answers.map(({ verdict }) => verdict)).toEqual(['unavailable', 'unavailable', 'valid']);
    expect(answers[2]?.listIssuedAtMs).toBe(scene.atMs);
  });

  it('is INVALID for ever, in the table too', async () => {
    const id = await mandate();
    const { slot } = valueOf(await change(id));
    expect(slot).toMatchObject({ value: 1, reasonCode: 'merchant_request', subjectId: id });
    expect(problemOf(await change(id, 'valid')).code).toBe('conflict');
    expect(problemOf(await change(id, 'suspended')).code).toBe('conflict');
    await expect(
      house.database.query(
        `UPDATE ${statusSlots.table} SET value = 0 WHERE tenant_id = $1 AND list_uri = $2 AND slot_index = $3`,
        [scene.tenantId, slot.listUri, slot.slotIndex],
      ),
    ).rejects.toThrow('INVALID for ever');
  });
});

describe('revocation', () => {
  it('is one record however often it is asked for', async () => {
    const id = await mandate();
    const first = valueOf(await change(id));
    const second = valueOf(await change(id));
    expect(second.slot).toEqual(first.slot);
  });

  it('suspends and takes back', async () => {
    const id = await mandate();
    valueOf(await change(id, 'suspended'));
    expect(await verdictOf(id)).toBe('suspended');
    valueOf(await change(id, 'valid'));
    expect(await verdictOf(id)).toBe('valid');
  });

  it('takes everything below a mandate along, and nothing else', async () => {
    const root = await mandate();
    const left = await mandate({ parent: root });
    const right = await mandate({ parent: root });
    const leaf = await mandate({ parent: left, kind: 'cart', cartHash: 'a'.repeat(64) });
    const deep = await mandate({ parent: leaf, kind: 'payment', cartHash: 'a'.repeat(64) });
    const { cascadedSubjectIds } = valueOf(await change(left));
    expect(cascadedSubjectIds).toEqual([leaf, deep]);
    expect(await Promise.all([root, left, right, leaf, deep].map(verdictOf))).toEqual([
      'valid',
      'revoked',
      'valid',
      'revoked',
      'revoked',
    ]);
    const { facts } = await resolveAuthority(scene, { evidence: { mandates: [deep] } });
    expect(facts.mandates).toMatchObject([
      { status: { verdict: 'revoked' }, parentStatus: { verdict: 'revoked' } },
    ]);
    const { rows } = await house.database.query<{ body: string }>(
      `SELECT body FROM entries WHERE tenant_id = $1 AND type = 'status.changed' AND body LIKE $2`,
      [scene.tenantId, `%"root_subject_id":"${left}"%`],
    );
    expect(rows).toHaveLength(2);
  });

  it('reaches the children when only the slot of the parent is named', async () => {
    const root = await mandate();
    const child = await mandate({ parent: root });
    const { row } = valueOf(
      await scene.rooms.credentials.get(scene.tenantId, {
        kind: 'mandate',
        id: root,
        viewer: scene.tenant.admin,
        atMs: scene.atMs,
      }),
    );
    const target = { slot: { uri: row.listUri, index: row.slotIndex } };
    const request = {
      target,
      status: 'revoked',
      reasonCode: 'other',
      scope: { merchantIds: null },
    } as const;
    valueOf(await scene.rooms.revocations.change(scene.tenant.context(), request));
    expect(await verdictOf(child)).toBe('revoked');
  });

  it('lets a suspended parent be seen through its children without touching them', async () => {
    const root = await mandate();
    const child = await mandate({ parent: root });
    valueOf(await change(root, 'suspended'));
    const { facts } = await resolveAuthority(scene, { evidence: { mandates: [child] } });
    expect(facts.mandates).toMatchObject([
      { status: { verdict: 'valid' }, parentStatus: { verdict: 'suspended' } },
    ]);
  });

  it('leaves no child alive that is born at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const root = await mandate();
      const slots = valueOf(await scene.rooms.slots.reserve(scene.tenant.context(), 4));
      const births = slots.map((slot) =>
        scene.rooms.credentials.register(scene.tenant.context(), {
          kind: 'mandate',
          token: mandateToken({ key: scene.keys.mandates, scene, slot }, { parent: root }),
        }),
      );
      const [revoked, ...born] = await Promise.all([change(root), ...births]);
      const settled = revoked.ok ? revoked : await change(root);
      expect(settled.ok).toBe(true);
      for (const child of born) if (child.ok) expect(await verdictOf(child.value)).toBe('revoked');
      const late = await scene.rooms.credentials.register(scene.tenant.context(), {
        kind: 'mandate',
        token: mandateToken(
          { key: scene.keys.mandates, scene, slot: await scene.slot() },
          { parent: root },
        ),
      });
      expect(problemOf(late).detail).toContain('The check status failed at parent');
    }
  });

  it('looks again when the tree grew between the look and the lock', async () => {
    const root = await mandate();
    let calls = 0;
    const { writer, database } = house;
    const growing = new Revocations({
      database,
      writer: {
        open: (command) => writer.open(command),
        execute: async (command) => {
          calls += 1;
          if (calls === 1) await mandate({ parent: root });
          return writer.execute(command);
        },
      },
    });
    const request = {
      target: { subjectId: root },
      status: 'revoked',
      reasonCode: 'other',
      scope: { merchantIds: null },
    } as const;
    const done = valueOf(await growing.change(scene.tenant.context(), request));
    expect(calls).toBe(2);
    expect(done.cascadedSubjectIds).toHaveLength(1);
  });

  it('stops a fact on the next ask, and for good', async () => {
    const slot = await scene.slot();
    const price = signedEnvelope({ key: scene.keys.facts, scene, slot });
    const registration = { envelope: price, scope: { merchantIds: null } };
    const row = valueOf(await scene.rooms.artifacts.register(scene.tenant.context(), registration));
    const ask = () =>
      resolveArtifacts(scene, { lines: [{ productId: 'tea', variantId: 'tea-100g' }] });
    expect((await ask()).artifacts).toMatchObject([{ status: { verdict: 'valid' } }]);
    valueOf(await change(row.artifactId, 'revoked', ['shop-1']));
    expect((await ask()).artifacts).toMatchObject([
      { verdict: 'valid', status: { verdict: 'revoked' } },
    ]);
    const renewal = {
      ...registration,
      envelope: signedEnvelope({ key: scene.keys.facts, scene, slot }),
    };
    const refused = await scene.rooms.artifacts.register(scene.tenant.context(), renewal);
    expect(problemOf(refused).detail).toContain('the slot says revoked');
  });

  it('answers 404 for what is not there, and for what belongs to other merchants', async () => {
    expect(problemOf(await change('mnd_unknown'))).toMatchObject({
      code: 'not_found',
      field: '/subject_id',
    });
    const id = await mandate();
    expect(problemOf(await change(id, 'revoked', ['shop-2'])).code).toBe('not_found');
    const any = await mandate({ claims: { merchant_ids: ['*'] } });
    expect(problemOf(await change(any, 'revoked', ['shop-1'])).code).toBe('not_found');
    expect(await verdictOf(id)).toBe('valid');
  });
});
