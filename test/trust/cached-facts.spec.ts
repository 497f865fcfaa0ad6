import { beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTS, SHOP, STALL } from '../../src/demo/demo-world.js';
import {
  type Answer,
  type CallOptions,
  openShop,
  type Shop,
  startTestService,
} from '../arbiter/shop.js';

let shop: Shop;
let names = 0;
const fresh = (what: string): string => `${what}-${(names += 1)}`;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const [CHAI] = PRODUCTS;
const asMerchant = { as: 'merchant_system' } as const;

const read = (type: string, subject: string, options: CallOptions = {}, merchant = SHOP) =>
  shop.call(
    'GET',
    `/v1/merchants/${merchant}/facts/${type}/${encodeURIComponent(subject)}`,
    options,
  );

async function tea(): Promise<string> {
  const id = fresh('tea');
  const body = {
    merchant_id: SHOP,
    products: [{ product_id: id, title: 'Tea' }],
    variants: [{ variant_id: id, product_id: id }],
    prices: [{ variant_id: id, price: { amount: '700', currency: 'INR' } }],
    counts: [{ variant_id: id, on_hand: 4 }],
  };
  const imported = await shop.call('POST', '/v1/catalog/imports', { ...asMerchant, body });
  expect(imported.status).toBe(200);
  return id;
}

const list = (query: string): Promise<Answer> =>
  shop.call('GET', `/v1/facts?merchant_id=${SHOP}${query}`, asMerchant);

describe('GET /v1/merchants/{merchant_id}/facts/{artifact_type}/{subject}', () => {
  it('200: the signed envelope, published by being read, with its status', async () => {
    const id = await tea();
    const price = await read('price', id);
    expect(price).toMatchObject({
      status: 200,
      body: {
        artifact_type: 'price',
        merchant_id: SHOP,
        subject: id,
        status: { verdict: 'valid' },
        artifact: {
          subject_id: id,
          source_revision: '0',
          payload: { amount_minor_units: 700, currency: 'INR', variant_id: id },
        },
      },
    });
    expect((await read('price', id)).body.artifact_id).toBe(price.body.artifact_id);
    expect((await read('inventory', id)).body.artifact.payload).toMatchObject({
      quantity_bucket: 4,
      availability_state: 'in_stock',
    });
    expect((await read('catalog_snapshot', id)).body.artifact.payload.product_refs).toEqual([id]);
  });

  it('shows the pieces there are now, more or fewer', async () => {
    const id = await tea();
    for (const onHand of [4, 3, 0, 9]) {
      const body = { merchant_id: SHOP, on_hand: onHand };
      await shop.call('PUT', `/v1/stock/${id}`, { ...asMerchant, body });
      expect((await read('inventory', id)).body.artifact.payload.quantity_bucket).toBe(onHand);
    }
  });

  it('403 with the bare reason once it is revoked, in the form of every refusal', async () => {
    const id = await tea();
    await read('price', id);
    const revoked = await shop.call('POST', '/v1/revocations', {
      ...asMerchant,
      body: { artifact_type: 'price', merchant_id: SHOP, variant_id: id, reason_code: 'recall' },
    });
    expect(revoked.status).toBe(200);
    const refused = await read('price', id);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      code: 'arbiter_refused',
      failing_rule: 'facts_valid',
      reason: 'artifact_revoked',
      action: 'The commerce arbiter refused: facts_valid (artifact_revoked).',
      required_config: 'artifacts',
      reason_page: '/docs/reasons/facts_valid/artifact_revoked',
    });
    expect(refused.body).not.toHaveProperty('decision_id');
    expect((await read('inventory', id)).status).toBe(200);
    const put = {
      ...asMerchant,
      body: { merchant_id: SHOP, price: { amount: '700', currency: 'INR' } },
    };
    await shop.call('PUT', `/v1/catalog/prices/${id}`, put);
    expect(await read('price', id)).toMatchObject({
      status: 200,
      body: { artifact: { source_revision: '1' } },
    });
  });

  const setProduct = (
    productId: string,
    {
      status,
      reason = 'recall',
    }: { readonly status: 'revoked' | 'suspended' | 'valid'; readonly reason?: string },
  ) =>
    shop.call('POST', '/v1/revocations', {
      ...asMerchant,
      body: {
        ...{ artifact_type: 'catalog_snapshot', merchant_id: SHOP, variant_id: productId },
        ...{ reason_code: reason, status },
      },
    });
  const variantReads = async (id: string) =>
    Promise.all(
      ['price', 'inventory'].map(async (type) => {
        const { status, body } = await read(type, id);
        return status === 200 ? 200 : `${status} ${String(body.reason)}`;
      }),
    );

  it('403 for every variant of a product that is revoked, until the product is set again', async () => {
    const [id, other] = [await tea(), await tea()];
    const second = fresh('second');
    const imported = await shop.call('POST', '/v1/catalog/imports', {
      ...asMerchant,
      body: {
        merchant_id: SHOP,
        variants: [{ variant_id: second, product_id: id }],
        prices: [{ variant_id: second, price: { amount: '900', currency: 'INR' } }],
        counts: [{ variant_id: second, on_hand: 2 }],
      },
    });
    expect(imported.status).toBe(200);
    // No obstacle: no catalogue entry of this product was ever published.
    for (const variant of [id, second, other])
      expect(await variantReads(variant)).toEqual([200, 200]);
    for (const product of [id, other])
      expect((await read('catalog_snapshot', product)).status).toBe(200);
    expect((await setProduct(id, { status: 'revoked' })).status).toBe(200);
    for (const variant of [id, second])
      expect(await variantReads(variant)).toEqual(['403 artifact_revoked', '403 artifact_revoked']);
    expect((await read('price', id)).body).toMatchObject({
      code: 'arbiter_refused',
      failing_rule: 'facts_valid',
      action: 'The commerce arbiter refused: facts_valid (artifact_revoked).',
    });
    expect(await variantReads(other)).toEqual([200, 200]);
    expect((await read('policy', SHOP)).status).toBe(200);
    // Another price does not bring the product back.
    const price = { merchant_id: SHOP, price: { amount: '701', currency: 'INR' } };
    await shop.call('PUT', `/v1/catalog/prices/${id}`, { ...asMerchant, body: price });
    expect(await variantReads(id)).toEqual(['403 artifact_revoked', '403 artifact_revoked']);
    const body = { merchant_id: SHOP, title: 'Tea' };
    const put = await shop.call('PUT', `/v1/catalog/products/${id}`, { ...asMerchant, body });
    expect(put.status).toBe(200);
    for (const variant of [id, second]) expect(await variantReads(variant)).toEqual([200, 200]);
    expect((await read('catalog_snapshot', id)).status).toBe(200);
    expect(await variantReads(id)).toEqual([200, 200]);
    expect((await read('price', id)).body.status.verdict).toBe('valid');
    // The entry of the new revision is withdrawn like the first one.
    expect((await setProduct(id, { status: 'revoked' })).status).toBe(200);
    expect(await variantReads(second)).toEqual(['403 artifact_revoked', '403 artifact_revoked']);
  });

  it('403 while the product is suspended, and once it was revoked and taken off the list', async () => {
    const id = await tea();
    await read('catalog_snapshot', id);
    const suspended = { status: 'suspended', reason: 'merchant_request' } as const;
    expect((await setProduct(id, suspended)).status).toBe(200);
    const refused = ['403 artifact_suspended', '403 artifact_suspended'];
    expect(await variantReads(id)).toEqual(refused);
    expect((await setProduct(id, { status: 'valid' })).status).toBe(200);
    expect(await variantReads(id)).toEqual([200, 200]);
    expect((await setProduct(id, { status: 'revoked' })).status).toBe(200);
    const body = { merchant_id: SHOP, title: 'Tea', listed: false };
    const put = await shop.call('PUT', `/v1/catalog/products/${id}`, { ...asMerchant, body });
    expect(put.status).toBe(200);
    expect(await variantReads(id)).toEqual(['403 artifact_revoked', '403 artifact_revoked']);
  });

  it('a fact that an issuer registered is read the same way', async () => {
    const price = await read('price', CHAI.variantId);
    expect(price).toMatchObject({ status: 200, body: { artifact: { artifact_type: 'price' } } });
  });

  it('404: no such subject, no such merchant, one that the key may not touch; 400 of another type', async () => {
    expect((await read('price', 'nothing')).status).toBe(404);
    expect((await read('policy', 'nothing')).status).toBe(404);
    expect((await read('price', 'x', {}, 'nobody')).status).toBe(404);
    const body = { name: 'k', role: 'merchant_system', merchant_ids: [STALL] };
    const made = await shop.call('POST', '/v1/api-keys', { as: 'tenant_admin', body });
    const apiKey = String(made.body.api_key);
    expect((await read('price', CHAI.variantId, { apiKey })).status).toBe(404);
    expect((await read('offer', 'x')).status).toBe(400);
  });
});

describe('GET /v1/facts and POST /v1/facts/publications', () => {
  it('list what is published, page by page, and publish what is not', async () => {
    const [first, second] = [await tea(), await tea()];
    const publish = (body: object) =>
      shop.call('POST', '/v1/facts/publications', {
        ...asMerchant,
        body: { merchant_id: SHOP, ...body },
      });
    expect((await list(`&artifact_type=price&subject=${first}`)).body.items).toEqual([]);
    const published = await publish({ artifact_type: 'price', subject: first });
    expect(published.body).toMatchObject({ published: 1, total: 1, next_cursor: null });
    expect((await publish({ artifact_type: 'price', subject: first })).body).toMatchObject({
      published: 0,
      unchanged: 1,
    });
    expect((await publish({ artifact_type: 'price', subject: 'nothing' })).body).toMatchObject({
      absent: 1,
    });
    expect((await publish({})).status).toBe(200);
    for (const subject of [first, second]) {
      const { items } = (await list(`&subject=${subject}`)).body as {
        items: { artifact_type: string; status: { verdict: string } }[];
      };
      expect(items.map((one) => `${one.artifact_type} ${one.status.verdict}`)).toEqual([
        'catalog_snapshot valid',
        'inventory valid',
        'price valid',
      ]);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Answer = await list(`&limit=2${from}`);
      expect(page.status).toBe(200);
      const items = page.body.items as { artifact_id: string }[];
      seen.push(...items.map((one) => one.artifact_id));
      cursor = page.body.next_cursor as string | null;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(8);
  });

  it('400: a subject without its type, a cursor that is none', async () => {
    const bad = (body: object) =>
      shop.call('POST', '/v1/facts/publications', {
        ...asMerchant,
        body: { merchant_id: SHOP, ...body },
      });
    expect(await bad({ subject: 'x' })).toMatchObject({
      status: 400,
      body: { field: '/artifact_type' },
    });
    expect((await bad({ cursor: 'price' })).status).toBe(400);
    expect((await list('&cursor=%00')).status).toBe(400);
  });

  it('an auditor lists and publishes nothing; an agent reads single facts only', async () => {
    const body = { merchant_id: SHOP };
    const path = '/v1/facts/publications';
    expect((await shop.call('POST', path, { as: 'auditor', body })).status).toBe(403);
    expect((await shop.call('POST', path, { as: 'agent', body })).status).toBe(403);
    expect(
      (await shop.call('GET', `/v1/facts?merchant_id=${SHOP}`, { as: 'auditor' })).status,
    ).toBe(200);
    expect((await shop.call('GET', `/v1/facts?merchant_id=${SHOP}`, { as: 'agent' })).status).toBe(
      403,
    );
    expect((await read('price', CHAI.variantId, { as: 'auditor' })).status).toBe(200);
  });
});

describe('GET /v1/status-lists', () => {
  it('says of each list its version, age and values, and which slots are ours', async () => {
    const id = await tea();
    await read('price', id);
    const lists = await shop.call('GET', '/v1/status-lists', { as: 'auditor' });
    expect(lists.status).toBe(200);
    const own = (lists.body.items as { uri: string; fault: string | null }[]).find(({ uri }) =>
      uri.includes(`/status/${shop.tenantId}/`),
    );
    expect(own).toMatchObject({ fault: null, list: { places: 131_072, other: 0 } });
    const one = await shop.call(
      'GET',
      `/v1/status-lists?uri=${encodeURIComponent(own?.uri ?? '')}`,
      {
        as: 'auditor',
      },
    );
    expect(one.body.items).toHaveLength(1);
    const none = await shop.call('GET', '/v1/status-lists?uri=https%3A%2F%2Fother.example%2F1', {
      as: 'auditor',
    });
    expect(none.body.items).toEqual([]);
    expect((await shop.call('GET', '/v1/status-lists', { as: 'agent' })).status).toBe(403);
  });
});
