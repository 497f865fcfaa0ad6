import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, TaskState } from '@a2a-js/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { readAcceptSignature } from '../../src/core/httpsig/index.js';
import { type FetchFunction, signingFetch } from '../../src/signer/index.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { setSignatures } from '../signatures/signed-shop.js';
import { startAgent } from '../signatures/signing-agent.js';
import { testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';
import {
  type AgentShop,
  ALLOWED,
  type Asked,
  decisionOf,
  type HttpAnswer,
  openAgentShop,
  REFUSED,
  say,
} from './agent-shop.js';
import {
  asked,
  BINDINGS,
  cardUrlOf,
  clientOf,
  dataOf,
  isTask,
  taskIn,
  withKey,
} from './javascript-client.js';
import { expectWholeTour, pythonClient } from './python-client.js';

/** A shop that answers signed calls only: the official clients, once their HTTP client signs, and what is not as it was signed. */

const shop = await openAgentShop();
const agent = await startAgent();
beforeAll(() => setSignatures({ shop }, 'enforce'));

const signs = {
  profile: 'web-bot-auth',
  key: agent.key.privateKey,
  agentUrl: agent.url,
} as const;

const SIGNATURE = {
  agent: agent.url,
  coverage: 'full',
  keyid: agent.key.thumbprint,
  nonce_hash: expect.any(String),
  profile: 'wba',
  tag: 'web-bot-auth',
};

/** The member of the entry that holds a decision. */
async function signatureOf(decisionId: unknown): Promise<unknown> {
  const { rows } = await testDatabase().pool.query<{ body: string }>(
    `SELECT body FROM entries WHERE tenant_id = $1 AND type LIKE 'decision%' AND body LIKE $2`,
    [shop.tenantId, `%${String(decisionId)}%`],
  );
  const [entry = ''] = rows.map(({ body }) => body);
  return (JSON.parse(entry) as { signature?: unknown }).signature;
}

/** Nothing but a refusal of the signature: problem details over both bindings, and what to sign. */
function expectUnsigned({ status, headers, body }: HttpAnswer): void {
  expect([status, body.code, body.status]).toEqual([401, 'signature_missing', 401]);
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(headers['www-authenticate']).toBe('HTTP-Message-Signatures');
  const wanted = readAcceptSignature(String(headers['accept-signature']));
  expect(wanted.ok && wanted.value[0]?.parameters.get('tag')).toBe('web-bot-auth');
}

describe.each(BINDINGS)('the JavaScript client over %s %s', (binding, version) => {
  const open = (apiKey: string | null, send?: FetchFunction) =>
    clientOf(shop.origin, { binding, version, send: withKey(apiKey, send) });
  const openSigned = (apiKey: string | null) => open(apiKey, signingFetch(signs));

  it('with a fetch that signs: buys, is refused, asks why and for its task', async () => {
    const client = await openSigned(shop.apiKeys.agent);
    const allowed = taskIn(await client.sendMessage(asked(ALLOWED)));
    expect(allowed.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const refused = taskIn(await client.sendMessage(asked(REFUSED)));
    expect(refused.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    for (const { status } of [allowed, refused]) {
      const { decision_id: id } = dataOf(status?.message);
      expect(await signatureOf(id)).toMatchObject(SIGNATURE);
    }
    const { decision_id: id } = dataOf(refused.status?.message);
    const why = await client.sendMessage(asked({ decision_id: id }));
    expect(dataOf(why as Message)).toMatchObject({ decision_id: id, outcome: 'refuse' });
    expect(await client.getTask({ tenant: '', id: refused.id })).toEqual(refused);
    await expect(
      client.cancelTask({ tenant: '', id: refused.id, metadata: undefined }),
    ).rejects.toMatchObject({ name: 'TaskNotCancelableError' });
  });

  it('with a fetch that signs: keeps, reads and deletes push configurations', async () => {
    const client = await openSigned(shop.apiKeys.agent);
    const { id: taskId } = taskIn(await client.sendMessage(asked(ALLOWED)));
    const named = { tenant: '', id: 'mine', taskId };
    const config = { ...named, url: 'http://127.0.0.1:9/push', token: '' };
    await client.createTaskPushNotificationConfig({ ...config, authentication: undefined });
    expect(await client.getTaskPushNotificationConfig(named)).toMatchObject({ url: config.url });
    await client.deleteTaskPushNotificationConfig(named);
    const listing = { tenant: '', taskId, pageSize: 0, pageToken: '' };
    expect((await client.listTaskPushNotificationConfig(listing)).configs).toEqual([]);
  });

  it('with a fetch that signs: asks for products without a key, and for nothing else', async () => {
    const client = await openSigned(null);
    const answer = await client.sendMessage(asked('chai'));
    expect(isTask(answer)).toBe(false);
    expect(dataOf(answer as Message)).toHaveProperty('products');
    // A signature says who asks and grants nothing.
    await expect(client.sendMessage(asked(ALLOWED))).rejects.toThrow(/401|Authorization/);
  });

  it('without: reads the card, and every call is 401', async () => {
    const answers: Response[] = [];
    const client = await open(shop.apiKeys.agent, async (input, init) => {
      const answer = await fetch(input, init);
      answers.push(answer.clone());
      return answer;
    });
    const mark = answers.length;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const task = { tenant: '', id: 'some-task', taskId: 'some-task' };
    const calls = [
      client.sendMessage(asked('chai')),
      client.sendMessage(asked(ALLOWED)),
      client.getTask(task),
      client.cancelTask({ ...task, metadata: undefined }),
      client.getTaskPushNotificationConfig(task),
      client.deleteTaskPushNotificationConfig(task),
    ];
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
    expect(answers.length).toBe(mark + calls.length);
    for (const answer of answers.slice(mark))
      expectUnsigned({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: await answer.json(),
      });
  });
});

describe('the shop', () => {
  it('shows its card and its keys to everybody', async () => {
    for (const url of [cardUrlOf(shop.origin), `${shop.origin}/.well-known/jwks.json`])
      expect((await fetch(url)).status).toBe(200);
  });

  it('refuses every unsigned call, in whichever version and whatever it asks', async () => {
    const body = { message: say('chai') };
    const answers = [
      ...['1.0', '0.3', null, 'nonsense'].flatMap((version) => [
        shop.send(say(ALLOWED), { version }),
        shop.rpc('SendMessage', body, { version }),
        shop.rpc('tasks/get', { id: 'x' }, { version, apiKey: null }),
        shop.ask2({ path: '/a2a/v1/tasks', version }),
      ]),
      shop.ask2({ path: '/a2a/v1/extendedAgentCard', version: '1.0' }),
      shop.ask2({ method: 'POST', path: '/a2a/v1/message:stream', body, version: '1.0' }),
    ];
    for (const answer of await Promise.all(answers)) expectUnsigned(answer);
  });
});

/** A signed call over a socket, whose parts may be changed behind the signer. */
async function signed(call: Asked, changed: Asked = {}): Promise<HttpAnswer> {
  const { method = 'POST', path = '/', body } = call;
  const headers = await agent.sign({ method, path, body, host: new URL(shop.origin).host });
  const all = { ...headers, ...changed.headers };
  return shop.ask2({ version: '1.0', ...call, method, ...changed, headers: all });
}

const sending = (message: object): Asked => ({
  path: '/a2a/v1/message:send',
  body: { message },
});
const calling = (method: string, params: object): Asked => ({
  path: '/a2a/rpc',
  body: { jsonrpc: '2.0', id: 7, method, params },
});

describe.each([
  ['HTTP+JSON', sending],
  ['JSON-RPC', (message: object) => calling('SendMessage', { message })],
] as const)('a signed call over %s', (_binding, callOf) => {
  const taskOf = ({ body }: HttpAnswer): Parameters<typeof decisionOf>[0] =>
    body.task ?? body.result.task;
  const expectRefused = (answer: HttpAnswer, code: string): void => {
    expect([answer.status, answer.body.code]).toEqual([401, code]);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers['accept-signature']).toContain('"content-digest"');
  };

  it('is answered once: a replay is 401, the same message signed anew is answered', async () => {
    const message = say(ALLOWED);
    const call = callOf(message);
    const { path = '', body } = call;
    const host = new URL(shop.origin).host;
    const headers = await agent.sign({ method: 'POST', path, body, host });
    const once: Asked = { version: '1.0', ...call, method: 'POST', headers };
    const first = await shop.ask2(once);
    expect(first.status).toBe(200);
    const { decision_id: id } = decisionOf(taskOf(first));
    expect(await signatureOf(id)).toMatchObject(SIGNATURE);
    const entries = await shop.entryCount();
    for (const apiKey of [shop.apiKeys.agent, shop.apiKeys.merchant_system])
      expectRefused(await shop.ask2({ ...once, apiKey }), 'signature_invalid');
    const again = await signed(call);
    expect([again.status, taskOf(again)]).toEqual([200, taskOf(first)]);
    expect(await shop.entryCount()).toBe(entries);
  });

  it('whose body was changed after it was signed is 401, and nothing is decided', async () => {
    const call = callOf(say(ALLOWED));
    const other = callOf(say(REFUSED));
    const entries = await shop.entryCount();
    expectRefused(await signed(call, { body: other.body }), 'digest_mismatch');
    const one = JSON.stringify(call.body);
    expectRefused(await signed(call, { raw: `${one} ` }), 'digest_mismatch');
    // With the digest that fits the other body it is another text than the one that was signed.
    const digested = await agent.sign({ method: 'POST', path: '', host: 'x', body: other.body });
    const digest = { 'Content-Digest': digested['Content-Digest'] ?? '' };
    const swapped = await signed(call, { body: other.body, headers: digest });
    expectRefused(swapped, 'signature_invalid');
    expect(await shop.entryCount()).toBe(entries);
  });

  it('that does not cover all of itself is 401', async () => {
    const call = callOf(say('chai'));
    const { path = '', body } = call;
    const sent = { method: 'POST', path, body, host: new URL(shop.origin).host };
    const member = '"signature-agent";key="sig1"';
    for (const components of [
      ['@authority', member],
      ['@authority', '@path', 'content-digest', member],
      ['@method', '@authority', 'content-digest', member],
    ]) {
      const headers = await agent.sign(sent, { components });
      const answer = await shop.ask2({ version: '1.0', ...call, method: 'POST', headers });
      expectRefused(answer, 'signature_invalid');
    }
    const headers = await agent.sign(sent, {
      components: ['@method', '@authority', '@path', member],
    });
    const answer = await shop.ask2({ version: '1.0', ...call, method: 'POST', headers });
    expectRefused(answer, 'digest_mismatch');
  });

  it('that cannot be judged now is 503, and answered when it is signed anew', async () => {
    const { fragile, cut } = await fragileShop();
    const call = callOf(say(ALLOWED));
    const { path = '', body } = call;
    const send = async () => {
      const host = new URL(fragile.origin).host;
      const headers = await agent.sign({ method: 'POST', path, body, host });
      return fragile.ask2({ version: '1.0', ...call, method: 'POST', headers });
    };
    cut();
    const answer = await send();
    expect([answer.status, answer.body.code]).toEqual([503, 'signature_undecided']);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers['retry-after']).toBe('2');
    expect((await send()).status).toBe(200);
  });
});

/** A shop whose service loses its database at the next nonce. */
async function fragileShop(): Promise<{ readonly fragile: AgentShop; readonly cut: () => void }> {
  const proxy = await FaultyProxy.start(testDatabase().connectionString);
  closeAfterFile(() => proxy.close());
  const fragile = await openAgentShop({
    ...{ DATABASE_URL: proxy.connectionString },
    ...testAuthority().settings,
  });
  await setSignatures({ shop: fragile }, 'enforce');
  const cut = () => proxy.arm(/signature_nonces/, (connection) => connection.cut());
  return { fragile, cut };
}

/** The hook of docs/signatures.md as it stands there, where Python finds it. */
function hookFolder(): string {
  const page = readFileSync(new URL('../../docs/signatures.md', import.meta.url), 'utf8');
  const [, hook] = /```python\n([\s\S]*?\n)```/.exec(page) ?? [];
  if (hook === undefined) throw new Error('docs/signatures.md has a hook for Python');
  const folder = temporaryDataFolder('arbiter-python-hook-');
  closeAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'signed_requests.py'), hook);
  return folder;
}

const python = await pythonClient();

describe.skipIf(python === null).each(BINDINGS)(
  'the Python client over %s %s',
  (binding, version) => {
    const purchases = [JSON.stringify(ALLOWED), JSON.stringify(REFUSED)];
    const speak = (apiKey: string, environment: Readonly<Record<string, string>> = {}) =>
      python?.speak([shop.origin, binding, version, apiKey, ...purchases], environment);
    const speakSigned = (apiKey: string) =>
      speak(apiKey, {
        PYTHONPATH: hookFolder(),
        AGENT_KEY: JSON.stringify(agent.key.privateKey.export({ format: 'jwk' })),
        AGENT_URL: agent.url,
      });

    it('with the hook of docs/signatures.md: buys, is refused, asks why and for its task', async () => {
      const seen = await speakSigned(shop.apiKeys.agent);
      expectWholeTour(seen, version);
      for (const { task } of [seen.allowed, seen.refused])
        expect(await signatureOf(decisionOf(task).decision_id)).toMatchObject(SIGNATURE);
    });

    it('with the hook: asks for products without a key, and for nothing else', async () => {
      const seen = await speakSigned('');
      expect(seen.products.message.parts).toHaveLength(2);
      expect(seen.denied).toMatch(/Error$/);
    });

    it('without: reads the card, and is refused', async () => {
      const seen = await speak(shop.apiKeys.agent);
      expect(seen.card.good).toBeNull();
      expect(seen.refused_with).toMatch(/401/);
    });
  },
);
