import { Controller, Headers, Inject } from '@nestjs/common';
import {
  answerWith,
  Handles,
  Input,
  type InputOf,
  PublicHost,
} from '../../../base/platform/index.js';
import { type Origins, ORIGINS, type Site } from '../../../base/tenants/index.js';
import { err, mapOk, ok, type Problem, problem, type Result } from '../../../core/kernel/index.js';
import {
  CHAPTER_PRODUCTS,
  SHOP_PRODUCTS_PER_PAGE_MAX,
  SHOP_READING,
  type ShopPage,
  type ShopProduct,
  type ShopReading,
} from '../../../trust/facts/index.js';
import { printCatalog, printProduct } from './print-catalog.js';
import { jsonLdOf } from './print-json-ld.js';
import { printLlmsTxt, printRobots, printSitemap, printSitemapIndex } from './print-maps.js';
import { printProductPage, printShopPage, SHOP_PAGE_HEADERS } from './print-pages.js';
import { publishedAnswer } from './published-answer.js';
import {
  readCatalog,
  readLlmsTxt,
  readProductJson,
  readProductJsonLd,
  readRobots,
  readSitemap,
  showProduct,
  showShop,
} from './shop.contract.js';

type Known = string | undefined;
type ProductInput = InputOf<typeof readProductJson>;

const KNOWN = 'if-none-match';
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const PRODUCTS_OF_A_PAGE = 100;
const FIRST_PAGE = { after: null, size: PRODUCTS_OF_A_PAGE };

/** What anybody may read of a shop, found by the host that was asked. Nothing here looks at who asks. */
@Controller()
export class ShopController {
  constructor(
    @Inject(SHOP_READING) private readonly shop: ShopReading,
    @Inject(ORIGINS) private readonly origins: Origins,
  ) {}

  @Handles(showShop)
  async home(
    @PublicHost() host: string,
    @Input() { query }: InputOf<typeof showShop>,
    @Headers(KNOWN) known: Known,
  ) {
    const site = await this.origins.siteByHost(host);
    if (!site.ok) return ok(answerWith('', { status: 303, headers: { location: '/docs' } }));
    const { tenantId, origin } = site.value;
    const after = query.after ?? null;
    const page = await this.shop.list(tenantId, { ...FIRST_PAGE, after });
    if (page === null) return err(noSuchCursor('?after'));
    const headers = SHOP_PAGE_HEADERS;
    const text = printShopPage(origin, page);
    return ok(publishedAnswer(text, { contentType: HTML_TYPE, known, headers }));
  }

  @Handles(readCatalog)
  async catalog(
    @PublicHost() host: string,
    @Input() { query }: InputOf<typeof readCatalog>,
    @Headers(KNOWN) known: Known,
  ) {
    const site = await this.origins.siteByHost(host);
    if (!site.ok) return site;
    const { tenantId, origin } = site.value;
    const { cursor = null, limit } = query;
    const page = await this.shop.list(tenantId, { after: cursor, size: limit });
    if (page === null) return err(noSuchCursor('?cursor'));
    const text = JSON.stringify(printCatalog(origin, page));
    return ok(publishedAnswer(text, { contentType: JSON_TYPE, known }));
  }

  @Handles(readProductJson)
  async productJson(
    @PublicHost() host: string,
    @Input() { params }: ProductInput,
    @Headers(KNOWN) known: Known,
  ) {
    return mapOk(await this.#product(host, params.slug), ({ site, product }) =>
      publishedAnswer(JSON.stringify(printProduct(site.origin, product)), {
        contentType: JSON_TYPE,
        known,
      }),
    );
  }

  @Handles(readProductJsonLd)
  async productJsonLd(
    @PublicHost() host: string,
    @Input() { params }: ProductInput,
    @Headers(KNOWN) known: Known,
  ) {
    return mapOk(await this.#product(host, params.slug), ({ site, product }) =>
      publishedAnswer(JSON.stringify(jsonLdOf(site.origin, product)), {
        contentType: 'application/ld+json; charset=utf-8',
        known,
      }),
    );
  }

  @Handles(showProduct)
  async productPage(
    @PublicHost() host: string,
    @Input() { params }: ProductInput,
    @Headers(KNOWN) known: Known,
  ) {
    return mapOk(await this.#product(host, params.slug), ({ site, product }) =>
      publishedAnswer(printProductPage(site.origin, product), {
        contentType: HTML_TYPE,
        known,
        headers: SHOP_PAGE_HEADERS,
      }),
    );
  }

  @Handles(readSitemap)
  async sitemap(
    @PublicHost() host: string,
    @Input() { query }: InputOf<typeof readSitemap>,
    @Headers(KNOWN) known: Known,
  ) {
    const site = await this.origins.siteByHost(host);
    if (!site.ok) return site;
    const text = await this.#sitemapText(site.value, query.after ?? null);
    if (text === null) return err(noSuchCursor('?after'));
    return ok(publishedAnswer(text, { contentType: 'application/xml; charset=utf-8', known }));
  }

  @Handles(readRobots)
  async robots(@PublicHost() host: string, @Headers(KNOWN) known: Known) {
    return mapOk(await this.origins.siteByHost(host), ({ origin }) =>
      publishedAnswer(printRobots(origin), { contentType: TEXT_TYPE, known }),
    );
  }

  @Handles(readLlmsTxt)
  async llmsTxt(@PublicHost() host: string, @Headers(KNOWN) known: Known) {
    const site = await this.origins.siteByHost(host);
    if (!site.ok) return site;
    const page = await this.shop.list(site.value.tenantId, FIRST_PAGE);
    if (page === null) return err(noSuchCursor('?after'));
    const text = printLlmsTxt(site.value.origin, page);
    return ok(publishedAnswer(text, { contentType: TEXT_TYPE, known }));
  }

  /** One file while the shop fits into a reading, else an index of chapters. `after` '' = the first chapter. Null = no cursor of ours. */
  async #sitemapText({ tenantId, origin }: Site, after: string | null): Promise<string | null> {
    if (after !== null) {
      const chapter = { after: after === '' ? null : after, size: CHAPTER_PRODUCTS };
      const page = await this.shop.list(tenantId, chapter);
      return page === null ? null : printSitemap(origin, page);
    }
    const chapters = await this.shop.chapters(tenantId);
    const whole = await this.#wholeShop(tenantId, chapters.length);
    return whole === null ? printSitemapIndex(origin, chapters) : printSitemap(origin, whole);
  }

  /** Null = it is larger than one reading. */
  async #wholeShop(tenantId: Site['tenantId'], chapters: number): Promise<ShopPage | null> {
    const size = SHOP_PRODUCTS_PER_PAGE_MAX;
    if (chapters * CHAPTER_PRODUCTS >= size) return null;
    const page = await this.shop.list(tenantId, { after: null, size });
    return page?.next === null ? page : null;
  }

  async #product(
    host: string,
    slug: string,
  ): Promise<Result<{ readonly site: Site; readonly product: ShopProduct }, Problem>> {
    const site = await this.origins.siteByHost(host);
    if (!site.ok) return site;
    const product = await this.shop.find(site.value.tenantId, { slug });
    return product === null ? err(NOT_OFFERED) : ok({ site: site.value, product });
  }
}

/** Not 410: what is withdrawn today may be offered again tomorrow. */
const NOT_OFFERED = problem('not_found', 'This shop offers nothing under this address now.', {
  fix: 'See /catalog.json for what it offers.',
});

const noSuchCursor = (field: string): Problem =>
  problem('validation_failed', 'This is no place in the list of products.', {
    fix: 'Leave it out, or send the next_cursor of the page before.',
    field,
  });
