import { beforeAll, describe, expect, it } from 'vitest';
import { answering } from '../peers/directory-server.js';
import { offer, type Storefront } from '../storefront/storefront.js';
import { startTestService, type TestService } from '../support/service.js';
import { shopInMode, signedAs, signedCall } from './signed-shop.js';
import { type Received, send, type SigningAgent, startAgent } from './signing-agent.js';

/** What the operator sees: one line for each request that matters, and counters by closed words. */

const CATALOG = '/catalog.json';

let service: TestService;
let agent: SigningAgent;
let strict: Storefront;
let open: Storefront;
beforeAll(async () => {
  service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true' });
  agent = await startAgent();
  strict = await shopInMode(service, 'enforce');
  open = await shopInMode(service, 'log');
  for (const front of [strict, open]) await offer(front, [{ id: 'tea' }]);
});

type Line = Readonly<Record<string, unknown>>;

/** Lines about signatures that were written meanwhile. */
async function linesOf(work: () => Promise<unknown>): Promise<readonly Line[]> {
  const mark = service.logText().length;
  await work();
  return service
    .logText()
    .slice(mark)
    .split('\n')
    .filter((line) => line.includes('"request signature"'))
    .map((line) => JSON.parse(line) as Line);
}

const read = async (front: Storefront, signed: Parameters<typeof signedAs>[1], path = CATALOG) => {
  const sent = { host: front.host, path };
  return send(service, { ...sent, headers: (await signedAs(agent, signed, sent)) ?? {} });
};

describe('the log', () => {
  it('has one line for a signed request, with what was found and no secret', async () => {
    const authorization = `Bearer ${open.shop.apiKeys.agent}`;
    const sent = {
      ...{ host: open.host, method: 'POST', path: '/v1/decisions' },
      ...{ headers: { authorization }, body: { flow: 'none' } },
    };
    const headers = await agent.sign(sent, { nonce: 'a-nonce-for-the-log' });
    let answer: Received | null = null;
    const lines = await linesOf(async () => (answer = await send(service, { ...sent, headers })));
    expect(lines).toHaveLength(1);
    const [line] = lines;
    expect(line).toMatchObject({
      ...{ request_id: (answer as Received | null)?.headers['request-id'] },
      ...{ route: '/v1/decisions', surface: 'log', signature_mode: 'log' },
      ...{ signature_status: 'verified', signature_reason: null, signature_profile: 'wba' },
      ...{ signature_agent: agent.url, signature_keyid: agent.key.thumbprint },
      ...{ signature_tag: 'web-bot-auth', signature_coverage: 'full' },
    });
    const text = JSON.stringify(line);
    for (const secret of [
      'a-nonce-for-the-log',
      String(headers['signature'] ?? headers['Signature']),
      authorization,
    ])
      expect(text).not.toContain(secret);
  });

  it('has a line for every request to what may be enforced, and none for unsigned others', async () => {
    const lines = await linesOf(async () => {
      await read(open, 'unsigned');
      await read(open, 'unsigned', '/');
      await read(open, 'unsigned', '/robots.txt');
      await open.shop.call('GET', '/v1/tenant', { as: 'auditor' });
    });
    expect(lines.map((line) => [line['route'], line['signature_status']])).toEqual([
      [CATALOG, 'unsigned'],
    ]);
  });

  it('tells the fine reason that the answer hides', async () => {
    let answer: Received | null = null;
    const [line] = await linesOf(async () => (answer = await read(strict, 'invalid')));
    expect(line).toMatchObject({ signature_status: 'invalid', signature_reason: 'bad_signature' });
    expect((answer as Received | null)?.text).not.toContain('bad_signature');
  });

  it('keeps what a stranger wrote short and visible', async () => {
    const forged = `${'x'.repeat(300)}`;
    const lines = await linesOf(() =>
      send(service, {
        ...{ host: open.host, path: CATALOG },
        headers: {
          'signature-input': `sig1=("@authority");created=1;expires=2;keyid="\t{}${forged}";tag="web-bot-auth"`,
          signature: 'sig1=:AAAA:',
        },
      }),
    );
    expect(lines).toHaveLength(1);
    const said = lines.flatMap((line) =>
      ['signature_agent', 'signature_keyid', 'signature_tag'].map((name) => line[name]),
    );
    for (const text of said.filter((one) => one !== null))
      expect(text).toMatch(/^[\x21-\x7e]{1,200}$/);
    const named = await linesOf(() =>
      send(service, {
        ...{ host: open.host, path: CATALOG },
        headers: {
          'signature-input': `sig1=("@authority");created=1;expires=2;keyid="a b\\"c${forged}";tag="web-bot-auth"`,
          signature: 'sig1=:AAAA:',
        },
      }),
    );
    expect(String(named[0]?.['signature_keyid'])).toMatch(/^a\?b"cx+$/);
    expect(String(named[0]?.['signature_keyid'])).toHaveLength(200);
  });
});

describe('the counters', () => {
  const metrics = async (): Promise<ReadonlyMap<string, number>> => {
    const headers = { authorization: `Bearer ${service.platformAdminKey}` };
    const { text } = await send(service, { host: open.host, path: '/metrics', headers });
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
    );
  };
  /** How much each counter grew. */
  const grown = async (work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> => {
    const before = await metrics();
    await work();
    const after = await metrics();
    const grew = [...after].map(
      ([name, value]) => [name, value - (before.get(name) ?? 0)] as const,
    );
    return Object.fromEntries(grew.filter(([, value]) => value > 0));
  };
  const requests = (labels: Readonly<Record<string, string>>) =>
    `signature_requests_total{${['surface', 'mode', 'status', 'reason', 'profile']
      .map((name) => `${name}="${labels[name] ?? 'none'}"`)
      .join(',')}}`;
  /** Reading them is counted, too. */
  const READING = requests({ surface: 'log', mode: 'log', status: 'unsigned' });

  it.each([
    ['tenant_admin', 403],
    ['auditor', 403],
  ] as const)('are not for the %s', async (as, status) => {
    expect((await open.shop.call('GET', '/metrics', { as })).status).toBe(status);
    expect((await send(service, { host: open.host, path: '/metrics' })).status).toBe(401);
  });

  it('come in the text form of Prometheus', async () => {
    const headers = { authorization: `Bearer ${service.platformAdminKey}` };
    const answer = await send(service, { host: open.host, path: '/metrics', headers });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('text/plain; version='),
    ]);
  });

  it('count requests by class, mode, status, reason and profile, and what enforce would refuse', async () => {
    const enforceable = { surface: 'enforceable', mode: 'log' };
    const would = (reason: string) =>
      `signature_would_refuse_total{surface="enforceable",reason="${reason}"}`;
    const grew = await grown(async () => {
      await read(open, 'unsigned');
      await read(open, 'invalid');
      await read(open, 'verified');
      await read(open, 'verified', '/');
      await read(strict, 'unsigned');
    });
    expect(grew).toEqual({
      [READING]: 1,
      [requests({ ...enforceable, status: 'unsigned' })]: 1,
      [requests({ ...enforceable, mode: 'enforce', status: 'unsigned' })]: 1,
      [requests({ ...enforceable, status: 'invalid', reason: 'bad_signature', profile: 'wba' })]: 1,
      [requests({ ...enforceable, status: 'verified', profile: 'wba' })]: 1,
      [requests({ surface: 'public', mode: 'log', status: 'verified', profile: 'wba' })]: 1,
      [would('none')]: 2,
      [would('bad_signature')]: 1,
    });
  });

  it('a host that is nobody’s would be refused by nobody', async () => {
    const grew = await grown(() => send(service, { host: 'nobody.example', path: CATALOG }));
    expect(Object.keys(grew).filter((name) => name.includes('would_refuse'))).toEqual([]);
  });

  it('count directories by how asking them ended', async () => {
    const other = await startAgent();
    const away = await startAgent();
    away.directories
      .otherwise(answering('{}', {}, 500))
      .on('/.well-known/http-message-signatures-directory', answering('{}', {}, 500));
    const call = { method: 'POST', path: '/v1/signature-check', body: {} };
    const grew = await grown(async () => {
      expect((await signedCall(open, other, call)).body.status).toBe('verified');
      expect((await signedCall(open, away, call)).body.reason).toBe('key_source_unavailable');
    });
    const fetches = Object.entries(grew).filter(([name]) => name.includes('directory_fetches'));
    expect(Object.fromEntries(fetches)).toEqual({
      'signature_directory_fetches_total{outcome="fetched"}': 1,
      'signature_directory_fetches_total{outcome="away"}': 1,
    });
  });

  it('name no tenant, no URL and no key', async () => {
    const text = [...(await metrics()).keys()].join('\n');
    for (const secret of [
      agent.url,
      '127.0.0.1',
      agent.key.thumbprint,
      open.host,
      open.shop.tenantId,
    ])
      expect(text).not.toContain(secret);
  });
});
