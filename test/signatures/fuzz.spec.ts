import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { agentKey, answering, directoryOf, WELL_KNOWN } from '../peers/directory-server.js';
import { offer, type Storefront } from '../storefront/storefront.js';
import { startTestService, type TestService } from '../support/service.js';
import { rawRequest, sendRaw } from './raw-socket.js';
import { shopInMode } from './signed-shop.js';
import { type Received, send, type SigningAgent, startAgent } from './signing-agent.js';

/**
 * Whatever stands in the headers of a signature and in the target: nothing breaks (no 5xx but the 503 that says we could not
 * tell), nothing is called verified, and no page is refused. fast-check prints its seed when it finds a case.
 */

const RUNS = { numRuns: 120 } as const;
const TARGETS = ['/catalog.json', '/products/tea.json', '/a2a/v1/tasks'] as const;
const PAGES = ['/', '/robots.txt', '/products/tea', '/products/tea.jsonld', '/llms.txt'] as const;

let service: TestService;
let agent: SigningAgent;
/** Signs with a key that is published nowhere: whatever is made of it, it must not verify. */
let stranger: SigningAgent;
let strict: Storefront;
beforeAll(async () => {
  service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
  agent = await startAgent();
  stranger = await startAgent();
  stranger.directories.on(WELL_KNOWN, answering(directoryOf(agentKey())));
  strict = await shopInMode(service, 'enforce');
  await offer(strict, [{ id: 'tea' }]);
});

type Headers = Readonly<Record<string, string>>;

/** What Node's own client is willing to send. */
const sendable = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim();

const piece = fc.oneof(
  fc.constantFrom(
    'sig1',
    'sig2',
    'a',
    '*',
    '=',
    '(',
    ')',
    ';',
    ',',
    '"',
    ':',
    '?1',
    '?0',
    '\\',
    ' ',
    '\t',
  ),
  fc.constantFrom(
    '"@method"',
    '"@authority"',
    '"@path"',
    '"@query"',
    '"content-digest"',
    '"@status"',
  ),
  fc.constantFrom('created=1', 'expires=9999999999', 'keyid="k"', 'alg="ed25519"', 'nonce="n"'),
  fc.constantFrom(
    'tag="web-bot-auth"',
    'tag="agent-browser-auth"',
    ';sf',
    ';bs',
    ';key="a"',
    ';req',
    ';tr',
  ),
  fc.constantFrom('sha-256=:AAAA:', 'sha-512=:', 'md5=:AA==:', '@1', '%"x"', '1.0', '-0', '1e9'),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const soup = fc.array(piece, { maxLength: 30 }).map((pieces) => sendable(pieces.join('')));
const names = [
  ...['signature-input', 'signature', 'signature-agent', 'content-digest', 'ucp-agent'],
] as const;
const soupHeaders: fc.Arbitrary<Headers> = fc
  .dictionary(fc.constantFrom(...names), soup, { minKeys: 1 })
  .map((headers) => ({ ...headers }));

/** One edit somewhere in a text. */
const edit = fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), put: soup });
const edited = (text: string, { at, length, put }: { at: number; length: number; put: string }) => {
  const from = at % (text.length + 1);
  return sendable(text.slice(0, from) + put.slice(0, 20) + text.slice(from + length));
};

function expectRefused(answer: Received): void {
  expect([401, 503]).toContain(answer.status);
  if (answer.status === 503) expect(answer.body.code).toBe('signature_undecided');
  expect(answer.text).not.toContain('stack');
}

const readAll = async (headers: Headers, target: string, page: string) => {
  const { host } = strict;
  expectRefused(await send(service, { host, path: target, headers }));
  expect((await send(service, { host, path: page, headers })).status).toBe(200);
};

it('headers of pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      soupHeaders,
      fc.constantFrom(...TARGETS),
      fc.constantFrom(...PAGES),
      (headers, target, page) => readAll(headers, target, page),
    ),
    RUNS,
  );
}, 120_000);

it('edited signatures of a key that is published nowhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TARGETS),
      fc.constantFrom(...PAGES),
      fc.constantFrom('signature-input', 'signature', 'signature-agent'),
      edit,
      async (target, page, name, change) => {
        const signed = await stranger.sign({ host: strict.host, path: target });
        const lower = Object.entries(signed).map(([one, value]) => [one.toLowerCase(), value]);
        const headers = Object.fromEntries(lower) as Record<string, string>;
        headers[name] = edited(headers[name] ?? '', change);
        await readAll(headers, target, page);
      },
    ),
    RUNS,
  );
}, 120_000);

it('a good signature with other bytes of the signature itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 511 }), async (bit) => {
      const sent = { host: strict.host, path: '/catalog.json' };
      const signed = await agent.sign(sent);
      const lower = Object.entries(signed).map(([one, value]) => [one.toLowerCase(), value]);
      const headers = Object.fromEntries(lower) as Record<string, string>;
      const [, label = '', base64 = ''] =
        /^(\w+)=:([^:]*):$/.exec(headers['signature'] ?? '') ?? [];
      const bytes = Buffer.from(base64, 'base64');
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      headers['signature'] = `${label}=:${bytes.toString('base64')}:`;
      const answer = await send(service, { ...sent, headers });
      expect([answer.status, answer.body.code]).toEqual([401, 'signature_invalid']);
    }),
    { numRuns: 40 },
  );
}, 120_000);

const WRITES = ['/a2a/rpc', '/a2a/v1/message:send'] as const;
it('bodies under a digest that is another’s', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...WRITES), soup, fc.string(), async (path, digest, text) => {
      const body = JSON.stringify({ text });
      const sent = { host: strict.host, method: 'POST', path, body };
      const signed = await agent.sign(sent);
      const kept = Object.entries(signed).filter(([one]) => one.toLowerCase() !== 'content-digest');
      const headers = { ...Object.fromEntries(kept), 'content-digest': digest };
      const answer = await send(service, { ...sent, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers['accept-signature']).toBeDefined();
    }),
    { numRuns: 60 },
  );
}, 120_000);

it('targets', async () => {
  const letter = fc.constantFrom(...'abc/.%25~!$()*+,;=:@?&"<>\\^`{|}#\'é ');
  const ends = fc.string({ unit: letter, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TARGETS, ...PAGES), ends, async (path, end) => {
      const target = `${path}${end}`;
      const lines = [`Host: ${strict.host}`];
      const signed = Object.entries(await stranger.sign({ host: strict.host, path }));
      for (const more of [[], signed.map(([name, value]) => `${name}: ${value}`)]) {
        const answer = await sendRaw(service, rawRequest({ target, lines: [...lines, ...more] }));
        expect(answer.status).toBeLessThan(500);
        // What answers a strange spelling well is a page, and says so.
        if (answer.status < 300)
          expect(answer.header('content-type')).not.toMatch(/^application\/json/);
      }
    }),
    RUNS,
  );
}, 120_000);
