import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './test-app.js';

let started: TestApp;
beforeAll(async () => {
  started = await startTestApp();
});
afterAll(() => started.app.close());

describe('a JSON body', () => {
  const send = (payload: string) =>
    started.app.inject({
      method: 'POST',
      url: '/v1/things/abc',
      headers: {
        authorization: 'Bearer ak_test_tenant_admin',
        'content-type': 'application/json',
      },
      payload,
    });

  it.each([
    ['{"name":"a","name":"b"}', '/name'],
    ['{"name":"a","lines":[{"sku":"a"},{"sku":"a","quantity":1,"s\\u006bu":"b"}]}', '/lines/1/sku'],
    ['{"name":{"a":["a","a"],"b/~":1,"b/~":2}}', '/name/b~1~0'],
  ])('the second of two members of one name is refused: %s', async (payload, field) => {
    const answer = await send(payload);
    expect([answer.statusCode, answer.json().code, answer.json().field]).toEqual([
      400,
      'request_malformed',
      field,
    ]);
  });

  it('equal names in different objects, and equal values, are no repeats', async () => {
    const payload =
      '{"name":"name","lines":[{"sku":"name","quantity":1},{"sku":"name","quantity":1}]}';
    expect((await send(payload)).statusCode).toBe(201);
  });
});

describe('an encoding', () => {
  const sendAs = (contentType: string) =>
    started.app.inject({
      method: 'POST',
      url: '/v1/things/abc',
      headers: {
        authorization: 'Bearer ak_test_tenant_admin',
        'content-type': contentType,
      },
      payload: '{"name":"a","lines":[]}',
    });

  it.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('charset=%s: 201', async (charset) => {
    expect((await sendAs(`application/json; charset=${charset}`)).statusCode).toBe(201);
  });

  it.each([
    'application/json; charset=utf-16',
    'application/json;CHARSET="iso-8859-1"',
    'application/json; charset=utf-8; charset=latin1',
    'application/x-www-form-urlencoded; charset=utf-16',
  ])('%s: 415', async (contentType) => {
    const answer = await sendAs(contentType);
    expect([answer.statusCode, answer.json().field]).toEqual([415, ':content-type']);
  });
});

it('a form with a field twice is refused before anything is pressed', async () => {
  const answer = await started.app.inject({
    method: 'POST',
    url: '/v1/things/abc',
    headers: {
      authorization: 'Bearer ak_test_tenant_admin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'press=pay&press=fail',
  });
  expect([answer.statusCode, answer.json().code, answer.json().field]).toEqual([
    400,
    'request_malformed',
    '/press',
  ]);
});

describe('over a socket', () => {
  let port = 0;
  beforeAll(async () => {
    await started.app.listen(0, '127.0.0.1');
    ({ port } = started.app.getHttpServer().address() as AddressInfo);
  });
  const exchange = async (request: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.end(request);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  };

  it.each([
    ['no Host', 'GET /v1/public HTTP/1.1\r\nConnection: close\r\n\r\n', '":host"'],
    ['broken HTTP', 'GET /v1/public HTTP/1.1\r\nbad header\r\n\r\n', 'null'],
    ['an oversized header', `GET / HTTP/1.1\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'null'],
  ])('%s is a problem', async (_name, request, field) => {
    const answer = await exchange(request);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain(`"field":${field}`);
  });

  it.each([
    ['authorization', 'Authorization: Bearer ak_test_agent\r\nauthorization: Bearer ak_test_x\r\n'],
    ['content-type', 'Content-Type: application/json\r\nContent-Type: text/plain\r\n'],
  ])('two headers %s are a problem', async (name, headers) => {
    const head = `POST /v1/payments HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    const answer = await exchange(`${head}${headers}Content-Length: 0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`"field":":${name}"`);
  });

  it('an expectation that nobody knows is ignored', async () => {
    const head = 'GET /v1/public HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    expect(await exchange(`${head}Expect: tea\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
