import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalize } from '../../src/core/kernel/index.js';
import type { BoundObject } from '../../src/trust/authority/index.js';
import { freshId, mandateToken, signedEnvelope, type SlotRef } from '../support/issuer.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';
import { resolveAuthority, type TrustScene, trustScene } from '../support/trust.js';

/** What is registered here is bound at the authority first, and only what would be taken here. */

const house = testHouse({ quiet: true });
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const NOBODYS = { merchantIds: null };
const price = (slot: SlotRef, envelope: object = {}) =>
  signedEnvelope({ key: scene.keys.facts, scene, slot }, { envelope: { ...envelope } });
const register = (envelope: unknown) =>
  scene.rooms.artifacts.register(scene.tenant.context(), { envelope, scope: NOBODYS });
const registerMandate = (token: string) =>
  scene.rooms.credentials.register(scene.tenant.context(), { kind: 'mandate', token });

/** Suspends at the authority what has this name there; `not_found` = nothing has. */
async function knownThere(kind: 'artifact' | 'mandate', objectId: string): Promise<string> {
  const asked = { target: { kind, objectId }, status: 'suspended', reasonCode: 'other' } as const;
  const { authorityPort } = scene.rooms;
  const changed = await authorityPort.revoke(scene.tenantId, { ...asked, revokedBy: 'operator' });
  return changed.ok ? 'known' : changed.error.code;
}

describe('an artifact', () => {
  it('is known at the authority by its id', async () => {
    const { artifactId } = valueOf(await register(price(await scene.slot())));
    expect(await knownThere('artifact', artifactId)).toBe('known');
  });

  it('that would be refused here is not bound there', async () => {
    const id = freshId('art');
    const over = {
      artifact_id: id,
      issued_at: '2020-01-01T00:00:00.000Z',
      expires_at: '2020-01-01T00:05:00.000Z',
      source_observed_at: '2020-01-01T00:00:00.000Z',
    };
    expect(problemOf(await register(price(await scene.slot(), over))).code).toBe('unverifiable');
    expect(await knownThere('artifact', id)).toBe('not_found');
  });

  it('that was bound before a crash is registered by the same request again', async () => {
    const slot = await scene.slot();
    const envelope = price(slot);
    const id = envelope['artifact_id'] as string;
    const lineage = 'price|shop-1|tea-100g|variant|tea-100g';
    valueOf(await scene.rooms.authorityPort.bindObjects(scene.tenantId, [boundPrice(envelope)]));
    expect(valueOf(await register(envelope))).toMatchObject({ artifactId: id });

    function boundPrice(signed: typeof envelope): BoundObject {
      return {
        kind: 'artifact',
        objectId: id,
        sha256: createHash('sha256').update(canonicalize(signed), 'utf8').digest('hex'),
        lineage,
        merchantIds: ['shop-1'],
        slot,
        artifactType: 'price',
        mandate: null,
      };
    }
  });

  it('whose id has other bytes at the authority is a conflict', async () => {
    const slot = await scene.slot();
    const id = freshId('art');
    const bound = {
      kind: 'artifact',
      objectId: id,
      sha256: 'a'.repeat(64),
      lineage: 'price|shop-1|other|variant|other',
      merchantIds: ['shop-1'],
      slot: await scene.slot(),
      artifactType: 'price',
      mandate: null,
    } as const;
    valueOf(await scene.rooms.authorityPort.bindObjects(scene.tenantId, [bound]));
    expect(problemOf(await register(price(slot, { artifact_id: id })))).toMatchObject({
      code: 'conflict',
      field: '/artifact',
    });
  });

  it('on a slot of another tenant, or on a list that nobody trusts, is refused', async () => {
    const other = await trustScene(house);
    expect(problemOf(await register(price(await other.slot()))).detail).toContain(
      'no such slot is reserved for this tenant',
    );
    const far = { uri: 'https://lists.example/status/1', index: 3 };
    expect(problemOf(await register(price(far)))).toMatchObject({
      code: 'unverifiable',
      detail: expect.stringContaining('its list says unavailable') as string,
    });
  });
});

describe('a mandate', () => {
  it('is bound with its place in the tree', async () => {
    const parent = valueOf(
      await registerMandate(
        mandateToken({ key: scene.keys.mandates, scene, slot: await scene.slot() }),
      ),
    );
    const child = valueOf(
      await registerMandate(
        mandateToken({ key: scene.keys.mandates, scene, slot: await scene.slot() }, { parent }),
      ),
    );
    const { authorityPort } = scene.rooms;
    const revoked = valueOf(
      await authorityPort.revoke(scene.tenantId, {
        target: { kind: 'mandate', objectId: parent },
        status: 'revoked',
        reasonCode: 'other',
        revokedBy: 'operator',
      }),
    );
    expect(revoked.records.map(({ subjectId }) => subjectId)).toEqual([parent, child]);
  });

  it('whose parent the authority knows as withdrawn is refused, whatever stands here', async () => {
    const parent = valueOf(
      await registerMandate(
        mandateToken({ key: scene.keys.mandates, scene, slot: await scene.slot() }),
      ),
    );
    expect(await knownThere('mandate', parent)).toBe('known');
    const late = mandateToken(
      { key: scene.keys.mandates, scene, slot: await scene.slot() },
      { parent },
    );
    expect(problemOf(await registerMandate(late))).toMatchObject({
      code: 'unverifiable',
      field: '/token',
      detail: expect.stringContaining('The trust authority refused') as string,
    });
  });

  it('that the authority issued is held on the slot that it was given there', async () => {
    const { authorityPort, revocations } = scene.rooms;
    const issued = valueOf(
      await authorityPort.issueMandate(scene.tenantId, {
        mandateId: null,
        kind: 'intent',
        parentId: null,
        subject: scene.buyer,
        agentId: scene.agentId,
        merchantIds: ['shop-1'],
        cartHash: null,
        cap: { amountMinor: 100n, currency: 'INR' },
        notBeforeAtMs: null,
        expiresAtMs: Date.now() + 600_000,
        payment: null,
        buyerJwk: null,
      }),
    );
    expect(valueOf(await registerMandate(issued.token))).toBe(issued.id);
    expect(valueOf(await registerMandate(issued.token))).toBe(issued.id);
    const evidence = { mandates: [issued.id] };
    const now = () => resolveAuthority(scene, { evidence, atMs: Date.now() });
    expect((await now()).facts.mandates).toMatchObject([
      { signature: 'valid', status: { verdict: 'valid' } },
    ]);
    const request = { target: { subjectId: issued.id }, status: 'revoked' } as const;
    const revoked = await revocations.change(scene.tenant.context(), {
      ...request,
      reasonCode: 'other',
      scope: { merchantIds: ['shop-1'] as never },
    });
    expect(valueOf(revoked).slot).toEqual(issued.slot);
    expect((await now()).facts.mandates).toMatchObject([{ status: { verdict: 'revoked' } }]);
  });
});
