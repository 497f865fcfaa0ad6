import { expect, it } from 'vitest';
import { DUE_WORKS, type DueWorks } from '../../src/base/ledger/index.js';
import { FROZEN_AT_MS, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { moveClock } from '../arbiter/uses.js';
import { openShop } from '../arbiter/shop.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { TEST_SERVICE_TOKEN } from '../support/authority-settings.js';
import { startTestService } from '../support/service.js';

const HOUR_MS = 3_600_000;

/** The authority of the run behind a line that can be cut: what is asked then never arrives. */
async function cuttableAuthority() {
  const { address, settings } = testAuthority();
  const line = { isCut: false, url: '', settings };
  const server = createServer((request, response) => {
    if (line.isCut) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const { authorization, 'content-type': type } = request.headers;
        const answered = await fetch(`${address.transportOrigin()}${request.url ?? '/'}`, {
          method: request.method,
          headers: {
            ...(authorization === undefined ? {} : { authorization }),
            ...(type === undefined ? {} : { 'content-type': type }),
          },
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        });
        const headers = { 'content-type': answered.headers.get('content-type') ?? '' };
        response.writeHead(answered.status, headers).end(await answered.text());
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterFile(() => void server.close());
  closeAfterFile(() => server.closeAllConnections());
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  line.settings = { ...settings, AUTHORITY_URL: line.url };
  return line;
}

it('a clock that the authority was not told of is told, although another process asked meanwhile', async () => {
  const line = await cuttableAuthority();
  const service = await startTestService(line.settings);
  const shop = await openShop(service);
  expect((await shop.ask(ALLOWED_HANDOFF)).body).toMatchObject({ outcome: 'allow' });

  line.isCut = true;
  const movedToMs = FROZEN_AT_MS + HOUR_MS;
  await moveClock(shop, movedToMs).catch(() => undefined);
  // A process that knows nothing of it, as after a restart.
  const other = await startTestService();
  const slots = await fetch(`${other.baseUrl}/v1/status-slots`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.apiKeys.tenant_admin}`,
      'content-type': 'application/json',
    },
    body: '{"count":1}',
  });
  expect(slots.status).toBe(201);

  line.isCut = false;
  await other.app.get<DueWorks>(DUE_WORKS, { strict: false }).sweep(shop.tenantId);
  const url = `${line.url}/v1/tenants/${shop.tenantId}/clock`;
  const told = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TEST_SERVICE_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ now: new Date(FROZEN_AT_MS).toISOString() }),
  });
  expect(await told.json()).toEqual({ now: new Date(movedToMs).toISOString() });
});

it('at the end of time nothing breaks', async () => {
  const shop = await openShop(await startTestService());
  const admin = { as: 'tenant_admin' } as const;
  await moveClock(shop, Date.UTC(9000, 0, 1));
  const broken: unknown[] = [];
  const place = {
    artifact_type: 'price',
    merchant_id: SHOP,
    variant_id: 'chai',
    reason_code: 'recall',
  };
  const product = { merchant_id: SHOP, title: 'Tea' };
  for (const [method, path, body] of [
    ['POST', '/v1/status-slots', { count: 1 }],
    ['GET', '/v1/status-lists', undefined],
    ['PUT', '/v1/catalog/products/end', product],
    ['PUT', '/v1/catalog/variants/end', { merchant_id: SHOP, product_id: 'end' }],
    [
      'PUT',
      '/v1/catalog/prices/end',
      { merchant_id: SHOP, price: { amount: '1', currency: 'INR' } },
    ],
    ['PUT', '/v1/stock/end', { merchant_id: SHOP, on_hand: 1 }],
    ['POST', '/v1/facts/publications', { merchant_id: SHOP }],
    ['GET', `/v1/merchants/${SHOP}/facts/price/end`, undefined],
    ['GET', `/v1/facts?merchant_id=${SHOP}`, undefined],
    ['POST', '/v1/revocations', place],
    ['POST', '/v1/decisions', ALLOWED_HANDOFF],
    ['GET', '/v1/issuer-keys', undefined],
  ] as const) {
    const as = path === '/v1/decisions' ? ({ as: 'agent' } as const) : admin;
    const answer = await shop.call(method, path, {
      ...as,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status >= 500) broken.push([method, path, answer]);
  }
  expect(broken).toEqual([]);
});
