import { beforeAll, describe, expect, it } from 'vitest';
import { SHOP, STALL } from '../../src/demo/demo-world.js';
import { catalogView, productView } from '../../src/doors/storefront/shop/shop.contract.js';
import { startTestService } from '../arbiter/shop.js';
import type { TestService } from '../support/service.js';
import { offer, openStorefront, type Storefront } from './storefront.js';

let service: TestService;
let front: Storefront;
beforeAll(async () => {
  service = await startTestService();
  front = await openStorefront(service);
  await offer(front, [
    {
      id: 'tea',
      title: 'Masala </script><script>alert(1)</script> "chai" & <b>',
      image: 'https://cdn.example/a.png?x="1"',
    },
    { id: 'cup', title: 'كوب', onHand: 0, amount: '1', currency: 'INR' },
    { id: 'yen', amount: '2099', currency: 'JPY', onHand: null },
    { id: 'dinar', amount: '1500', currency: 'KWD' },
    { id: 'gid://shop/Product/1' },
    { id: 'x' },
    { id: 'x.json' },
    { id: 'x.jsonld' },
    { id: 'json' },
    { id: `m${'/'.repeat(127)}`, title: 'long' },
  ]);
  await offer(front, [{ id: 'tea', title: 'The stall’s tea', merchantId: STALL, amount: '100' }]);
});

const ldOf = (html: string): unknown => {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)];
  expect(blocks).toHaveLength(1);
  return JSON.parse(blocks[0]?.[1] ?? '');
};

describe('/catalog.json', () => {
  it('lists every product with price, availability and artifact ids, as its contract says', async () => {
    const { status, body, headers } = await front.see('/catalog.json');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const { products } = catalogView.parse(body);
    expect(products).toHaveLength(11);
    const tea = products.find(({ slug }) => slug === 'tea');
    expect(tea).toMatchObject({
      merchant: { merchant_id: SHOP, name: 'Chai House' },
      product_id: 'tea',
      url: `${front.origin}/products/tea`,
      json_url: `${front.origin}/products/tea.json`,
      artifacts: [{ artifact_type: 'catalog_snapshot' }],
      variants: [
        {
          variant_id: 'tea',
          price: { amount: '45900', currency: 'INR' },
          availability: 'in_stock',
          artifacts: [{ artifact_type: 'price' }],
        },
      ],
    });
    expect(products.find(({ slug }) => slug === `${STALL}~tea`)?.merchant.merchant_id).toBe(STALL);
    const states = Object.fromEntries(
      products.map((one) => [one.slug, one.variants[0]?.availability]),
    );
    expect(states).toMatchObject({ tea: 'in_stock', cup: 'out_of_stock', yen: 'unknown' });
    for (const { url } of products) expect(url).toMatch(/^https:\/\/[^/]+\/products\/[^/]+$/);
  });

  it('in pages', async () => {
    const slugs: string[] = [];
    let query = '?limit=4';
    for (;;) {
      const { products, next_cursor: next } = catalogView.parse(
        (await front.see(`/catalog.json${query}`)).body,
      );
      slugs.push(...products.map(({ slug }) => slug));
      if (next === null) break;
      query = `?limit=4&cursor=${next}`;
    }
    expect(new Set(slugs).size).toBe(11);
    expect(slugs).toHaveLength(11);
  });

  it.each([
    ['?limit=0', '?limit'],
    ['?limit=1001', '?limit'],
    ['?limit=x', '?limit'],
    ['?cursor=x', '?cursor'],
    [`?cursor=${'x'.repeat(401)}`, '?cursor'],
    ['?cursor=a&cursor=b', '?cursor'],
  ])('%s is told', async (query, field) => {
    expect(await front.see(`/catalog.json${query}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', field },
    });
  });

  it('does not mind what others append to an address', async () => {
    for (const path of ['/', '/catalog.json', '/products/tea', '/products/tea.json', '/robots.txt'])
      expect((await front.see(`${path}?utm_source=x&ref=y`)).status).toBe(200);
  });
});

describe('a product', () => {
  it('as JSON has the signed envelopes, which a decision can name', async () => {
    const product = productView.parse((await front.see('/products/tea.json')).body);
    const artifacts = [...product.artifacts, ...product.variants.flatMap((one) => one.artifacts)];
    expect(artifacts.map((one) => one.artifact_type)).toEqual([
      'catalog_snapshot',
      'price',
      'inventory',
    ]);
    for (const { artifact_id: id, artifact, href } of artifacts) {
      expect(artifact).toMatchObject({ artifact_id: id, signature: expect.any(String) as string });
      const path = new URL(href);
      expect(path.host).toBe(front.host);
      const read = await front.shop.call('GET', path.pathname);
      expect(read.body.artifact_id).toBe(id);
    }
  });

  it.each([
    ['tea', '459.00', 'INR', 'https://schema.org/InStock'],
    ['cup', '0.01', 'INR', 'https://schema.org/OutOfStock'],
    ['yen', '2099', 'JPY', undefined],
    ['dinar', '1.500', 'KWD', 'https://schema.org/InStock'],
  ])('%s as JSON-LD costs %s %s', async (id, price, priceCurrency, availability) => {
    const { headers, body } = await front.see(`/products/${id}.jsonld`);
    expect(headers['content-type']).toBe('application/ld+json; charset=utf-8');
    expect(body).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Product',
      offers: {
        ...{ '@type': 'Offer', sku: id, price, priceCurrency },
        url: `${front.origin}/products/${id}`,
        priceValidUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      },
    });
    expect(body.offers.availability).toBe(availability);
    expect(body).not.toHaveProperty('aggregateRating');
    const page = await front.see(`/products/${id}`);
    expect(ldOf(page.text)).toEqual(body);
  });

  it('as a page escapes the words of the merchant', async () => {
    const { text, headers } = await front.see('/products/tea');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('<b>');
    expect(text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect((ldOf(text) as { name: string }).name).toBe(
      'Masala </script><script>alert(1)</script> "chai" & <b>',
    );
    expect(text).toContain('src="https://cdn.example/a.png?x=%221%22"');
  });

  it.each(['gid://shop/Product/1', 'x', 'x.json', 'x.jsonld', 'json', `m${'/'.repeat(127)}`])(
    '%s has a page, JSON and JSON-LD of its own',
    async (id) => {
      const { products } = catalogView.parse((await front.see('/catalog.json')).body);
      const product = products.find(({ product_id: productId }) => productId === id);
      const path = new URL(product?.url ?? '').pathname;
      const page = await front.see(path);
      expect([page.status, page.headers['content-type']]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(page.text).toContain(`<link rel="canonical" href="${product?.url}">`);
      expect((await front.see(`${path}.json`)).body).toMatchObject({ product_id: id });
      expect((await front.see(`${path}.jsonld`)).body).toMatchObject({ productID: id });
    },
  );

  it('what ends in .json is JSON, however it is spelled, and never the page', async () => {
    for (const path of [
      '/products/x.json',
      '/products/x%2Ejson',
      '/products/x%2ejson',
      '/products/%78.json',
    ])
      expect((await front.see(path)).body).toMatchObject({ product_id: 'x' });
    expect((await front.see('/products/x.json.json')).body).toMatchObject({ product_id: 'x.json' });
    expect((await front.see('/products/gid%3A%2F%2Fshop%2FProduct%2F1.json')).body).toMatchObject({
      product_id: 'gid://shop/Product/1',
    });
    const page = await front.see('/products/x', { accept: 'application/json' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it.each([
    ...['/products/none', '/products/none.json', '/products/none.jsonld', '/products/.json'],
    ...['/products/~', '/products/a~b~c.json', '/products/..%2F..%2Fetc', '/products/%F0%9F%98%82'],
    ...['/products/none%00'.replace('%00', '%01'), `/products/${'a'.repeat(500)}`, '/products/'],
    `/products/${STALL}~x.json`,
  ])('404: %s', async (path) => {
    const answer = await front.see(path);
    expect(answer.status).toBe(404);
    expect(answer.body?.code ?? 'not_found').toBe('not_found');
  });

  it('no bad address gives a 500', async () => {
    for (const path of [
      '%',
      '%zz',
      '%FF',
      '%C0%80',
      `${'a'.repeat(600)}`,
      '%00',
      'a%0d%0ab',
      '\\',
      ';',
      '.jsonld',
      '.',
    ])
      for (const end of ['', '.json', '.jsonld'])
        expect((await front.see(`/products/${path}${end}`)).status).toBeLessThan(500);
  });
});

describe('maps of the shop', () => {
  it('sitemap.xml names the pages', async () => {
    const { text, headers } = await front.see('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    const urls = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
    expect(urls).toHaveLength(12);
    expect(urls).toContain(`${front.origin}/`);
    for (const url of urls) expect((await front.see(new URL(url ?? '').pathname)).status).toBe(200);
    const chapter = await front.see('/sitemap.xml?after=');
    expect(chapter.text).toBe(text);
    expect((await front.see('/sitemap.xml?after=x')).status).toBe(400);
  });

  it('robots.txt allows everything', async () => {
    expect((await front.see('/robots.txt')).text).toBe(
      `User-agent: *\nAllow: /\n\nSitemap: ${front.origin}/sitemap.xml\n`,
    );
  });

  it('llms.txt is Markdown in which no title becomes a link', async () => {
    const { text } = await front.see('/llms.txt');
    expect(text).toMatch(/^# Chai House, Chai Stall\n\n> /);
    expect(text).toContain(`(${front.origin}/catalog.json)`);
    expect(text).toContain('Masala \\</script\\>');
    expect(text).toContain(`(${front.origin}/products/dinar): KWD 1.500`);
  });

  it('/ lists the products', async () => {
    const { text } = await front.see('/');
    expect(text).toContain(`href="${front.origin}/products/tea"`);
    expect(text).toContain('INR 459.00');
    expect(text).not.toContain('<script');
  });
});

describe('caching', () => {
  const PATHS = [
    ...['/', '/catalog.json', '/products/tea', '/products/tea.json', '/products/tea.jsonld'],
    ...['/sitemap.xml', '/robots.txt', '/llms.txt'],
  ];

  it.each(PATHS)('%s: an ETag, no age, and 304 to who has it', async (path) => {
    const first = await front.see(path);
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await front.see(path, { 'if-none-match': known });
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers).toMatchObject({
        etag,
        'cache-control': first.headers['cache-control'],
      });
    }
    for (const known of ['"other"', 'x', ''])
      expect((await front.see(path, { 'if-none-match': known })).status).toBe(200);
  });

  it('another price is another ETag', async () => {
    const before = await front.see('/products/x.jsonld');
    await offer(front, [{ id: 'x', amount: '46000' }]);
    const after = await front.see('/products/x.jsonld', {
      'if-none-match': String(before.headers['etag']),
    });
    expect([after.status, after.body.offers.price]).toEqual([200, '460.00']);
  });
});

it('HEAD answers like GET, without a body', async () => {
  const answer = await service.app.inject({
    method: 'HEAD',
    url: '/catalog.json',
    headers: { host: front.host },
  });
  expect([answer.statusCode, answer.body]).toEqual([200, '']);
});
