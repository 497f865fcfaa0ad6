import { beforeAll, describe, expect, it } from 'vitest';
import { OUTBOUND, type OutboundClient } from '../../src/base/platform/index.js';
import { BUYER, FROZEN_AT_MS, PRODUCTS, SHOP, signedFact } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { answered } from '../arbiter/money-books.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { moveClock } from '../arbiter/uses.js';
import { authorityOutbound, startTestAuthority, type TestAuthority } from '../support/authority.js';
import { TEST_SERVICE_TOKEN } from '../support/authority-settings.js';
import { freshDatabase } from '../support/database.js';

/**
 * Facts and rights that another trust authority keeps the status of: a real one, with its own database, name and keys.
 * Case names are those of the books: facts/arbiter.md 2.2 to 2.5.
 */

const ORIGIN = 'https://second.authority.example';
const [CHAI] = PRODUCTS;

let second: TestAuthority;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  const { connectionString } = await freshDatabase();
  const started = await startTestAuthority({
    DATABASE_URL: connectionString,
    AUTHORITY_ORIGIN: ORIGIN,
  });
  second = { ...started, address: { ...started.address, origin: ORIGIN } };
  service = await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' });
  // Stands for the name service and the certificate of the second one, and for nothing else.
  const outbound = service.app.get<OutboundClient>(OUTBOUND, { strict: false });
  const elsewhere = outbound.fetch.bind(outbound);
  const there = authorityOutbound(second);
  outbound.fetch = (request) =>
    request.url.startsWith(`${ORIGIN}/`) ? there.fetch(request) : elsewhere(request);
});

const at = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** As the issuer who is a client of the second authority. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are read as tests like
async function there(path: string, body: object): Promise<any> {
  const answer = await fetch(`${second.url}/v1/tenants${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TEST_SERVICE_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

interface PublishedKey {
  readonly purpose: string;
  readonly kid: string;
  readonly [member: string]: string;
}

/** What a tenant administrator does to rely on the second authority, for one purpose of its keys. */
async function believe(shop: Shop, purpose: string, role: string): Promise<void> {
  const published = await fetch(`${second.url}/.well-known/jwks.json`);
  const { keys } = (await published.json()) as { readonly keys: readonly PublishedKey[] };
  const found = keys.find((key) => key.purpose === purpose);
  if (found === undefined) throw new Error(`no key for ${purpose}`);
  const { kid, kty, crv, x, y } = found;
  const jwk = { kty, crv, x, ...(y === undefined ? {} : { y }) };
  const body = { issuer: ORIGIN, kid, role, jwk, not_before: at(FROZEN_AT_MS) };
  answered(await shop.call('POST', '/v1/issuer-keys', { as: 'tenant_admin', body }), 201);
}

/** A shop that the second authority knows too, with the place of a price fact on a list there. */
async function open() {
  const shop = await openShop(service);
  const { tenantId, agentId } = shop;
  const tenant = { tenant_id: tenantId, world: 'test', test_clock_at: at(FROZEN_AT_MS) };
  await there('', tenant);
  const { slots } = await there(`/${tenantId}/slots`, { count: 1 });
  const [slot] = slots as [{ uri: string; idx: number }];
  const price = signedFact(
    { merchantId: SHOP, type: 'price', product: CHAI },
    {
      place: { tenantId, agentId, atMs: FROZEN_AT_MS },
      slot: { uri: slot.uri, index: slot.idx },
      edition: 'elsewhere',
    },
  );
  const ask = async () => {
    const { outcome, reason } = answered<{ outcome: string; reason?: string }>(
      await shop.ask({ ...ALLOWED_HANDOFF, artifacts: [price] }),
      200,
    );
    return reason ?? outcome;
  };
  return { shop, slot, ask };
}

const revokeThere = ({ tenantId }: Shop, target: object) =>
  there(`/${tenantId}/revocations`, {
    target,
    status: 'revoked',
    reason_code: 'recall',
    revoked_by: 'merchant',
  });

/** Both clocks: whoever signs lists for this tenant lives in its time. */
async function pass(shop: Shop, milliseconds: number): Promise<void> {
  await there(`/${shop.tenantId}/clock`, { now: at(FROZEN_AT_MS + milliseconds) });
  await moveClock(shop, FROZEN_AT_MS + milliseconds);
}

describe('A4: a list of another authority', () => {
  it('counts for nobody who did not register its key, and for no other tenant', async () => {
    const { shop, ask } = await open();
    const other = await open();
    await believe(other.shop, 'status_list', 'status_list');
    expect(await ask()).toBe('status_list_unavailable:price');
    expect(await other.ask()).toBe('allow');
    expect((await shop.ask(ALLOWED_HANDOFF)).body).toMatchObject({ outcome: 'allow' });
  });

  it('is signed by a key of that role: no other key of the same issuer serves', async () => {
    const { shop, ask } = await open();
    await believe(shop, 'status_list', 'fact_issuer');
    expect(await ask()).toBe('status_list_unavailable:price');
  });

  it('A11, 2.5 "the shorter ttl decides": a revoke there stops the purchase at 61 s at the latest', async () => {
    const { shop, slot, ask } = await open();
    await believe(shop, 'status_list', 'status_list');
    expect(await ask()).toBe('allow');
    await revokeThere(shop, { slot });
    await pass(shop, 59_000);
    expect(await ask()).toBe('allow');
    await pass(shop, 61_000);
    expect(await ask()).toBe('artifact_revoked:price');
  });

  it('A15: with that authority gone what rests on it refuses at 61 s, and nothing else for its sake', async () => {
    const { shop, ask } = await open();
    await believe(shop, 'status_list', 'status_list');
    expect(await ask()).toBe('allow');
    const outbound = service.app.get<OutboundClient>(OUTBOUND, { strict: false });
    const reachable = outbound.fetch.bind(outbound);
    outbound.fetch = (request) =>
      request.url.startsWith(`${ORIGIN}/`)
        ? Promise.resolve({ kind: 'connect_failed' })
        : reachable(request);
    try {
      await moveClock(shop, FROZEN_AT_MS + 59_000);
      expect(await ask()).toBe('allow');
      expect((await shop.ask(ALLOWED_HANDOFF)).body).toMatchObject({ outcome: 'allow' });
      await moveClock(shop, FROZEN_AT_MS + 61_000);
      expect(await ask()).toBe('status_list_unavailable:price');
    } finally {
      outbound.fetch = reachable;
    }
  });

  it('A5: is not withdrawn here, and the answer says where it is', async () => {
    const { shop, slot } = await open();
    await believe(shop, 'status_list', 'status_list');
    const body = { ...slot, reason_code: 'recall' };
    const refused = await shop.call('POST', '/v1/revocations', { as: 'tenant_admin', body });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', field: '/uri' } });
  });
});

describe('3.9: a mandate that another authority issued', () => {
  async function issued() {
    const { shop } = await open();
    const terms = {
      mandate_id: 'far-intent',
      kind: 'intent',
      subject: BUYER,
      agent_id: shop.agentId,
      merchant_ids: [SHOP],
      cap: { amount: '10000', currency: 'INR' },
      expires_at: at(FROZEN_AT_MS + 3_600_000),
    };
    const { token } = (await there(`/${shop.tenantId}/mandates`, terms)) as { token: string };
    const body = { token };
    return {
      shop,
      register: () => shop.call('POST', '/v1/mandates', { as: 'tenant_admin', body }),
    };
  }

  it('is not held while only its signature is believed, and its list is not', async () => {
    const { shop, register } = await issued();
    expect((await register()).status).toBe(422);
    await believe(shop, 'credential', 'credential_issuer');
    expect(await register()).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('its list says unavailable') as string },
    });
  });

  it('is held by its list there, and falls with it', async () => {
    const { shop, register } = await issued();
    await believe(shop, 'credential', 'credential_issuer');
    await believe(shop, 'status_list', 'status_list');
    answered(await register(), 201);
    const verdict = async () => {
      const shown = await shop.call('GET', '/v1/mandates/far-intent', { as: 'tenant_admin' });
      return answered<{ status: { verdict: string } }>(shown, 200).status.verdict;
    };
    expect(await verdict()).toBe('valid');
    await revokeThere(shop, { kind: 'mandate', object_id: 'far-intent' });
    await pass(shop, 61_000);
    expect(await verdict()).toBe('revoked');
  });
});
