import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './test-app.js';

const ADMIN = { authorization: 'Bearer ak_test_tenant_admin' };
const AGENT = { authorization: 'Bearer ak_test_agent' };
const BODY = { name: 'box', lines: [{ sku: 'a', quantity: 1 }] };
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let started: TestApp;
beforeAll(async () => {
  started = await startTestApp();
});
afterAll(() => started.app.close());

type Request = {
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  payload?: unknown;
};
const ask = async ({
  method = 'POST',
  url = '/v1/things/abc',
  headers = ADMIN,
  payload,
}: Request) =>
  started.app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
const json = { ...ADMIN, 'content-type': 'application/json' };

describe('an answer', () => {
  it('is the value of the Result, with the status of the contract and a fresh Request-Id', async () => {
    const answer = await ask({ payload: BODY });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({ thing: 'abc', claim: null });
    expect(answer.headers['request-id']).toMatch(UUID_V7);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['abc-1._Z', true],
    ['a b', false],
    ['x'.repeat(65), false],
    ['', false],
  ])('takes Request-Id %j: %s', async (offered, taken) => {
    const answer = await ask({
      method: 'GET',
      url: '/v1/public',
      headers: { 'request-id': offered },
    });
    expect(answer.json().request_id).toBe(answer.headers['request-id']);
    expect(answer.headers['request-id'] === offered).toBe(taken);
  });

  it('is a problem with all members when the Result is one', async () => {
    const answer = await ask({
      payload: { ...BODY, name: 'taken' },
      headers: { ...ADMIN, 'request-id': 'r1' },
    });
    expect(answer.statusCode).toBe(409);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toEqual({
      type: '/docs/problems/conflict',
      title: 'The request contradicts what is already recorded',
      status: 409,
      code: 'conflict',
      detail: 'The name is taken.',
      field: '/name',
      fix: 'Choose another.',
      request_id: 'r1',
      retryable: false,
    });
  });

  it('to an unknown error says nothing of it and logs it under the request id', async () => {
    const answer = await ask({
      method: 'GET',
      url: '/v1/broken?token=s3cret',
      headers: { 'request-id': 'broken-1' },
    });
    expect(answer.statusCode).toBe(400);
    const broken = await ask({
      method: 'GET',
      url: '/v1/broken',
      headers: { 'request-id': 'broken-2' },
    });
    expect(broken.statusCode).toBe(500);
    expect(broken.json()).toMatchObject({
      code: 'internal',
      retryable: true,
      request_id: 'broken-2',
    });
    expect(broken.headers['retry-after']).toBe('1');
    expect(broken.body).not.toContain('secret');
    expect(started.logText()).toContain('broken-2');
    expect(started.logText()).toContain('secret detail of the database');
    expect(started.logText()).not.toContain('s3cret');
  });
});

describe('input', () => {
  it.each<[string, Request, string, string]>([
    [
      'wrong member',
      { payload: { ...BODY, lines: [{ sku: 'a', quantity: 0 }] } },
      '/lines/0/quantity',
      'Too small',
    ],
    ['unknown member', { payload: { ...BODY, 'a/b~c': 1 } }, '/a~1b~0c', 'unknown'],
    [
      'unknown inner member',
      { payload: { ...BODY, lines: [{ sku: 'a', quantity: 1, x: 1 }] } },
      '/lines/0/x',
      'unknown',
    ],
    ['no body', {}, '', 'JSON body'],
    ['path parameter', { url: '/v1/things/ABC', payload: BODY }, '{thing_id}', 'Invalid'],
    ['query value', { url: '/v1/things/abc?mode=x', payload: BODY }, '?mode', 'Invalid'],
    [
      'repeated query parameter',
      { url: '/v1/things/abc?mode=dry&mode=wet', payload: BODY },
      '?mode',
      'Invalid',
    ],
    ['unknown query parameter', { url: '/v1/things/abc?x=1', payload: BODY }, '?x', 'unknown'],
    ['array instead of object', { payload: [] }, '', 'Invalid'],
  ])('names the field of a %s', async (_name, request, field, detail) => {
    const answer = await ask(request);
    expect(answer.statusCode).toBe(400);
    const body = answer.json();
    expect(body.code).toBe('validation_failed');
    expect(body.field).toBe(field);
    expect(body.detail).toContain(detail);
    expect(body.errors[0]).toEqual({ field, detail: body.detail });
  });

  it('names every wrong field, at most 20', async () => {
    const lines = Array.from({ length: 30 }, () => ({ sku: 1, quantity: 1 }));
    const { errors } = (await ask({ payload: { name: 5, lines } })).json();
    expect(errors).toHaveLength(20);
    expect(errors[0].field).toBe('/name');
  });

  it('refuses members of a part that the route does not have', async () => {
    const key = { ...AGENT, 'idempotency-key': 'k' };
    expect((await ask({ url: '/v1/payments', headers: key, payload: { x: 1 } })).json().field).toBe(
      '/x',
    );
    expect((await ask({ url: '/v1/payments?y=1', headers: key })).json().field).toBe('?y');
    expect((await ask({ url: '/v1/payments', headers: key, payload: [1] })).statusCode).toBe(400);
    expect((await ask({ url: '/v1/payments', headers: key, payload: {} })).statusCode).toBe(200);
  });
});

describe('what cannot be read', () => {
  const nested = `${'['.repeat(33)}${']'.repeat(33)}`;
  it.each<[string, Request, number, string]>([
    ['broken JSON', { headers: json, payload: '{"a":' }, 400, 'request_malformed'],
    ['an empty body', { headers: json, payload: '' }, 400, 'request_malformed'],
    ['__proto__', { headers: json, payload: '{"__proto__":{"a":1}}' }, 400, 'request_malformed'],
    [
      'constructor.prototype',
      { headers: json, payload: '{"constructor":{"prototype":{}}}' },
      400,
      'request_malformed',
    ],
    [
      'invalid UTF-8',
      { headers: json, payload: Buffer.from([0x22, 0xff, 0x22]) },
      400,
      'request_malformed',
    ],
    ['deep nesting', { headers: json, payload: nested }, 400, 'request_malformed'],
    [
      'too many values',
      { headers: json, payload: `[${'1,'.repeat(20_001)}1]` },
      400,
      'request_malformed',
    ],
    [
      'half of a surrogate pair',
      { headers: json, payload: '{"name":"\\ud800"}' },
      400,
      'validation_failed',
    ],
    [
      'NUL in a member name',
      { headers: json, payload: '{"a\\u0000":1}' },
      400,
      'validation_failed',
    ],
    ['NUL in the address', { url: '/v1/things/a%00', payload: BODY }, 400, 'request_malformed'],
    [
      'another type',
      { headers: { ...ADMIN, 'content-type': 'text/plain' }, payload: 'x' },
      415,
      'unsupported_media_type',
    ],
    [
      'a broken type',
      { headers: { ...ADMIN, 'content-type': '///' }, payload: 'x' },
      415,
      'unsupported_media_type',
    ],
    [
      'a large body',
      { headers: json, payload: `"${'x'.repeat(262_144)}"` },
      413,
      'payload_too_large',
    ],
    [
      'a bad percent-encoding',
      { url: '/v1/things/%E0%A4%A', payload: BODY },
      400,
      'request_malformed',
    ],
    [
      'a long parameter',
      { url: `/v1/things/${'a'.repeat(514)}`, payload: BODY },
      400,
      'request_malformed',
    ],
    [
      'a long target',
      { url: `/v1/things/abc?mode=${'a'.repeat(4_096)}`, payload: BODY },
      400,
      'request_malformed',
    ],
    [
      'many query parameters',
      { url: `/v1/things/abc?${'a&'.repeat(60)}`, payload: BODY },
      400,
      'request_malformed',
    ],
    ['an unknown path', { url: '/v1/nothing', payload: BODY }, 404, 'not_found'],
    ['a wrong method', { method: 'DELETE' }, 405, 'method_not_allowed'],
  ])('%s is a problem with Request-Id', async (_name, request, status, code) => {
    const answer = await ask(request);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.headers['request-id']).toMatch(UUID_V7);
    expect(answer.json()).toMatchObject({ status, type: `/docs/problems/${code}` });
  });

  it('the wrong method is answered with the right ones', async () => {
    expect((await ask({ method: 'DELETE' })).headers['allow']).toBe('POST');
  });

  it('more than 100 header lines are refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, '1']));
    const answer = await ask({ method: 'GET', url: '/v1/public', headers: many });
    expect(answer.json().detail).toContain('100 header lines');
  });
});

describe('who calls', () => {
  it.each<[string, Record<string, string>, string]>([
    ['nothing', {}, 'Bearer realm="arbiter"'],
    [
      'another scheme',
      { authorization: 'Basic abc' },
      'Bearer realm="arbiter", error="invalid_token"',
    ],
    [
      'a key of another form',
      { authorization: 'Bearer sk_1' },
      'Bearer realm="arbiter", error="invalid_token"',
    ],
    [
      'an unknown key',
      { authorization: 'Bearer ak_test_x' },
      'Bearer realm="arbiter", error="invalid_token"',
    ],
    [
      'a key that is too long',
      { authorization: `Bearer ak_${'x'.repeat(300)}` },
      'Bearer realm="arbiter", error="invalid_token"',
    ],
  ])('%s is 401 with a challenge', async (_name, headers, challenge) => {
    const answer = await ask({ headers, payload: BODY });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthenticated']);
    expect(answer.headers['www-authenticate']).toBe(challenge);
  });

  it('a role that may not is 403 naming those that may, before input is read', async () => {
    const answer = await ask({ headers: AGENT, payload: { nonsense: true } });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'forbidden', retryable: false });
    expect(answer.json().detail).toContain('tenant_admin, operator');
  });
});

interface Claim {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
}

describe('Idempotency-Key', () => {
  const claimOf = async (request: Request) =>
    (await ask({ payload: BODY, ...request })).json<{ claim: Claim }>().claim;

  it('is claimed for tenant, key, method and path template, over the exact request', async () => {
    const headers = { ...json, 'idempotency-key': 'k1' };
    const payload = '{"name": "box",  "lines": []}';
    const expected = createHash('sha256')
      .update('arbiter-request/1\nPOST\n/v1/things/abc?mode=dry\nkey_tenant_admin\n')
      .update(payload)
      .digest('hex');
    expect(await claimOf({ headers, payload, url: '/v1/things/abc?mode=dry' })).toEqual({
      scope: 'tnt_1 key_tenant_admin POST /v1/things/{thing_id}',
      key: 'k1',
      requestHash: expected,
    });
  });

  it('another body, path or query is another request', async () => {
    const headers = { ...json, 'idempotency-key': 'k1' };
    const hashes = await Promise.all(
      [
        { payload: '{"name":"box","lines":[]}' },
        { payload: '{"name":"box", "lines":[]}' },
        { payload: '{"name":"box","lines":[]}', url: '/v1/things/abcd' },
        { payload: '{"name":"box","lines":[]}', url: '/v1/things/abc?mode=dry' },
      ].map(async (request) => (await claimOf({ headers, ...request })).requestHash),
    );
    expect(new Set(hashes).size).toBe(4);
  });

  it('is required where the contract says so', async () => {
    const answer = await ask({ url: '/v1/payments', headers: AGENT });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'idempotency_key_required',
      field: ':idempotency-key',
    });
  });

  it.each(['', 'a b', 'x'.repeat(256), 'ä'])('refuses the form of %j', async (key) => {
    const answer = await ask({
      url: '/v1/payments',
      headers: { ...AGENT, 'idempotency-key': key },
    });
    expect(answer.json()).toMatchObject({ code: 'validation_failed', field: ':idempotency-key' });
  });

  it('takes 255 visible characters', async () => {
    const answer = await ask({
      url: '/v1/payments',
      headers: { ...AGENT, 'idempotency-key': '!~'.repeat(127) + 'x' },
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('rate limits', () => {
  it('count each key by itself, and those without a valid key by address', async () => {
    const limited = await startTestApp({ rateLimits: { perKeyMax: 2, perAddressMax: 3 } });
    const as = async (authorization: string) =>
      (
        await limited.app.inject({
          method: 'POST',
          url: '/v1/payments',
          headers: { authorization },
        })
      ).statusCode;
    expect([await as('Bearer ak_test_agent'), await as('Bearer ak_test_agent')]).toEqual([
      400, 400,
    ]);
    const third = await limited.app.inject({ method: 'POST', url: '/v1/payments', headers: AGENT });
    expect(third.statusCode).toBe(429);
    expect(third.json()).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(await as('Bearer ak_test_tenant_admin')).toBe(403);
    expect([
      await as('Bearer ak_1'),
      await as('Bearer ak_2'),
      await as('x'),
      await as('Bearer ak_3'),
    ]).toEqual([401, 401, 401, 429]);
    expect((await limited.app.inject('/v1/public')).statusCode).toBe(429);
    await limited.app.close();
  });
});
