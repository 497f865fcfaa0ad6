import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { offer, type Storefront } from '../storefront/storefront.js';
import { closeAfterFile } from '../support/closing.js';
import { startTestService, type TestService } from '../support/service.js';
import { shopInMode } from './signed-shop.js';
import { type Received, send, type SigningAgent, startAgent } from './signing-agent.js';

/** Behind a reverse proxy that asks for the service under another name and says in X-Forwarded-Host which was asked. */

const CATALOG = '/catalog.json';
const INSIDE = 'arbiter.internal';

/** What a proxy does with the header; null: it sends none. */
type Forwards = (asked: string, sent: string | null) => string | null;

/** On loopback, from an address of its own when `from` says so. */
async function startProxy(service: TestService, forwards: Forwards, from = '127.0.0.1') {
  const to = new URL(service.baseUrl);
  const proxy = createServer((request, response) => {
    const { host = '', 'x-forwarded-host': sent = null, ...headers } = request.headers;
    const forwarded = forwards(host, Array.isArray(sent) ? sent.join(', ') : sent);
    const passed = httpRequest(
      {
        ...{ host: to.hostname, port: to.port, localAddress: from, agent: false },
        ...{ method: request.method, path: request.url },
        headers: {
          ...{ ...headers, host: INSIDE },
          ...(forwarded === null ? {} : { 'x-forwarded-host': forwarded }),
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  closeAfterFile(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const { port } = proxy.address() as AddressInfo;
  return { ...service, baseUrl: `http://127.0.0.1:${port}` };
}

const names: Forwards = (asked) => asked;
const appends: Forwards = (asked, sent) => (sent === null ? asked : `${sent}, ${asked}`);
const nothing: Forwards = () => null;

let service: TestService;
let agent: SigningAgent;
let front: Storefront;
let other: Storefront;
beforeAll(async () => {
  service = await startTestService({
    ALLOW_LOOPBACK_PEERS: 'true',
    TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
  });
  agent = await startAgent();
  front = await shopInMode(service, 'enforce');
  other = await shopInMode(service, 'log');
  await offer(front, [{ id: 'tea' }]);
});

const signedRead = async (
  through: TestService,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> => {
  const sent = { host: front.host, path: CATALOG, headers };
  return send(through, { ...sent, headers: await agent.sign(sent) });
};
const read = (through: TestService, headers: Readonly<Record<string, string>> = {}) =>
  send(through, { host: front.host, path: CATALOG, headers });

describe('a hop that is trusted', () => {
  it('says for which host the client signed', async () => {
    const proxied = await startProxy(service, names);
    expect((await signedRead(proxied)).status).toBe(200);
    expect((await read(proxied)).body.code).toBe('signature_missing');
  });

  it('overwrites what the client said', async () => {
    const proxied = await startProxy(service, names);
    const forged = { 'x-forwarded-host': other.host };
    expect((await read(proxied, forged)).body.code).toBe('signature_missing');
    expect((await signedRead(proxied, forged)).status).toBe(200);
  });

  it('of two values, the last is the hop’s own', async () => {
    const proxied = await startProxy(service, appends);
    const forged = { 'x-forwarded-host': other.host };
    expect((await read(proxied, forged)).body.code).toBe('signature_missing');
    expect((await signedRead(proxied, forged)).status).toBe(200);
  });

  it('that says nothing leaves its own name, which is no shop', async () => {
    const proxied = await startProxy(service, nothing);
    expect((await signedRead(proxied)).status).toBe(421);
  });
});

describe('a hop that is not trusted', () => {
  it('is not believed: the Host that it sent counts', async () => {
    const proxied = await startProxy(service, names, '127.0.0.2');
    expect((await signedRead(proxied)).body.code).toBe('misdirected_request');
  });

  it('cannot lend the host of a shop that is not strict', async () => {
    const forged = { 'x-forwarded-host': other.host };
    const direct = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
    expect((await read(direct, forged)).body.code).toBe('signature_missing');
  });
});
