import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AGENT, configFor, testKey } from '../../test/httpsig/signed-requests.js';
import { contextOf, judge, KeysInMemory } from '../../test/httpsig/verifier.js';
import { type HttpRequestMessage } from '../core/httpsig/index.js';
import {
  type RequestToSign,
  signMessage,
  signingFetch,
  SigningError,
  type SigningOptions,
  signRequest,
  signRequestWithBase,
} from './index.js';

const key = testKey();
const NOW_MS = 1_800_000_000_000;
const tap: SigningOptions = { profile: 'tap-browse', key: key.privateKey, nowMs: NOW_MS };
const wba: SigningOptions = {
  profile: 'web-bot-auth',
  key: key.privateKey,
  agentUrl: AGENT,
  nowMs: NOW_MS,
};

const POST: RequestToSign = {
  method: 'POST',
  url: 'https://Shop.example:443/a2a/v1/message:send?lang=en',
  headers: { 'content-type': 'application/json' },
  body: '{"x":"\u00e9"}',
};

/** The request as it arrives. */
function received(
  request: RequestToSign,
  added: Readonly<Record<string, string>>,
): HttpRequestMessage {
  const { method = 'GET', headers = {}, body = null } = request;
  const { host, pathname, search } = new URL(String(request.url));
  return {
    kind: 'request',
    method,
    scheme: 'https',
    authority: host,
    target: request.target ?? `${pathname}${search}`,
    headers: [
      ['Host', host],
      ...Object.entries(headers as Record<string, string>),
      ...Object.entries(added),
    ],
    body: body === null ? null : Buffer.from(body as string, 'utf8'),
  };
}

function verdictOf(request: HttpRequestMessage, nowMs = NOW_MS, signer = key) {
  const config = configFor(signer);
  const context = contextOf(config, nowMs / 1_000, { routeKind: 'a2a' });
  return judge(request, context, { keys: new KeysInMemory(config) });
}

describe('a signed request', () => {
  it.each([
    ['TAP, browsing', tap, 'tap', 'agent-browser-auth', null],
    ['TAP, paying', { ...tap, profile: 'tap-pay' } as const, 'tap', 'agent-payer-auth', null],
    ['Web Bot Auth', wba, 'wba', 'web-bot-auth', AGENT],
    [
      'Web Bot Auth as a bare string',
      { ...wba, agentForm: 'string' } as const,
      'wba',
      'web-bot-auth',
      AGENT,
    ],
    ['Web Bot Auth without a nonce', { ...wba, nonce: null }, 'wba', 'web-bot-auth', AGENT],
    ['another label', { ...wba, label: 'a2a' }, 'wba', 'web-bot-auth', AGENT],
  ])('is verified: %s', async (_name, options, profile, tag, agent) => {
    for (const request of [POST, { url: 'https://shop.example/catalog.json' }]) {
      const added = await signRequest(request, options);
      expect(verdictOf(received(request, added))).toMatchObject({
        status: 'verified',
        coverage: 'full',
        profile,
        tag,
        agent,
      });
    }
  });

  it.each(['ecdsa-p256-sha256', 'ecdsa-p384-sha384', 'rsa-pss-sha512'] as const)(
    'with a key of %s',
    async (name) => {
      const signer = testKey(name);
      const jwk = signer.privateKey.export({ format: 'jwk' });
      const added = await signRequest(POST, { ...wba, key: jwk });
      expect(added['Signature-Input']).toContain(`keyid="${signer.thumbprint}";alg="${name}"`);
      expect(verdictOf(received(POST, added), NOW_MS, signer)).toMatchObject({
        status: 'verified',
      });
    },
  );

  it('covers everything that is sent and counts', async () => {
    const { headers, base } = await signRequestWithBase(POST, { ...wba, nonce: 'n-1' });
    expect(Object.keys(headers)).toEqual([
      'Content-Digest',
      'Signature-Agent',
      'Signature-Input',
      'Signature',
    ]);
    expect(base.split('\n').slice(0, -1)).toEqual([
      '"@method": POST',
      '"@authority": shop.example',
      '"@path": /a2a/v1/message:send',
      '"@query": ?lang=en',
      '"content-type": application/json',
      `"content-digest": ${headers['Content-Digest']}`,
      `"signature-agent";key="sig1": "${AGENT}"`,
    ]);
    expect(headers['Signature-Input']).toBe(
      `sig1=("@method" "@authority" "@path" "@query" "content-type" "content-digest" "signature-agent";key="sig1");created=1800000000;expires=1800000240;keyid="${key.thumbprint}";alg="ed25519";nonce="n-1";tag="web-bot-auth"`,
    );
  });

  it('has another nonce each time', async () => {
    const [first, second] = await Promise.all([signRequest(POST, tap), signRequest(POST, tap)]);
    expect(first['Signature-Input']).not.toBe(second['Signature-Input']);
  });

  it('takes the raw target of a client that rewrites nothing', async () => {
    const request = { url: "https://shop.example/a'b/../c", target: "/a'b/../c" };
    const added = await signRequest(request, tap);
    expect(verdictOf(received(request, added))).toMatchObject({ status: 'verified' });
  });

  it('keeps a digest and components that were chosen', async () => {
    const digest =
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';
    const request = {
      ...POST,
      headers: [['Content-Digest', digest]] as const,
      body: '{"hello": "world"}',
    };
    const added = await signRequest(request, { ...tap, components: ['@path', 'content-digest'] });
    expect(added['Content-Digest']).toBeUndefined();
    expect(added['Signature-Input']).toMatch(/^sig1=\("@path" "content-digest"\);/);
  });

  it.each<[string, RequestToSign, SigningOptions, RegExp]>([
    ['no agent', POST, { ...wba, agentUrl: undefined }, /agentUrl/],
    ['an agent that is no URL', POST, { ...wba, agentUrl: 'agent.example' }, /agentUrl/],
    [
      'an agent with a quotation mark',
      POST,
      { ...wba, agentUrl: 'https://a.example/"' },
      /agentUrl/,
    ],
    ['a relative URL', { url: '/x' }, tap, /absolute/],
    ['another scheme', { url: 'ftp://shop.example/x' }, tap, /https/],
    ['a public key', POST, { ...tap, key: key.jwk }, /private/],
    [
      'a public key object',
      POST,
      { ...tap, key: generateKeyPairSync('ed25519').publicKey },
      /private/,
    ],
    [
      'a key of another type',
      POST,
      { ...tap, key: generateKeyPairSync('ed448').privateKey },
      /key_type_unsupported/,
    ],
    [
      'a weak key',
      POST,
      { ...tap, key: generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey },
      /modulus_size/,
    ],
    ['no key', POST, { ...tap, key: {} }, /JWK/],
    ['a window too long for TAP', POST, { ...tap, windowSeconds: 481 }, /480/],
    ['TAP without a nonce', POST, { ...tap, nonce: null }, /nonce/],
    ['a nonce that cannot be written', POST, { ...tap, nonce: 'a\nb' }, /nonce/],
    ['a component that is not there', POST, { ...tap, components: ['x-none'] }, /x-none/],
    ['a label that cannot be written', POST, { ...tap, label: 'A' }, /label/],
    ['a label with a quotation mark', POST, { ...wba, label: 'a"' }, /label/],
  ])('is none with %s', async (_name, request, options, message) => {
    await expect(signRequest(request, options)).rejects.toThrow(message);
    await expect(signRequest(request, options)).rejects.toBeInstanceOf(SigningError);
  });
});

it('any message can be signed, responses too', async () => {
  const request: HttpRequestMessage = received(POST, {});
  const made = await signMessage(
    { kind: 'response', status: 200, headers: [], body: null, request },
    {
      label: 'res',
      components: ['@status', '"@method";req'],
      parameters: { created: 1 },
      sign: (base) => Promise.resolve(Buffer.from(base).subarray(0, 3)),
    },
  );
  expect(made).toEqual({
    signatureInput: 'res=("@status" "@method";req);created=1',
    signature: `res=:${Buffer.from('"@s').toString('base64')}:`,
    base: '"@status": 200\n"@method";req: POST\n"@signature-params": ("@status" "@method";req);created=1',
  });
});

describe('a fetch that signs', () => {
  /** A server that answers with the verdict on what it was sent, from the raw header lines. */
  async function withServer(use: (origin: string) => Promise<void>): Promise<void> {
    const server = createServer((incoming, answer) => {
      void bodyOf(incoming).then((body) => {
        if (incoming.url === '/moved') {
          answer.writeHead(302, { location: '/elsewhere' }).end();
          return;
        }
        const lines = incoming.rawHeaders;
        const headers = lines.flatMap((name, index) =>
          index % 2 === 0 ? [[name, lines[index + 1] ?? ''] as const] : [],
        );
        const verdict = verdictOf({
          kind: 'request',
          method: incoming.method ?? '',
          scheme: 'http',
          authority: incoming.headers.host ?? '',
          target: incoming.url ?? '',
          headers,
          body,
        });
        answer.end(JSON.stringify(verdict));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  const signed = signingFetch({
    profile: 'web-bot-auth',
    key: key.privateKey,
    agentUrl: AGENT,
    now: () => NOW_MS,
  });

  it('is verified by what arrives', async () => {
    await withServer(async (origin) => {
      const calls: readonly [string, RequestInit?][] = [
        [`${origin}/a b/%7Ec?x=it's&y=%20`],
        [
          `${origin}/x`,
          { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
        ],
        [`${origin}/x`, { method: 'PUT', body: new Uint8Array([0, 255, 1]) }],
        [
          `${origin}/x`,
          {
            method: 'DELETE',
            headers: [
              ['accept', 'a'],
              ['accept', 'b'],
            ],
          },
        ],
      ];
      for (const [url, init] of calls) {
        const answer = await signed(url, init);
        expect(await answer.json()).toMatchObject({
          status: 'verified',
          coverage: 'full',
          agent: AGENT,
        });
      }
      const asRequest = await signed(new Request(`${origin}/x`, { method: 'POST', body: 'text' }));
      expect(await asRequest.json()).toMatchObject({ status: 'verified' });
    });
  });

  it('follows no redirect by itself', async () => {
    await withServer(async (origin) => {
      expect((await signed(`${origin}/moved`)).status).toBe(302);
      const followed = await signed(`${origin}/moved`, { redirect: 'follow' });
      expect(await followed.json()).toMatchObject({ status: 'invalid', reason: 'bad_signature' });
    });
  });

  it('hands on what it was given beside the headers', async () => {
    const abort = new AbortController();
    abort.abort();
    await expect(signed('http://127.0.0.1:1/x', { signal: abort.signal })).rejects.toThrow(
      /abort/i,
    );
    const seen: RequestInit[] = [];
    const spy = signingFetch({ profile: 'tap-pay', key: key.privateKey }, (_url, init) => {
      seen.push(init ?? {});
      return Promise.resolve(new Response('ok'));
    });
    await spy('https://shop.example/x', { method: 'POST', body: 'b', credentials: 'omit' });
    expect(seen[0]).toMatchObject({ method: 'POST', credentials: 'omit', redirect: 'manual' });
    expect(new Headers(seen[0]?.headers).get('signature-input')).toContain(
      'tag="agent-payer-auth"',
    );
  });
});

it('the bytes that are signed are the base', async () => {
  const { headers, base } = await signRequestWithBase(POST, tap);
  const bytes = Buffer.from(/:(.*):/.exec(headers['Signature'] ?? '')?.[1] ?? '', 'base64');
  const publicKey = { key: key.jwk as never, format: 'jwk' } as const;
  expect(verify(null, Buffer.from(base), publicKey, bytes)).toBe(true);
});
