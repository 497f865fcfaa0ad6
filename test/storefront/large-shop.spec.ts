import { expect, it } from 'vitest';
import { startTestService } from '../arbiter/shop.js';
import { offer, openStorefront } from './storefront.js';

const PRODUCTS = 1_050;
const READINGS_MAX = 30;

const addressesIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url);

it('a shop that is larger than a reading has an index of sitemaps, which together are the shop', async () => {
  const front = await openStorefront(await startTestService());
  const ids = Array.from({ length: PRODUCTS }, (_, index) => `p-${String(index).padStart(4, '0')}`);
  for (let from = 0; from < ids.length; from += 350)
    await offer(
      front,
      ids.slice(from, from + 350).map((id) => ({ id, onHand: null })),
    );
  const index = await front.see('/sitemap.xml');
  expect(index.text).toContain('<sitemapindex');
  const chapters = addressesIn(index.text).map((url) => url.slice(front.origin.length));
  expect(chapters).toHaveLength(11);
  // The last chapter is the rest; a reading leaves out what was not published in time, and the next has it.
  const chapter = chapters.at(-1) ?? '';
  let urls: readonly string[] = [];
  for (let reading = 0; reading < READINGS_MAX && urls.length < 51; reading += 1)
    urls = addressesIn((await front.see(chapter)).text);
  expect(urls).toEqual([
    `${front.origin}/`,
    ...ids.slice(1_000).map((id) => `${front.origin}/products/${id}`),
  ]);
});
