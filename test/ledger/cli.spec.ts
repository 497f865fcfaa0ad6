import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { LedgerWriter, sessionOpener, switchSealing } from '../../src/base/ledger/index.js';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import { PROJECTIONS } from '../../src/projections.js';
import { compiledSources } from '../support/compiled.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { contextOf, MASTER_SECRET, newTenant, opening, TestLog } from './toy.js';

let database: TestDatabase;
let folder: string;
const tenantId = newTenant();

beforeAll(async () => {
  database = await freshDatabase();
  folder = temporaryDataFolder('arbiter-cli-');
  const writer = new LedgerWriter({
    openSession: sessionOpener({ connectionString: database.connectionString }),
    projections: PROJECTIONS,
    masterSecret: MASTER_SECRET,
    log: new TestLog(),
  });
  await writer.open(opening(tenantId));
  await writer.execute(switchSealing(contextOf(tenantId), 'k1'));
  await writer.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function arbiter(args: readonly string[], databaseUrl = database.connectionString) {
  const child = spawn(process.execPath, [join(await compiledSources(), 'cli.js'), ...args], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      LEDGER_HMAC_MASTER: Buffer.from(MASTER_SECRET).toString('hex'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
  const code = await new Promise((ended) => child.on('close', ended));
  return { code, out: out.join(''), err: err.join('') };
}

describe('arbiter rebuild --check', () => {
  it('0: the tables are the fold of the ledger', async () => {
    expect(await arbiter(['rebuild', '--check'])).toEqual({
      code: 0,
      out: 'same: 1 tenants, 2 entries, 0 rows, 0 differences\n',
      err: '',
    });
    expect(await arbiter(['rebuild', '--check', '--tenant', tenantId])).toMatchObject({ code: 0 });
  });

  it('1: they are not, and it says where', async () => {
    const url = new URL(database.connectionString);
    url.username = SUPERUSER;
    const superuser = new pg.Client({ connectionString: url.toString() });
    await superuser.connect();
    await superuser.query('SET session_replication_role = replica');
    await superuser.query(`UPDATE heads SET id_seed = 'forged'`);
    const found = await arbiter(['rebuild', '--check']);
    await superuser.query('UPDATE heads SET id_seed = NULL');
    await superuser.end();
    expect(found.code).toBe(1);
    expect(found.out).toBe(
      `${tenantId} heads ${tenantId} idSeed: stored forged, folded null\ndifferent: 1 tenants, 2 entries, 0 rows, 1 differences\n`,
    );
  });

  it.each([
    ['another command', ['verify']],
    ['a rebuild that would change something', ['rebuild']],
    ['an unknown option', ['rebuild', '--check', '--force']],
    ['a tenant that does not exist', ['rebuild', '--check', '--tenant', 'tnt_none']],
  ])('2: %s', async (_what, args) => {
    const { code, out, err } = await arbiter(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
  });

  it('2: no database', async () => {
    const { code, err } = await arbiter(
      ['rebuild', '--check'],
      'postgresql://nobody@127.0.0.1:1/none',
    );
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
