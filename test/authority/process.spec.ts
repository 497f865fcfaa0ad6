import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPool } from '../../src/base/platform/index.js';
import { AUTHORITY_SCHEMA, withSearchPath } from '../../src/trust-authority/start.js';
import { compiledSources } from '../support/compiled.js';
import { TEST_AUTHORITY_ORIGIN } from '../support/authority-settings.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { deskEnvironment, deskOf } from './desk.js';
import { cosignedAt, openLog, send, testLog, witnessKeys } from './test-log.js';
import { bind, claimsOf, mandate, revoke, verified, type WireObject } from './forest.js';

const { connectionString } = await freshDatabase();
const pool = createPool({
  connectionString: withSearchPath(connectionString, AUTHORITY_SCHEMA),
  maxConnections: 4,
});
const folder = temporaryDataFolder('arbiter-authority-');
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await pool.end();
  rmSync(folder, { recursive: true, force: true });
});

const environment = {
  PATH: process.env['PATH'],
  ...deskEnvironment({ DATABASE_URL: connectionString, DATA_DIR: folder }),
};

/** The process as the service forks it. */
async function forked(more: Readonly<Record<string, string | undefined>> = {}) {
  const child = fork(join(await compiledSources(), 'authority.js'), {
    env: { ...environment, ...more },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const [message] = (await once(child, 'message')) as [
    { type: string; url: string; origin: string; line: string },
  ];
  return { child, exited, message };
}

describe('the process of the authority', () => {
  it('is ready, stops when its parent is gone, and stops when it is told', async () => {
    const first = await forked();
    expect(first.message).toEqual({
      type: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      origin: TEST_AUTHORITY_ORIGIN,
    });
    const health = await fetch(`${first.message.url}/health/ready`);
    expect(health.status).toBe(200);
    first.child.disconnect();
    expect(await first.exited).toBe(0);
    const second = await forked();
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  });

  it('says in one line why it cannot start', async () => {
    const { message, exited } = await forked({ AUTHORITY_SERVICE_TOKENS: undefined });
    expect(message).toEqual({
      type: 'refused',
      line: expect.stringMatching(/^AUTHORITY_SERVICE_TOKENS is .*: give name=token/),
    });
    expect(await exited).toBe(1);
  });

  it('alone, prints its name, which it draws once', async () => {
    const own = temporaryDataFolder('arbiter-authority-');
    const { connectionString: another } = await freshDatabase();
    const lineOf = async (): Promise<string> => {
      const child = spawn(process.execPath, [join(await compiledSources(), 'authority.js')], {
        env: { ...environment, AUTHORITY_ORIGIN: undefined, DATABASE_URL: another, DATA_DIR: own },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      return line.toString();
    };
    const first =
      /^The trust authority (https:\/\/[0-9a-f]{16}\.authority\.internal) listens on http:/.exec(
        await lineOf(),
      );
    expect(first).not.toBe(null);
    expect(readFileSync(join(own, 'authority', 'origin'), 'utf8').trim()).toBe(first?.[1]);
    expect(existsSync(join(own, 'authority', 'secrets'))).toBe(false);
    expect(await lineOf()).toContain(first?.[1]);
    rmSync(own, { recursive: true, force: true });
  });
});

describe('a process that is killed between the commit and the answer', () => {
  const TREE = 300;
  const TRIES_MAX = 10;

  it('answers the repeat with the records that stand', async () => {
    let authority = await forked();
    let wasBetween = false;
    for (let tried = 0; tried < TRIES_MAX && !wasBetween; tried += 1) {
      const desk = deskOf(authority.message.url, pool);
      const tenantId = await desk.tenant();
      const slots = (await desk.slots(tenantId, TREE)) as WireObject['slot'][];
      const tree: WireObject[] = [];
      for (const slot of slots) tree.push(mandate(slot, tree[0]?.object_id ?? null));
      for (let from = 0; from < TREE; from += 150)
        expect((await bind(desk, tenantId, tree.slice(from, from + 150))).status).toBe(200);
      const target = { kind: 'mandate', object_id: tree[0]?.object_id };
      const count = await desk.entryCount(tenantId);
      let answered = false;
      const asked = revoke(desk, tenantId, target).then(
        () => (answered = true),
        () => undefined,
      );
      while (!answered && (await desk.entryCount(tenantId)) === count);
      authority.child.kill('SIGKILL');
      await asked;
      await authority.exited;
      wasBetween = !answered;

      authority = await forked();
      const again = deskOf(authority.message.url, pool);
      expect(await again.entryCount(tenantId)).toBe(count + TREE);
      const first = await revoke(again, tenantId, target);
      expect(first.body.revocations).toHaveLength(TREE);
      expect((await revoke(again, tenantId, target)).text).toBe(first.text);
      expect(await again.entryCount(tenantId)).toBe(count + TREE);
      const [root, leaf] = first.body.revocations as [string, string];
      await verified(again, root, 'revocation');
      expect(claimsOf(leaf)['root_revocation_id']).toBe(claimsOf(root)['jti']);
      // The authority's own ledger, and all the trees that fell before.
      expect(await again.differences('all')).toEqual([]);
    }
    expect(wasBetween).toBe(true);
  });

  it('cosigns what is on record when it is asked again, and nothing else', async () => {
    let authority = await forked();
    let wasBetween = false;
    const deskNow = () => ({ url: authority.message.url, ...deskOf(authority.message.url, pool) });
    for (let tried = 0; tried < TRIES_MAX && !wasBetween; tried += 1) {
      const log = await openLog(deskNow());
      const fork = testLog({ origin: log.origin, key: log.key, forkAt: 3 });
      expect((await send(deskNow(), log.request(0, 4))).status).toBe(200);
      const count = await deskNow().entryCount(log.tenantId);
      let answered = false;
      const asked = send(deskNow(), log.request(4, 7)).then(
        () => (answered = true),
        () => undefined,
      );
      while (!answered && (await deskNow().entryCount(log.tenantId)) === count);
      authority.child.kill('SIGKILL');
      await asked;
      await authority.exited;
      wasBetween = !answered;

      authority = await forked();
      expect(await deskNow().entryCount(log.tenantId)).toBe(count + 1);
      // Whoever got no answer asks from the size before, learns the one on record, and is cosigned from there.
      expect(await send(deskNow(), log.request(4, 7))).toMatchObject({ status: 409, text: '7\n' });
      expect((await send(deskNow(), fork.request(7, 7))).status).toBe(422);
      const again = await send(deskNow(), log.request(7, 7));
      cosignedAt(log.text(7), again.text, await witnessKeys(deskNow()));
      expect(await deskNow().entryCount(log.tenantId)).toBe(count + 1);
      expect(await deskNow().differences(log.tenantId)).toEqual([]);
    }
    expect(wasBetween).toBe(true);
  });
});
