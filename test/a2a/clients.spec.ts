import canonicalize from 'canonicalize';
import { createRemoteJWKSet, flattenedVerify } from 'jose';
import {
  type AgentCard,
  type Message,
  Role,
  TaskState,
  verifyAgentCardSignature,
} from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { ALLOWED, openAgentShop, REFUSED } from './agent-shop.js';
import {
  asked,
  BINDINGS,
  cardUrlOf,
  clientOf,
  dataOf,
  isTask,
  messageOf,
  taskIn,
  withKey,
} from './javascript-client.js';

/** The official JavaScript client, unchanged, over real sockets. */

const shop = await openAgentShop();

describe.each(BINDINGS)('the JavaScript client over %s %s', (binding, version) => {
  const open = (apiKey: string | null) =>
    clientOf(shop.origin, { binding, version, send: withKey(apiKey) });

  it('buys: an allow completes the task, a refusal rejects it and says why', async () => {
    const client = await open(shop.apiKeys.agent);
    const allowed = taskIn(await client.sendMessage(asked(ALLOWED)));
    expect(allowed.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(dataOf(allowed.status?.message)).toMatchObject({ outcome: 'allow', usable: true });
    const refused = taskIn(await client.sendMessage(asked(REFUSED)));
    expect(refused.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    const said = refused.status?.message;
    expect(said?.role).toBe(Role.ROLE_AGENT);
    expect(said?.metadata).toEqual({
      code: 'arbiter_refused',
      failing_rule: 'handoff_facts_valid',
      reason: 'artifact_revoked:price',
      decision_id: dataOf(said)['decision_id'],
      action: 'The commerce arbiter refused: handoff_facts_valid (artifact_revoked:price).',
      required_config: 'artifacts',
    });
    expect(await client.getTask({ tenant: '', id: refused.id })).toEqual(refused);
  });

  it('asks why', async () => {
    const client = await open(shop.apiKeys.agent);
    const refused = taskIn(await client.sendMessage(asked(REFUSED)));
    const { decision_id: id } = dataOf(refused.status?.message);
    const answer = await client.sendMessage(asked({ decision_id: id }));
    expect(isTask(answer)).toBe(false);
    expect(dataOf(answer as Message)).toMatchObject({ decision_id: id, outcome: 'refuse' });
  });

  it('asks for products without a key', async () => {
    const client = await open(null);
    for (const question of ['chai', { product_id: 'no-such' }]) {
      const answer = await client.sendMessage(asked(question));
      expect(isTask(answer)).toBe(false);
      expect(dataOf(answer as Message)).toHaveProperty('products');
    }
    await expect(client.sendMessage(asked(ALLOWED))).rejects.toThrow(/401|Authorization/);
  });

  it('meets the errors of the protocol as the SDK names them', async () => {
    const client = await open(shop.apiKeys.agent);
    const none = { tenant: '', id: 'no-such-task' };
    await expect(client.getTask(none)).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    const ended = taskIn(await client.sendMessage(asked(ALLOWED)));
    await expect(
      client.cancelTask({ tenant: '', id: ended.id, metadata: undefined }),
    ).rejects.toMatchObject({ name: 'TaskNotCancelableError' });
    const again = { ...messageOf(ALLOWED), taskId: ended.id };
    await expect(client.sendMessage({ ...asked(ALLOWED), message: again })).rejects.toMatchObject({
      name: 'UnsupportedOperationError',
    });
    await expect(client.sendMessage(asked({ flow: 'handoff' }))).rejects.toMatchObject({
      name: 'RequestMalformedError',
    });
  });

  it('keeps, reads and deletes push configurations', async () => {
    const client = await open(shop.apiKeys.agent);
    const { id: taskId } = taskIn(await client.sendMessage(asked(ALLOWED)));
    const config = {
      tenant: '',
      id: 'mine',
      taskId,
      url: 'http://127.0.0.1:9/push',
      token: 'a secret',
      authentication: undefined,
    };
    const created = await client.createTaskPushNotificationConfig(config);
    expect(created).toMatchObject({ id: 'mine', taskId, url: config.url });
    const found = await client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'mine' });
    expect(found).toMatchObject({ id: 'mine', taskId, url: config.url, token: '' });
    const listing = { tenant: '', taskId, pageSize: 0, pageToken: '' };
    const list = await client.listTaskPushNotificationConfig(listing);
    expect(list.configs).toHaveLength(1);
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'mine' });
    const left = await client.listTaskPushNotificationConfig(listing);
    expect(left.configs).toEqual([]);
  });
});

describe('the agent card', () => {
  it('is signed by the key that stands in the host’s key set', async () => {
    const keys = createRemoteJWKSet(new URL(`${shop.origin}/.well-known/jwks.json`));
    const verify = verifyAgentCardSignature((kid, jku) => {
      expect(jku).toBe(`${shop.origin}/.well-known/jwks.json`);
      return keys({ alg: 'EdDSA', kid }, { payload: '', signature: '' });
    });
    const response = await fetch(cardUrlOf(shop.origin));
    const card = (await response.json()) as AgentCard;
    await expect(verify(card)).resolves.toBeUndefined();
    await expect(verify({ ...card, name: 'another' })).rejects.toThrow(/No valid signatures/);
    const again = await fetch(cardUrlOf(shop.origin), {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is signed a second time as it is served, with the members of version 0.3', async () => {
    const keys = createRemoteJWKSet(new URL(`${shop.origin}/.well-known/jwks.json`));
    const served = (await (await fetch(cardUrlOf(shop.origin))).json()) as ServedCard;
    const { signatures } = served;
    /** Whose signatures hold for a card, by RFC 8785 over it as it came, without what is empty. */
    const goodOver = async ({ signatures: _left, ...card }: ServedCard): Promise<boolean[]> => {
      const payload = Buffer.from(canonicalize(withoutEmpty(card)) ?? '').toString('base64url');
      const checks = signatures.map((signature) =>
        flattenedVerify({ ...signature, payload }, keys),
      );
      return (await Promise.allSettled(checks)).map(({ status }) => status === 'fulfilled');
    };
    expect(served['url']).toBe(`${shop.origin}/a2a/rpc`);
    expect(await goodOver(served)).toEqual([false, true]);
    // What only version 0.3 reads is signed too.
    for (const member of ['url', 'protocolVersion', 'preferredTransport', 'additionalInterfaces'])
      expect(await goodOver({ ...served, [member]: 'another' })).toEqual([false, false]);
    const verify = verifyAgentCardSignature((kid) =>
      keys({ alg: 'EdDSA', kid }, { payload: '', signature: '' }),
    );
    const alone = (index: number) => ({
      ...served,
      signatures: signatures.slice(index, index + 1),
    });
    await expect(verify(alone(0) as unknown as AgentCard)).resolves.toBeUndefined();
    await expect(verify(alone(1) as unknown as AgentCard)).rejects.toThrow(/No valid signatures/);
  });
});

type ServedCard = Readonly<Record<string, unknown>> & {
  readonly signatures: readonly { readonly protected: string; readonly signature: string }[];
};

/** As the specification has a card before it is signed: no empty texts, lists and objects. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => !isEmpty(item));
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)]);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member))) as unknown;
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
