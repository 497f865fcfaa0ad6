import { beforeAll, describe, expect, it } from 'vitest';
import {
  consentToken,
  makeKey,
  type MandateOptions,
  mandateToken,
  passportToken,
} from '../support/issuer.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';
import { type TrustScene, trustScene } from '../support/trust.js';

const house = testHouse();
let scene: TrustScene;
beforeAll(async () => {
  scene = await trustScene(house);
});

const register = (kind: 'mandate' | 'consent' | 'passport', token: string) =>
  scene.rooms.credentials.register(scene.tenant.context(), { kind, token });
const mandate = async (options: MandateOptions = {}, slot = scene.slot()) =>
  mandateToken({ key: scene.keys.mandates, scene, slot: await slot }, options);
const entryCount = async (): Promise<number> => {
  const { rows } = await house.database.query<{ count: string }>(
    'SELECT count(*) AS count FROM entries WHERE tenant_id = $1',
    [scene.tenantId],
  );
  return Number(rows[0]?.count);
};

describe('registering tokens', () => {
  it('holds each kind once, by its very bytes', async () => {
    const token = await mandate();
    const id = valueOf(await register('mandate', token));
    const before = await entryCount();
    expect(valueOf(await register('mandate', token))).toBe(id);
    expect(await entryCount()).toBe(before);
    const other = await mandate({ claims: { jti: id } });
    expect(problemOf(await register('mandate', other)).code).toBe('conflict');
    const slot = await scene.slot();
    const consent = consentToken({ key: scene.keys.consents, scene, slot });
    const consentId = valueOf(await register('consent', consent));
    const passport = passportToken(
      { key: scene.keys.passports, scene, slot: await scene.slot() },
      { consentId },
    );
    const passportId = valueOf(await register('passport', passport));
    const view = valueOf(
      await scene.rooms.credentials.get(scene.tenantId, {
        kind: 'passport',
        id: passportId,
        viewer: scene.tenant.admin,
        atMs: scene.atMs,
      }),
    );
    expect(view).toMatchObject({
      row: { consentId, capMinor: 2_000_000n },
      status: { verdict: 'valid' },
    });
  });

  it('keeps the buyer out of entries', async () => {
    valueOf(await register('mandate', await mandate()));
    const { rows } = await house.database.query<{ body: string }>(
      'SELECT body FROM entries WHERE tenant_id = $1',
      [scene.tenantId],
    );
    expect(rows.some(({ body }) => body.includes('mandate.registered'))).toBe(true);
    expect(rows.some(({ body }) => body.includes(scene.buyer))).toBe(false);
    const stored = await house.database.query<{ buyer_ref: string }>(
      'SELECT buyer_ref FROM buyer_references WHERE tenant_id = $1',
      [scene.tenantId],
    );
    expect(stored.rows).toEqual([{ buyer_ref: scene.buyer }]);
  });

  const stranger = makeKey('ES256');
  const buyerKey = makeKey('EdDSA');
  const cart = 'a'.repeat(64);
  const nowSeconds = () => Math.floor(scene.atMs / 1_000);
  it.each<[string, () => Promise<string>, string]>([
    ['garbage', () => Promise.resolve('x.y.z'), 'shape'],
    ['alg none', () => mandate({ header: { alg: 'none' } }), 'algorithm'],
    ['no kid', () => mandate({ header: { kid: undefined } }), 'shape'],
    ['an unknown kid', () => mandate({ header: { kid: 'unknown' } }), 'issuer_key'],
    [
      'another issuer under a known kid',
      () => mandate({ claims: { iss: 'https://evil.example' } }),
      'issuer_key',
    ],
    [
      'the kid of a key with another role',
      () => mandate({ header: { kid: scene.keys.passports.kid } }),
      'issuer_key',
    ],
    [
      'another algorithm than the key has',
      () => mandate({ header: { alg: 'EdDSA' } }),
      'algorithm',
    ],
    [
      'a really wrong key',
      async () =>
        mandateToken({
          key: { ...stranger, kid: scene.keys.mandates.kid },
          scene,
          slot: await scene.slot(),
        }),
      'signature',
    ],
    [
      'one changed claim',
      async () => {
        const [head, body = '', signature] = (await mandate()).split('.');
        const claims = Buffer.from(body, 'base64url').toString().replace('5000000', '9000000');
        return [head, Buffer.from(claims).toString('base64url'), signature].join('.');
      },
      'signature',
    ],
    ['another audience', () => mandate({ claims: { aud: 'somebody-else' } }), 'binding'],
    ['a buyer whom no row can hold', () => mandate({ claims: { sub: 'a\0b' } }), 'shape'],
    ['another tenant', () => mandate({ claims: { tenant_id: 'tnt_other' } }), 'binding'],
    ['an ended token', () => mandate({ claims: { iat: 1_000, nbf: 1_000, exp: 2_000 } }), 'expiry'],
    [
      'a token from the future',
      () => mandate({ claims: { iat: nowSeconds() + 3_600, nbf: nowSeconds() + 3_600 } }),
      'not_before',
    ],
    [
      'a slot nobody reserved',
      () => mandate({}, Promise.resolve({ uri: 'urn:elsewhere', index: 1 })),
      'status',
    ],
    ['an unknown parent', () => mandate({ parent: 'mnd_unknown' }), 'lineage'],
    [
      'a key binding by another key',
      () => mandate({ kind: 'cart', cartHash: cart, buyerKey, binding: { key: makeKey('EdDSA') } }),
      'signature',
    ],
    [
      'a key binding from the future',
      () =>
        mandate({
          kind: 'cart',
          cartHash: cart,
          buyerKey,
          binding: { claims: { iat: nowSeconds() + 3_600 } },
        }),
      'not_before',
    ],
    [
      'a key binding for somebody else',
      () =>
        mandate({ kind: 'cart', cartHash: cart, buyerKey, binding: { claims: { aud: 'other' } } }),
      'binding',
    ],
  ])('refuses %s and writes nothing', async (_name, token, check) => {
    const before = await entryCount();
    const refused = problemOf(await register('mandate', await token()));
    expect(refused).toMatchObject({ code: 'unverifiable', field: '/token' });
    expect(refused.detail).toContain(`The check ${check} failed`);
    expect(await entryCount()).toBe(before);
  });

  it('accepts the tenant id as audience, and a key binding that holds', async () => {
    const token = await mandate({
      kind: 'cart',
      cartHash: cart,
      buyerKey,
      claims: { aud: [scene.tenantId] },
    });
    expect((await register('mandate', token)).ok).toBe(true);
  });

  it('lets a passport live 600 s and no longer', async () => {
    const passport = async (lifeSeconds: number) =>
      passportToken(
        { key: scene.keys.passports, scene, slot: await scene.slot() },
        { consentId: 'crec_1', claims: { exp: nowSeconds() + lifeSeconds } },
      );
    expect((await register('passport', await passport(600))).ok).toBe(true);
    expect(problemOf(await register('passport', await passport(601))).detail).toContain(
      'The check expiry failed at exp',
    );
  });

  it('writes nothing for a key bound to merchants that the token does not name', async () => {
    const token = await mandate();
    const registerAs = (merchantIds: readonly string[]) =>
      scene.rooms.credentials.register(scene.tenant.context(), {
        kind: 'mandate',
        token,
        registrar: { role: 'merchant_system', agentId: null, merchantIds },
      });
    const before = await entryCount();
    expect(problemOf(await registerAs(['shop-2'])).code).toBe('not_found');
    expect(await entryCount()).toBe(before);
    expect((await registerAs(['shop-2', scene.merchantId])).ok).toBe(true);
  });

  it('keeps one slot for one object', async () => {
    const slot = await scene.slot();
    valueOf(await register('mandate', await mandate({}, Promise.resolve(slot))));
    const second = problemOf(await register('mandate', await mandate({}, Promise.resolve(slot))));
    expect(second.detail).toContain('The check status failed');
  });
});

describe('mandate trees', () => {
  it('holds a child within its parent, and refuses one beyond it', async () => {
    const root = valueOf(await register('mandate', await mandate()));
    const child = valueOf(
      await register(
        'mandate',
        await mandate({ parent: root, kind: 'cart', cartHash: 'b'.repeat(64) }),
      ),
    );
    const row = valueOf(
      await scene.rooms.credentials.get(scene.tenantId, {
        kind: 'mandate',
        id: child,
        viewer: scene.tenant.admin,
        atMs: scene.atMs,
      }),
    ).row;
    expect(row).toMatchObject({ parentId: root, rootId: root, depth: 2 });
    for (const [claims, member] of [
      [{ cap: { amount: '5000001', currency: 'INR' } }, 'cap.amount'],
      [{ cap: { amount: '1', currency: 'USD' } }, 'cap.currency'],
      [{ exp: Math.floor(scene.atMs / 1_000) + 86_401 }, 'exp'],
      [{ merchant_ids: ['shop-1', 'shop-2'] }, 'merchant_ids'],
      [{ sub: 'somebody@example.org' }, 'sub'],
      [{ agent_id: 'agt_2' }, 'agent_id'],
    ] as const) {
      const refused = problemOf(await register('mandate', await mandate({ parent: root, claims })));
      expect(refused.detail).toContain(`The check lineage failed at ${member}`);
    }
  });

  it('has at most 64 levels', async () => {
    let parent: string | undefined;
    for (let depth = 1; depth <= 64; depth += 1) {
      const slot = valueOf(await scene.rooms.slots.reserve(scene.tenant.context(), 1))[0];
      if (slot === undefined) throw new Error('a slot is reserved');
      parent = valueOf(await register('mandate', await mandate({ parent }, Promise.resolve(slot))));
    }
    const refused = problemOf(await register('mandate', await mandate({ parent })));
    expect(refused.detail).toContain('at most 64 levels');
  });
});
