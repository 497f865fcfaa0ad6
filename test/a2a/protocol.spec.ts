import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STALL } from '../../src/demo/demo-world.js';
import { TASKS_PER_CALLER_MAX } from '../../src/doors/a2a/limits.js';
import { openShop } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import {
  ALLOWED,
  decisionOf,
  openAgentShop,
  REFUSED,
  reasonOf,
  say,
  sentTo,
} from './agent-shop.js';

const shop = await openAgentShop();
const { pool } = testDatabase();

const sent = sentTo(shop);
const tasksOf = async (taskId: string): Promise<number> => {
  const found = await pool.query('SELECT 1 FROM a2a_tasks WHERE task_id = $1', [taskId]);
  return found.rowCount ?? 0;
};

describe('a message that is sent twice', () => {
  it('is decided once, on whichever binding and in whichever version it comes again', async () => {
    const message = say(ALLOWED);
    const entries = await shop.entryCount();
    const first = await sent(message);
    expect(await sent(message)).toEqual(first);
    const rpc = await shop.rpc('SendMessage', { message });
    expect(rpc.body.result.task).toEqual(first);
    const legacy = { messageId: message.messageId, role: 'user', kind: 'message' };
    const parts = [{ kind: 'data', data: ALLOWED }];
    const old = await shop.rpc(
      'message/send',
      { message: { ...legacy, parts } },
      { version: null },
    );
    expect(old.body.result.id).toBe(first.id);
    expect(await shop.entryCount()).toBe(entries + 1);
  });

  it('is decided once however many come at the same time', async () => {
    const message = say(REFUSED);
    const entries = await shop.entryCount();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? shop.send(message) : shop.rpc('SendMessage', { message }),
      ),
    );
    const tasks = answers.map(({ body }): unknown => body.task ?? body.result?.task);
    expect(new Set(tasks.map((task) => JSON.stringify(task))).size).toBe(1);
    expect(await shop.entryCount()).toBe(entries + 1);
  });

  it('with another body is an error, also when its task is gone', async () => {
    const message = say(ALLOWED);
    const first = await sent(message);
    const other = { ...say(REFUSED), messageId: message.messageId };
    for (let round = 0; round < 2; round += 1) {
      const answer = await shop.send(other);
      expect(answer.status).toBe(400);
      expect(answer.body.error.details[0].metadata).toMatchObject({
        code: 'idempotency_conflict',
        field: '/message/messageId',
      });
      const rpc = await shop.rpc('SendMessage', { message: other });
      expect(rpc.body.error.code).toBe(-32602);
      await pool.query('DELETE FROM a2a_tasks WHERE task_id = $1', [first.id]);
    }
  });

  it('of another agent is another message', async () => {
    const message = say(ALLOWED);
    const first = await sent(message);
    const second = await sent(message, { apiKey: shop.apiKeys.merchant_system });
    expect(second.id).not.toBe(first.id);
    expect(decisionOf(second).decision_id).not.toBe(decisionOf(first).decision_id);
  });

  it('finds the decision whose task was never written: the process ended between the two', async () => {
    const message = say(REFUSED, { contextId: 'my-purchase' });
    const first = await sent(message);
    await pool.query('DELETE FROM a2a_tasks WHERE task_id = $1', [first.id]);
    expect((await shop.rpc('GetTask', { id: first.id })).body.error.code).toBe(-32001);
    const entries = await shop.entryCount();
    expect(await sent(message)).toEqual(first);
    expect(await shop.entryCount()).toBe(entries);
    expect(await tasksOf(first.id)).toBe(1);
  });

  it('is no decision as long as the first was refused as malformed', async () => {
    const message = say({
      ...ALLOWED,
      cart: { ...ALLOWED.cart, total: { amount: '1', currency: 'INR' } },
    });
    const wrong = await shop.send(message);
    expect(wrong.status).toBe(400);
    expect(wrong.body.error.details[0].metadata.code).toBe('validation_failed');
    expect((await sent({ ...say(ALLOWED), messageId: message.messageId })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });
});

describe('tasks', () => {
  it('are another caller’s: not found', async () => {
    const { id } = await sent(say(ALLOWED));
    const others = [shop.apiKeys.merchant_system, shop.apiKeys.tenant_admin];
    for (const apiKey of others) {
      const get = await shop.rpc('GetTask', { id }, { apiKey });
      const cancel = await shop.rpc('CancelTask', { id }, { apiKey });
      const config = { taskId: id, url: 'https://receiver.example/push' };
      const push = await shop.rpc('CreateTaskPushNotificationConfig', config, { apiKey });
      for (const answer of [get, cancel, push]) expect(answer.body.error.code).toBe(-32001);
      const list = await shop.rpc('ListTasks', {}, { apiKey });
      const ids = (list.body.result.tasks as { id: string }[]).map((task) => task.id);
      expect(ids).not.toContain(id);
      const on = await shop.send(say('chai', { taskId: id }), { apiKey });
      expect([on.status, reasonOf(on)]).toEqual([404, 'TASK_NOT_FOUND']);
    }
  });

  it('are seen by every key of the agent, within the merchants of that key', async () => {
    const agentId = (await shop.call('GET', '/v1/agents', { as: 'tenant_admin' })).body.items[0]
      .agent_id as string;
    const keyFor = async (merchants: readonly string[] | null): Promise<string> => {
      const body = { role: 'agent', name: 'k', agent_id: agentId, merchant_ids: merchants };
      const made = await shop.call('POST', '/v1/api-keys', { as: 'tenant_admin', body });
      expect(made.status).toBe(201);
      return made.body.api_key as string;
    };
    const message = say(ALLOWED);
    const task = await sent(message);
    const everywhere = await keyFor(null);
    expect(
      (await shop.rpc('GetTask', { id: task.id }, { apiKey: everywhere })).body.result,
    ).toEqual(task);
    expect(await sent(message, { apiKey: everywhere })).toEqual(task);
    const elsewhere = await keyFor([STALL]);
    const seen = await shop.rpc('GetTask', { id: task.id }, { apiKey: elsewhere });
    expect(seen.body.error.code).toBe(-32001);
    expect((await shop.rpc('ListTasks', {}, { apiKey: elsewhere })).body.result.tasks).toEqual([]);
    const again = await shop.send(message, { apiKey: elsewhere });
    expect(again.body.error.details[0].metadata.code).toBe('not_found');
  });

  it('have ended: nothing is cancelled, gone on with or waited for', async () => {
    for (const body of [ALLOWED, REFUSED]) {
      const task = await sent(say(body), {});
      expect(['TASK_STATE_COMPLETED', 'TASK_STATE_REJECTED']).toContain(task.status.state);
      const path = `/a2a/v1/tasks/${task.id}:cancel`;
      const cancel = await shop.ask2({ method: 'POST', path, version: '1.0', body: {} });
      expect([cancel.status, reasonOf(cancel)]).toEqual([400, 'TASK_NOT_CANCELABLE']);
      const on = await shop.send(say(body, { taskId: task.id }));
      expect([on.status, reasonOf(on)]).toEqual([400, 'UNSUPPORTED_OPERATION']);
    }
    const states = await pool.query(
      'SELECT DISTINCT state FROM a2a_tasks WHERE tenant_id = $1 ORDER BY state',
      [shop.tenantId],
    );
    expect(states.rows.map(({ state }): unknown => state)).toEqual(['completed', 'rejected']);
  });

  it('are listed by context and state, page by page', async () => {
    const contextId = `ctx-${randomUUID()}`;
    const ids: string[] = [];
    for (const body of [ALLOWED, REFUSED, ALLOWED])
      ids.push((await sent(say(body, { contextId }))).id);
    const all: string[] = [];
    let pageToken = '';
    do {
      const page = await shop.ask2({
        path: `/a2a/v1/tasks?contextId=${contextId}&pageSize=2&pageToken=${pageToken}`,
        version: '1.0',
      });
      expect(page.body).toMatchObject({ pageSize: 2, totalSize: 3 });
      all.push(...(page.body.tasks as { id: string }[]).map(({ id }) => id));
      pageToken = page.body.nextPageToken;
    } while (pageToken !== '');
    expect(all.sort()).toEqual(ids.sort());
    const rejected = await shop.rpc('ListTasks', { contextId, status: 'TASK_STATE_REJECTED' });
    expect(rejected.body.result.tasks).toHaveLength(1);
    const waiting = await shop.rpc('ListTasks', { contextId, status: 'TASK_STATE_INPUT_REQUIRED' });
    expect(waiting.body.result).toMatchObject({ tasks: [], nextPageToken: '', totalSize: 0 });
    const wrong = await shop.rpc('ListTasks', { pageToken: 'x' });
    expect(wrong.body.error.code).toBe(-32602);
  });

  it('go when there are more than are kept', async () => {
    const { id } = await sent(say(ALLOWED), { apiKey: shop.apiKeys.tenant_admin });
    await pool.query(
      `INSERT INTO a2a_tasks (tenant_id, caller_id, task_id, context_id, merchant_id, request_hash, state, status_at_ms,
          created_at_ms, task)
        SELECT tenant_id, caller_id, 'later-' || n, context_id, merchant_id, request_hash, state, status_at_ms,
          created_at_ms + n, task FROM a2a_tasks, generate_series(1, $2) AS n WHERE task_id = $1`,
      [id, TASKS_PER_CALLER_MAX],
    );
    const { rows } = await pool.query('SELECT caller_id FROM a2a_tasks WHERE task_id = $1', [id]);
    await sent(say(ALLOWED), { apiKey: shop.apiKeys.tenant_admin });
    expect(await tasksOf(id)).toBe(0);
    const kept = await pool.query('SELECT 1 FROM a2a_tasks WHERE caller_id = $1', [
      rows[0].caller_id,
    ]);
    expect(kept.rowCount).toBeLessThanOrEqual(TASKS_PER_CALLER_MAX + 1);
  });

  it('keep nothing of what the caller sent', async () => {
    const message = {
      ...say({ ...ALLOWED, buyer_reference: 'ravi@canary.example' }, { contextId: 'c1' }),
      metadata: { note: 'ravi@canary.example' },
    };
    const task = await sent(message);
    expect(JSON.stringify(task)).not.toContain('canary');
    expect(task.history).toBeUndefined();
    const { rows } = await pool.query('SELECT t::text FROM a2a_tasks AS t WHERE task_id = $1', [
      task.id,
    ]);
    expect(rows[0].t).not.toContain('canary');
    expect(rows[0].t).not.toContain(message.messageId);
  });
});

describe('who calls', () => {
  const open = [say('chai'), say({ product_id: 'masala-chai' })];
  const closed = [
    say(ALLOWED),
    say({ decision_id: 'arbdec_000000000000' }),
    say('chai', { taskId: 'some-task' }),
  ];

  it('needs no key for products and one for everything else: 401 with a challenge', async () => {
    for (const message of open)
      expect((await shop.send(message, { apiKey: null })).status).toBe(200);
    const push = { taskPushNotificationConfig: { url: 'https://receiver.example/' } };
    const answers = [
      ...(await Promise.all(closed.map((message) => shop.send(message, { apiKey: null })))),
      await shop.send(say('chai'), { apiKey: null, configuration: push }),
      await shop.rpc('SendMessage', { message: closed[0] }, { apiKey: null }),
      await shop.rpc('GetTask', { id: 'x' }, { apiKey: null }),
      await shop.rpc('ListTasks', {}, { apiKey: null }),
      await shop.rpc('CancelTask', { id: 'x' }, { apiKey: null }),
      await shop.rpc('ListTaskPushNotificationConfigs', { taskId: 'x' }, { apiKey: null }),
      await shop.rpc('tasks/get', { id: 'x' }, { apiKey: null, version: '0.3' }),
      await shop.ask2({ path: '/a2a/v1/tasks', apiKey: null, version: '1.0' }),
      await shop.ask2({ path: '/a2a/v1/tasks/x', apiKey: null }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="arbiter"');
    }
  });

  it('sends a good key of this shop, of a role that buys, or none', async () => {
    const other = await openShop(shop.service);
    const keys: [string, number][] = [
      ['ak_test_no_such_key', 401],
      [other.apiKeys.agent, 401],
      [shop.apiKeys.auditor, 403],
      [shop.apiKeys.merchant_system, 200],
      [shop.apiKeys.tenant_admin, 200],
    ];
    for (const [apiKey, status] of keys) {
      const answer = await shop.send(say('chai'), { apiKey });
      expect([apiKey, answer.status]).toEqual([apiKey, status]);
      if (status === 401)
        expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  it('finds no shop under another host: 421', async () => {
    for (const path of ['/.well-known/agent-card.json', '/a2a/v1/tasks']) {
      const apiKey = path.startsWith('/a2a') ? shop.apiKeys.agent : null;
      const headers = { host: 'nobody.example' };
      const answer = await shop.ask2({ path, headers, apiKey, version: '1.0' });
      expect([answer.status, answer.body.code]).toEqual([421, 'misdirected_request']);
    }
  });
});
