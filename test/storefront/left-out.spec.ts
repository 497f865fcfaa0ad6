import { beforeAll, describe, expect, it } from 'vitest';
import { FROZEN_AT_MS, SHOP } from '../../src/demo/demo-world.js';
import { openShop, startTestService } from '../arbiter/shop.js';
import { moveClock } from '../arbiter/uses.js';
import { startTestAuthority } from '../support/authority.js';
import type { TestService } from '../support/service.js';
import { EVERYWHERE, NOWHERE, offer, openStorefront, revokeFact, shownOn } from './storefront.js';

/** What may not be shown is shown on no surface, and what may is on all of them. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});

const opened = async () => {
  const front = await openStorefront(service);
  await offer(front, [{ id: 'tea' }, { id: 'cup' }]);
  expect(await shownOn(front, 'tea')).toEqual(EVERYWHERE);
  expect(await shownOn(front, 'cup')).toEqual(EVERYWHERE);
  return front;
};

describe('after a revoke through the routes', () => {
  it.each(['price', 'catalog_snapshot'] as const)('of one %s', async (type) => {
    const front = await opened();
    await revokeFact(front, type, 'tea');
    expect(await shownOn(front, 'tea')).toEqual(NOWHERE);
    expect(await shownOn(front, 'cup')).toEqual(EVERYWHERE);
  });

  it('at the next request, on a second service that held what was before, also with the ETag of then', async () => {
    const other = await startTestService();
    const { shop, host } = await opened();
    const front = await openStorefront(service, { shop, through: other });
    expect(await shownOn(front, 'tea')).toEqual(EVERYWHERE);
    const { headers } = await front.see('/catalog.json');
    const known = { 'if-none-match': String(headers['etag']) };
    expect((await front.see('/catalog.json', known)).status).toBe(304);
    await revokeFact(front, 'price', 'tea');
    const next = await front.see('/catalog.json', known);
    expect([next.status, next.text.includes('"tea"')]).toEqual([200, false]);
    expect(await shownOn(front, 'tea')).toEqual(NOWHERE);
    expect(host).not.toBe(front.host);
  });

  it('and again everywhere once the price was set anew', async () => {
    const front = await opened();
    await revokeFact(front, 'price', 'tea');
    const body = { merchant_id: SHOP, price: { amount: '45900', currency: 'INR' } };
    const set = await front.shop.call('PUT', '/v1/catalog/prices/tea', {
      as: 'merchant_system',
      body,
    });
    expect(set.status).toBe(200);
    expect(await shownOn(front, 'tea')).toEqual(EVERYWHERE);
  });
});

it('a product that is not listed', async () => {
  const front = await opened();
  await offer(front, [{ id: 'tea', listed: false }]);
  expect(await shownOn(front, 'tea')).toEqual(NOWHERE);
  await offer(front, [{ id: 'draft', listed: false }]);
  expect(await shownOn(front, 'draft')).toEqual(NOWHERE);
  await offer(front, [{ id: 'tea' }]);
  expect(await shownOn(front, 'tea')).toEqual(EVERYWHERE);
});

it('with the authority gone everything, as soon as the copies of its lists are over', async () => {
  const authority = await startTestAuthority();
  const alone = await startTestService(authority.settings);
  const front = await openStorefront(alone);
  await offer(front, [{ id: 'tea' }, { id: 'never-read' }]);
  expect(await shownOn(front, 'tea')).toEqual(EVERYWHERE);
  await authority.stop();
  expect(await shownOn(front, 'tea')).toEqual(EVERYWHERE);
  await moveClock(front.shop, FROZEN_AT_MS + 61_000);
  const began = performance.now();
  expect(await shownOn(front, 'tea')).toEqual(NOWHERE);
  expect(performance.now() - began).toBeLessThan(60_000);
  for (const path of ['/', '/catalog.json', '/sitemap.xml', '/robots.txt', '/llms.txt'])
    expect((await front.see(path)).status).toBe(200);
});

it('another tenant’s products on this host, and everything on a host of nobody', async () => {
  const [ours, theirs] = [await opened(), await openStorefront(service)];
  await offer(theirs, [{ id: 'lamp' }]);
  expect(await shownOn(ours, 'lamp')).toEqual(NOWHERE);
  expect(await shownOn(theirs, 'tea')).toEqual(NOWHERE);
  expect(JSON.stringify((await ours.see('/catalog.json')).body)).not.toContain(
    ours.shop.tenantId.slice(4),
  );
  const nobody = { ...ours, see: (path: string) => ours.see(path, { host: 'nobody.example' }) };
  for (const path of ['/catalog.json', '/sitemap.xml', '/robots.txt', '/llms.txt', '/products/tea'])
    expect((await nobody.see(path)).status).toBe(421);
  for (const end of ['.json', '.jsonld'])
    expect((await nobody.see(`/products/tea${end}`)).body.code).toBe('misdirected_request');
  expect(await nobody.see('/')).toMatchObject({ status: 303, headers: { location: '/docs' } });
});

it('a database of a tenant without merchants shows an empty shop', async () => {
  const front = await openStorefront(service, { shop: await openShop(service) });
  expect((await front.see('/catalog.json')).body).toEqual({ products: [], next_cursor: null });
  expect((await front.see('/')).text).toContain('Nothing is offered here');
});
