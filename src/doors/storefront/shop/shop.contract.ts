import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { SIGNATURE_PROBLEMS } from '../../../core/kernel/index.js';
import { SHOP_PRODUCTS_PER_PAGE_MAX, SLUG_CHARACTERS_MAX } from '../../../trust/facts/index.js';

const PRODUCTS_PER_PAGE_DEFAULT = 100;
const CURSOR_CHARACTERS_MAX = 400;

const shown = {
  method: 'GET',
  tag: 'storefront',
  access: 'public',
  idempotency: 'none',
} as const;

const HOST = ' The shop is found by the Host header.';
const LEFT_OUT =
  ' Judged at every request: what is revoked, over, unverifiable, not listed or of which no status list tells is left out.';
const CACHED =
  ' Answers carry an ETag and are asked for again each time (304 to If-None-Match): a revoke is true at the next request.';

/** Addresses of pages get things appended by whoever hands them on: those are not looked at. */
const ignored = z.object({});
const cursor = z.string().max(CURSOR_CHARACTERS_MAX);

const slugParams = z.strictObject({
  slug: z.string().max(SLUG_CHARACTERS_MAX).meta({
    description:
      '`<product_id>` of the tenant’s oldest merchant, `<merchant_id>~<product_id>` of the others, with `~-` for a slash.',
  }),
});

const artifactView = z.strictObject({
  artifact_id: z.string().meta({ description: 'A decision may name it.' }),
  artifact_type: z.enum(['catalog_snapshot', 'price', 'inventory']),
  valid_until: z.string(),
  href: z
    .string()
    .meta({ description: 'The newest signed envelope of this subject; needs a key.' }),
  artifact: z.record(z.string(), z.unknown()).optional().meta({
    description: 'The signed envelope (docs/tokens.md); with one product only.',
  }),
});

const variantView = z.strictObject({
  variant_id: z.string(),
  title: z.string().nullable(),
  price: z.strictObject({
    amount: z.string().meta({ description: 'Minor units, as the signed fact says.' }),
    currency: z.string(),
  }),
  availability: z.enum(['in_stock', 'out_of_stock', 'unknown']),
  valid_until: z.string().meta({ description: 'Of the price.' }),
  artifacts: z.array(artifactView),
});

export const productView = z.strictObject({
  merchant: z.strictObject({ merchant_id: z.string(), name: z.string() }),
  product_id: z.string(),
  slug: z.string(),
  title: z.string().meta({ description: 'The merchant’s words: nobody signs them.' }),
  image_url: z.string().nullable(),
  url: z.string(),
  json_url: z.string(),
  valid_until: z.string().meta({ description: 'The earliest end of what is said.' }),
  artifacts: z.array(artifactView).meta({ description: 'The catalogue entry.' }),
  variants: z.array(variantView),
});

export const catalogView = z.strictObject({
  products: z.array(productView),
  next_cursor: z.string().nullable(),
});

export const showShop = route({
  ...shown,
  path: '/',
  summary: 'The shop under this host, as HTML',
  description: `Where no shop answers, it leads to the page of this API.${LEFT_OUT}`,
  query: z.object({ after: cursor.optional() }),
  success: { status: 200, body: null },
  problems: [],
});

export const readCatalog = route({
  ...shown,
  path: '/catalog.json',
  summary: 'The products of a shop, with signed prices and the ids of their facts',
  description: `By merchant and product id. A page may hold fewer products than asked for, even none, and have a next one.${LEFT_OUT}${HOST}${CACHED}`,
  query: z.object({
    cursor: cursor.optional(),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'A number.')
      .transform(Number)
      .refine((limit) => limit <= SHOP_PRODUCTS_PER_PAGE_MAX, `1 to ${SHOP_PRODUCTS_PER_PAGE_MAX}`)
      .default(PRODUCTS_PER_PAGE_DEFAULT),
  }),
  success: { status: 200, body: catalogView },
  problems: ['misdirected_request', ...SIGNATURE_PROBLEMS],
});

const ofProduct = {
  ...shown,
  params: slugParams,
  query: ignored,
  problems: ['misdirected_request', 'not_found'],
} as const;

export const readProductJson = route({
  ...ofProduct,
  path: '/products/{slug}.json',
  summary: 'One product, with its signed facts',
  description: `404 also for what may be shown again later.${LEFT_OUT}${HOST}${CACHED}`,
  success: { status: 200, body: productView },
  problems: [...ofProduct.problems, ...SIGNATURE_PROBLEMS],
});

export const readProductJsonLd = route({
  ...ofProduct,
  path: '/products/{slug}.jsonld',
  summary: 'One product as schema.org JSON-LD',
  description: `A Product with an Offer for each variant.${LEFT_OUT}${HOST}${CACHED}`,
  success: {
    status: 200,
    body: z.record(z.string(), z.unknown()),
    mediaType: 'application/ld+json',
  },
});

export const showProduct = route({
  ...ofProduct,
  path: '/products/{slug}',
  page: true,
  summary: 'One product, as HTML with JSON-LD in it',
  description: `Always HTML: its data stands under the same address with .json and .jsonld.${LEFT_OUT}${HOST}${CACHED}`,
  success: { status: 200, body: null },
});

export const readSitemap = route({
  ...shown,
  path: '/sitemap.xml',
  summary: 'The pages of a shop',
  description: `Of a large shop an index of sitemaps.${LEFT_OUT}${HOST}${CACHED}`,
  query: z.object({ after: cursor.optional() }),
  success: { status: 200, body: z.string(), mediaType: 'application/xml' },
  problems: ['misdirected_request'],
});

export const readRobots = route({
  ...shown,
  path: '/robots.txt',
  summary: 'Everybody may read; the sitemap is named',
  description: HOST.trim(),
  query: ignored,
  success: { status: 200, body: z.string(), mediaType: 'text/plain' },
  problems: ['misdirected_request'],
});

export const readLlmsTxt = route({
  ...shown,
  path: '/llms.txt',
  summary: 'The shop for language models, as Markdown',
  description: `Where its data stands, and its first products.${LEFT_OUT}${HOST}${CACHED}`,
  query: ignored,
  success: { status: 200, body: z.string(), mediaType: 'text/plain' },
  problems: ['misdirected_request'],
});
