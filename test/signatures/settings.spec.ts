import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { KNOWN_SITE_MS } from '../../src/base/tenants/index.js';
import { signRequest } from '../../src/signer/index.js';
import { agentKey, directoryOf } from '../peers/directory-server.js';
import { offer, type Storefront } from '../storefront/storefront.js';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { startTestService, type TestService } from '../support/service.js';
import { setSignatures, shopInMode } from './signed-shop.js';
import { type Received, send, type SigningAgent, startAgent } from './signing-agent.js';

const PATH = '/v1/signatures/settings';
const CATALOG = '/catalog.json';
const tap = agentKey({ kid: 'tap-agent' });

let logging: TestService;
let enforcing: TestService;
let agent: SigningAgent;
beforeAll(async () => {
  const folder = temporaryDataFolder('arbiter-signatures-');
  closeAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  const tapKeys = join(folder, 'tap.json');
  writeFileSync(tapKeys, directoryOf(tap));
  const settings = { ALLOW_LOOPBACK_PEERS: 'true', SIGNATURE_TAP_KEYS: tapKeys };
  logging = await startTestService(settings);
  enforcing = await startTestService({ ...settings, COMMERCE_AGENT_SIGNATURE_MODE: 'enforce' });
  agent = await startAgent();
});

const read = (
  { host }: Storefront,
  service: TestService,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> => send(service, { host, path: CATALOG, headers });

const signedRead = async (front: Storefront, service: TestService, by: SigningAgent = agent) =>
  read(front, service, await by.sign({ host: front.host, path: CATALOG }));

describe('the settings of a tenant', () => {
  let front: Storefront;
  beforeAll(async () => {
    front = await shopInMode(logging, null);
  });
  const put = (body: unknown, as: 'tenant_admin' | 'agent' | 'auditor' = 'tenant_admin') =>
    front.shop.call('PUT', PATH, { as, body });

  it('are nothing at first: the deployment’s mode, and any agent', async () => {
    const other = await shopInMode(logging, null);
    const { status, body } = await other.shop.call('GET', PATH, { as: 'auditor' });
    expect([status, body]).toEqual([
      200,
      { mode: null, allowed_agents: null, mode_in_force: 'log' },
    ]);
  });

  it.each([
    ['PUT', 'agent', 403],
    ['PUT', 'auditor', 403],
    ['PUT', 'merchant_system', 403],
    ['PUT', 'tenant_admin', 200],
    ['GET', 'agent', 403],
    ['GET', 'merchant_system', 403],
    ['GET', 'auditor', 200],
  ] as const)('%s as %s: %i', async (method, as, status) => {
    const body = method === 'PUT' ? { body: { mode: 'log', allowed_agents: null } } : {};
    expect((await front.shop.call(method, PATH, { as, ...body })).status).toBe(status);
  });

  it.each([
    [{ mode: 'strict', allowed_agents: null }, '/mode'],
    [{ mode: 'log' }, '/allowed_agents'],
    [{ allowed_agents: null }, '/mode'],
    [{ mode: null, allowed_agents: null, other: 1 }, '/other'],
    [{ mode: null, allowed_agents: ['https://a.example', 'agent'] }, '/allowed_agents/1'],
    [{ mode: null, allowed_agents: ['http://agent.example'] }, '/allowed_agents/0'],
    [{ mode: null, allowed_agents: ['https://user@agent.example'] }, '/allowed_agents/0'],
    [{ mode: null, allowed_agents: ['https://agent.example/"'] }, '/allowed_agents/0'],
    [{ mode: null, allowed_agents: [''] }, '/allowed_agents/0'],
    [{ mode: null, allowed_agents: ['x'.repeat(513)] }, '/allowed_agents/0'],
    [{ mode: null, allowed_agents: Array(201).fill('https://a.example') }, '/allowed_agents'],
  ])('%j is refused at %s', async (body, field) => {
    const answer = await put(body);
    expect([answer.status, answer.body.field]).toEqual([400, field]);
  });

  it('keep agents under the name that their signatures give them, each once', async () => {
    const allowed = ['https://Agent.example:443/', 'tap', 'https://agent.example', agent.url];
    const { body } = await put({ mode: null, allowed_agents: allowed });
    expect(body.allowed_agents).toEqual([agent.url, 'https://agent.example', 'tap'].sort());
    expect((await front.shop.call('GET', PATH, { as: 'auditor' })).body).toEqual(body);
  });

  it('are an entry of the ledger; a repeat under the same key is none', async () => {
    const before = await front.shop.entryCount();
    const call = () =>
      front.shop.call('PUT', PATH, {
        as: 'tenant_admin',
        idempotencyKey: 'settings-once',
        body: { mode: 'enforce', allowed_agents: ['tap'] },
      });
    const answers = [await call(), await call()];
    expect(answers[0]).toMatchObject({ status: 200, body: { mode_in_force: 'enforce' } });
    expect(answers[1]).toEqual(answers[0]);
    expect((await front.shop.entryCount()) - before).toBe(1);
    const changed = await front.shop.call('PUT', PATH, {
      as: 'tenant_admin',
      idempotencyKey: 'settings-once',
      body: { mode: 'log', allowed_agents: null },
    });
    expect(changed.status).toBe(409);
  });

  it('that hold already are answered, and no entry', async () => {
    const body = { mode: 'log', allowed_agents: ['tap', 'https://agent.example'] };
    const first = await front.shop.call('PUT', PATH, { as: 'tenant_admin', body });
    const before = await front.shop.entryCount();
    for (const key of [
      {},
      { idempotencyKey: 'settings-again' },
      { idempotencyKey: 'settings-again' },
    ])
      expect(await front.shop.call('PUT', PATH, { as: 'tenant_admin', body, ...key })).toEqual(
        first,
      );
    expect(await front.shop.entryCount()).toBe(before);
    expect(first.status).toBe(200);
  });
});

describe('the mode', () => {
  it('any other word stops the start', async () => {
    await expect(startTestService({ COMMERCE_AGENT_SIGNATURE_MODE: 'strict' })).rejects.toThrow(
      'COMMERCE_AGENT_SIGNATURE_MODE is "strict": give log or enforce.',
    );
  });

  it.each([
    ['log', null, 200],
    ['log', 'enforce', 401],
    ['enforce', null, 401],
    ['enforce', 'log', 200],
  ] as const)('deployment %s, tenant %s: an unsigned read is %i', async (mode, own, status) => {
    const front = await shopInMode(logging, own);
    const service = mode === 'log' ? logging : enforcing;
    expect((await read(front, service)).status).toBe(status);
    expect((await signedRead(front, service)).status).toBe(200);
  });

  it('of a host that is nobody’s refuses nobody: the answer is 421', async () => {
    const nobody = await send(enforcing, { host: 'nobody.example', path: CATALOG });
    expect([nobody.status, nobody.body.code]).toEqual([421, 'misdirected_request']);
  });

  it('is followed here at once, and by other processes within a second', async () => {
    const front = await shopInMode(logging, 'log');
    // Both have it in mind as it was.
    for (const service of [enforcing, logging])
      expect((await read(front, service)).status).toBe(200);
    await setSignatures(front, 'enforce');
    const changedAtMs = performance.now();
    expect((await read(front, logging)).status).toBe(401);
    let askedAtMs: number;
    let status: number;
    do {
      askedAtMs = performance.now();
      ({ status } = await read(front, enforcing));
    } while (status === 200 && askedAtMs - changedAtMs <= KNOWN_SITE_MS);
    expect(status).toBe(401);
  });

  it('of the host that was asked counts, whoever’s key is sent along', async () => {
    const strict = await shopInMode(logging, 'enforce');
    const other = await shopInMode(logging, 'log');
    const authorization = `Bearer ${other.shop.apiKeys.agent}`;
    for (const path of ['/a2a/v1/tasks', CATALOG]) {
      const answer = await send(logging, { host: strict.host, path, headers: { authorization } });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers['accept-signature']).toBeDefined();
    }
  });
});

describe('the list of agents', () => {
  it('takes who stands on it, and asks no directory for others', async () => {
    const other = await startAgent();
    const front = await shopInMode(logging, 'enforce', [agent.url]);
    await offer(front, [{ id: 'tea' }]);
    expect((await signedRead(front, logging)).status).toBe(200);
    const refused = await signedRead(front, logging, other);
    expect([refused.status, refused.body.code]).toEqual([401, 'key_not_found']);
    expect(other.directories.asked).toEqual([]);
    await setSignatures(front, 'enforce', []);
    expect((await signedRead(front, logging)).status).toBe(401);
    await setSignatures(front, 'log', []);
    expect((await signedRead(front, logging, other)).status).toBe(200);
    expect(other.directories.asked).toEqual([]);
  });

  it.each([
    [null, 200],
    [['tap'], 200],
    [['https://agent.example'], 401],
  ])('%j: an agent of TAP, whose key the operator pinned, is answered %i', async (list, status) => {
    const front = await shopInMode(logging, 'enforce', list);
    const signed = await signRequest(
      { url: `https://${front.host}${CATALOG}` },
      { profile: 'tap-browse', key: tap.privateKey, keyId: 'tap-agent' },
    );
    expect((await read(front, logging, signed)).status).toBe(status);
  });
});
