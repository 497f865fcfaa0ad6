import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Problem, Result } from '../../src/core/kernel/index.js';
import { statusSlots } from '../../src/trust/status/index.js';
import type { Revocation, RevocationTarget } from '../../src/trust/revocation/index.js';
import { differencesOf } from '../arbiter/uses.js';
import { testAuthority } from '../support/authority.js';
import { byType, openedShop } from '../support/catalog.js';
import {
  mandateToken,
  type MandateOptions,
  signedEnvelope,
  type SlotRef,
} from '../support/issuer.js';
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

const mandate = async (options: MandateOptions = {}, slot?: SlotRef): Promise<string> => {
  const token = mandateToken(
    { key: scene.keys.mandates, scene, slot: slot ?? (await scene.slot()) },
    options,
  );
  return valueOf(
    await scene.rooms.credentials.register(scene.tenant.context(), { kind: 'mandate', token }),
  );
};

const price = (slot: SlotRef, variantId = 'tea-100g') => ({
  envelope: signedEnvelope({ key: scene.keys.facts, scene, slot }, { variantId }),
  scope: { merchantIds: null },
});

type Status = 'revoked' | 'suspended' | 'valid';
const withdraw = (
  target: RevocationTarget,
  status: Status = 'revoked',
  { merchantIds = null, key = null }: { merchantIds?: string[] | null; key?: string | null } = {},
): Promise<Result<Revocation, Problem>> =>
  scene.rooms.revocations.change(
    scene.tenant.context(key === null ? null : { scope: 'revoke', key, requestHash: 'hash' }),
    { target, status, reasonCode: 'merchant_request', scope: { merchantIds } },
  );
const change = (subjectId: string, status?: Status, merchantIds: string[] | null = null) =>
  withdraw({ subjectId }, status, { merchantIds });

const verdictOf = async (id: string): Promise<string> =>
  valueOf(
    await scene.rooms.credentials.get(scene.tenantId, {
      kind: 'mandate',
      id,
      viewer: scene.tenant.admin,
      atMs: scene.atMs,
    }),
  ).status.verdict;

const entriesOf = async (...types: string[]) => {
  const { rows } = await house.database.query<{ type: string; body: string }>(
    'SELECT type, body FROM entries WHERE tenant_id = $1 AND type = ANY($2) ORDER BY seq',
    [scene.tenantId, types],
  );

  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }));
};

describe('a slot', () => {
  it('that nobody reserved is unavailable, also on a list of another tenant', async () => {
    const other = await trustScene(house);
    const foreign = await other.slot();
    const answers = await scene.rooms.statuses.check(
      scene.tenantId,
      [foreign, { uri: 'urn:none', index: 0 }, await scene.slot()].map((slot) => ({
        ...slot,
        lineage: 'mandate|mnd_1',
        issuer: scene.issuer,
      })),
      { atMs: scene.atMs },
    );
    expect(answers.map(({ verdict }) => verdict)).toEqual(['unavailable', 'unavailable', 'valid']);
  });

  it('is INVALID for ever, in the table too', async () => {
    const id = await mandate();
    const { slot, ...told } = valueOf(await change(id));
    expect(told).toMatchObject({
      status: 'revoked',
      reasonCode: 'merchant_request',
      subjectId: id,
      rootSubjectId: null,
      cascadedSubjectIds: [],
    });
    for (const status of ['valid', 'suspended'] as const)
      expect(problemOf(await change(id, status))).toMatchObject({
        code: 'conflict',
        field: '/status',
      });
    await expect(
      house.database.query(
        `UPDATE ${statusSlots.table} SET value = 0 WHERE tenant_id = $1 AND list_uri = $2 AND slot_index = $3`,
        [scene.tenantId, slot.uri, slot.index],
      ),
    ).rejects.toThrow('INVALID for ever');
  });
});

describe('a revocation', () => {
  it('is one record however often it is asked for, with the version of its list', async () => {
    const id = await mandate();
    const first = valueOf(await change(id));
    const second = valueOf(await change(id));
    expect(second).toEqual(first);
    expect(first.lists).toEqual([{ uri: first.slot.uri, version: expect.any(Number) as number }]);
  });

  it('is written down with its floor and with the bytes that the authority publishes', async () => {
    const id = await mandate();
    const { revocationId, slot, lists } = valueOf(await change(id));
    const floors = await entriesOf('status.floor_raised');
    expect(floors.at(-1)?.data).toEqual({ list_uri: slot.uri, version: lists[0]?.version });
    const observed = (await entriesOf('revocation.observed')).at(-1)?.data.records[0];
    expect(observed).toMatchObject({
      revocation_id: revocationId,
      subject_kind: 'mandate',
      subject_id: id,
      cause: 'direct',
      revoked_by: 'tenant_admin',
    });
    const { rows } = await house.database.query<{ bytes: Buffer; erasable: boolean }>(
      'SELECT bytes, erasable FROM documents WHERE tenant_id = $1 AND sha256 = $2',
      [scene.tenantId, observed.record_sha256],
    );
    const published = await fetch(
      `${testAuthority().address.transportOrigin()}/revocations/${scene.tenantId}/${revocationId}`,
    );
    const jws = await published.text();
    expect(rows).toEqual([{ bytes: Buffer.from(jws, 'utf8'), erasable: false }]);
    expect(createHash('sha256').update(jws, 'utf8').digest('hex')).toBe(observed.record_sha256);
  });

  it('suspends and takes back', async () => {
    const id = await mandate();
    const suspended = valueOf(await change(id, 'suspended'));
    expect(await verdictOf(id)).toBe('suspended');
    const back = valueOf(await change(id, 'valid'));
    expect(await verdictOf(id)).toBe('valid');
    expect(back.lists[0]?.version).toBeGreaterThan(suspended.lists[0]?.version ?? 0);
    expect(valueOf(await change(id, 'valid'))).toEqual(back);
  });

  it('of what has this status and never had another answers without a record', async () => {
    const id = await mandate();
    expect(valueOf(await change(id, 'valid'))).toMatchObject({
      revocationId: null,
      status: 'valid',
      effectiveAtMs: null,
      lists: [],
    });
  });

  it('takes everything below a mandate along, and nothing else', async () => {
    const root = await mandate();
    const left = await mandate({ parent: root });
    const right = await mandate({ parent: root });
    const leaf = await mandate({ parent: left, kind: 'cart', cartHash: 'a'.repeat(64) });
    const deep = await mandate({ parent: leaf, kind: 'payment', cartHash: 'a'.repeat(64) });
    const revoked = valueOf(await change(left));
    expect(revoked.cascadedSubjectIds).toEqual([leaf, deep]);
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
    const fallen = (await entriesOf('status.changed')).filter(
      ({ data }) => data.root_subject_id === left,
    );
    expect(fallen.map(({ data }): unknown => [data.subject_id, data.cause])).toEqual([
      [leaf, 'cascade'],
      [deep, 'cascade'],
    ]);
    expect(valueOf(await change(left))).toEqual(revoked);
  });

  it('reaches the children when only the slot of the parent is named', async () => {
    const slot = await scene.slot();
    const root = await mandate({}, slot);
    const child = await mandate({ parent: root });
    expect(valueOf(await withdraw({ slot })).cascadedSubjectIds).toEqual([child]);
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
    for (let round = 0; round < 4; round += 1) {
      const root = await mandate();
      const slots = await Promise.all([1, 2, 3, 4].map(() => scene.slot()));
      const births = slots.map((slot) =>
        scene.rooms.credentials.register(scene.tenant.context(), {
          kind: 'mandate',
          token: mandateToken({ key: scene.keys.mandates, scene, slot }, { parent: root }),
        }),
      );
      const [revoked, ...born] = await Promise.all([change(root), ...births]);
      expect(revoked.ok).toBe(true);
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

  it('stops a fact on the next ask, for good, and whatever is signed on its slot', async () => {
    const slot = await scene.slot();
    const row = valueOf(
      await scene.rooms.artifacts.register(scene.tenant.context(), price(slot, 'stopped')),
    );
    const ask = () =>
      resolveArtifacts(scene, { lines: [{ productId: 'tea', variantId: 'stopped' }] });
    expect((await ask()).artifacts).toMatchObject([{ status: { verdict: 'valid' } }]);
    valueOf(await change(row.artifactId, 'revoked', ['shop-1']));
    expect((await ask()).artifacts).toMatchObject([
      { verdict: 'valid', status: { verdict: 'revoked' } },
    ]);
    const renewal = await scene.rooms.artifacts.register(
      scene.tenant.context(),
      price(slot, 'stopped'),
    );
    expect(problemOf(renewal).detail).toContain('the slot says revoked');
  });
});

describe('what a revocation may name', () => {
  it("a merchant's current fact by type and variant", async () => {
    const slot = await scene.slot();
    const register = (place: SlotRef) =>
      scene.rooms.artifacts.register(scene.tenant.context(), price(place, 'named'));
    valueOf(await register(slot));
    const { artifactId } = valueOf(await register(slot));
    const target = { artifactType: 'price', merchantId: 'shop-1', variantId: 'named' };
    const outside = { merchantIds: ['shop-2'] };
    expect(problemOf(await withdraw(target, 'revoked', outside))).toMatchObject({
      code: 'not_found',
      field: '/merchant_id',
    });
    const revoked = valueOf(await withdraw(target, 'revoked', { merchantIds: ['shop-1'] }));
    expect(revoked).toMatchObject({ slot, status: 'revoked' });
    expect(valueOf(await change(artifactId))).toEqual(revoked);
    expect(problemOf(await withdraw({ ...target, variantId: 'other' }))).toMatchObject({
      code: 'not_found',
      field: '/artifact_type',
    });
  });

  it("a fact of the merchant's catalogue, on the slot that its renewals keep", async () => {
    const shop = await openedShop(house);
    const { merchantId, tenant, rooms } = shop;
    const revoke = (artifactType: string, variantId: string | null) =>
      rooms.trust.revocations.change(tenant.context(), {
        target: { artifactType, merchantId, variantId },
        status: 'revoked',
        reasonCode: 'recall',
        scope: { merchantIds: null },
      });
    expect(problemOf(await revoke('price', 'no-tea')).field).toBe('/artifact_type');
    expect(problemOf(await revoke('policy', null)).field).toBe('/artifact_type');
    const price = await byType(shop, 'price');
    const policy = await byType(shop, 'policy');
    for (const [fact, variantId] of [
      [price, 'tea-0'],
      [policy, null],
    ] as const) {
      const { slot } = valueOf(await revoke(String(fact?.type), variantId));
      expect(slot).toEqual({ uri: fact?.status.listUri, index: fact?.status.index });
      expect((await byType(shop, String(fact?.type)))?.status.verdict).toBe('revoked');
    }
  });

  it('nothing that is not there, or belongs to other merchants', async () => {
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

  it('one of two objects of one name by its kind', async () => {
    const id = await mandate();
    const slot = await scene.slot();
    const twin = signedEnvelope(
      { key: scene.keys.facts, scene, slot },
      { variantId: 'twin', envelope: { artifact_id: id } },
    );
    valueOf(
      await scene.rooms.artifacts.register(scene.tenant.context(), {
        envelope: twin,
        scope: { merchantIds: null },
      }),
    );
    expect(problemOf(await change(id)).field).toBe('/subject_id');
    expect(valueOf(await withdraw({ subjectId: id, kind: 'artifact' }))).toMatchObject({ slot });
    expect(await verdictOf(id)).toBe('valid');
  });

  it('what only the authority knows, by kind and id and by slot, and only by keys of all merchants', async () => {
    const draft = {
      mandateId: null,
      kind: 'intent',
      parentId: null,
      subject: scene.buyer,
      agentId: scene.agentId,
      merchantIds: ['shop-1'],
      cartHash: null,
      cap: { amountMinor: 100n, currency: 'INR' },
      notBeforeAtMs: null,
      expiresAtMs: scene.atMs + 600_000,
      payment: null,
      buyerJwk: null,
    } as const;
    const { authorityPort } = scene.rooms;
    const first = valueOf(await authorityPort.issueMandate(scene.tenantId, draft));
    const second = valueOf(await authorityPort.issueMandate(scene.tenantId, draft));
    const bound = { merchantIds: ['shop-1'] };
    for (const target of [
      { subjectId: first.id, kind: 'mandate' },
      { slot: second.slot },
    ] as const) {
      expect(problemOf(await withdraw(target, 'revoked', bound)).code).toBe('not_found');
      const revoked = valueOf(await withdraw(target));
      expect(revoked.status).toBe('revoked');
      expect(valueOf(await withdraw(target))).toEqual(revoked);
    }
    const { facts } = await resolveAuthority(scene, { evidence: { mandates: [first.token] } });
    expect(facts.mandates).toMatchObject([{ status: { verdict: 'revoked' } }]);
    const unknown = { subjectId: 'mnd_nowhere', kind: 'mandate' } as const;
    expect(problemOf(await withdraw(unknown)).code).toBe('not_found');
  });

  it.each([
    ['of another authority', 'https://lists.example/status/1'],
    ['of an earlier form', 'urn:arbiter:status-list:tnt_1:1'],
  ])('no slot on a list %s', async (_whose, uri) => {
    expect(problemOf(await withdraw({ slot: { uri, index: 3 } }))).toMatchObject({
      code: 'conflict',
      field: '/uri',
    });
  });
});

it('leaves a ledger that folds to the same tables', async () => {
  expect(await differencesOf(scene)).toEqual([]);
});
