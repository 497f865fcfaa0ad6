import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { LedgerWriter, sessionOpener, switchSealing } from '../../src/base/ledger/index.js';
import { bindSecrets } from '../../src/base/platform/index.js';
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
  await bindSecrets(database.pool, {
    KEY_ENCRYPTION_KEY: MASTER_SECRET,
    LEDGER_HMAC_MASTER: MASTER_SECRET,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = (): Record<string, string> => ({
  DATA_DIR: folder,
  DATABASE_URL: database.connectionString,
  LEDGER_HMAC_MASTER: Buffer.from(MASTER_SECRET).toString('hex'),
});

async function arbiter(args: readonly string[], environment = settings()) {
  const child = spawn(process.execPath, [join(await compiledSources(), 'cli.js'), ...args], {
    env: {
      PATH: process.env['PATH'],
      ...environment,
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
      out: 'same: 1 tenants, 2 entries, 1 rows, 0 differences\n',
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
      `${tenantId} heads ${tenantId} idSeed: stored forged, folded null\ndifferent: 1 tenants, 2 entries, 1 rows, 1 differences\n`,
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
    const DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/none';
    const { code, err } = await arbiter(['rebuild', '--check'], { ...settings(), DATABASE_URL });
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('2: another master, named as such and not as broken signatures', async () => {
    const LEDGER_HMAC_MASTER = 'ee'.repeat(32);
    const found = await arbiter(['rebuild', '--check'], { ...settings(), LEDGER_HMAC_MASTER });
    expect(found).toMatchObject({ code: 2, out: '' });
    expect(found.err).toMatch(/^This ledger is sealed under another LEDGER_HMAC_MASTER: [^\n]*\n$/);
  });

  it.each([
    ['a folder that is not there', 'nowhere'],
    ['a folder without a database', ''],
  ])('2: %s, and nothing is made in it', async (_what, name) => {
    const { code, out, err } = await arbiter(['rebuild', '--check'], {
      DATA_DIR: join(folder, name),
    });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^DATA_DIR [^\n]* holds no ledger: [^\n]*\n$/);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('2: a database whose master is not at hand, and none is made', async () => {
    const { DATA_DIR = '', DATABASE_URL = '' } = settings();
    const { code, err } = await arbiter(['rebuild', '--check'], { DATA_DIR, DATABASE_URL });
    expect(code).toBe(2);
    expect(err).toMatch(/^LEDGER_HMAC_MASTER is not given and [^\n]* is missing: [^\n]*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
