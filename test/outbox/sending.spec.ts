import { verify } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { ATTEMPTS_MAX } from '../../src/base/outbox/retry.js';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { testDatabase } from '../support/database.js';
import { createTestTenant, problemOf, testHouse, valueOf } from '../support/tenants.js';
import { deliveriesOf, happen, postOffice, scene } from './post-office.js';
import { answers, type Behaviour, startReceiver } from './receiver.js';

const HOUR_MS = 3_600_000;

describe('a message', () => {
  it('is small, signed as Standard Webhooks asks, and sent once', async () => {
    const { home, office, receiver, tenant, tenantId, secret } = await scene();
    await happen(home, office, { tenant, name: 'näme' });
    expect(await office.send(tenantId)).toBe(1);
    expect(await office.send(tenantId)).toBe(0);
    const [request] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request?.body ?? '', headers)).toEqual({
      type: 'decision.refused',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      data: { name: 'näme' },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/) as string,
    });
    const [delivery] = await deliveriesOf(office, tenant);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      messageId: headers['webhook-id'],
      nextAttemptAtMs: null,
      lastAttempt: { attemptNo: 1, statusCode: 204, errorClass: null },
    });
  });

  it('carries an Ed25519 signature that the published key verifies', async () => {
    const { home, office, receiver, tenant, tenantId } = await scene();
    await happen(home, office, { tenant });
    await office.send(tenantId);
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: '' };
    const signature = String(headers['webhook-signature']).split(' v1a,')[1] ?? '';
    const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const { keys } = await home.signingKeys.jwks(tenantId);
    const verdicts = keys
      .filter(({ kty }) => kty === 'OKP')
      .map(({ kty, ...jwk }) => createPublicKey({ key: { kty, ...jwk }, format: 'jwk' }))
      .map((key) => verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64')));
    expect(verdicts).toContain(true);
  });

  it('is not made of an entry that is nobody’s, nor of one before the endpoint', async () => {
    const home = testHouse();
    const office = postOffice(home);
    const receiver = await startReceiver();
    const tenant = await createTestTenant(home);
    await happen(home, office, { tenant, name: 'before' });
    const draft = {
      url: receiver.url,
      eventTypes: ['decision.refused'] as const,
      merchantId: null,
    };
    valueOf(await office.endpoints.create(tenant.context(), tenant.admin, draft));
    await happen(home, office, { tenant, name: 'unheard' });
    expect(await deliveriesOf(office, tenant)).toEqual([]);
  });

  it('is not for an endpoint that came after it, although it was not handed out yet', async () => {
    const { home, office, receiver, tenant, endpoint } = await scene();
    valueOf(await home.rooms.agents.create(tenant.context(), 'a'));
    const draft = {
      url: receiver.url,
      eventTypes: ['decision.refused'] as const,
      merchantId: null,
    };
    valueOf(await office.endpoints.create(tenant.context(), tenant.admin, draft));
    await happen(home, office, { tenant, name: 'unheard' });
    expect(await deliveriesOf(office, tenant)).toMatchObject([{ endpointId: endpoint.endpointId }]);
  });

  it('goes only to endpoints that subscribed to its type and its merchant', async () => {
    const { home, office, receiver, tenant, tenantId } = await scene();
    valueOf(
      await home.rooms.merchants.create(tenant.context(), {
        merchantId: 'shop-1',
        name: 'A shop',
        country: 'IN',
        rbiProfile: null,
        rbiRails: null,
      }),
    );
    const { url } = receiver;
    for (const draft of [
      { url, eventTypes: ['decision.allowed'] as const, merchantId: null },
      { url, eventTypes: ['decision.refused'] as const, merchantId: 'shop-1' },
    ]) {
      valueOf(await office.endpoints.create(tenant.context(), tenant.admin, draft));
    }
    await happen(home, office, { tenant });
    expect(await office.send(tenantId)).toBe(1);
  });

  it('is handed out once by many processes', async () => {
    const { home, tenant, tenantId } = await scene();
    const names = Array.from({ length: 40 }, (_, index) => `agent ${index}`);
    await Promise.all(names.map((name) => home.rooms.agents.create(tenant.context(), name)));
    const offices = Array.from({ length: 6 }, () => postOffice(home));
    while ((await Promise.all(offices.map((one) => one.handOut(tenantId)))).some((n) => n > 0));
    const [office] = offices;
    if (office === undefined) throw new Error('there are offices');
    expect(await deliveriesOf(office, tenant)).toHaveLength(40);
  });
});

describe('a receiver that', () => {
  const cases: readonly [string, Behaviour, object][] = [
    ['answers 500', answers(500), { statusCode: 500, errorClass: 'http_status' }],
    ['answers 404', answers(404), { statusCode: 404, errorClass: 'http_status' }],
    [
      'redirects',
      answers(302, { location: 'http://127.0.0.1:1/elsewhere' }),
      { statusCode: null, errorClass: 'redirect' },
    ],
    [
      'resets the connection',
      (_response, socket) => socket.resetAndDestroy(),
      { statusCode: null, errorClass: 'connect_failed' },
    ],
  ];
  it.each(cases)('%s is tried again later', async (_name, behaviour, lastAttempt) => {
    const { home, office, receiver, tenant, tenantId } = await scene();
    receiver.behave(behaviour);
    await happen(home, office, { tenant });
    expect(await office.send(tenantId)).toBe(1);
    const [failed] = await deliveriesOf(office, tenant);
    expect(failed).toMatchObject({ status: 'pending', lastAttempt });
    const waitMs = (failed?.nextAttemptAtMs ?? 0) - office.nowMs();
    expect(waitMs).toBeGreaterThan(5_000);
    expect(waitMs).toBeLessThanOrEqual(10_000);
    expect(await office.send(tenantId)).toBe(0);
    receiver.behave(answers(200));
    office.clock.aheadMs += 10_001;
    expect(await office.send(tenantId)).toBe(1);
    const [delivered] = await deliveriesOf(office, tenant);
    expect(delivered).toMatchObject({ status: 'delivered', attemptCount: 2 });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([delivered?.messageId]));
    expect(await happenedAttempts(office, tenant)).toEqual([1, 2]);
  });

  it('hangs is cut off after ten seconds', async () => {
    const { home, office, receiver, tenant, tenantId } = await scene();
    receiver.behave(() => undefined);
    await happen(home, office, { tenant });
    await office.send(tenantId);
    const [delivery] = await deliveriesOf(office, tenant);
    expect(delivery?.lastAttempt).toMatchObject({ statusCode: null, errorClass: 'timeout' });
    expect(delivery?.lastAttempt?.durationMs).toBeGreaterThanOrEqual(9_900);
    expect(delivery?.lastAttempt?.durationMs).toBeLessThan(12_000);
  });

  it('takes a second, and one that sends a huge body, have received it', async () => {
    const { home, office, receiver, tenant, tenantId } = await scene();
    receiver.behave((response) => {
      setTimeout(() => response.writeHead(200).end(Buffer.alloc(8_000_000, 'x')), 1_000);
    });
    await happen(home, office, { tenant });
    await office.send(tenantId);
    const [delivery] = await deliveriesOf(office, tenant);
    expect(delivery).toMatchObject({ status: 'delivered', lastAttempt: { statusCode: 200 } });
    expect(delivery?.lastAttempt?.durationMs).toBeGreaterThanOrEqual(990);
  });

  it('answers 410 is told nothing more until it is enabled again', async () => {
    const { home, office, receiver, tenant, tenantId, endpoint } = await scene();
    receiver.behave(answers(410));
    await happen(home, office, { tenant });
    await office.send(tenantId);
    const [gone] = await deliveriesOf(office, tenant);
    expect(gone).toMatchObject({ status: 'given_up', lastAttempt: { statusCode: 410 } });
    expect(await office.endpoints.list(tenant.admin)).toMatchObject([
      { state: 'disabled', disabledReason: 'gone' },
    ]);
    await happen(home, office, { tenant });
    expect(await deliveriesOf(office, tenant)).toHaveLength(1);
    const deliveryId = gone?.deliveryId ?? '';
    expect(problemOf(await office.deliveries.resend(tenant.admin, deliveryId)).code).toBe(
      'conflict',
    );
    receiver.behave(answers(200));
    const { endpointId } = endpoint;
    valueOf(await office.endpoints.enable(tenant.context(), tenant.admin, endpointId));
    expect(await office.send(tenantId)).toBe(0);
    valueOf(await office.deliveries.resend(tenant.admin, deliveryId));
    expect(await office.send(tenantId)).toBe(1);
    expect((await deliveriesOf(office, tenant))[0]).toMatchObject({ status: 'delivered' });
  });

  it('is down for a day loses the message, and after five days its endpoint', async () => {
    const { home, office, receiver, tenant, tenantId, endpoint } = await scene();
    receiver.behave(answers(503));
    await happen(home, office, { tenant });
    let tries = 0;
    for (let hour = 0; hour < 40; hour += 1) {
      tries += await office.send(tenantId);
      office.clock.aheadMs += HOUR_MS;
    }
    expect((await deliveriesOf(office, tenant))[0]).toMatchObject({ status: 'given_up' });
    expect(tries).toBe(ATTEMPTS_MAX);
    expect(await office.endpoints.list(tenant.admin)).toMatchObject([{ state: 'active' }]);
    office.clock.aheadMs += 90 * HOUR_MS;
    await happen(home, office, { tenant });
    await office.send(tenantId);
    expect(await office.endpoints.list(tenant.admin)).toMatchObject([
      { state: 'disabled', disabledReason: 'failing' },
    ]);
    // Enabled again, its days count anew.
    const { endpointId } = endpoint;
    valueOf(await office.endpoints.enable(tenant.context(), tenant.admin, endpointId));
    await happen(home, office, { tenant });
    await office.send(tenantId);
    expect(await office.endpoints.list(tenant.admin)).toMatchObject([{ state: 'active' }]);
  });
});

async function happenedAttempts(
  office: ReturnType<typeof postOffice>,
  tenant: Awaited<ReturnType<typeof createTestTenant>>,
): Promise<readonly number[]> {
  const [delivery] = await deliveriesOf(office, tenant);
  const found = valueOf(await office.deliveries.get(tenant.admin, delivery?.deliveryId ?? ''));
  return found.attempts.map(({ attemptNo }) => attemptNo);
}

describe('two processes', () => {
  it('send each message once per due time', async () => {
    const { home, receiver, tenant, tenantId, office } = await scene();
    receiver.behave((response) => setTimeout(() => response.writeHead(500).end(), 20));
    for (let turn = 0; turn < 20; turn += 1) await happen(home, office, { tenant });
    const offices = [office, postOffice(home), postOffice(home)];
    for (const round of [1, 2]) {
      let begun = 1;
      while (begun > 0) {
        const counts = await Promise.all(offices.map((one) => one.send(tenantId)));
        begun = counts.reduce((sum, count) => sum + count, 0);
      }
      expect(receiver.received).toHaveLength(20 * round);
      for (const one of offices) one.clock.aheadMs += 10_001;
    }
    const tried = await deliveriesOf(office, tenant);
    expect(new Set(tried.map(({ attemptCount }) => attemptCount))).toEqual(new Set([2]));
  });

  it('leave a try that is under way alone until its lease ends', async () => {
    const { home, receiver, tenant, tenantId, office } = await scene();
    const other = postOffice(home);
    receiver.behave(() => undefined);
    await happen(home, office, { tenant });
    await office.sender.begin({ tenantId, limit: 10 });
    await receiver.count(1);
    other.clock.aheadMs = 29_000;
    expect(await other.send(tenantId)).toBe(0);
    receiver.behave(answers(200));
    other.clock.aheadMs = 31_000;
    expect(await other.send(tenantId)).toBe(1);
    expect((await deliveriesOf(office, tenant))[0]).toMatchObject({ status: 'delivered' });
    // The late end of the first try changes nothing.
    await receiver.close();
    await office.sender.idle();
    expect((await deliveriesOf(office, tenant))[0]).toMatchObject({
      status: 'delivered',
      attemptCount: 2,
    });
  });

  it('do not let a late end disturb the try that followed', async () => {
    const { home, receiver, tenant, tenantId, office } = await scene();
    const other = postOffice(home);
    receiver.behave(() => undefined);
    await happen(home, office, { tenant });
    await office.sender.begin({ tenantId, limit: 10 });
    await receiver.count(1);
    receiver.behave(answers(500));
    other.clock.aheadMs = 31_000;
    await other.send(tenantId);
    const [waiting] = await deliveriesOf(office, tenant);
    await receiver.close();
    await office.sender.idle();
    expect((await deliveriesOf(office, tenant))[0]).toEqual(waiting);
    expect(waiting).toMatchObject({ status: 'pending', attemptCount: 2 });
  });

  it('of one tenant few at once, so that its slow receiver leaves room for others', async () => {
    const { home, receiver, tenant, tenantId, office } = await scene();
    receiver.behave(() => undefined);
    for (let turn = 0; turn < 20; turn += 1) await happen(home, office, { tenant });
    let begun = 0;
    for (let round = 0; round < 6; round += 1)
      begun += await office.sender.begin({ tenantId, limit: 100 });
    expect(begun).toBe(8);
    await receiver.close();
    await office.sender.idle();
  });
});

it('a live tenant reaches nobody on this machine, whatever the deployment allows', async () => {
  const home = testHouse();
  const office = postOffice(home);
  const receiver = await startReceiver();
  const tenant = await createTestTenant(home, { world: 'live' });
  const draft = { url: receiver.url, eventTypes: ['decision.refused'] as const, merchantId: null };
  const refused = await office.endpoints.create(tenant.context(), tenant.admin, draft);
  expect(problemOf(refused)).toMatchObject({ code: 'validation_failed', field: '/url' });
  // A name that leads here is found out when it is sent.
  const named = { ...draft, url: 'https://localhost/hooks' };
  valueOf(await office.endpoints.create(tenant.context(), tenant.admin, named));
  await happen(home, office, { tenant });
  await office.send(tenant.tenantId);
  expect((await deliveriesOf(office, tenant))[0]).toMatchObject({
    status: 'pending',
    lastAttempt: { errorClass: 'refused_address' },
  });
});

it('a rebuild finds the endpoints that the entries fold to', async () => {
  const { home, office, tenant, tenantId, endpoint } = await scene();
  const { endpointId } = endpoint;
  const overlapSeconds = 7 * 24 * 3600;
  valueOf(
    await office.endpoints.rotateSecret(tenant.context(), tenant.admin, {
      endpointId,
      overlapSeconds,
    }),
  );
  await happen(home, office, { tenant });
  valueOf(await office.endpoints.delete(tenant.context(), tenant.admin, endpointId));
  const client = await testDatabase().pool.connect();
  try {
    const report = await checkRebuild(client, tenantId, { projections: PROJECTIONS, sealer: null });
    expect(report).toMatchObject({ differenceCount: 0, tenantCount: 1 });
  } finally {
    client.release();
  }
});
