import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { type Answer, openShop, type Shop } from '../arbiter/shop.js';
import { testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { startTestService, type TestService } from '../support/service.js';

let here: TestService;
let there: TestService;
beforeAll(async () => {
  here = await startTestService();
  there = await startTestService();
});

const variantOf = (): string => {
  const { lines } = ALLOWED_HANDOFF['cart'] as unknown as { lines: { variant_id: string }[] };
  return lines[0]?.variant_id ?? '';
};

/** The same tenant at another process. */
async function at(
  service: Pick<TestService, 'baseUrl'>,
  shop: Shop,
  [method, path, body]: readonly [string, string, unknown?],
  as: 'agent' | 'tenant_admin' = 'tenant_admin',
): Promise<Answer> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${shop.apiKeys[as]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const set = (service: TestService, shop: Shop, status: string) =>
  at(service, shop, [
    'POST',
    '/v1/revocations',
    {
      artifact_type: 'price',
      merchant_id: SHOP,
      variant_id: variantOf(),
      status,
      reason_code: 'recall',
    },
  ]);
const ask = (service: Pick<TestService, 'baseUrl'>, shop: Shop) =>
  at(service, shop, ['POST', '/v1/decisions', ALLOWED_HANDOFF], 'agent');

describe('a change of status in one process', () => {
  it('stops every decision that is asked after its answer in the other, and is taken back there', async () => {
    const shop = await openShop(here);
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = round % 2 === 0 ? [here, there] : [there, here];
      // Asks that are under way while the change is made may end either way, but they end.
      const underWay = Array.from({ length: 6 }, (_, turn) =>
        ask(turn % 2 === 0 ? one : other, shop),
      );
      expect((await set(one, shop, 'suspended')).status).toBe(200);
      const after = await Promise.all([ask(one, shop), ask(other, shop), ask(other, shop)]);
      for (const { status, body } of after) {
        expect(status).toBe(200);
        expect(body.outcome).toBe('refuse');
      }
      for (const { status } of await Promise.all(underWay)) expect(status).toBe(200);
      expect((await set(other, shop, 'valid')).status).toBe(200);
      expect((await ask(one, shop)).body).toMatchObject({ outcome: 'allow' });
      expect((await ask(other, shop)).body).toMatchObject({ outcome: 'allow' });
    }
  });

  it('stops the use of an allow in the other, and many revokes at once are one', async () => {
    const shop = await openShop(here);
    const allowed = await Promise.all([ask(here, shop), ask(there, shop), ask(there, shop)]);
    const revokes = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => set(turn % 2 === 0 ? here : there, shop, 'revoked')),
    );
    expect(new Set(revokes.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(revokes.map(({ body }) => String(body.revocation_id))).size).toBe(1);
    for (const [turn, { body }] of allowed.entries()) {
      expect(body.outcome).toBe('allow');
      const path = `/v1/decisions/${body.decision_id}/consume`;
      const { cart } = ALLOWED_HANDOFF;
      const used = await at(turn % 2 === 0 ? there : here, shop, [
        'POST',
        path,
        { order_id: `order-${turn}`, provider: 'merchant', cart },
      ]);
      expect(used).toMatchObject({ status: 403, body: { reason: 'artifact_revoked:price' } });
    }
    for (const status of ['valid', 'suspended'])
      expect((await set(there, shop, status)).status).toBe(409);
  });

  it('suspends and resumes from both at once: both end up saying what the authority says', async () => {
    const shop = await openShop(here);
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, turn) =>
          set(
            turn % 2 === 0 ? here : there,
            shop,
            (turn + round) % 3 === 0 ? 'valid' : 'suspended',
          ),
        ),
      );
      for (const { status, body } of answers)
        // 503: another change of the slot came between it and its answer; it is repeated.
        expect([200, 503], JSON.stringify(body)).toContain(status);
      const [one, other] = await Promise.all([ask(here, shop), ask(there, shop)]);
      expect(one.body.outcome).toBe(other.body.outcome);
      expect((await set(here, shop, 'valid')).status).toBe(200);
      expect((await ask(there, shop)).body).toMatchObject({ outcome: 'allow' });
    }
  });
});

describe('an authority that', () => {
  it.each<[string, (respond: import('node:http').ServerResponse) => void]>([
    ['never answers', () => undefined],
    [
      'answers a byte at a time',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
    ],
    [
      'sends a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    ['sends 500', (response) => response.writeHead(500).end()],
    ['redirects to itself', (response) => response.writeHead(302, { location: '/' }).end()],
    [
      'sends JSON of no end',
      (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(200_000)),
    ],
  ])(
    '%s makes decisions refuse in time, and everything else wait',
    { timeout: 60_000 },
    async (_what, respond) => {
      const server = createServer((_request, response) => respond(response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closeAfterFile(() => {
        server.close();
        server.closeAllConnections();
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const shop = await openShop(here);
      const cut = await startTestService({ ...testAuthority().settings, AUTHORITY_URL: url });
      const started = performance.now();
      const asked = await Promise.all(Array.from({ length: 5 }, () => ask(cut, shop)));
      expect(performance.now() - started).toBeLessThan(8_000);
      for (const { status, body } of asked) {
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body).toMatchObject({
          outcome: 'refuse',
          reason: expect.stringMatching(/^status_list_unavailable/),
        });
      }
      const requests = [
        ['POST', '/v1/status-slots', { count: 1 }],
        [
          'POST',
          '/v1/revocations',
          {
            artifact_type: 'price',
            merchant_id: SHOP,
            variant_id: variantOf(),
            reason_code: 'recall',
          },
        ],
      ] as const;
      for (const answer of await Promise.all(requests.map((one) => at(cut, shop, one))))
        expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      // What was asked of it changed nothing for those who reach the real one.
      expect((await ask(here, shop)).body).toMatchObject({ outcome: 'allow' });
    },
  );
});
