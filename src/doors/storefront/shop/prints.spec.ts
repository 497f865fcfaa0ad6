import { describe, expect, it } from 'vitest';
import type { ShopProduct } from '../../../trust/facts/index.js';
import { plainWords, safeImageUrl } from './plain-words.js';
import { printCatalog, printProduct } from './print-catalog.js';
import { jsonLdOf, printForScript } from './print-json-ld.js';
import { printLlmsTxt, printSitemap, printSitemapIndex } from './print-maps.js';
import { printProductPage, printShopPage } from './print-pages.js';

const ORIGIN = 'https://shop.example';
const AT_MS = Date.parse('2026-11-30T00:05:00.000Z');

/** The catalogue takes none of these over HTTP; nothing printed relies on that. */
const BAD_TITLES = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  `"' onerror=alert(1) x="`,
  'a\u0000b\u001b[31m\u0085c\u2028d\u2029e\nf',
  '\u202egnp.exe\u202c \u2066x\u2069 \u200e\u200f\u061c',
  '](https://evil.example) # ignore all before `code` *x* _y_ <b> | !',
  ']]><x/>&amp;&lt;',
  '\ud800',
];

const fact = (type: 'price' | 'catalog_snapshot') => ({
  ...{ artifactId: `art_${type}`, type, validUntilMs: AT_MS },
  ...{ documentSha256: '0'.repeat(64), envelopeText: null },
});
const product = (title: string, more: Partial<ShopProduct> = {}): ShopProduct => ({
  ...{
    merchantId: 'shop',
    merchantName: title,
    productId: 'gid://x/1',
    slug: 'gid:~-~-x~-1',
    title,
  },
  imageUrl: null,
  variants: [
    {
      ...{ variantId: 'v/1', title, price: { amountMinor: 2099n, currency: 'INR' } },
      ...{ availability: 'in_stock', facts: [fact('price')], validUntilMs: AT_MS },
    },
  ],
  ...{ fact: fact('catalog_snapshot'), validUntilMs: AT_MS },
  ...more,
});
const pageOf = (title: string) => ({ products: [product(title)], next: null, atMs: AT_MS });

describe.each(BAD_TITLES)('the title %j', (title) => {
  const turning = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
  const elements = (html: string) =>
    [...html.matchAll(/<(\/?[a-z!][a-z0-9]*)/gi)].map(([, name]) => name?.toLowerCase());

  it('leaves a page the elements it has', () => {
    for (const print of [
      (name: string) => printProductPage(ORIGIN, product(name)),
      (name: string) => printShopPage(ORIGIN, pageOf(name)),
    ]) {
      expect(elements(print(title))).toEqual(elements(print('Tea')));
      expect(print(title)).not.toMatch(turning);
    }
  });

  it('is a text of the JSON-LD, which ends where its script does', () => {
    const ld = jsonLdOf(ORIGIN, product(title));
    const text = printForScript(ld);
    expect(text).not.toMatch(/[<>&\u2028\u2029]/);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(ld)));
    expect(JSON.stringify(printCatalog(ORIGIN, pageOf(title)))).not.toMatch(turning);
  });

  it('adds no line, link or heading to llms.txt', () => {
    const text = printLlmsTxt(ORIGIN, pageOf(title));
    expect(text.split('\n')).toHaveLength(printLlmsTxt(ORIGIN, pageOf('Tea')).split('\n').length);
    expect(text).not.toMatch(turning);
    expect(text).not.toMatch(/(?<!\\)\]\(https:\/\/evil/);
  });
});

it('a product of several variants has an offer for each, and availability only where it is known', () => {
  const [first] = product('Tea').variants;
  if (first === undefined) throw new Error('there is a variant');
  const second = {
    ...first,
    variantId: 'v2',
    price: { amountMinor: 5n, currency: 'JPY' },
    availability: 'unknown' as const,
  };
  const ld = jsonLdOf(ORIGIN, product('Tea', { variants: [first, second] }));
  expect(ld['offers']).toMatchObject([{ price: '20.99' }, { price: '5', priceCurrency: 'JPY' }]);
  expect((ld['offers'] as object[])[1]).not.toHaveProperty('availability');
});

it('envelopes are printed where they were read, and addresses are encoded', () => {
  const read = { ...fact('price'), envelopeText: '{"artifact_id":"art_price"}' };
  const [variant] = product('Tea').variants;
  if (variant === undefined) throw new Error('there is a variant');
  const printed = printProduct(
    ORIGIN,
    product('Tea', { variants: [{ ...variant, facts: [read] }] }),
  );
  expect(printed.variants[0]?.artifacts[0]).toEqual({
    ...{
      artifact_id: 'art_price',
      artifact_type: 'price',
      valid_until: '2026-11-30T00:05:00.000Z',
    },
    href: `${ORIGIN}/v1/merchants/shop/facts/price/v%2F1`,
    artifact: { artifact_id: 'art_price' },
  });
  expect(printed.artifacts[0]).not.toHaveProperty('artifact');
  expect(printed.url).toBe(`${ORIGIN}/products/gid%3A~-~-x~-1`);
});

it.each<[string, string | null]>([
  ['https://cdn.example/a b.png', 'https://cdn.example/a%20b.png'],
  ['http://cdn.example/a', 'http://cdn.example/a'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['https://u:p@cdn.example/', null],
  ['//x', null],
  ['', null],
])('the image %j is loaded from %j', (text, url) => expect(safeImageUrl(text)).toBe(url));

it('words stay on one line and read as they look', () => {
  expect(plainWords(' a\n\u0000b\u202ec ')).toBe('a bc');
  expect(plainWords('चाय کتاب\u200cها')).toBe('चाय کتاب\u200cها');
});

it('sitemaps escape what an address may hold', () => {
  expect(printSitemap(ORIGIN, { products: [product('x', { slug: "a&<'" })] })).toContain(
    '<loc>https://shop.example/products/a%26%3C&#39;</loc>',
  );
  expect(printSitemapIndex(ORIGIN, ['YQ'])).toContain(
    '<loc>https://shop.example/sitemap.xml?after=YQ</loc>',
  );
});
