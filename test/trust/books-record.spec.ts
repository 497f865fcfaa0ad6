import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { createLocalJWKSet, jwtVerify, compactVerify, type JSONWebKeySet } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { answered } from '../arbiter/money-books.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { differencesOf, entriesOf } from '../arbiter/uses.js';
import { testAuthority } from '../support/authority.js';

/** facts/arbiter.md A6, A9, 2.5, as somebody sees it who has nothing but the public routes and jose. */

const [CHAI, KETTLE] = PRODUCTS;
const authority = testAuthority().address;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

interface Revoked {
  readonly revocation_id: string;
  readonly uri: string;
  readonly idx: number;
}
const revoke = async (variantId: string): Promise<Revoked> => {
  const body = {
    ...{ artifact_type: 'price', merchant_id: SHOP, variant_id: variantId },
    reason_code: 'price_error',
  };
  return answered<Revoked>(
    await shop.call('POST', '/v1/revocations', { as: 'tenant_admin', body }),
    200,
  );
};

const published = (path: string): Promise<Response> =>
  fetch(`${authority.transportOrigin()}${path}`);
const publishedKeys = async () =>
  createLocalJWKSet((await (await published('/.well-known/jwks.json')).json()) as JSONWebKeySet);

it('A6: the record of a revoke is public, and proves itself and the place on the list to a stranger', async () => {
  const { revocation_id: id, uri, idx } = await revoke(CHAI.variantId);
  const served = await published(`/revocations/${shop.tenantId}/${id}`);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'application/jwt']);
  const jws = await served.text();
  const keys = await publishedKeys();
  const record = await compactVerify(jws, keys);
  expect(record.protectedHeader).toMatchObject({ typ: 'fact-revocation+jwt', alg: 'EdDSA' });
  const claims = JSON.parse(new TextDecoder().decode(record.payload)) as { version: number };
  expect(claims).toMatchObject({
    ...{ iss: authority.origin, jti: id, tenant_id: shop.tenantId },
    ...{ subject_kind: 'artifact', artifact_type: 'price', uri, idx },
    ...{ status: 'revoked', reason_code: 'price_error', cause: 'direct', root_subject_id: null },
  });

  const list = await published(uri.slice(authority.origin.length));
  const currentDate = new Date((claims as unknown as { iat: number }).iat * 1_000);
  const { payload } = await jwtVerify(await list.text(), keys, {
    ...{ issuer: authority.origin, subject: uri, typ: 'statuslist+jwt', currentDate },
  });
  expect(payload['version']).toBeGreaterThanOrEqual(claims.version);
  const { bits, lst } = payload['status_list'] as { bits: number; lst: string };
  const places = inflateSync(Buffer.from(lst, 'base64url'));
  const at = idx * bits;
  expect([bits, ((places[Math.floor(at / 8)] ?? 0) >> (at % 8)) & 3]).toEqual([2, 1]);

  // What the arbiter wrote down in the chain of the tenant is the digest of these very bytes (decisions 4.6).
  const observed = await entriesOf(shop, ['revocation.observed']);
  expect(JSON.stringify(observed.map(({ data }) => data))).toContain(
    createHash('sha256').update(jws).digest('hex'),
  );
});

it('2.5 "revoke twice": the same record, one flip of one slot', async () => {
  const first = await revoke(KETTLE.variantId);
  const entries = await shop.entryCount();
  const version = async () => {
    const list = await published(first.uri.slice(authority.origin.length));
    const claims = (await list.text()).split('.')[1] ?? '';
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { version: number }).version;
  };
  const before = await version();
  expect(await revoke(KETTLE.variantId)).toEqual(first);
  expect(await version()).toBe(before);
  expect(await shop.entryCount()).toBe(entries);
});

it('a product that is recalled is sold in none of its variants; another product is', async () => {
  const variants = ['red', 'blue'].map((colour) => ({
    ...{ variant_id: `rose-${colour}`, product_id: 'rose' },
  }));
  const pot = { variant_id: 'pot', product_id: 'pot' };
  const all = [...variants, pot];
  const body = {
    merchant_id: SHOP,
    products: ['rose', 'pot'].map((id) => ({ product_id: id, title: id })),
    variants: all,
    prices: all.map(({ variant_id }) => ({
      variant_id,
      price: { amount: '700', currency: 'INR' },
    })),
    counts: all.map(({ variant_id }) => ({ variant_id, on_hand: 9 })),
  };
  const as = 'merchant_system' as const;
  answered(await shop.call('POST', '/v1/catalog/imports', { as, body }), 200);
  const ask = async ({ variant_id, product_id }: typeof pot) => {
    const price = { amount: '700', currency: 'INR' };
    const lines = [{ product_id, variant_id, quantity: 1, unit_price: price }];
    const cart = { currency: 'INR', lines, total: price };
    const { outcome, reason } = answered<{ outcome: string; reason?: string }>(
      await shop.ask({ flow: 'handoff', merchant_id: SHOP, cart }),
      200,
    );
    return reason ?? outcome;
  };
  const answers = () => Promise.all(all.map(ask));
  expect(await answers()).toEqual(['allow', 'allow', 'allow']);
  const recall = {
    ...{ artifact_type: 'catalog_snapshot', merchant_id: SHOP, variant_id: 'rose' },
    reason_code: 'recall',
  };
  answered(await shop.call('POST', '/v1/revocations', { as, body: recall }), 200);
  const revoked = 'artifact_revoked:catalog_snapshot';
  expect(await answers()).toEqual([revoked, revoked, 'allow']);
});

it('one revoke stops what the catalogue publishes and what an issuer registered of the same name', async () => {
  const as = 'merchant_system' as const;
  const stall = await openShop(shop.service);
  const ask = async () => (await stall.ask(ALLOWED_HANDOFF)).body as object;
  const wish = { merchant_id: SHOP };
  answered(await stall.call('POST', '/v1/facts/publications', { as, body: wish }), 200);
  expect(await ask()).toMatchObject({ outcome: 'allow' });
  // A cart of the catalogue rests on the published policy, this one on the registered one.
  const body = { artifact_type: 'policy', merchant_id: SHOP, reason_code: 'recall' };
  const call = () => stall.call('POST', '/v1/revocations', { as, body, idempotencyKey: 'k-1' });
  const revoked = answered<Revoked>(await call(), 200);
  expect(await ask()).toMatchObject({ outcome: 'refuse', reason: 'artifact_revoked:policy' });
  const cached = await stall.call('GET', `/v1/merchants/${SHOP}/facts/policy/${SHOP}`, { as });
  expect(cached).toMatchObject({ status: 403, body: { reason: 'artifact_revoked' } });
  const entries = await stall.entryCount();
  expect(answered(await call(), 200)).toEqual(revoked);
  expect(await stall.entryCount()).toBe(entries);
  expect(await differencesOf(stall)).toEqual([]);
});
