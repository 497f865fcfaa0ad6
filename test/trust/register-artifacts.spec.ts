import { beforeAll, describe, expect, it } from 'vitest';
import { freshId, makeKey, signedEnvelope } from '../support/issuer.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';
import { type TrustScene, trustScene } from '../support/trust.js';

const house = testHouse();
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const artifact = async (options: Parameters<typeof signedEnvelope>[1] = {}) =>
  signedEnvelope({ key: scene.keys.facts, scene, slot: await scene.slot() }, options);
const entryCount = async (): Promise<number> => {
  const { rows } = await house.database.query<{ count: string }>(
    'SELECT count(*) AS count FROM entries WHERE tenant_id = $1',
    [scene.tenantId],
  );
  return Number(rows[0]?.count);
};

describe('registering artifacts', () => {
  const registerArtifact = (envelope: unknown, merchantIds: readonly string[] | null = null) =>
    scene.rooms.artifacts.register(scene.tenant.context(), { envelope, scope: { merchantIds } });
  const minuteAgo = () => new Date(scene.atMs - 400_000).toISOString();

  it('holds a good one once, and renews it on its slot', async () => {
    const slot = await scene.slot();
    const make = () => signedEnvelope({ key: scene.keys.facts, scene, slot });
    const first = make();
    const row = valueOf(await registerArtifact(first));
    const before = await entryCount();
    expect(valueOf(await registerArtifact(first))).toEqual(row);
    expect(await entryCount()).toBe(before);
    expect((await registerArtifact(make())).ok).toBe(true);
    const taken = await registerArtifact({
      ...(await artifact({ envelope: { artifact_id: row.artifactId } })),
    });
    expect(problemOf(taken)).toMatchObject({ code: 'conflict', field: '/artifact/artifact_id' });
    const other = signedEnvelope({ key: scene.keys.facts, scene, slot }, { variantId: 'tea-200g' });
    expect(problemOf(await registerArtifact(other)).detail).toContain('The check status failed');
  });

  it.each<[string, () => Promise<unknown>, string, string]>([
    ['no object', () => Promise.resolve('x'), 'shape', '/artifact'],
    [
      'a forbidden name',
      () => artifact({ payload: { secret: 'x' } }),
      'shape',
      '/artifact/payload/secret',
    ],
    [
      'another tenant',
      () => artifact({ envelope: { tenant_id: 'tnt_other' } }),
      'scope',
      '/artifact/tenant_id',
    ],
    [
      'an unknown key',
      () => artifact({ envelope: { issuer_key_id: 'k' } }),
      'issuer_key',
      '/artifact/issuer_key_id',
    ],
    [
      'a key of another role',
      () => artifact({ envelope: { issuer_key_id: scene.keys.passports.kid } }),
      'issuer_key',
      '/artifact/issuer_key_id',
    ],
    [
      'no signature',
      () => artifact({ tamper: { signature: undefined } }),
      'signature',
      '/artifact/signature',
    ],
    [
      'a placeholder',
      () => artifact({ tamper: { signature: 'sig_placeholder' } }),
      'signature',
      '/artifact/signature',
    ],
    ['alg none', () => artifact({ header: { alg: 'none' } }), 'algorithm', '/artifact/header/alg'],
    [
      'another algorithm',
      () => artifact({ envelope: { signature_alg: 'EdDSA' } }),
      'algorithm',
      '/artifact/signature_alg',
    ],
    [
      'a really wrong key',
      async () => {
        const key = { ...makeKey('ES256'), kid: scene.keys.facts.kid };
        return signedEnvelope({ key, scene, slot: await scene.slot() });
      },
      'signature',
      '/artifact/signature',
    ],
    [
      'a changed envelope',
      () => artifact({ tamper: { subject_id: 'other' } }),
      'signature',
      '/artifact/signature',
    ],
    [
      'a changed payload',
      async () => {
        const good = await artifact();
        return { ...good, payload: { ...(good['payload'] as object), amount_minor_units: 1 } };
      },
      'payload_hash',
      '/artifact/payload_hash',
    ],
    [
      'one that begins later',
      () => artifact({ envelope: { not_before: new Date(scene.atMs + 60_000).toISOString() } }),
      'not_before',
      '/artifact/not_before',
    ],
    [
      'one that has ended',
      () =>
        artifact({
          envelope: { issued_at: minuteAgo(), expires_at: new Date(scene.atMs - 1).toISOString() },
        }),
      'expiry',
      '/artifact/expires_at',
    ],
    [
      'one that lives too long',
      () =>
        artifact({
          payload: { price_valid_until: '2100-01-01T00:00:00Z' },
          envelope: { expires_at: new Date(scene.atMs + 300_001).toISOString() },
        }),
      'expiry',
      '/artifact/expires_at',
    ],
    [
      'a stale count',
      () => artifact({ type: 'inventory', envelope: { source_observed_at: minuteAgo() } }),
      'freshness',
      '/artifact/source_observed_at',
    ],
  ])('refuses %s and writes nothing', async (_name, envelope, check, field) => {
    const before = await entryCount();
    const refused = problemOf(await registerArtifact(await envelope()));
    expect(refused).toMatchObject({ code: 'unverifiable', field });
    expect(refused.detail).toContain(`The check ${check} failed`);
    expect(await entryCount()).toBe(before);
  });

  it('hides merchants from keys that are not bound to them', async () => {
    expect(problemOf(await registerArtifact(await artifact(), ['shop-2'])).code).toBe('not_found');
  });
});

describe('issuer keys', () => {
  it('names no key twice, imports no unsafe key, and never moves an end back', async () => {
    const { issuerKeys } = scene.rooms;
    const { kid, jwk } = makeKey('EdDSA', freshId('key'));
    const added = {
      issuer: scene.issuer,
      kid,
      role: 'consent',
      jwk,
      types: [],
      notBeforeAtMs: null,
    } as const;
    const key = valueOf(await issuerKeys.add(scene.tenant.context(), added));
    expect(problemOf(await issuerKeys.add(scene.tenant.context(), added)).code).toBe('conflict');
    const unsafe = {
      ...added,
      kid: 'unsafe',
      jwk: { kty: 'OKP', crv: 'Ed25519', x: `AQ${'A'.repeat(41)}` },
    };
    expect(problemOf(await issuerKeys.add(scene.tenant.context(), unsafe))).toMatchObject({
      code: 'validation_failed',
      field: '/jwk',
    });
    const end = { issuerKeyId: key.id, atMs: scene.atMs };
    expect(valueOf(await issuerKeys.retire(scene.tenant.context(), end)).retiredAtMs).toBe(
      scene.atMs,
    );
    expect(problemOf(await issuerKeys.retire(scene.tenant.context(), end)).code).toBe('conflict');
    valueOf(await issuerKeys.compromise(scene.tenant.context(), end));
    const later = { ...end, atMs: scene.atMs + 1 };
    expect(problemOf(await issuerKeys.compromise(scene.tenant.context(), later)).code).toBe(
      'conflict',
    );
    const earlier = valueOf(
      await issuerKeys.compromise(scene.tenant.context(), { ...end, atMs: 5 }),
    );
    expect(earlier.compromisedSinceAtMs).toBe(5);
    const unknown = await issuerKeys.retire(scene.tenant.context(), {
      issuerKeyId: 'ikey_x',
      atMs: null,
    });
    expect(problemOf(unknown).code).toBe('not_found');
  });
});
