import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { DUE_WORKS, type DueWorks } from '../../src/base/ledger/index.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { REVOKED_HANDOFF } from '../../src/demo/tour-purchases.js';
import { SHOP, STALL } from '../../src/demo/demo-world.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { startTestService, type TestService } from '../support/service.js';
import { startReceiver } from './receiver.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
});

const admin = { as: 'tenant_admin' } as const;
const refusals = ['decision.refused'];

/** What the tick would do, until everything was sent that is due now. */
async function tick(): Promise<void> {
  await service.app.get<DueWorks>(DUE_WORKS, { strict: false }).sweep(null);
}

const create = (shop: Shop, body: object, options: object = admin) =>
  shop.call('POST', '/v1/webhook-endpoints', { ...options, body });

async function refuse(shop: Shop): Promise<void> {
  expect(await shop.ask(REVOKED_HANDOFF)).toMatchObject({ body: { outcome: 'refuse' } });
}

async function keyOf(shop: Shop, grant: object): Promise<string> {
  const answer = await shop.call('POST', '/v1/api-keys', { ...admin, body: grant });
  expect(answer.status).toBe(201);
  return String(answer.body.api_key);
}

describe('a subscribed decision', () => {
  it('reaches its endpoint signed, and shows as delivered; others do not', async () => {
    const shop = await openShop(service);
    const receiver = await startReceiver();
    const subscription = { url: receiver.url, event_types: ['decision.allowed'] };
    const endpoint = await create(shop, subscription);
    expect(endpoint).toMatchObject({
      status: 201,
      body: { state: 'active', url: receiver.url, merchant_id: null, disabled_reason: null },
    });
    const decided = await shop.ask(ALLOWED_HANDOFF);
    const outcome = String(decided.body.outcome);
    await refuse(shop);
    await tick();
    await receiver.count(1);
    const [request] = receiver.received;
    const verifier = new Webhook(String(endpoint.body.secret));
    const headers = request?.headers as Record<string, string>;
    expect(outcome).toBe('allow');
    expect(verifier.verify(request?.body ?? '', headers)).toMatchObject({
      type: 'decision.allowed',
      data: { decision_id: decided.body.decision_id, merchant_id: SHOP, reason: null },
    });
    let delivery;
    do {
      const listed = await shop.call('GET', '/v1/webhook-deliveries?status=delivered', admin);
      expect(listed.status).toBe(200);
      [delivery] = listed.body.items;
    } while (delivery === undefined);
    expect(delivery).toMatchObject({
      event_type: 'decision.allowed',
      message_id: headers['webhook-id'],
      last_attempt: { attempt_no: 1, status_code: 204, error_class: null },
    });
    const one = await shop.call('GET', `/v1/webhook-deliveries/${delivery.delivery_id}`, admin);
    expect(one.body.attempts).toHaveLength(1);
    const again = `/v1/webhook-deliveries/${delivery.delivery_id}/resend`;
    expect(await shop.call('POST', again, admin)).toMatchObject({
      status: 202,
      body: { status: 'pending', attempt_count: 1 },
    });
    await tick();
    await receiver.count(2);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(headers['webhook-id']);
    expect(receiver.received[1]?.body).toBe(request?.body);
  });

  it('is not sent to an endpoint that was deleted', async () => {
    const shop = await openShop(service);
    const receiver = await startReceiver();
    const endpoint = await create(shop, { url: receiver.url, event_types: refusals });
    const path = `/v1/webhook-endpoints/${endpoint.body.endpoint_id}`;
    expect((await shop.call('DELETE', path, admin)).status).toBe(204);
    expect((await shop.call('DELETE', path, admin)).status).toBe(404);
    await refuse(shop);
    await tick();
    expect((await shop.call('GET', '/v1/webhook-deliveries', admin)).body.items).toEqual([]);
    expect((await shop.call('GET', '/v1/webhook-endpoints', admin)).body.items).toEqual([]);
  });
});

describe('an endpoint', () => {
  it.each([
    'ftp://shop.example/',
    'http://shop.example:22/',
    'https://user:secret@shop.example/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::ffff:127.0.0.1]/',
    'https:shop.example',
    'https:/shop.example',
    'https:\\\\shop.example',
    'https://shop.example/\nhooks',
    'https://shop.example/\u0007hooks',
    ' https://shop.example/hooks',
    'https://shop.example/hooks#part',
    'https://@shop.example/',
    'nonsense',
  ])('is refused at %s', async (url) => {
    const shop = await openShop(service);
    const answer = await create(shop, { url, event_types: refusals });
    // Plain http is for loopback, and a name may lead there: this is found when it is sent.
    if (url.startsWith('http://')) expect(answer.status).toBe(201);
    else {
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(JSON.stringify(answer.body)).toContain('/url');
    }
  });

  it('is stored in its canonical form', async () => {
    const shop = await openShop(service);
    const url = 'HTTPS://Shop.Example:443/a/../hooks?x=ü';
    const created = await create(shop, { url, event_types: refusals });
    const canonical = 'https://shop.example/hooks?x=%C3%BC';
    expect([created.status, created.body.url]).toEqual([201, canonical]);
    const listed = await shop.call('GET', '/v1/webhook-endpoints', admin);
    expect(listed.body.items).toMatchObject([{ url: canonical }]);
  });

  it('has types that exist, each once, and at least one', async () => {
    const shop = await openShop(service);
    const url = 'https://shop.example/hooks';
    for (const event_types of [[], ['no.such'], [...refusals, ...refusals], 'decision.refused'])
      expect((await create(shop, { url, event_types })).status).toBe(400);
    expect((await create(shop, { url, event_types: refusals, merchant_id: 'nobody' })).status).toBe(
      404,
    );
  });

  it('shows its secret once, whoever repeats the request', async () => {
    const shop = await openShop(service);
    const options = { ...admin, idempotencyKey: 'once' };
    const body = { url: 'https://shop.example/hooks', event_types: refusals };
    const first = await create(shop, body, options);
    const second = await create(shop, body, options);
    expect(first.body.secret).toMatch(/^whsec_/);
    expect(second).toMatchObject({
      status: 201,
      body: { endpoint_id: first.body.endpoint_id, secret: null },
    });
    const rotation = `/v1/webhook-endpoints/${first.body.endpoint_id}/rotate`;
    const short = await shop.call('POST', rotation, { ...admin, body: { overlap_seconds: 60 } });
    expect(short.status).toBe(400);
    const rotated = await shop.call('POST', rotation, { ...admin, body: {} });
    expect(rotated).toMatchObject({ status: 201, body: { secret: expect.any(String) as string } });
    const listed = await shop.call('GET', '/v1/webhook-endpoints', admin);
    expect(listed.body.items[0].replaced_secrets_end_at).toEqual([rotated.body.previous_ends_at]);
    expect(JSON.stringify(listed.body)).not.toContain('whsec_');
  });

  it('is made by administrators and operators, and seen by auditors', async () => {
    const shop = await openShop(service);
    const body = { url: 'https://shop.example/hooks', event_types: refusals };
    const operator = await keyOf(shop, { name: 'o', role: 'operator' });
    const auditor = await keyOf(shop, { name: 'a', role: 'auditor' });
    expect((await create(shop, body, { apiKey: operator })).status).toBe(201);
    expect((await create(shop, body, { apiKey: auditor })).status).toBe(403);
    expect((await create(shop, body, { as: 'agent' })).status).toBe(403);
    const listed = await shop.call('GET', '/v1/webhook-endpoints', { apiKey: auditor });
    expect(listed.body.items).toHaveLength(1);
    expect((await shop.call('GET', '/v1/webhook-endpoints', { as: 'agent' })).status).toBe(403);
  });

  it('of a merchant is there for keys of this merchant only, and so are its deliveries', async () => {
    const shop = await openShop(service);
    const url = 'https://shop.example/hooks';
    const whole = await create(shop, { url, event_types: refusals });
    const bound = await keyOf(shop, { name: 'o', role: 'operator', merchant_ids: [STALL] });
    const asBound = { apiKey: bound };
    const draft = { url, event_types: refusals };
    expect(await create(shop, draft, asBound)).toMatchObject({ status: 400 });
    expect((await create(shop, { ...draft, merchant_id: SHOP }, asBound)).status).toBe(404);
    const own = await create(shop, { ...draft, merchant_id: STALL }, asBound);
    expect(own.status).toBe(201);
    const listed = await shop.call('GET', '/v1/webhook-endpoints', asBound);
    expect(listed.body.items).toMatchObject([{ endpoint_id: own.body.endpoint_id }]);
    const path = `/v1/webhook-endpoints/${whole.body.endpoint_id}`;
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/enable'],
    ] as const) {
      const options =
        method === 'POST' && suffix === '/rotate' ? { ...asBound, body: {} } : asBound;
      expect((await shop.call(method, `${path}${suffix}`, options)).status).toBe(404);
    }
    // A refusal of the other merchant goes to the tenant's endpoint and is not theirs to see.
    await refuse(shop);
    await tick();
    const [theirs] = (await shop.call('GET', '/v1/webhook-deliveries', admin)).body.items;
    expect(theirs).toBeDefined();
    expect((await shop.call('GET', '/v1/webhook-deliveries', asBound)).body.items).toEqual([]);
    for (const suffix of ['', '/resend']) {
      const method = suffix === '' ? 'GET' : 'POST';
      const one = `/v1/webhook-deliveries/${theirs.delivery_id}${suffix}`;
      expect((await shop.call(method, one, asBound)).status).toBe(404);
    }
  });

  it('of another tenant is not there', async () => {
    const [shop, other] = [await openShop(service), await openShop(service)];
    const body = { url: 'https://shop.example/hooks', event_types: refusals };
    const { endpoint_id } = (await create(shop, body)).body;
    const path = `/v1/webhook-endpoints/${endpoint_id}`;
    expect((await other.call('DELETE', path, admin)).status).toBe(404);
    expect((await other.call('POST', `${path}/enable`, admin)).status).toBe(404);
    expect((await shop.call('POST', `${path}/enable`, admin)).status).toBe(200);
  });
});

describe('without ALLOW_LOOPBACK_PEERS', () => {
  it('plain http and this machine are refused, and the fix names the setting', async () => {
    const shop = await openShop(await startTestService());
    const fixOf = async (url: string): Promise<string> => {
      const { status, body } = await create(shop, { url, event_types: refusals });
      expect([status, body.field]).toEqual([400, '/url']);
      return String(body.fix);
    };
    for (const url of ['http://127.0.0.1:9/', 'https://127.0.0.1/', 'http://shop.example/'])
      expect(await fixOf(url)).toContain(
        'for a receiver on this machine start the service with ALLOW_LOOPBACK_PEERS=true (test tenants)',
      );
    expect(await fixOf('https://10.0.0.1/')).not.toContain('ALLOW_LOOPBACK_PEERS');
  });
});

it('a moved test clock lets due work run before the answer', async () => {
  const shop = await openShop(service);
  const asked: unknown[] = [];
  const works = service.app.get<DueWorks>(DUE_WORKS, { strict: false });
  works.register({
    name: 'test.clock',
    sweepDue: (scope) => (asked.push(scope.tenantId), Promise.resolve(0)),
  });
  const clock = await shop.call('GET', '/v1/test-clock', admin);
  const now = new Date(Date.parse(clock.body.now) + 60_000).toISOString();
  const moved = await shop.call('PUT', '/v1/test-clock', { ...admin, body: { now } });
  expect(moved.status).toBe(200);
  expect(asked).toEqual([shop.tenantId]);
  const back = await shop.call('PUT', '/v1/test-clock', { ...admin, body: { now: 'x' } });
  expect(back.status).toBe(400);
  expect(asked).toHaveLength(1);
});
