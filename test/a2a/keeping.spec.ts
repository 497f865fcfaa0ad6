import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PUSH_SENDER } from '../../src/doors/a2a/a2a.tokens.js';
import {
  TASK_PAGE_DEFAULT,
  TASKS_KEPT_MS,
  TASKS_PER_CALLER_MAX,
} from '../../src/doors/a2a/limits.js';
import { PushSender, type PushSenderParts } from '../../src/doors/a2a/push-sender.js';
import { testDatabase } from '../support/database.js';
import { ALLOWED, decisionOf, openAgentShop, say, sentTo } from './agent-shop.js';

/** What is kept of tasks: for how long, of whom, and for whom. */

const shop = await openAgentShop();
const sent = sentTo(shop);
const { pool } = testDatabase();
const sender = shop.service.app.get<PushSender>(PUSH_SENDER, { strict: false });

const TASK_COLUMNS =
  'tenant_id, caller_id, task_id, context_id, merchant_id, request_hash, state, status_at_ms, created_at_ms, task';

interface Changed {
  readonly tenantId?: string;
  readonly callerId?: string;
  readonly taskId?: string;
  readonly createdAtMs?: number;
}

/** A task as another one, changed: tasks themselves are never changed. */
async function copyTask(
  taskId: string,
  { tenantId, callerId, taskId: copiedId, createdAtMs }: Changed,
): Promise<void> {
  await pool.query(
    `INSERT INTO a2a_tasks (${TASK_COLUMNS})
      SELECT coalesce($2, tenant_id), coalesce($3, caller_id), coalesce($4, task_id), context_id, merchant_id,
        request_hash, state, status_at_ms, coalesce($5::bigint, created_at_ms), task
      FROM a2a_tasks WHERE tenant_id = $6 AND task_id = $1`,
    [
      ...[taskId, tenantId ?? null, callerId ?? null, copiedId ?? null, createdAtMs ?? null],
      shop.tenantId,
    ],
  );
}

async function copyConfig(taskId: string, { tenantId, callerId }: Changed): Promise<void> {
  await pool.query(
    `INSERT INTO a2a_push_configs (tenant_id, caller_id, task_id, config_id, wire_version, url, message_id,
        next_attempt_at_ms, created_at_ms)
      SELECT coalesce($2, tenant_id), coalesce($3, caller_id), task_id, config_id, wire_version, url, message_id,
        next_attempt_at_ms, created_at_ms FROM a2a_push_configs WHERE tenant_id = $4 AND task_id = $1`,
    [taskId, tenantId ?? null, callerId ?? null, shop.tenantId],
  );
}

async function countOf(table: 'a2a_tasks' | 'a2a_push_configs', taskId: string): Promise<number> {
  const { rowCount } = await pool.query(`SELECT 1 FROM ${table} WHERE task_id = $1`, [taskId]);
  return rowCount ?? 0;
}

const removeTask = (tenantId: string, taskId: string) =>
  pool.query('DELETE FROM a2a_tasks WHERE tenant_id = $1 AND task_id = $2', [tenantId, taskId]);

const withPush = (message: object, push: object = {}) =>
  shop.send(message, {
    configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/push', ...push } },
  });

describe('tasks', () => {
  /** A sender that only tidies: no place for a try. */
  const tidying = (nowMs: () => number) => {
    const parts = { database: pool, nowMs, log: { warn: () => undefined } };
    const tidier = new PushSender(parts as unknown as PushSenderParts);
    return () => tidier.sweepDue({ tenantId: null, limit: 0 });
  };

  it('go after 30 days with where they were to be told, and no day earlier', async () => {
    const { id } = (await withPush(say(ALLOWED), { id: 'told' })).body.task;
    let nowMs = Date.now();
    const tidy = tidying(() => nowMs);
    const [old, young, later] = [randomUUID(), randomUUID(), randomUUID()];
    await copyTask(id, { taskId: old, createdAtMs: nowMs - TASKS_KEPT_MS - 1 });
    await copyTask(id, { taskId: young, createdAtMs: nowMs - TASKS_KEPT_MS + 3_600_000 });
    await pool.query(
      `INSERT INTO a2a_push_configs (tenant_id, caller_id, task_id, config_id, wire_version, url, message_id,
          next_attempt_at_ms, created_at_ms, status)
        SELECT tenant_id, caller_id, $2, config_id, wire_version, url, message_id, 0, 0, 'delivered'
        FROM a2a_push_configs WHERE task_id = $1`,
      [id, old],
    );
    expect(await countOf('a2a_push_configs', old)).toBe(1);
    await tidy();
    expect(await countOf('a2a_tasks', old)).toBe(0);
    expect(await countOf('a2a_push_configs', old)).toBe(0);
    expect(await countOf('a2a_tasks', young)).toBe(1);
    expect(await countOf('a2a_tasks', id)).toBe(1);
    // Once a minute, not at every sweep.
    await copyTask(id, { taskId: later, createdAtMs: nowMs - TASKS_KEPT_MS - 1 });
    await tidy();
    expect(await countOf('a2a_tasks', later)).toBe(1);
    nowMs += 60_000;
    await tidy();
    expect(await countOf('a2a_tasks', later)).toBe(0);
  });

  it('go with the service’s own sweep, and their decisions stay', async () => {
    const message = say(ALLOWED);
    const task = await sent(message);
    // As it stands after 30 days; tasks themselves are never changed.
    const aside = randomUUID();
    await copyTask(task.id, { taskId: aside });
    await removeTask(shop.tenantId, task.id);
    await copyTask(aside, { taskId: task.id, createdAtMs: Date.now() - TASKS_KEPT_MS - 1 });
    await sender.sweepDue({ tenantId: null, limit: 0 });
    const gone = await shop.rpc('GetTask', { id: task.id });
    expect(gone.body.error.code).toBe(-32001);
    const { decision_id: id } = decisionOf(task);
    const why = await shop.send(say({ decision_id: id }));
    expect(why.body.message.parts[1].data).toMatchObject({ decision_id: id, outcome: 'allow' });
    const entries = await shop.entryCount();
    expect(await sent(message)).toEqual(task);
    expect(await shop.entryCount()).toBe(entries);
  });

  it('are stored with a hash that tells nothing: the same body in two messages has two', async () => {
    const { rows } = await pool.query(
      'SELECT DISTINCT request_hash FROM a2a_tasks WHERE tenant_id = $1 AND task_id = ANY ($2)',
      [shop.tenantId, [(await sent(say(ALLOWED))).id, (await sent(say(ALLOWED))).id]],
    );
    expect(rows).toHaveLength(2);
  });

  it('are of one tenant, also when a caller of another has the same id', async () => {
    const task = await sent(say(ALLOWED));
    await copyTask(task.id, { tenantId: 'another-tenant' });
    await removeTask(shop.tenantId, task.id);
    expect((await shop.rpc('GetTask', { id: task.id })).body.error.code).toBe(-32001);
    const list = await shop.rpc('ListTasks', { contextId: task.contextId });
    expect(list.body.result).toMatchObject({ tasks: [], totalSize: 0 });
    await removeTask('another-tenant', task.id);
  });

  it('of other callers stay when one has too many', async () => {
    const theirs = await sent(say(ALLOWED));
    const { id } = await sent(say(ALLOWED), { apiKey: shop.apiKeys.merchant_system });
    await pool.query(
      `INSERT INTO a2a_tasks (${TASK_COLUMNS})
        SELECT tenant_id, caller_id, 'more-' || n, context_id, merchant_id, request_hash, state, status_at_ms,
          created_at_ms + n, task FROM a2a_tasks, generate_series(1, $2) AS n WHERE task_id = $1`,
      [id, TASKS_PER_CALLER_MAX],
    );
    await sent(say(ALLOWED), { apiKey: shop.apiKeys.merchant_system });
    expect(await countOf('a2a_tasks', id)).toBe(0);
    expect(await countOf('a2a_tasks', theirs.id)).toBe(1);
    const page = await shop.rpc('ListTasks', {}, { apiKey: shop.apiKeys.merchant_system });
    expect(page.body.result.tasks).toHaveLength(TASK_PAGE_DEFAULT);
    expect(page.body.result).toMatchObject({ pageSize: TASK_PAGE_DEFAULT });
  });
});

describe('push configurations', () => {
  it('are shown to and deleted by their caller alone, also when others have the same ids', async () => {
    const { id } = (await withPush(say(ALLOWED), { id: 'mine' })).body.task;
    const others: Changed[] = [{ tenantId: 'another-tenant' }, { callerId: 'another' }];
    for (const other of others) {
      await copyTask(id, other);
      await copyConfig(id, other);
    }
    expect(await countOf('a2a_push_configs', id)).toBe(others.length + 1);
    const list = await shop.rpc('ListTaskPushNotificationConfigs', { taskId: id });
    expect(list.body.result.configs).toHaveLength(1);
    await shop.rpc('DeleteTaskPushNotificationConfig', { taskId: id, id: 'mine' });
    expect(await countOf('a2a_push_configs', id)).toBe(others.length);
    await removeTask('another-tenant', id);
  });
});
