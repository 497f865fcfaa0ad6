import { beforeAll, describe, expect, it } from 'vitest';
import { BUYER, SHOP, STALL } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE } from '../../src/demo/purchases.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { makeKey, mandateToken } from '../support/issuer.js';
import { startTestService } from '../support/service.js';
import { TEST_AUTHORITY_ORIGIN } from '../support/authority-settings.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' }));
});

const admin = { as: 'tenant_admin' } as const;
const b64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const NONE = `${b64({ alg: 'none', typ: 'mandate+jwt', kid: 'k' })}.${b64({ iss: 'x' })}.`;

const TOKENS: readonly string[] = [
  'a',
  '.',
  '..',
  '~',
  '~~',
  '~~~~',
  'a.b.c',
  NONE,
  `${NONE}~`,
  `${b64('[]')}.${b64('[]')}.${b64('x')}`,
  `${b64('null')}.${b64('null')}.`,
  `${b64({ alg: 'EdDSA', typ: 'dc+sd-jwt', kid: 'k' })}.${b64({ delegate_payload: [{ '...': 1 }] })}.AA~`,
  `${b64({ alg: 'EdDSA', typ: 'dc+sd-jwt', kid: 'k' })}.${b64('{"__proto__":{"vct":"mandate.payment.1"},"_sd":["__proto__"]}')}.AA~${b64(['s', 'constructor', 1])}~`,
  `${b64({ alg: 'EdDSA', typ: 'dc+sd-jwt', kid: 'k' })}.${b64(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)}.AA~`,
  `${b64({ alg: 'ES256', typ: 'dc+sd-jwt', kid: '\u0000' })}.${b64({ iss: '\u0000', iat: 1e308 })}.AA~`,
  b64('{"mandate":{}}'),
  '{"ap2.mandates.IntentMandate":null}',
  '{"ap2.mandates.PaymentMandate":{"payment_mandate_contents":1e999}}',
  `{"ap2.mandates.CartMandate":{"contents":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}}`,
  '\u0000',
  '\ud800',
  'x'.repeat(65_536),
];

describe('what somebody sends instead of proof', () => {
  it.each(['mandates', 'consents', 'passports', 'passports/verify'])('%s', async (path) => {
    const before = await shop.entryCount();
    const broken: unknown[] = [];
    for (const token of TOKENS)
      for (const body of [
        { token },
        { object: token, registration: token },
        { token, merchant_id: SHOP, agent_id: token, scopes: [token] },
        { passport: token },
      ]) {
        const answer = await shop.call('POST', `/v1/${path}`, { ...admin, body });
        if (answer.status >= 500 || answer.status === 201)
          broken.push([token.slice(0, 60), answer]);
      }
    expect(broken).toEqual([]);
    expect(await shop.entryCount()).toBe(before);
  });

  it('in a decision it is refused, or is no decision, and never breaks', async () => {
    const broken: unknown[] = [];
    for (const token of TOKENS)
      for (const authority of [
        { mandate_refs: [token] },
        { mandate_refs: [{ object: token }] },
        { consent_ref: token, passport_ref: token },
        { mandate_refs: [{ object: token, registration: token }] },
      ])
        for (const body of [
          { ...ALLOWED_HANDOFF, artifacts: [token, { artifact_id: token }] },
          { ...ALLOWED_PURCHASE, buyer_authority: authority },
        ]) {
          const answer = await shop.ask(body);
          // A token of another form is no id of anything: the purchase is refused, never allowed.
          if (answer.status >= 500 || answer.body.outcome === 'allow')
            broken.push([token.slice(0, 60), answer]);
        }
    expect(broken).toEqual([]);
  });
});

describe('places that are not the object’s', () => {
  const key = makeKey('EdDSA');
  const scene = () => ({
    tenantId: shop.tenantId,
    merchantId: SHOP,
    agentId: 'agt_1',
    buyer: BUYER,
    issuer: 'https://attacker.example',
    atMs: Date.UTC(2026, 10, 30, 9, 30),
  });
  beforeAll(async () => {
    for (const [issuer, role, kid] of [
      ['https://attacker.example', 'credential_issuer', key.kid],
      ['https://127.0.0.1:5432', 'status_list', 'a'],
      ['https://localhost', 'status_list', 'b'],
      ['https://[::1]:1', 'status_list', 'c'],
      ['https://169.254.169.254', 'status_list', 'd'],
      [`${TEST_AUTHORITY_ORIGIN}:8443`, 'status_list', 'e'],
      [`${TEST_AUTHORITY_ORIGIN}.attacker.example`, 'status_list', 'f'],
    ]) {
      const body = { issuer, kid, role, jwk: key.jwk, not_before: '2020-01-01T00:00:00Z' };
      const added = await shop.call('POST', '/v1/issuer-keys', { ...admin, body });
      expect(added.status).toBe(201);
    }
  });

  it.each([
    ['of another tenant', () => `${TEST_AUTHORITY_ORIGIN}/status/tnt_other/1`],
    ['that nobody reserved', () => `${TEST_AUTHORITY_ORIGIN}/status/${shop.tenantId}/1`],
    ['on no list', () => `${TEST_AUTHORITY_ORIGIN}/status/${shop.tenantId}/0`],
    ['behind a query', () => `${TEST_AUTHORITY_ORIGIN}/status/${shop.tenantId}/1?x`],
    ['behind dots', () => `${TEST_AUTHORITY_ORIGIN}/status/tnt_other/../${shop.tenantId}/1`],
    [
      'behind a user',
      () => `https://x@${TEST_AUTHORITY_ORIGIN.slice(8)}/status/${shop.tenantId}/1`,
    ],
    ['in capitals', () => `${TEST_AUTHORITY_ORIGIN.toUpperCase()}/status/${shop.tenantId}/1`],
    ['over http', () => `http://${TEST_AUTHORITY_ORIGIN.slice(8)}/status/${shop.tenantId}/1`],
    ['at another port of its', () => `${TEST_AUTHORITY_ORIGIN}:8443/status/${shop.tenantId}/1`],
    ['below its name', () => `${TEST_AUTHORITY_ORIGIN}.attacker.example/status/x/1`],
    ['at the database', () => 'https://127.0.0.1:5432/list'],
    ['at this machine', () => 'https://localhost/list'],
    ['at this machine in IPv6', () => 'https://[::1]:1/list'],
    ['at the metadata of a cloud', () => 'https://169.254.169.254/latest'],
    ['with NUL', () => `https://a.example/\u0000`],
    ['of an old form', () => 'urn:arbiter:status-list:1'],
    ['of a file', () => 'file:///etc/passwd'],
  ])('a list %s', async (_what, uriOf) => {
    const before = await shop.entryCount();
    const slot = { uri: uriOf(), index: 7 };
    const token = mandateToken({ key, scene: scene(), slot });
    const answer = await shop.call('POST', '/v1/mandates', { ...admin, body: { token } });
    expect(answer).toMatchObject({ status: 422 });
    expect(await shop.entryCount()).toBe(before);
    const revoked = await shop.call('POST', '/v1/revocations', {
      ...admin,
      body: { uri: slot.uri, idx: slot.index, reason_code: 'recall' },
    });
    expect([400, 404, 409]).toContain(revoked.status);
  });

  it('the slot of an object that stands, under another name', async () => {
    const reserved = await shop.call('POST', '/v1/status-slots', { ...admin, body: { count: 1 } });
    const [{ uri, idx }] = reserved.body.slots;
    const slot = { uri, index: idx };
    const register = (token: string) =>
      shop.call('POST', '/v1/mandates', { ...admin, body: { token } });
    const good = mandateToken({ key, scene: scene(), slot });
    expect((await register(good)).status).toBe(201);
    expect((await register(mandateToken({ key, scene: scene(), slot }))).status).not.toBe(201);
    const child = mandateToken({ key, scene: scene(), slot }, { parent: 'nobody' });
    expect((await register(child)).status).not.toBe(201);
  });

  it('a token without a signature of its own: alg none, another algorithm, an empty signature', async () => {
    const reserved = await shop.call('POST', '/v1/status-slots', { ...admin, body: { count: 1 } });
    const [{ uri, idx }] = reserved.body.slots;
    const good = mandateToken({ key, scene: scene(), slot: { uri, index: idx } });
    const [header = '', payload = '', signature = ''] = good.split('.');
    for (const token of [
      `${b64({ alg: 'none', typ: 'mandate+jwt', kid: key.kid })}.${payload}.`,
      `${b64({ alg: 'ES256', typ: 'mandate+jwt', kid: key.kid })}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      `${b64({ alg: 'EdDSA', typ: 'mandate+jwt', kid: key.kid, crit: ['b64'], b64: false })}.${payload}.${signature}`,
      `${b64({ alg: 'EdDSA', typ: 'mandate+jwt', jwk: key.jwk })}.${payload}.${signature}`,
    ])
      expect(await shop.call('POST', '/v1/mandates', { ...admin, body: { token } })).toMatchObject({
        status: 422,
      });
  });
});

describe('tables that are bombs, and keys of somebody else', () => {
  const send = async (
    kind: string,
    body: string,
    apiKey: string,
    query = `merchant_id=${SHOP}&currency=INR`,
  ) => {
    const started = performance.now();
    const response = await fetch(`${shop.service.baseUrl}/v1/catalog/imports/${kind}?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/csv' },
      body,
    });
    await response.text();
    return { status: response.status, tookMs: performance.now() - started };
  };

  it.each<[string, string]>([
    ['a cell that never ends', `id,price\n"${'x'.repeat(900_000)}`],
    ['quotes alone', `id,price\n${'"'.repeat(900_000)}`],
    ['commas alone', `id,price\n${','.repeat(900_000)}`],
    ['line ends alone', `id,price${'\n'.repeat(900_000)}`],
    ['carriage returns alone', `id,price${'\r'.repeat(900_000)}`],
    ['a header of 100,000 columns', `${'id,'.repeat(100_000)}price\n1,1`],
    ['100,000 short rows', `id,price\n${'a,1\n'.repeat(100_000)}`],
    ['two megabytes', `id,price\n${'a,1\n'.repeat(500_000)}`],
    ['a prototype', 'id,price\n__proto__,1\n'],
    ['columns of a prototype', 'id,price,__proto__\na,1,1\n'],
    ['a formula', 'id,price\n=cmd|calc,1\n'],
    ['a quote within', 'id,price\na"b"c,1"1\n'],
    ['nothing', ''],
    ['a mark alone', '\ufeff'],
  ])('%s', async (_what, table) => {
    for (const kind of ['prices', 'products', 'inventory']) {
      const { status, tookMs } = await send(kind, table, shop.apiKeys.merchant_system);
      expect([400, 404, 409, 413, 422]).toContain(status);
      expect(tookMs).toBeLessThan(5_000);
    }
  });

  it('another merchant’s catalogue stays closed', async () => {
    const made = await shop.call('POST', '/v1/api-keys', {
      ...admin,
      body: { name: 'stall', role: 'merchant_system', merchant_ids: [STALL] },
    });
    const apiKey = String(made.body.api_key);
    const before = await shop.entryCount();
    const INR = { amount: '1', currency: 'INR' };
    for (const [method, path, body] of [
      ['PUT', '/v1/catalog/products/x', { merchant_id: SHOP, title: 'x' }],
      ['PUT', '/v1/catalog/variants/x', { merchant_id: SHOP, product_id: 'x' }],
      ['PUT', '/v1/catalog/prices/x', { merchant_id: SHOP, price: INR }],
      ['GET', `/v1/catalog/products?merchant_id=${SHOP}`, undefined],
      ['GET', `/v1/catalog/policies?merchant_id=${SHOP}`, undefined],
      ['POST', '/v1/facts/publications', { merchant_id: SHOP }],
      ['GET', `/v1/merchants/${SHOP}/facts/price/x`, undefined],
      [
        'POST',
        '/v1/revocations',
        { artifact_type: 'price', merchant_id: SHOP, variant_id: 'chai', reason_code: 'recall' },
      ],
      [
        'POST',
        '/v1/catalog/imports',
        { merchant_id: SHOP, prices: [{ variant_id: 'x', price: INR }] },
      ],
    ] as const) {
      const answer = await shop.call(method, path, {
        apiKey,
        ...(body === undefined ? {} : { body }),
      });
      expect([400, 404], path).toContain(answer.status);
    }
    expect((await send('prices', 'id,price\nx,1\n', apiKey)).status).toBe(404);
    const agent = shop.apiKeys.agent;
    expect((await send('prices', 'id,price\nx,1\n', agent)).status).toBe(403);
    expect(await shop.entryCount()).toBe(before);
  });

  it('an agent that reads facts of anything learns 404 and leaves nothing', async () => {
    const before = await shop.entryCount();
    for (const subject of [
      'x',
      '%00',
      '__proto__',
      '%F0%9F%92%A5',
      '..%2f..',
      'a%2Fb',
      SHOP,
      'x'.repeat(3_000),
    ])
      for (const type of [
        'price',
        'inventory',
        'policy',
        'catalog_snapshot',
        'nothing',
        '__proto__',
      ])
        for (const merchant of [SHOP, 'nobody', '__proto__']) {
          const answer = await shop.call(
            'GET',
            `/v1/merchants/${merchant}/facts/${type}/${subject}`,
          );
          expect([200, 400, 403, 404, 414], `${merchant} ${type} ${subject}`).toContain(
            answer.status,
          );
        }
    expect(await shop.entryCount()).toBe(before);
  });
});
