import { beforeAll, describe, expect, it } from 'vitest';
import { ARTIFACT_TYPES, REQUIRED_ARTIFACT_TYPES } from '../../src/core/rules/index.js';
import { StoredArtifactResolver } from '../../src/trust/facts/index.js';
import { makeKey, signedEnvelope } from '../support/issuer.js';
import { testHouse, valueOf } from '../support/tenants.js';
import { resolveArtifacts, trustRooms, type TrustScene, trustScene } from '../support/trust.js';

const house = testHouse();
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const envelope = async (options: Parameters<typeof signedEnvelope>[1] = {}) =>
  signedEnvelope({ key: scene.keys.facts, scene, slot: await scene.slot() }, options);
const never = { query: () => new Promise<never>(() => undefined) };
const broken = { query: () => Promise.reject(new Error('the database is gone')) };
const soon = (): AbortSignal => {
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  return controller.signal;
};
const resolverOn = (database: typeof never | typeof broken) => {
  const { issuerKeys, statuses } = trustRooms({ ...house, database });
  const { checker } = scene.rooms;
  const published = { ofCart: () => Promise.resolve([]) };
  return { database, issuerKeys, checker, statuses, published };
};

describe('resolveArtifacts', () => {
  const registerAll = async (at: TrustScene, variantId: string) => {
    const ids: string[] = [];
    for (const type of REQUIRED_ARTIFACT_TYPES) {
      const signed = signedEnvelope(
        { key: at.keys.facts, scene: at, slot: await at.slot() },
        { type, variantId },
      );
      const row = valueOf(
        await at.rooms.artifacts.register(at.tenant.context(), {
          envelope: signed,
          scope: { merchantIds: null },
        }),
      );
      ids.push(row.artifactId);
    }
    return ids;
  };
  const lines = [{ productId: 'tea', variantId: 'tea-100g' }];

  it('finds the newest of every required type, and what was named in its place', async () => {
    const mine = await trustScene(house);
    const old = await registerAll(mine, 'tea-100g');
    const current = await registerAll(mine, 'tea-100g');
    const found = await resolveArtifacts(mine, { lines });
    expect(found.artifacts.map(({ id }) => id)).toEqual(current);
    expect(
      found.artifacts.map(({ type, verdict, status }) => [type, verdict, status.verdict]),
    ).toEqual(REQUIRED_ARTIFACT_TYPES.map((type) => [type, 'valid', 'valid']));
    expect(found.artifacts[1]).toMatchObject({
      variantId: 'tea-100g',
      unitPrice: { amountMinor: 2_099n, currency: 'INR' },
    });
    const named = await resolveArtifacts(mine, { lines, named: [old[1]] });
    expect(named.artifacts[0]?.id).toBe(old[1]);
    expect(named.artifacts.filter(({ type }) => type === 'price')).toHaveLength(1);
    const two = await resolveArtifacts(mine, {
      lines: [...lines, { productId: 'tea', variantId: 'tea-200g' }],
    });
    expect(two.artifacts).toHaveLength(5);
  });

  it.each(ARTIFACT_TYPES)('reads an inline %s', async (type) => {
    const found = await resolveArtifacts(scene, { named: [await envelope({ type })] });
    expect(found.artifacts).toMatchObject([
      { type, verdict: 'valid', status: { verdict: 'valid' } },
    ]);
    expect(found.sideWrites).toHaveLength(1);
  });

  const stranger = makeKey('ES256');
  it.each<[string, () => Promise<unknown>, string]>([
    ['an unknown id', () => Promise.resolve('art_unknown'), 'artifact_missing_or_invalid'],
    ['no object', () => Promise.resolve(7), 'artifact_missing_or_invalid'],
    [
      'a missing member',
      () => envelope({ tamper: { safety: undefined } }),
      'artifact_missing_or_invalid',
    ],
    [
      'another tenant',
      () => envelope({ envelope: { tenant_id: 'tnt_other' } }),
      'artifact_scope_mismatch',
    ],
    [
      'another merchant',
      () => envelope({ envelope: { merchant_id: 'shop-2' } }),
      'artifact_scope_mismatch',
    ],
    [
      'another agent',
      () => envelope({ envelope: { buyer_agent_id: 'agt_2' } }),
      'artifact_scope_mismatch',
    ],
    [
      'an unknown key',
      () => envelope({ envelope: { issuer_key_id: 'k' } }),
      'issuer_key_untrusted',
    ],
    [
      'a key of another role',
      () => envelope({ envelope: { issuer_key_id: scene.keys.passports.kid } }),
      'issuer_key_untrusted',
    ],
    [
      'no signature',
      () => envelope({ tamper: { signature: undefined } }),
      'signature_missing_or_placeholder',
    ],
    [
      'a placeholder',
      () => envelope({ tamper: { signature: 'placeholder' } }),
      'signature_missing_or_placeholder',
    ],
    ['alg none', () => envelope({ header: { alg: 'none' } }), 'signature_algorithm_unsupported'],
    [
      'another algorithm and no signature',
      () => envelope({ tamper: { signature_alg: 'RS256', signature: undefined } }),
      'signature_algorithm_unsupported',
    ],
    [
      'a jku header',
      () => envelope({ header: { jku: 'https://evil.example' } }),
      'detached_jws_verification_failed',
    ],
    [
      'another kid in the header',
      () => envelope({ header: { kid: 'other' } }),
      'detached_jws_verification_failed',
    ],
    [
      'a really wrong key',
      async () =>
        signedEnvelope({
          key: { ...stranger, kid: scene.keys.facts.kid },
          scene,
          slot: await scene.slot(),
        }),
      'detached_jws_verification_failed',
    ],
    [
      'a changed payload',
      async () => {
        const good = await envelope();
        return { ...good, payload: { ...(good['payload'] as object), amount_minor_units: 1 } };
      },
      'payload_hash_mismatch',
    ],
  ])('calls %s by its verdict', async (_name, named, verdict) => {
    const found = await resolveArtifacts(scene, { named: [await named()] });
    expect(found.artifacts.map((one) => one.verdict)).toEqual([verdict]);
  });

  it('holds no artifact to be good under the id or on the slot of another one', async () => {
    const mine = await trustScene(house);
    const slot = await mine.slot();
    const make = (artifactId: string, variantId: string, at = slot) =>
      signedEnvelope(
        { key: mine.keys.facts, scene: mine, slot: at },
        { variantId, envelope: { artifact_id: artifactId } },
      );
    const held = make('art_held', 'tea-100g');
    const scope = { merchantIds: null };
    valueOf(await mine.rooms.artifacts.register(mine.tenant.context(), { envelope: held, scope }));
    const named = [
      held,
      make('art_held', 'tea-100g', await mine.slot()),
      make('art_2', 'tea-200g'),
      make('art_3', 'tea-100g'),
    ];
    const { artifacts } = await resolveArtifacts(mine, { named });
    expect(artifacts.map(({ verdict, status }) => [verdict, status.verdict])).toEqual([
      ['valid', 'valid'],
      ['artifact_missing_or_invalid', 'unavailable'],
      ['valid', 'unavailable'],
      ['valid', 'valid'],
    ]);
  });

  it('tells a key that was retired before the issue from one that was retired after', async () => {
    const mine = await trustScene(house);
    const make = async () =>
      signedEnvelope({ key: mine.keys.facts, scene: mine, slot: await mine.slot() });
    const key = (await mine.rooms.issuerKeys.list(mine.tenantId)).find(
      ({ role }) => role === 'fact_issuer',
    );
    if (key === undefined) throw new Error('the scene has this key');
    const retire = (atMs: number) =>
      mine.rooms.issuerKeys.retire(mine.tenant.context(), { issuerKeyId: key.id, atMs });
    valueOf(await retire(mine.atMs));
    const { artifacts } = await resolveArtifacts(mine, { named: [await make()] });
    expect(artifacts).toMatchObject([{ verdict: 'issuer_key_inactive' }]);
  });

  it.each(['never', 'broken'] as const)(
    'answers with data when the database is %s there',
    async (kind) => {
      const resolver = new StoredArtifactResolver(resolverOn(kind === 'never' ? never : broken));
      const found = await resolver.resolveArtifacts({
        tenantId: scene.tenantId,
        merchantId: scene.merchantId,
        agentId: scene.agentId,
        lines,
        named: ['art_1', await envelope()],
        atMs: scene.atMs,
        deadline: soon(),
      });
      expect(found.artifacts.map(({ verdict, status }) => [verdict, status.verdict])).toEqual([
        ['artifact_missing_or_invalid', 'unavailable'],
        ['artifact_missing_or_invalid', 'unavailable'],
      ]);
    },
  );
});
