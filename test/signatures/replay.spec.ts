import { beforeAll, describe, expect, it } from 'vitest';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { offer, type Storefront } from '../storefront/storefront.js';
import { testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { testDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';
import { shopInMode } from './signed-shop.js';
import { send, type SigningAgent, startAgent } from './signing-agent.js';

const CATALOG = '/catalog.json';

let services: readonly TestService[];
let agent: SigningAgent;
let proxy: FaultyProxy;
/** The service behind the proxy, which loses its database when a test says so. */
let fragile: TestService;
let strict: Storefront;
let open: Storefront;
beforeAll(async () => {
  const settings = { ALLOW_LOOPBACK_PEERS: 'true' };
  proxy = await FaultyProxy.start(testDatabase().connectionString);
  closeAfterFile(() => proxy.close());
  services = [await startTestService(settings), await startTestService(settings)];
  fragile = await startTestService({
    ...settings,
    DATABASE_URL: proxy.connectionString,
    ...testAuthority().settings,
  });
  agent = await startAgent();
  const [first] = services;
  if (first === undefined) throw new Error('two were started');
  strict = await shopInMode(first, 'enforce');
  open = await shopInMode(first, 'log');
  for (const front of [strict, open]) await offer(front, [{ id: 'tea' }]);
});

const sentTo = ({ host }: Storefront) => ({ host, path: CATALOG });

describe('one signed request, a hundred times at once, at two services on one database', () => {
  it('is answered once', async () => {
    const sent = sentTo(strict);
    const headers = await agent.sign(sent);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const service = services[index % services.length];
        if (service === undefined) throw new Error('there are two');
        return send(service, { ...sent, headers });
      }),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    const codes = answers.filter((one) => one !== good[0]).map(({ body }): unknown => body.code);
    expect(new Set(codes)).toEqual(new Set(['signature_invalid']));
  });

  it('in log mode all are answered, and one counts', async () => {
    const [first, second] = services;
    if (first === undefined || second === undefined) throw new Error('there are two');
    const sent = { host: open.host, path: '/v1/signature-check', method: 'POST', body: {} };
    const key = { authorization: `Bearer ${open.shop.apiKeys.agent}` };
    const write = { ...sent, path: '/v1/decisions', body: { flow: 'none' }, headers: key };
    const headers = await agent.sign(write);
    const marks = [first, second].map((service) => service.logText().length);
    await Promise.all([first, second].map((service) => send(service, { ...write, headers })));
    const lines = [first, second].flatMap((service, index) =>
      service
        .logText()
        .slice(marks[index])
        .split('\n')
        .filter((line) => line.includes('request signature'))
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
    );
    expect(lines.map((line) => line['signature_reason']).sort()).toEqual([null, 'replayed'].sort());
  });
});

describe('a bad signature', () => {
  it('burns no nonce: who is copied is answered', async () => {
    const [service] = services;
    if (service === undefined) throw new Error('there are two');
    const sent = sentTo(strict);
    const headers = await agent.sign(sent);
    const value = headers['Signature'] ?? headers['signature'] ?? '';
    const spoilt = value.replace(/:(.)/, (_text, first: string) => `:${first === 'A' ? 'B' : 'A'}`);
    const names = Object.keys(headers).filter((name) => name.toLowerCase() !== 'signature');
    const forged = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
    const bad = await send(service, { ...sent, headers: { ...forged, signature: spoilt } });
    expect(bad.body.code).toBe('signature_invalid');
    expect((await send(service, { ...sent, headers })).status).toBe(200);
  });
});

/**
 * Cuts the connection of the next statement of the fragile service that names this table. Statements are prepared: a connection
 * that has seen one is told its name alone from then on, so that name is learnt from the first sight.
 */
async function cutAt(table: string, firstSight: () => Promise<unknown>): Promise<() => void> {
  let name = '';
  proxy.arm(new RegExp(table), (connection, message) => {
    name = /^P[^]{4}([^\0]*)\0/.exec(message.toString('latin1'))?.[1] ?? '';
    connection.send(message);
  });
  await firstSight();
  if (proxy.isArmed || name === '') throw new Error(`no statement names ${table}`);
  const statement = new RegExp(`${table}|^B[^]{4}\\0${name}\\0`);
  return () => proxy.arm(statement, (connection) => connection.cut());
}

const signedRead = async (front: Storefront, path = CATALOG) => {
  const sent = { host: front.host, path };
  return send(fragile, { ...sent, headers: await agent.sign(sent) });
};

describe('the store of nonces is away', () => {
  let cut: () => void;
  beforeAll(async () => {
    cut = await cutAt('signature_nonces', () => signedRead(strict));
  });

  it('enforce: 503 with Retry-After, and the next attempt is answered', async () => {
    cut();
    const answer = await signedRead(strict);
    expect([answer.status, answer.body.code]).toEqual([503, 'signature_undecided']);
    expect(answer.headers['retry-after']).toBe('2');
    expect((await signedRead(strict)).status).toBe(200);
  });

  it('log: answered, and nothing is called verified', async () => {
    const mark = fragile.logText().length;
    cut();
    expect((await signedRead(open)).status).toBe(200);
    expect(fragile.logText().slice(mark)).toContain(
      '"signature_reason":"replay_state_unavailable"',
    );
  });
});

describe('the settings of a tenant cannot be read', () => {
  const unheardOf = () => shopInMode(services[0] ?? fragile, 'enforce');
  let cut: () => void;
  beforeAll(async () => {
    const front = await unheardOf();
    cut = await cutAt('signature_settings', () => signedRead(front));
  });

  it('what is enforceable is 503, without a word of what broke', async () => {
    const front = await unheardOf();
    cut();
    const answer = await signedRead(front);
    expect([answer.status, answer.body.code]).toEqual([503, 'signature_undecided']);
    expect(answer.text).not.toMatch(/stack|terminated|connection/i);
    expect((await signedRead(front)).status).toBe(200);
  });

  it('no page is refused for it', async () => {
    const front = await unheardOf();
    cut();
    expect((await signedRead(front, '/robots.txt')).status).toBe(200);
    expect(proxy.isArmed).toBe(false);
  });
});
