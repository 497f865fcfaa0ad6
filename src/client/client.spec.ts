import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { arbiterClient, type ArbiterClientOptions, everyPage, refusalOf } from './index.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = (response: ServerResponse) => void;

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** A service that gives these answers, one a request, and remembers what it was asked. */
async function serve(...replies: readonly Reply[]) {
  const seen: Seen[] = [];
  const left = [...replies];
  const listening = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      (left.shift() ?? answer(599, {}))(response);
    });
  });
  server = listening;
  await new Promise<void>((ready) => listening.listen(0, '127.0.0.1', ready));
  const { port } = listening.address() as AddressInfo;
  const pauses: number[] = [];
  const client = (options: Partial<ArbiterClientOptions> = {}) =>
    arbiterClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: 'ak_test_key',
      pause: (pauseMs) => {
        pauses.push(pauseMs);
        return Promise.resolve();
      },
      ...options,
    });
  return { seen, pauses, client };
}

const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

const problemBody = (code: string, status: number, retryable: boolean) => ({
  type: `/docs/problems/${code}`,
  title: code,
  status,
  code,
  detail: `this is ${code}`,
  field: null,
  fix: 'Do it otherwise.',
  request_id: 'req-1',
  retryable,
});

const problem = (
  code: string,
  status: number,
  { retryable = true, retryAfter }: { retryable?: boolean; retryAfter?: string } = {},
): Reply =>
  answer(status, problemBody(code, status, retryable), {
    'content-type': 'application/problem+json',
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  });

const capture = {
  capture_id: 'pay-1',
  merchant_id: 'shop',
  order_id: 'order-1',
  amount: { amount: '91800', currency: 'INR' },
};

describe('what is sent', () => {
  it('path and query are escaped, the key is in the header, the body is JSON', async () => {
    const { seen, client } = await serve(answer(200, {}), answer(200, {}));
    await client().get('/v1/merchants/{merchant_id}', { path: { merchant_id: 'a/b c' } });
    await client().get('/v1/decisions', { query: { merchant_id: 'a&b', limit: '2' } });
    expect(seen.map(({ url }) => url)).toEqual([
      '/v1/merchants/a%2Fb%20c',
      '/v1/decisions?merchant_id=a%26b&limit=2',
    ]);
    expect(seen[0]?.headers.authorization).toBe('Bearer ak_test_key');
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it('routes that take an Idempotency-Key get one, or the one that is given', async () => {
    const { seen, client } = await serve(answer(201, {}), answer(201, {}), answer(201, {}));
    const first = await client().post('/v1/captures', { body: capture });
    await client().post('/v1/captures', { body: capture, idempotencyKey: 'mine' });
    await client().post('/v1/tenants', { body: { world: 'test', name: 'a' } });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(first).toMatchObject({ ok: true, idempotencyKey: keys[0] });
    expect(keys.slice(1)).toEqual(['mine', undefined]);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(capture);
  });

  it.each([
    ['a base URL that is none', { baseUrl: 'arbiter' }],
    ['another protocol', { baseUrl: 'file:///etc' }],
    ['a user in the base URL', { baseUrl: 'http://user:word@127.0.0.1' }],
    ['a key with a line break', { apiKey: 'ak\nx-role: admin' }],
  ])('unsendable: %s', async (_what, options) => {
    const { seen, client } = await serve();
    const answered = await client(options).get('/v1/tenant');
    expect(answered).toMatchObject({ ok: false, failure: { kind: 'unsendable', attemptCount: 1 } });
    expect(seen).toEqual([]);
  });

  it.each(['', '.', '..'])('unsendable: the path parameter "%s"', async (id) => {
    const { seen, client } = await serve();
    const answered = await client().delete('/v1/api-keys/{api_key_id}', {
      path: { api_key_id: id },
    });
    expect(answered).toMatchObject({ ok: false, failure: { kind: 'unsendable' } });
    expect(seen).toEqual([]);
  });
});

describe('what comes back', () => {
  it('an answer, its status and its request id', async () => {
    const { client } = await serve(answer(200, { tenant_id: 'tnt_1' }, { 'request-id': 'req-9' }));
    expect(await client().get('/v1/tenant')).toEqual({
      ok: true,
      value: { tenant_id: 'tnt_1' },
      status: 200,
      requestId: 'req-9',
      idempotencyKey: null,
    });
  });

  it('an answer without a body', async () => {
    const { client } = await serve((response) => response.writeHead(204).end());
    const answered = await client().delete('/v1/api-keys/{api_key_id}', {
      path: { api_key_id: 'key_1' },
    });
    expect(answered).toMatchObject({ ok: true, value: undefined, status: 204 });
  });

  it('a problem, as it is', async () => {
    const { client, pauses } = await serve(problem('not_found', 404, { retryable: false }));
    expect(await client().get('/v1/tenant')).toEqual({
      ok: false,
      failure: {
        kind: 'problem',
        problem: problemBody('not_found', 404, false),
        retryAfterSeconds: null,
        idempotencyKey: null,
        attemptCount: 1,
      },
    });
    expect(pauses).toEqual([]);
  });

  it('a refusal where an allow was needed: a problem with a refusal in it', async () => {
    const refusal = {
      failing_rule: 'allow_use',
      reason: 'allow_used',
      decision_id: 'arbdec_000000000001',
      action: 'refused',
      required_config: 'allow',
      reason_page: '/docs/reasons/allow_use/allow_used',
      not_before: null,
    };
    const body = { ...problemBody('arbiter_refused', 403, false), ...refusal };
    const { client } = await serve(
      answer(403, body, { 'content-type': 'application/problem+json' }),
    );
    const answered = await client().post('/v1/captures', { body: capture });
    if (answered.ok || answered.failure.kind !== 'problem') throw new Error('a problem');
    expect(refusalOf(answered.failure.problem)).toEqual(refusal);
    expect(refusalOf({ ...answered.failure.problem, code: 'forbidden' })).toBeNull();
    expect(refusalOf({ ...answered.failure.problem, reason_page: undefined })).toBeNull();
  });

  it('a refusal is an answer, whatever its status is', async () => {
    const { client } = await serve(answer(409, { outcome: 'refuse', code: 'arbiter_refused' }));
    const answered = await client().post('/v1/decisions', { body: {} as never });
    expect(answered).toMatchObject({ ok: true, status: 409, value: { outcome: 'refuse' } });
  });

  const page: Reply = (response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
  const broken: Reply = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"tenant_id":');
  const redirect: Reply = (response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  it.each([
    ["a proxy's page", page, 502],
    ['broken JSON', broken, 200],
    ['a redirect, which is not followed', redirect, 302],
    ["somebody else's problem", answer(500, { title: 'oops' }), 500],
  ])('unreadable: %s', async (_what, reply, status) => {
    const { client, seen } = await serve(reply);
    const answered = await client().get('/v1/tenant');
    expect(answered).toMatchObject({ ok: false, failure: { kind: 'unreadable', status } });
    expect(seen).toHaveLength(1);
  });

  it('unreachable: nobody listens, or the connection breaks in the answer; the key is told', async () => {
    const nobody = arbiterClient({ baseUrl: 'http://127.0.0.1:1', apiKey: null });
    expect(await nobody.get('/v1/tenant')).toMatchObject({
      ok: false,
      failure: { kind: 'unreachable', idempotencyKey: null },
    });
    const { client, seen } = await serve((response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{', () => response.destroy());
    });
    const answered = await client().post('/v1/captures', { body: capture });
    expect(answered).toMatchObject({
      ok: false,
      failure: {
        kind: 'unreachable',
        idempotencyKey: seen[0]?.headers['idempotency-key'],
        attemptCount: 1,
      },
    });
  });

  it('timeout and canceled', async () => {
    const silent: Reply = () => undefined;
    const { client } = await serve(silent, silent);
    const late = await client({ timeoutMs: 20 }).get('/v1/tenant');
    expect(late).toMatchObject({ ok: false, failure: { kind: 'timeout' } });
    const ended = await client().get('/v1/tenant', { signal: AbortSignal.abort() });
    expect(ended).toMatchObject({ ok: false, failure: { kind: 'canceled' } });
  });
});

describe('download', () => {
  const PATH = '/v1/ledger/export';
  const read = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
    const read: Uint8Array[] = [];
    for await (const chunk of chunks) read.push(chunk);
    return Buffer.concat(read).toString();
  };
  const half: Reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/jsonl', 'arbiter-export-id': 'exp_1' });
    response.write('{"a":1}\n');
  };

  it('gives headers and a body that is read as it comes, whatever its type', async () => {
    const { client, seen } = await serve((response) => {
      half(response);
      response.end('{"b":2}\n');
    });
    const query = { export_id: 'exp_1', after_seq: undefined };
    const opened = await client().download(PATH, { query });
    if (!opened.ok) throw new Error(opened.failure.kind);
    expect(opened.headers.get('arbiter-export-id')).toBe('exp_1');
    expect(await read(opened.chunks)).toBe('{"a":1}\n{"b":2}\n');
    expect(seen).toMatchObject([
      {
        method: 'GET',
        url: `${PATH}?export_id=exp_1`,
        headers: { authorization: 'Bearer ak_test_key' },
      },
    ]);
  });

  it('throws in the middle when the connection breaks, or when nothing is heard', async () => {
    const { client } = await serve((response) => {
      half(response);
      setImmediate(() => response.destroy());
    }, half);
    for (const timeoutMs of [5_000, 1_000]) {
      const opened = await client({ timeoutMs }).download(PATH);
      if (!opened.ok) throw new Error(opened.failure.kind);
      await expect(read(opened.chunks)).rejects.toThrow();
    }
  });

  it('gives failures as every call does, and waits when it may help', async () => {
    const { client, pauses } = await serve(
      problem('forbidden', 403, { retryable: false }),
      problem('rate_limited', 429, { retryAfter: '5' }),
      half,
      answer(302, {}),
      () => undefined,
    );
    expect(await client().download(PATH)).toMatchObject({
      ok: false,
      failure: { kind: 'problem' },
    });
    expect(await client().download(PATH)).toMatchObject({ ok: true });
    expect(pauses).toEqual([5_000]);
    expect(await client().download(PATH)).toMatchObject({ failure: { kind: 'unreadable' } });
    const late = await client({ timeoutMs: 20 }).download(PATH);
    expect(late).toMatchObject({ failure: { kind: 'timeout' } });
  });
});

describe('again, after a problem that a pause may cure', () => {
  it('waits as long as Retry-After says and keeps the key', async () => {
    const { client, seen, pauses } = await serve(
      problem('rate_limited', 429, { retryAfter: '7' }),
      problem('unavailable', 503),
      answer(201, { capture_id: 'pay-1' }),
    );
    const answered = await client().post('/v1/captures', { body: capture });
    expect(answered).toMatchObject({ ok: true, value: { capture_id: 'pay-1' } });
    expect(pauses).toEqual([7_000, 1_000]);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
    expect(seen).toHaveLength(3);
  });

  it('not more often than it may', async () => {
    const busy = problem('unavailable', 503, { retryAfter: '2' });
    const { client, seen } = await serve(busy, busy, busy, busy);
    const answered = await client().get('/v1/tenant');
    expect(answered).toMatchObject({
      ok: false,
      failure: { kind: 'problem', retryAfterSeconds: 2, attemptCount: 3 },
    });
    expect(seen).toHaveLength(3);
    expect(await client({ retryCountMax: 0 }).get('/v1/tenant')).toMatchObject({
      failure: { attemptCount: 1 },
    });
  });

  it('not when the pause would be too long, or Retry-After is a date', async () => {
    const { client, pauses } = await serve(
      problem('rate_limited', 429, { retryAfter: '61' }),
      problem('rate_limited', 429, { retryAfter: 'Mon, 30 Nov 2026 09:30:00 GMT' }),
      answer(200, {}),
    );
    expect(await client().get('/v1/tenant')).toMatchObject({ failure: { attemptCount: 1 } });
    expect(await client().get('/v1/tenant')).toMatchObject({ ok: true });
    expect(pauses).toEqual([1_000]);
  });

  it('outcome_unknown: only under a key, or when nothing changes', async () => {
    const unknown = problem('outcome_unknown', 503);
    const { client, seen } = await serve(unknown, unknown, answer(201, {}));
    const made = await client().post('/v1/tenants', { body: { world: 'test', name: 'a' } });
    expect(made).toMatchObject({ ok: false, failure: { attemptCount: 1, idempotencyKey: null } });
    expect(await client().post('/v1/captures', { body: capture })).toMatchObject({ ok: true });
    expect(seen).toHaveLength(3);
  });

  it('not after the caller has ended the call in the pause', async () => {
    const { client, seen } = await serve(problem('unavailable', 503));
    const ending = new AbortController();
    const pause = () => Promise.resolve(ending.abort());
    const answered = await client({ pause }).get('/v1/tenant', { signal: ending.signal });
    expect(answered).toMatchObject({ ok: false, failure: { kind: 'problem', attemptCount: 1 } });
    expect(seen).toHaveLength(1);
  });
});

describe('every page', () => {
  const page = (items: readonly string[], next: string | null) =>
    ({
      ok: true,
      value: { items, next_cursor: next },
      status: 200,
      requestId: null,
      idempotencyKey: null,
    }) as const;

  it('follows the cursors to the end, and no cursor twice', async () => {
    const asked: (string | undefined)[] = [];
    const pages = [page(['a'], '1'), page(['b'], '2'), page([], '2'), page(['never'], null)];
    const items: string[] = [];
    for await (const answered of everyPage<string>((cursor) => {
      asked.push(cursor);
      return Promise.resolve(pages[asked.length - 1] ?? page([], null));
    }))
      if (answered.ok) items.push(...answered.value.items);
    expect(asked).toEqual([undefined, '1', '2']);
    expect(items).toEqual(['a', 'b']);
  });

  it('ends with the first failure', async () => {
    const failure = {
      ok: false,
      failure: { kind: 'unreachable', detail: '', idempotencyKey: null, attemptCount: 1 },
    } as const;
    const answers: unknown[] = [];
    for await (const answered of everyPage(() => Promise.resolve(failure))) answers.push(answered);
    expect(answers).toEqual([failure]);
  });
});
