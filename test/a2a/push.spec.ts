import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { UNDER_WAY_PER_TENANT_MAX } from '../../src/base/outbox/index.js';
import { PUSH_CONFIGS_PER_TASK_MAX } from '../../src/doors/a2a/limits.js';
import { PUSH_SENDER } from '../../src/doors/a2a/a2a.tokens.js';
import type { PushSender } from '../../src/doors/a2a/push-sender.js';
import { answers, type Received, startReceiver } from '../outbox/receiver.js';
import { freshDatabase } from '../support/database.js';
import { ALLOWED, openAgentShop, REFUSED, say } from './agent-shop.js';

// A sender takes what is due of all tenants: on a shared database tests of other files would take these messages.
const { connectionString, pool } = await freshDatabase();
const openHere = () => openAgentShop({ DATABASE_URL: connectionString });
const shop = await openHere();
const receiver = await startReceiver();
afterAll(() => receiver.close());
const sender = shop.service.app.get<PushSender>(PUSH_SENDER, { strict: false });

beforeEach(() => void receiver.behave(answers(204)));

const config = (more: object = {}) => ({ url: receiver.url, ...more });
const buy = (body: object, push: object) =>
  shop.send(say(body), { configuration: { taskPushNotificationConfig: push } });

async function entryCount(): Promise<number> {
  const found = await pool.query('SELECT 1 FROM entries WHERE tenant_id = $1', [shop.tenantId]);
  return found.rowCount ?? 0;
}

async function sweep(): Promise<void> {
  while ((await sender.sweepDue({ tenantId: null, limit: 100 })) > 0) await sender.idle();
}

async function retryNow(): Promise<void> {
  await pool.query(
    `UPDATE a2a_push_configs SET next_attempt_at_ms = 0, leased_until_ms = 0 WHERE tenant_id = $1 AND status = 'pending'`,
    [shop.tenantId],
  );
  await sweep();
}

const rowOf = async (taskId: string) => {
  const { rows } = await pool.query('SELECT * FROM a2a_push_configs WHERE task_id = $1', [taskId]);
  return rows[0] as Record<string, string>;
};

/** Standard Webhooks, `v1a`: Ed25519 over id, timestamp and body, by the key that the host publishes. */
async function isSigned({ headers, body }: Received): Promise<boolean> {
  const set = (await (await fetch(`${shop.origin}/.well-known/jwks.json`)).json()) as {
    keys: JsonWebKey[];
  };
  const signature = String(headers['webhook-signature']).replace(/^v1a,/, '');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return set.keys
    .filter(({ kty }) => kty === 'OKP')
    .some((key) =>
      verify(
        null,
        Buffer.from(signed),
        createPublicKey({ key, format: 'jwk' }),
        Buffer.from(signature, 'base64'),
      ),
    );
}

describe('the end of a task', () => {
  it('is told to whoever the message named, signed, once', async () => {
    const before = receiver.received.length;
    const secrets = { token: 'tok-1', authentication: { scheme: 'Bearer', credentials: 'cred-1' } };
    const { body } = await buy(REFUSED, config({ id: 'mine', ...secrets }));
    await sweep();
    await sweep();
    expect(receiver.received.length).toBe(before + 1);
    const told = receiver.received.at(-1) as Received;
    expect(told.headers).toMatchObject({
      'content-type': 'application/a2a+json',
      authorization: 'Bearer cred-1',
      'x-a2a-notification-token': 'tok-1',
    });
    expect(JSON.parse(told.body)).toEqual({ task: body.task });
    expect(await isSigned(told)).toBe(true);
    expect(await isSigned({ ...told, body: told.body.replace('REJECTED', 'COMPLETED') })).toBe(
      false,
    );
    expect(await rowOf(body.task.id)).toMatchObject({ status: 'delivered', attempt_count: '1' });
  });

  it('is told in the form of version 0.3 to who asked in it', async () => {
    const message = { messageId: 'old-1', role: 'user', parts: [{ kind: 'data', data: REFUSED }] };
    const configuration = { pushNotificationConfig: config({ token: 't' }) };
    const sent = await shop.rpc('message/send', { message, configuration }, { version: null });
    await sweep();
    const told = receiver.received.at(-1) as Received;
    expect(told.headers['content-type']).toBe('application/json');
    expect(JSON.parse(told.body)).toMatchObject({ kind: 'task', id: sent.body.result.id });
  });

  it('is told to who asks afterwards, and no more once that is deleted', async () => {
    const task = (await shop.send(say(ALLOWED))).body.task;
    const path = `/a2a/v1/tasks/${task.id}/pushNotificationConfigs`;
    const made = await shop.ask2({
      method: 'POST',
      path,
      version: '1.0',
      body: config({ id: 'a' }),
    });
    expect(made.body).toMatchObject({ id: 'a', taskId: task.id, url: receiver.url });
    const before = receiver.received.length;
    await shop.ask2({ method: 'DELETE', path: `${path}/a`, version: '1.0' });
    await sweep();
    expect(receiver.received.length).toBe(before);
    await shop.ask2({ method: 'POST', path, version: '1.0', body: config({ id: 'a' }) });
    await sweep();
    expect(receiver.received.length).toBe(before + 1);
  });

  it('is tried again under the same id, at growing distances, and given up at last', async () => {
    receiver.behave(answers(500));
    const before = receiver.received.length;
    const { body } = await buy(ALLOWED, config());
    await sweep();
    const first = await rowOf(body.task.id);
    expect(first).toMatchObject({
      status: 'pending',
      last_error_class: 'http_status',
      last_status_code: '500',
    });
    await retryNow();
    const second = await rowOf(body.task.id);
    const delayOf = (row: Record<string, string>) => Number(row['next_attempt_at_ms']) - Date.now();
    expect(delayOf(second)).toBeGreaterThan(20_000);
    const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    await pool.query('UPDATE a2a_push_configs SET attempt_count = 10 WHERE task_id = $1', [
      body.task.id,
    ]);
    await retryNow();
    expect(await rowOf(body.task.id)).toMatchObject({ status: 'given_up' });
    receiver.behave(answers(302, { location: 'http://127.0.0.1:1/' }));
    const moved = await buy(ALLOWED, config());
    await sweep();
    expect(await rowOf(moved.body.task.id)).toMatchObject({ last_error_class: 'redirect' });
    receiver.behave(answers(410));
    const gone = await buy(ALLOWED, config());
    await sweep();
    expect(await rowOf(gone.body.task.id)).toMatchObject({ status: 'given_up' });
  });

  it('is told once by a message that is repeated', async () => {
    const message = say(ALLOWED);
    const configuration = { taskPushNotificationConfig: config() };
    await shop.send(message, { configuration });
    await sweep();
    const before = receiver.received.length;
    await shop.send(message, { configuration });
    await sweep();
    expect(receiver.received.length).toBe(before);
  });

  it('is sent again under its id when the process ended in the middle of a try', async () => {
    const { body } = await buy(ALLOWED, config());
    const before = receiver.received.length;
    const row = await rowOf(body.task.id);
    // As a process leaves it that has begun a try and is killed: the lease runs out.
    await pool.query(
      'UPDATE a2a_push_configs SET attempt_count = 1, leased_until_ms = $2 WHERE task_id = $1',
      [body.task.id, Date.now() + 60_000],
    );
    await sweep();
    expect(receiver.received.length).toBe(before);
    await pool.query('UPDATE a2a_push_configs SET leased_until_ms = 1 WHERE task_id = $1', [
      body.task.id,
    ]);
    await sweep();
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(row['message_id']);
    expect(await rowOf(body.task.id)).toMatchObject({ status: 'delivered', attempt_count: '2' });
  });
});

describe('a configuration that is replaced', () => {
  const replace = (taskId: string, url: string) =>
    shop.rpc('CreateTaskPushNotificationConfig', { taskId, id: 'one', url });

  it('is told anew, under the id of its message', async () => {
    const { body } = await buy(ALLOWED, config({ id: 'one' }));
    await sweep();
    const before = await rowOf(body.task.id);
    const url = `${receiver.url}/moved`;
    await replace(body.task.id, url);
    await sweep();
    const { message_id: messageId } = before;
    expect(await rowOf(body.task.id)).toMatchObject({ message_id: messageId, url });
    const told = receiver.received.filter(({ headers }) => headers['webhook-id'] === messageId);
    expect(told).toHaveLength(2);
  });

  it('is not told by the try that was under way to where it was before', async () => {
    const held: { end(): unknown }[] = [];
    receiver.behave((response) => void held.push(response));
    const { body } = await buy(ALLOWED, config({ id: 'one' }));
    const before = receiver.received.length;
    await sender.sweepDue({ tenantId: null, limit: 100 });
    await receiver.count(before + 1);
    await replace(body.task.id, `${receiver.url}/moved`);
    for (const response of held) response.end();
    await sender.idle();
    expect(await rowOf(body.task.id)).toMatchObject({ status: 'pending', attempt_count: '0' });
    receiver.behave(answers(204));
    await retryNow();
    expect(await rowOf(body.task.id)).toMatchObject({ status: 'delivered', attempt_count: '1' });
  });
});

describe('many of one tenant', () => {
  it('to receivers that hold still keep no other tenant waiting', async () => {
    await sweep();
    const held: { end(): unknown }[] = [];
    receiver.behave((response) => void held.push(response));
    const { body } = await buy(ALLOWED, config({ id: 'one' }));
    await pool.query(
      `INSERT INTO a2a_push_configs (tenant_id, caller_id, task_id, config_id, wire_version, url, message_id,
          next_attempt_at_ms, created_at_ms)
        SELECT tenant_id, caller_id, task_id, 'n' || n, wire_version, url, message_id || n, next_attempt_at_ms - n, 0
        FROM a2a_push_configs, generate_series(1, 50) AS n WHERE tenant_id = $1 AND task_id = $2`,
      [shop.tenantId, body.task.id],
    );
    const other = await openHere();
    const push = { taskPushNotificationConfig: config() };
    const theirs = await other.send(say(ALLOWED), { configuration: push });
    await sender.sweepDue({ tenantId: null, limit: 100 });
    await sender.sweepDue({ tenantId: null, limit: 100 });
    const row = await rowOf(theirs.body.task.id);
    expect(row['attempt_count']).toBe('1');
    const begun = await pool.query(
      'SELECT 1 FROM a2a_push_configs WHERE tenant_id = $1 AND task_id = $2 AND attempt_count = 1',
      [shop.tenantId, body.task.id],
    );
    expect(begun.rowCount).toBe(UNDER_WAY_PER_TENANT_MAX);
    receiver.behave(answers(204));
    for (const response of held) response.end();
    await sender.idle();
    await pool.query('DELETE FROM a2a_push_configs WHERE task_id = $1', [body.task.id]);
  });
});

describe('a receiver', () => {
  it.each([
    'http://169.254.169.254/latest',
    'https://169.254.169.254/',
    'https://10.0.0.1/',
    'https://[::1]:99999/',
    'https://user:word@receiver.example/',
    'https://receiver.example/#part',
    'file:///etc/passwd',
    'ftp://receiver.example/',
    'nonsense',
    '',
  ])('at %j is refused before anything is decided', async (url) => {
    const entries = await entryCount();
    expect(entries).toBeGreaterThan(0);
    const answer = await buy(ALLOWED, { url });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].metadata.field).toBe('/url');
    expect(await entryCount()).toBe(entries);
  });

  it('whose name leads into a private network is never asked', async () => {
    for (const url of ['https://localhost:22/', 'https://localhost/']) {
      const { body } = await buy(ALLOWED, { url });
      await sweep();
      // The first is let as far as the address, because loopback peers are allowed here.
      expect((await rowOf(body.task.id))['last_error_class']).toMatch(
        /^(?:refused_address|connect_failed|tls_failed)$/,
      );
    }
  });

  it('has no secret that becomes a header of its own', async () => {
    for (const more of [
      { token: 'a\r\nhost: b' },
      { authentication: { scheme: 'Bearer x', credentials: 'y' } },
      { authentication: { scheme: 'Bearer', credentials: 'y\nz' } },
      { token: 'x'.repeat(2_000) },
      { id: 'x'.repeat(300) },
    ])
      expect((await buy(ALLOWED, config(more))).status).toBe(400);
  });

  it('keeps its secrets: wrapped, shown to nobody, in no log', async () => {
    const { body } = await buy(
      ALLOWED,
      config({
        id: 's',
        token: 'canary-token',
        authentication: { scheme: 'Basic', credentials: 'canary-credentials' },
      }),
    );
    receiver.behave((response) => response.destroy());
    await sweep();
    const path = `/a2a/v1/tasks/${body.task.id}/pushNotificationConfigs/s`;
    const shown = await shop.ask2({ path, version: '1.0' });
    expect(shown.body).toEqual({
      id: 's',
      taskId: body.task.id,
      url: receiver.url,
      authentication: { scheme: 'Basic' },
    });
    const { rows } = await pool.query(
      'SELECT c::text FROM a2a_push_configs AS c WHERE task_id = $1',
      [body.task.id],
    );
    expect(rows[0].c).not.toContain('canary');
    expect(rows[0].c).not.toContain(Buffer.from('canary').toString('hex'));
    expect(shop.service.logText()).not.toContain('canary');
    // Whoever can write the table but has not the key cannot have them sent elsewhere.
    const before = receiver.received.length;
    await pool.query('UPDATE a2a_push_configs SET url = $2 WHERE task_id = $1', [
      body.task.id,
      `${receiver.url}/elsewhere`,
    ]);
    await retryNow();
    expect(await rowOf(body.task.id)).toMatchObject({ last_error_class: 'not_signed' });
    expect(receiver.received.length).toBe(before);
  });

  it('is one of a few', async () => {
    const task = (await shop.send(say(ALLOWED))).body.task;
    const path = `/a2a/v1/tasks/${task.id}/pushNotificationConfigs`;
    for (let count = 0; count <= PUSH_CONFIGS_PER_TASK_MAX; count += 1) {
      const body = config({ id: `c${count}` });
      const made = await shop.ask2({ method: 'POST', path, version: '1.0', body });
      expect([count, made.status]).toEqual([count, count < PUSH_CONFIGS_PER_TASK_MAX ? 200 : 400]);
    }
    const again = await shop.ask2({
      method: 'POST',
      path,
      version: '1.0',
      body: config({ id: 'c0' }),
    });
    expect(again.status).toBe(200);
  });

  it('of a live tenant is no loopback address, however it came there', async () => {
    const made = await shop.service.app.inject({
      ...{ method: 'POST', url: '/v1/tenants', payload: { name: 'live', world: 'live' } },
      headers: { authorization: `Bearer ${shop.service.platformAdminKey}` },
    });
    const live = made.json<{ tenant: { tenant_id: string } }>().tenant.tenant_id;
    const { id } = (await buy(ALLOWED, config({ id: 'one' }))).body.task;
    await pool.query(
      `WITH copied AS (
          INSERT INTO a2a_tasks (tenant_id, caller_id, task_id, context_id, merchant_id, request_hash, state,
            status_at_ms, created_at_ms, task)
          SELECT $2::text, caller_id, task_id, context_id, merchant_id, request_hash, state, status_at_ms,
            created_at_ms, task FROM a2a_tasks WHERE task_id = $1)
        INSERT INTO a2a_push_configs (tenant_id, caller_id, task_id, config_id, wire_version, url, message_id,
          next_attempt_at_ms, created_at_ms)
        SELECT $2, caller_id, task_id, config_id, wire_version, url, message_id, next_attempt_at_ms, created_at_ms
        FROM a2a_push_configs WHERE task_id = $1`,
      [id, live],
    );
    await sweep();
    const { rows } = await pool.query(
      'SELECT tenant_id, last_error_class FROM a2a_push_configs WHERE task_id = $1 ORDER BY created_at_ms',
      [id],
    );
    expect(new Map(rows.map((row) => [row.tenant_id, row.last_error_class]))).toEqual(
      new Map([
        [shop.tenantId, null],
        [live, 'refused_url'],
      ]),
    );
    await pool.query('DELETE FROM a2a_tasks WHERE tenant_id = $1', [live]);
  });

  it('of the live world is not let in as a loopback address', async () => {
    const { PushConfigs } = await import('../../src/doors/a2a/push-configs.js');
    const parts = {
      database: pool,
      wrapping: null as never,
      allowLoopbackPeers: true,
      nowMs: Date.now,
    };
    const owner = { tenantId: shop.tenantId, callerId: 'x', version: '1.0' } as const;
    const wanted = {
      tenant: '',
      id: '',
      taskId: '',
      url: receiver.url,
      token: '',
      authentication: undefined,
    };
    expect(() => new PushConfigs(parts, { ...owner, world: 'live' }).check(wanted)).toThrow(
      /address/,
    );
    expect(() => new PushConfigs(parts, { ...owner, world: 'test' }).check(wanted)).not.toThrow();
  });
});
