import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { controllersOf, routesOf } from '../../src/base/platform/index.js';
import { API_KEY_ROLES, type ApiKeyRole, SCOPES } from '../../src/base/tenants/index.js';
import { API_MODULES } from '../../src/app.module.js';
import { KeysApiModule } from '../../src/doors/api/keys/keys-api.module.js';
import { TenantsApiModule } from '../../src/doors/api/tenants/tenants-api.module.js';
import { startTestService, type TestService } from '../support/service.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Json = Readonly<Record<string, unknown>>;

/** The text at this place of an answer; a failure that prints the answer when there is none. */
function textAt(body: Json, ...path: string[]): string {
  const found = path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], body);
  if (typeof found !== 'string') throw new Error(`no ${path.join('.')} in ${JSON.stringify(body)}`);
  return found;
}

interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});

async function call(
  key: string | null,
  name: `${Method} /${string}`,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = 'GET', url = '/'] = name.split(' ') as [Method, string];
  const response = await service.app.inject({
    method,
    url,
    ...(body === undefined ? {} : { payload: body }),
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
  });
  return {
    status: response.statusCode,
    body: response.body === '' ? {} : (JSON.parse(response.body) as Json),
    headers: response.headers,
  };
}

interface NewTenant {
  readonly tenantId: string;
  readonly key: string;
}

async function newTenant(world = 'test'): Promise<NewTenant> {
  const body = { world, name: 'Acme' };
  const answer = await call(service.platformAdminKey, 'POST /v1/tenants', body);
  expect(answer.status).toBe(201);
  return {
    tenantId: textAt(answer.body, 'tenant', 'tenant_id'),
    key: textAt(answer.body, 'admin_api_key', 'api_key'),
  };
}

async function newKey(tenant: NewTenant, grant: object): Promise<string> {
  const answer = await call(tenant.key, 'POST /v1/api-keys', { name: 'k', ...grant });
  expect(answer).toMatchObject({ status: 201 });
  return textAt(answer.body, 'api_key');
}

async function newMerchant(tenant: NewTenant, merchantId: string): Promise<void> {
  const body = { merchant_id: merchantId, name: 'A shop', country: 'IN' };
  expect(await call(tenant.key, 'POST /v1/merchants', body)).toMatchObject({ status: 201 });
}

const LIMITS = {
  currencies: [{ currency: 'INR', order_max_minor: '5000000', daily_max_minor: '20000000' }],
  items_max: 20,
  not_present: {
    currency: 'INR',
    order_max_minor: '1000000',
    items_max: 5,
    daily_max_minor: null,
  },
};

describe('POST /v1/tenants', () => {
  it('201: a tenant and its administrator’s key, which works', async () => {
    const { tenantId, key } = await newTenant('live');
    expect(key).toMatch(/^ak_live_[0-9a-f]{32}_[0-9a-f]{64}$/);
    expect(await call(key, 'GET /v1/tenant')).toMatchObject({
      status: 200,
      body: { tenant_id: tenantId, world: 'live', caller_asserted_allowed: false },
    });
  });

  it('403: for a tenant’s administrator; 401 without a key', async () => {
    const { key } = await newTenant();
    const body = { world: 'test', name: 'x' };
    expect((await call(key, 'POST /v1/tenants', body)).status).toBe(403);
    expect((await call(null, 'POST /v1/tenants', body)).status).toBe(401);
    expect((await call(`${service.platformAdminKey}x`, 'POST /v1/tenants', body)).status).toBe(401);
  });

  it('400: names the field', async () => {
    for (const [body, field] of [
      [{ world: 'staging', name: 'x' }, '/world'],
      [{ world: 'test', name: 'a\u0000b' }, '/name'],
      [{ world: 'test', name: '\ud800' }, '/name'],
      [{ world: 'test', name: 'x', sibling_tenant_id: 'tnt_nobody' }, '/sibling_tenant_id'],
      [{ world: 'live', name: 'x', caller_asserted_allowed: true }, '/caller_asserted_allowed'],
    ] as const) {
      const answer = await call(service.platformAdminKey, 'POST /v1/tenants', body);
      expect([answer.status, answer.body['field']]).toEqual([400, field]);
    }
  });

  it('403: the platform administrator may do nothing inside a tenant', async () => {
    const own = routesOf(controllersOf(TenantsApiModule)).filter(
      ({ contract }) => contract.path !== '/v1/tenants',
    );
    for (const { contract } of own) expect(contract.access).not.toContain('platform_admin');
    expect((await call(service.platformAdminKey, 'GET /v1/tenant')).status).toBe(403);
  });
});

describe('roles', () => {
  const routes = [
    ...routesOf(controllersOf(TenantsApiModule)),
    ...routesOf(controllersOf(KeysApiModule)),
  ];

  it('meet every route as its contract says: 403 or something else', async () => {
    const tenant = await newTenant();
    const agent = await call(tenant.key, 'POST /v1/agents', { name: 'a' });
    const keys = new Map<ApiKeyRole, string>();
    for (const role of API_KEY_ROLES) {
      const agentId = role === 'agent' ? { agent_id: agent.body['agent_id'] } : {};
      keys.set(role, await newKey(tenant, { role, ...agentId }));
    }
    for (const { contract, name } of routes) {
      if (contract.access === 'public') continue;
      const url = name.replace(/\{(\w+)\}/g, 'x') as `${Method} /${string}`;
      for (const [role, key] of keys) {
        // No body: what the role may call ends in a problem of its own, so that nothing is changed here.
        const { status } = await call(key, url);
        expect([name, role, status === 403]).toEqual([name, role, !contract.access.includes(role)]);
        expect([name, status < 500]).toEqual([name, true]);
      }
      expect((await call(null, url)).status).toBe(401);
    }
  });

  it('never give agents and payment providers a look at keys, limits or the ledger', () => {
    for (const { contract } of routes) {
      if (contract.access === 'public') continue;
      expect(contract.access).not.toContain('agent');
      expect(contract.access).not.toContain('psp');
      if (contract.method !== 'GET') expect(contract.access).not.toContain('auditor');
    }
  });

  it('are narrowed by scopes: 403 outside them', async () => {
    const tenant = await newTenant();
    const key = await newKey(tenant, { role: 'operator', scopes: ['merchants'] });
    expect((await call(key, 'GET /v1/merchants')).status).toBe(200);
    expect(await call(key, 'GET /v1/agents')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  it('with scopes make and rotate no key with more', async () => {
    const tenant = await newTenant();
    const key = await newKey(tenant, { role: 'tenant_admin', scopes: ['api-keys', 'merchants'] });
    const wider = [null, ['merchants', 'limits']].map((scopes) => ({ name: 'k', scopes }));
    for (const grant of wider)
      expect(
        await call(key, 'POST /v1/api-keys', { ...grant, role: 'tenant_admin' }),
      ).toMatchObject({ status: 403, body: { code: 'forbidden', field: '/scopes' } });
    const admin = `key_${tenant.key.split('_')[2]}`;
    expect((await call(key, `POST /v1/api-keys/${admin}/rotate`, {})).status).toBe(403);
    const narrower = { name: 'k', role: 'operator', scopes: ['merchants'] };
    expect((await call(key, 'POST /v1/api-keys', narrower)).status).toBe(201);
  });

  it('have a scope for every tag of a route that needs a key', () => {
    const tags = routesOf(API_MODULES.flatMap((module) => controllersOf(module)))
      .filter(({ contract }) => contract.access !== 'public')
      .map(({ contract }) => contract.tag);
    expect(
      [...new Set(tags)].filter((tag) => !(SCOPES as readonly string[]).includes(tag)),
    ).toEqual([]);
  });
});

describe('merchants and limits', () => {
  it('are created, limited, switched and read back', async () => {
    const { key } = await newTenant();
    await newMerchant({ tenantId: '', key }, 'shop/1');
    const path = '/v1/merchants/shop%2F1';
    expect(await call(key, `GET ${path}/limits`)).toMatchObject({ status: 404 });
    const set = await call(key, `PUT ${path}/limits`, LIMITS);
    expect(set).toMatchObject({ status: 200, body: { version: 1, ...LIMITS } });
    await call(key, `PUT ${path}/limits`, { ...LIMITS, items_max: 6 });
    expect((await call(key, `GET ${path}/limits`)).body).toMatchObject({
      version: 2,
      items_max: 6,
    });
    expect((await call(key, `GET ${path}/limits/versions/1`)).body).toEqual(set.body);
    const page = await call(key, `GET ${path}/limits/versions?limit=1`);
    expect(page.body).toMatchObject({ items: [{ version: 2 }], next_cursor: '2' });
    const on = await call(key, `PUT ${path}/agent-payment`, { enabled: true });
    expect(on.body).toMatchObject({ agent_payment_enabled: true, limits_version: 2 });
    const changed = await call(key, `PATCH ${path}`, { rbi_profile: 'in-rbi-2026-04' });
    expect(changed.body).toMatchObject({ name: 'A shop', rbi_rails: ['upi_autopay'] });
  });

  it('400: name the field of limits that cannot be meant', async () => {
    const tenant = await newTenant();
    await newMerchant(tenant, 'm');
    const away = LIMITS.not_present;
    for (const [wrong, field] of [
      [
        { ...LIMITS, currencies: [...LIMITS.currencies, ...LIMITS.currencies] },
        '/currencies/1/currency',
      ],
      [{ ...LIMITS, items_max: 0 }, '/items_max'],
      [
        { ...LIMITS, not_present: { ...away, order_max_minor: '5000001' } },
        '/not_present/order_max_minor',
      ],
      [{ ...LIMITS, not_present: { ...away, currency: 'USD' } }, '/not_present/currency'],
      [
        { ...LIMITS, currencies: [{ currency: 'INR', order_max_minor: 50 }] },
        '/currencies/0/order_max_minor',
      ],
      [
        { ...LIMITS, currencies: [{ currency: 'XXX', order_max_minor: '5' }] },
        '/currencies/0/currency',
      ],
    ] as const) {
      const answer = await call(tenant.key, 'PUT /v1/merchants/m/limits', wrong);
      expect([answer.status, answer.body['field']]).toEqual([400, field]);
    }
  });

  it('404: alike for another tenant and for a key bound to another merchant', async () => {
    const [ours, theirs] = [await newTenant(), await newTenant()];
    await newMerchant(ours, 'm');
    await newMerchant(ours, 'other');
    await call(ours.key, 'PUT /v1/merchants/m/limits', LIMITS);
    const bound = await newKey(ours, { role: 'operator', merchant_ids: ['other'] });
    for (const key of [theirs.key, bound]) {
      for (const name of [
        'GET /v1/merchants/m',
        'GET /v1/merchants/m/limits',
        'GET /v1/merchants/m/limits/versions',
        'GET /v1/merchants/m/limits/versions/1',
      ] as const) {
        expect([name, (await call(key, name)).status]).toEqual([name, 404]);
      }
      const switched = await call(key, 'PUT /v1/merchants/m/agent-payment', { enabled: true });
      expect(switched.status).toBe(404);
    }
    const listed = await call(bound, 'GET /v1/merchants');
    expect(listed.body['items']).toMatchObject([{ merchant_id: 'other' }]);
  });

  it('409: for a merchant that exists; a repeat under one key is the first answer', async () => {
    const { key } = await newTenant();
    const body = { merchant_id: 'm', name: 'x', country: 'IN' };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await call(key, 'POST /v1/merchants', body, headers);
    const again = await call(key, 'POST /v1/merchants', body, headers);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect((await call(key, 'POST /v1/merchants', body)).status).toBe(409);
  });
});

describe('API keys over HTTP', () => {
  it('are rotated, listed without their secret, and revoked at once', async () => {
    const tenant = await newTenant();
    const key = await newKey(tenant, { role: 'operator' });
    const id = `key_${key.split('_')[2]}`;
    const rotated = await call(tenant.key, `POST /v1/api-keys/${id}/rotate`, {});
    expect(rotated.status).toBe(201);
    expect((await call(key, 'GET /v1/tenant')).status).toBe(200);
    expect((await call(tenant.key, `DELETE /v1/api-keys/${id}`)).status).toBe(204);
    expect((await call(key, 'GET /v1/tenant')).status).toBe(401);
    expect((await call(textAt(rotated.body, 'api_key'), 'GET /v1/tenant')).status).toBe(200);
    const listed = await call(tenant.key, 'GET /v1/api-keys');
    expect(listed.body['items']).toHaveLength(3);
    for (const secret of [key, tenant.key]) {
      expect(JSON.stringify(listed.body)).not.toContain(secret.split('_')[3]);
    }
  });

  it('404: of another tenant', async () => {
    const [ours, theirs] = [await newTenant(), await newTenant()];
    const id = `key_${ours.key.split('_')[2]}`;
    expect((await call(theirs.key, `GET /v1/api-keys/${id}`)).status).toBe(404);
    expect((await call(theirs.key, `POST /v1/api-keys/${id}/rotate`, {})).status).toBe(404);
    expect((await call(theirs.key, `DELETE /v1/api-keys/${id}`)).status).toBe(404);
  });

  it('409: the last administrator key stays', async () => {
    const tenant = await newTenant();
    const id = `key_${tenant.key.split('_')[2]}`;
    expect((await call(tenant.key, `DELETE /v1/api-keys/${id}`)).status).toBe(409);
  });

  it('400: never of the platform administrator, never with an unknown scope', async () => {
    const { key } = await newTenant();
    for (const grant of [
      { role: 'platform_admin' },
      { role: 'operator', scopes: ['everything'] },
    ]) {
      const answer = await call(key, 'POST /v1/api-keys', { name: 'k', ...grant });
      expect(answer.status).toBe(400);
    }
  });

  it('401: when their agent is suspended', async () => {
    const tenant = await newTenant();
    const agent = await call(tenant.key, 'POST /v1/agents', { name: 'a' });
    const id = textAt(agent.body, 'agent_id');
    const key = await newKey(tenant, { role: 'agent', agent_id: id });
    expect((await call(key, 'GET /v1/tenant')).status).toBe(403);
    const suspended = await call(tenant.key, `POST /v1/agents/${id}/suspend`);
    expect(suspended.body).toMatchObject({ state: 'suspended' });
    expect((await call(key, 'GET /v1/tenant')).status).toBe(401);
    await call(tenant.key, `POST /v1/agents/${id}/resume`);
    expect((await call(key, 'GET /v1/tenant')).status).toBe(403);
  });
});

describe('clock and sealing over HTTP', () => {
  it('move forward in the test world only; keys go on by real time', async () => {
    const { key } = await newTenant();
    const now = '2031-01-01T00:00:00.000Z';
    expect(await call(key, 'PUT /v1/test-clock', { now })).toMatchObject({
      status: 200,
      body: { now, frozen: true },
    });
    expect((await call(key, 'GET /v1/test-clock')).body).toEqual({ now, frozen: true });
    const back = await call(key, 'PUT /v1/test-clock', { now: '2030-12-31T23:59:59.999Z' });
    expect(back).toMatchObject({ status: 400, body: { field: '/now' } });
    const live = await newTenant('live');
    expect((await call(live.key, 'PUT /v1/test-clock', { now })).status).toBe(403);
    expect((await call(live.key, 'GET /v1/test-clock')).status).toBe(403);
  });

  it('is switched on by an entry', async () => {
    const { key } = await newTenant();
    expect((await call(key, 'GET /v1/ledger/head')).body).toMatchObject({ seq: 2, link: null });
    const on = await call(key, 'PUT /v1/ledger/sealing', { on: true });
    expect(on.body).toMatchObject({ seq: 3, sealing: { on: true, kid: 'k1', since_seq: 3 } });
    expect((await call(key, 'GET /v1/ledger/head')).body).toEqual(on.body);
  });
});

describe('GET /.well-known/jwks.json', () => {
  const jwks = (host: string) => call(null, 'GET /.well-known/jwks.json', undefined, { host });

  it('200: the public keys of the tenant of this host, cacheable; both keys during an overlap', async () => {
    const { key } = await newTenant();
    const host = `${randomUUID()}.example`;
    const added = await call(key, 'POST /v1/origins', { origin: `https://${host}` });
    expect(added.body).toEqual({ origins: [{ origin: `https://${host}`, primary: true }] });
    expect((await jwks(host)).body).toEqual({ keys: [] });
    const kids = [];
    for (let round = 0; round < 2; round += 1) {
      const rotated = await call(key, 'POST /v1/signing-keys/ucp/rotate', {});
      expect(rotated.status).toBe(201);
      kids.push(textAt(rotated.body, 'kid'));
    }
    const answer = await jwks(host);
    expect(answer.body['keys']).toMatchObject(kids.map((kid) => ({ kid })));
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(answer.headers['content-type']).toContain('application/jwk-set+json');
    expect(JSON.stringify(answer.body)).not.toContain('"d"');
    const listed = await call(key, 'GET /v1/signing-keys');
    expect(listed.body['keys']).toMatchObject([{ state: 'verifying' }, { state: 'signing' }]);
    const retired = await call(key, 'POST /v1/signing-keys/ucp/retire', { kid: kids[0] });
    expect(retired.status).toBe(200);
    expect((await jwks(host)).body['keys']).toHaveLength(1);
    const gone = await call(key, `DELETE /v1/origins?origin=https://${host}`);
    expect([gone.status, (await jwks(host)).status]).toEqual([204, 421]);
  });

  it('421: for a host nobody has', async () => {
    const answer = await jwks('nobody.example');
    expect(answer).toMatchObject({ status: 421, body: { code: 'misdirected_request' } });
  });
});
