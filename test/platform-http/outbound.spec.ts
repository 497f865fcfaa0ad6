import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createOutboundClient,
  OUTBOUND_BODY_BYTES_MAX,
  type OutboundOptions,
} from '../../src/base/platform/index.js';
import { selfSignedCertificate } from '../support/certificate.js';

const running: Server[] = [];
afterEach(async () => {
  await Promise.all(
    running.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
          server.close(resolve);
        }),
    ),
  );
});

async function listen(server: Server): Promise<number> {
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const serve = (listener: RequestListener) => listen(createServer(listener));

/** Long enough for any answer that comes, short enough to wait for one that does not. */
const IMPATIENT_MS = 200;
const local = (options: Partial<OutboundOptions> = {}) =>
  createOutboundClient({ allowLoopbackPeers: true, nowMs: () => 1_700_000_000_000, ...options });

describe('a peer that behaves', () => {
  it('answers with status, headers, bytes and the time of asking', async () => {
    const port = await serve((request, response) => {
      response.setHeader('X-Many', ['a', 'b']);
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end(
        `${request.url} ${request.headers.host} ${request.headers['accept-encoding']} ${String(request.headers['x-ours'])}`,
      );
    });
    const outcome = await local().fetch({
      url: `http://127.0.0.1:${port}/a?b=1#c`,
      headers: { 'x-ours': '1' },
    });
    expect(outcome).toMatchObject({ kind: 'ok', status: 404, fetchedAtMs: 1_700_000_000_000 });
    if (outcome.kind !== 'ok') return;
    expect(outcome.headers).toMatchObject({ 'x-many': 'a, b', 'content-type': 'text/plain' });
    expect(outcome.body.toString()).toBe(`/a?b=1 127.0.0.1:${port} identity 1`);
  });

  it('gets a posted body as it is', async () => {
    const port = await serve((request, response) => request.pipe(response));
    const body = Buffer.from([0, 1, 255]);
    const outcome = await local().fetch({ url: `http://127.0.0.1:${port}/`, method: 'POST', body });
    expect(outcome).toMatchObject({ kind: 'ok', status: 200, body });
  });

  it('is reached at the address that was checked: the name is resolved once', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    const asked: string[] = [];
    const resolve = (hostname: string) => {
      asked.push(hostname);
      return Promise.resolve(['127.0.0.1']);
    };
    const outcome = await local({ resolve }).fetch({ url: `http://peer.example:${port}/` });
    expect(outcome).toMatchObject({ kind: 'ok', body: Buffer.from(`peer.example:${port}`) });
    expect(asked).toEqual(['peer.example']);
  });

  it('is not decompressed', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(Buffer.from([31, 139, 8]));
    });
    const outcome = await local().fetch({ url: `http://127.0.0.1:${port}/` });
    expect(outcome).toMatchObject({ kind: 'ok', body: Buffer.from([31, 139, 8]) });
  });
});

describe('an address that leads elsewhere', () => {
  it.each([
    ['private', ['10.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['loopback', ['127.0.0.1']],
    ['mapped', ['::ffff:93.184.216.34']],
    ['public and private', ['93.184.216.34', '10.0.0.1']],
    ['public and loopback', ['93.184.216.34', '127.0.0.1']],
    ['seventeen', Array.from({ length: 17 }, () => '93.184.216.34')],
  ])('is refused: %s', async (_name, addresses) => {
    const resolve = () => Promise.resolve(addresses);
    const client = createOutboundClient({ allowLoopbackPeers: false, nowMs: () => 0, resolve });
    expect(await client.fetch({ url: 'https://peer.example/' })).toEqual({
      kind: 'refused_address',
    });
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://2130706433/',
    'https://169.254.169.254/',
  ])('is refused as a literal: %s', async (url) => {
    const client = createOutboundClient({ allowLoopbackPeers: false, nowMs: () => 0 });
    expect(await client.fetch({ url })).toEqual({ kind: 'refused_address' });
  });

  it('is refused over http and on other ports even where loopback peers are allowed', async () => {
    const client = local({ resolve: () => Promise.resolve(['93.184.216.34']) });
    expect(await client.fetch({ url: 'http://peer.example/' })).toEqual({
      kind: 'refused_address',
    });
    expect(await client.fetch({ url: 'https://peer.example:9000/' })).toEqual({
      kind: 'refused_address',
    });
    expect(await local().fetch({ url: 'http://10.0.0.1/' })).toEqual({ kind: 'refused_address' });
  });

  it('a URL out of policy is not even resolved', async () => {
    const resolve = () => Promise.reject(new Error('must not be asked'));
    const client = createOutboundClient({ allowLoopbackPeers: false, nowMs: () => 0, resolve });
    expect(await client.fetch({ url: 'https://a:b@peer.example/' })).toEqual({
      kind: 'refused_url',
    });
  });
});

describe('a peer that misbehaves', () => {
  it('by a redirect', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    expect(await local().fetch({ url: `http://127.0.0.1:${port}/` })).toEqual({ kind: 'redirect' });
  });

  it('by a body without an end', async () => {
    const port = await serve((_request, response) => {
      const more = () => void response.write('x'.repeat(16_384), more);
      more();
    });
    expect(await local().fetch({ url: `http://127.0.0.1:${port}/` })).toEqual({
      kind: 'too_large',
    });
  });

  it('by one byte too many, and not by the last one allowed', async () => {
    const port = await serve((request, response) =>
      response.end(Buffer.alloc(Number(request.url?.slice(1)))),
    );
    const url = (bytes: number) => `http://127.0.0.1:${port}/${bytes}`;
    expect(await local().fetch({ url: url(OUTBOUND_BODY_BYTES_MAX) })).toMatchObject({
      kind: 'ok',
    });
    expect(await local().fetch({ url: url(OUTBOUND_BODY_BYTES_MAX + 1) })).toEqual({
      kind: 'too_large',
    });
  });

  it('by headers that are too large', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end(),
    );
    expect(await local().fetch({ url: `http://127.0.0.1:${port}/` })).toEqual({
      kind: 'too_large',
    });
  });

  it('by dripping its body', async () => {
    const port = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const outcome = await local().fetch({
      url: `http://127.0.0.1:${port}/`,
      deadlineMs: IMPATIENT_MS,
    });
    expect(outcome).toEqual({ kind: 'timeout' });
  });

  it('by taking too long for its headers, however much time the body would have', async () => {
    const slow = await serve(() => undefined);
    const started = await serve((_request, response) => {
      response.write('x');
      setTimeout(() => response.end('y'), 2 * IMPATIENT_MS);
    });
    const fetchFrom = (port: number) =>
      local().fetch({ url: `http://127.0.0.1:${port}/`, headersMs: IMPATIENT_MS });
    expect(await fetchFrom(slow)).toEqual({ kind: 'timeout' });
    // The time for headers says nothing about the body behind them.
    expect(await fetchFrom(started)).toMatchObject({ kind: 'ok', body: Buffer.from('xy') });
  });

  it('by never ending the handshake', async () => {
    const port = await listen(createTcpServer((socket) => socket.resume()));
    const url = `https://127.0.0.1:${port}/`;
    expect(await local().fetch({ url, connectMs: IMPATIENT_MS })).toEqual({ kind: 'timeout' });
  });

  it('by never answering, or never resolving', async () => {
    const port = await listen(createTcpServer((socket) => socket.resume()));
    const deadlineMs = IMPATIENT_MS;
    expect(await local().fetch({ url: `http://127.0.0.1:${port}/`, deadlineMs })).toEqual({
      kind: 'timeout',
    });
    const resolve = () => new Promise<string[]>(() => undefined);
    expect(await local({ resolve }).fetch({ url: 'https://peer.example/', deadlineMs })).toEqual({
      kind: 'timeout',
    });
  });

  it('by cutting its body short, or by not being there', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('abc', () => response.destroy());
    });
    const url = `http://127.0.0.1:${port}/`;
    expect(await local().fetch({ url })).toEqual({ kind: 'connect_failed' });
    const gone = running.pop();
    await new Promise((resolve) => gone?.close(resolve));
    expect(await local().fetch({ url })).toEqual({ kind: 'connect_failed' });
  });

  it('by having no address', async () => {
    for (const resolve of [
      () => Promise.resolve([]),
      () => Promise.reject(new Error('NXDOMAIN')),
    ]) {
      expect(await local({ resolve }).fetch({ url: 'https://peer.example/' })).toEqual({
        kind: 'dns_failed',
      });
    }
  });
});

describe('over TLS', () => {
  const resolve = () => Promise.resolve(['127.0.0.1']);

  it('the certificate has to be trusted and made for the name that was asked', async () => {
    const { key, certificate } = selfSignedCertificate('peer.example');
    const port = await listen(
      createTlsServer({ key, cert: certificate }, (_request, response) => response.end('hello')),
    );
    const trusting = local({ resolve, trustedCertificates: [certificate] });
    expect(await trusting.fetch({ url: `https://peer.example:${port}/` })).toMatchObject({
      kind: 'ok',
      body: Buffer.from('hello'),
    });
    expect(await trusting.fetch({ url: `https://other.example:${port}/` })).toEqual({
      kind: 'tls_failed',
    });
    expect(await local({ resolve }).fetch({ url: `https://peer.example:${port}/` })).toEqual({
      kind: 'tls_failed',
    });
  });

  it('a peer that speaks plain HTTP is refused', async () => {
    const port = await serve((_request, response) => response.end());
    expect(await local({ resolve }).fetch({ url: `https://peer.example:${port}/` })).toEqual({
      kind: 'tls_failed',
    });
  });
});

describe('the mapped origin', () => {
  const origin = 'https://0123456789abcdef.authority.internal';
  const to = (transportOrigin: () => string | null) =>
    createOutboundClient({
      ...{ allowLoopbackPeers: false, nowMs: () => 0, mapped: { origin, transportOrigin } },
      resolve: () => Promise.reject(new Error('must not be asked')),
    });

  it('is asked at the place that the operator gave, and connections to it are kept', async () => {
    let connections = 0;
    const server = createServer((request, response) =>
      response.end(`${request.url} ${request.headers.host}`),
    );
    server.on('connection', () => (connections += 1));
    const port = await listen(server);
    const client = to(() => `http://127.0.0.1:${port}`);
    for (const turn of [1, 2, 3])
      expect(await client.fetch({ url: `${origin}/status/t/${turn}?a=b` })).toMatchObject({
        kind: 'ok',
        body: Buffer.from(`/status/t/${turn}?a=b 127.0.0.1:${port}`),
      });
    expect(connections).toBeLessThan(3);
  });

  it('may move, or be nowhere for a while', async () => {
    const answering = (text: string) => serve((_request, response) => response.end(text));
    let place: string | null = `http://127.0.0.1:${await answering('first')}`;
    const client = to(() => place);
    const ask = () => client.fetch({ url: `${origin}/` });
    expect(await ask()).toMatchObject({ body: Buffer.from('first') });
    place = null;
    expect(await ask()).toEqual({ kind: 'connect_failed' });
    place = `http://127.0.0.1:${await answering('second')}`;
    expect(await ask()).toMatchObject({ body: Buffer.from('second') });
  });

  it('is the only exemption: other names stay guarded, however alike', async () => {
    const port = await serve((_request, response) => response.end());
    const client = to(() => `http://127.0.0.1:${port}`);
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `${origin}.evil.example/`,
      `${origin}@evil.example/`,
      `${origin}:444/`,
      origin.replace('https', 'http'),
    ])
      expect((await client.fetch({ url })).kind, url).toMatch(/^(?:refused_url|dns_failed)$/);
  });

  it('is held to the same bounds: size, time, redirects', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/far') response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
      else if (request.url === '/large') response.end(Buffer.alloc(OUTBOUND_BODY_BYTES_MAX + 1));
      else if (request.url === '/now') response.end('now');
    });
    const client = to(() => `http://127.0.0.1:${port}`);
    const kindOf = async (path: string) =>
      (await client.fetch({ url: `${origin}${path}`, deadlineMs: IMPATIENT_MS })).kind;
    expect(await kindOf('/far')).toBe('redirect');
    expect(await kindOf('/large')).toBe('too_large');
    expect(await kindOf('/never')).toBe('timeout');
    expect(await kindOf('/now')).toBe('ok');
  });
});
