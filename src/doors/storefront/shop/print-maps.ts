import { escapeHtml } from '../../../base/platform/index.js';
import type { ShopPage } from '../../../trust/facts/index.js';
import { plainWords } from './plain-words.js';
import { shopName } from './print-pages.js';
import { printDecimal, productUrl } from './product-words.js';

const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** The shop and these products of it. */
export const printSitemap = (origin: string, { products }: Pick<ShopPage, 'products'>): string =>
  [
    XML,
    `<urlset ${SITEMAPS}>`,
    ...[`${origin}/`, ...products.map((product) => productUrl(origin, product))].map(
      (url) => `<url><loc>${escapeHtml(url)}</loc></url>`,
    ),
    '</urlset>\n',
  ].join('\n');

/** A sitemap for each chapter of a large shop. */
export const printSitemapIndex = (origin: string, chapters: readonly string[]): string =>
  [
    XML,
    `<sitemapindex ${SITEMAPS}>`,
    ...['', ...chapters].map(
      (after) =>
        `<sitemap><loc>${escapeHtml(`${origin}/sitemap.xml?after=${encodeURIComponent(after)}`)}</loc></sitemap>`,
    ),
    '</sitemapindex>\n',
  ].join('\n');

/** Everybody may read everything; what needs a key says so itself. */
export const printRobots = (origin: string): string =>
  `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;

/** What a language model needs to know of the shop: where its data stands, and what it sells. */
export const printLlmsTxt = (origin: string, page: ShopPage): string =>
  [
    `# ${markdown(shopName(page))}`,
    '',
    '> A shop whose prices and catalogue entries are signed facts: what is revoked, over or cannot be verified is not shown.',
    '',
    'Prices are in minor units in JSON and in decimal here; each holds until the time that stands beside it in JSON. Names are the words of the merchants.',
    '',
    '## Data',
    '',
    `- [Catalogue](${origin}/catalog.json): every product with its price, availability and the ids of its signed facts, in pages`,
    `- [Sitemap](${origin}/sitemap.xml): the pages of the products; each has its data under the same address with .json and .jsonld`,
    `- [Agent card](${origin}/.well-known/agent-card.json): questions and purchase decisions over A2A`,
    `- [API](${origin}/openapi.json): the API in which purchases are decided; it needs a key`,
    '',
    '## Products',
    '',
    ...page.products.map((product) => {
      const prices = product.variants.map(
        ({ price }) => `${price.currency} ${printDecimal(price)}`,
      );
      const some = [...new Set(prices)].slice(0, PRICES_MAX).join(', ');
      return `- [${markdown(product.title)}](${productUrl(origin, product)}): ${some}`;
    }),
    ...(page.next === null ? [] : ['', 'There are more: the catalogue lists them all.']),
    '',
  ].join('\n');

const PRICES_MAX = 5;

/** Words that stay words: nothing in them becomes a link, a heading or code. */
const markdown = (text: string): string =>
  plainWords(text).replace(/[\\`*_{}[\]()<>#|!]/g, (sign) => `\\${sign}`);
