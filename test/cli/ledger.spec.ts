import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deriveLedgerKey } from '../../src/core/chain/index.js';
import { getAs, verdictsOf } from '../history/exporting.js';
import { closeAfterFile } from '../support/closing.js';
import { testDatabase } from '../support/database.js';
import { arbiter } from './run.js';
import { read, type ShopCommands, shopCommands } from './shop-commands.js';

let commands: ShopCommands;

beforeAll(async () => {
  commands = await shopCommands();
});

const place = (name: string): string => join(commands.folder, name);

const exported = z.object({
  file: z.string(),
  export_id: z.string(),
  counts: z.object({ sealed: z.int(), unsealed: z.int() }),
  head: z.object({ seq: z.int(), hash: z.string().nullable() }),
});

/** The file as the service gives it whole. */
const wholeOf = async (exportId: string): Promise<string> =>
  (
    await getAs(
      commands.service,
      commands.shop.apiKeys.tenant_admin,
      `/v1/ledger/export?export_id=${exportId}`,
    )
  ).text;

async function exportCount(): Promise<number> {
  const { rows } = await testDatabase().pool.query<{ count: string }>(
    'SELECT count(*) FROM ledger_exports WHERE tenant_id = $1',
    [commands.shop.tenantId],
  );
  return Number(rows[0]?.count);
}

const partsOf = (name: string): string[] =>
  readdirSync(commands.folder).filter((file) => file.startsWith(`${name}.exp_`));

/** Between the command and the service: cuts connection after connection when so many bytes of an answer have gone by. */
async function cuttingProxy(cuts: number[]): Promise<string> {
  const { port: target } = new URL(commands.service.baseUrl);
  const open = new Set<Socket>();
  const server: Server = createServer((client) => {
    const service = connect(Number(target), '127.0.0.1');
    open.add(client).add(service);
    let left = cuts.shift() ?? Number.POSITIVE_INFINITY;
    service.on('data', (chunk) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      service.destroy();
      client.end(() => client.destroy());
    });
    client.on('data', (chunk) => service.write(chunk));
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closeAfterFile(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

const through = (url: string, words: readonly string[]) =>
  arbiter(words, {
    environment: { ARBITER_URL: url, ARBITER_API_KEY: commands.shop.apiKeys.tenant_admin },
  });

describe('ledger export', () => {
  it.each(['jsonl', 'json'])('writes a file that verifies, in the form %s', async (form) => {
    const out = place(`plain.${form}`);
    const ended = await commands.run('tenant_admin', [
      'ledger',
      'export',
      '--out',
      out,
      '--form',
      form,
    ]);
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(statSync(out).mode & 0o077).toBe(0);
    const text = readFileSync(out, 'utf8');
    for (const { exit, answer } of verdictsOf(text)) {
      expect([exit, answer.result]).toEqual([0, 'verified']);
      expect(ended.out).toContain(answer.head.hash);
    }
    const again = await commands.run('tenant_admin', ['ledger', 'export', '--out', out]);
    expect([again.code, again.out]).toEqual([2, '']);
    expect(again.err).toContain('--out');
    expect(readFileSync(out, 'utf8')).toBe(text);
  });

  it.each([
    ['jsonl', [40, 1_000, 9_000, 20_000]],
    ['jsonl', [70_000, 3_000]],
    ['json', [1_500, 9_000, 9_000]],
  ])('in the form %s goes on after cuts at %j', async (form, cuts) => {
    const name = `cut-${form}-${cuts.join('-')}`;
    const before = await exportCount();
    // The first cut must be behind the answer's head, or nothing was begun that one could go on with.
    const url = await cuttingProxy([2_500, ...cuts]);
    const ended = await through(url, [
      'ledger',
      'export',
      '--out',
      place(name),
      '--form',
      form,
      '--json',
    ]);
    expect([ended.code, ended.err]).toEqual([0, '']);
    const document = exported.parse(JSON.parse(ended.out));
    expect(readFileSync(place(name), 'utf8')).toBe(await wholeOf(document.export_id));
    expect(await exportCount()).toBe(before + 1);
    expect(partsOf(name)).toEqual([]);
  });

  it.each(['jsonl', 'json'])('in the form %s is finished by a later run', async (form) => {
    const name = `later-${form}`;
    const words = ['ledger', 'export', '--out', place(name), '--form', form];
    const before = await exportCount();
    const url = await cuttingProxy([20_000, ...Array<number>(20).fill(700)]);
    const cut = await through(url, words);
    expect([cut.code, cut.out]).toEqual([4, '']);
    expect(cut.err).toContain('the same command goes on');
    expect(existsSync(place(name))).toBe(false);
    const [part = ''] = partsOf(name);
    expect(statSync(place(part)).size).toBeGreaterThan(0);
    const ended = await through(commands.service.baseUrl, [...words, '--json']);
    expect(ended.code).toBe(0);
    expect(ended.err).toContain('Going on with');
    const document = exported.parse(JSON.parse(ended.out));
    expect(part).toContain(document.export_id);
    expect(readFileSync(place(name), 'utf8')).toBe(await wholeOf(document.export_id));
    expect(await exportCount()).toBe(before + 1);
  });

  it('goes on from whatever a file was cut to', async () => {
    const begun = await commands.run('tenant_admin', [
      'ledger',
      'export',
      '--out',
      place('seed'),
      '--json',
    ]);
    const { export_id: exportId } = read(begun, exported);
    const whole = readFileSync(place('seed'));
    const lastLine = whole.lastIndexOf('\n', whole.length - 2);
    for (const length of [
      0,
      1,
      300,
      900,
      2_000,
      5_000,
      lastLine,
      lastLine + 1,
      lastLine + 9,
      whole.length,
    ]) {
      const name = `cut-at-${length}`;
      writeFileSync(place(`${name}.${exportId}.part`), whole.subarray(0, length));
      const ended = await commands.run('tenant_admin', ['ledger', 'export', '--out', place(name)]);
      expect([length, ended.code]).toEqual([length, 0]);
      expect(readFileSync(place(name)).equals(whole)).toBe(true);
    }
  });

  it('is not for auditors, and leaves nothing behind', async () => {
    await commands.expectProblem(
      'auditor',
      ['ledger', 'export', '--out', place('no')],
      'forbidden',
    );
    expect(readdirSync(commands.folder).filter((name) => name.startsWith('no'))).toEqual([]);
  });

  it('that cannot be written names the option', async () => {
    const ended = await commands.run('tenant_admin', [
      'ledger',
      'export',
      '--out',
      '/nowhere/file',
    ]);
    expect([ended.code, ended.out]).toEqual([2, '']);
    expect(ended.err).toContain('--out');
  });

  it('of an export that is gone says so and keeps the part', async () => {
    const part = place(`gone.exp_${'0'.repeat(32)}.part`);
    writeFileSync(part, '');
    const ended = await commands.run('tenant_admin', ['ledger', 'export', '--out', place('gone')]);
    expect(ended.code).toBe(3);
    expect(ended.err).toContain(part);
    expect(existsSync(part)).toBe(true);
  });
});

describe('ledger head, entries, inclusion', () => {
  it('head --out keeps the head in a new file', async () => {
    const out = place('head.json');
    const ended = await commands.run('auditor', ['ledger', 'head', '--out', out, '--json']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(JSON.parse(ended.out));
    const again = await commands.run('auditor', ['ledger', 'head', '--out', out]);
    expect([again.code, again.out]).toEqual([2, '']);
  });

  it('entries are a table, or a document a line', async () => {
    const words = ['ledger', 'entries', '--type', 'merchant.*', '--limit', '1'];
    const table = await commands.run('auditor', words);
    expect(table.out.split('\n')[0]).toMatch(/^seq +at +type +by +link$/);
    const all = await commands.run('auditor', [...words, '--all', '--order', 'desc', '--json']);
    const entries = all.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(entries.length).toBeGreaterThan(1);
    for (const { type } of entries) expect(type.startsWith('merchant.')).toBe(true);
  });

  it('inclusion ends with 1 until something covers the entry', async () => {
    const { body } = await commands.shop.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'newest', role: 'auditor' },
    });
    expect(body.api_key_id).toBeDefined();
    const head = await commands.run('auditor', ['ledger', 'head', '--json']);
    const { seq } = read(head, z.object({ seq: z.int() }));
    const words = ['ledger', 'inclusion', '--seq', String(seq)];
    const before = await commands.run('auditor', words);
    expect([before.code, before.out]).toEqual([1, expect.stringContaining('ask again later')]);
    await commands.run('tenant_admin', ['ledger', 'export', '--out', place('covers')]);
    const after = await commands.run('auditor', words);
    expect(after.code).toBe(0);
    expect(after.out).toContain(commands.shop.tenantId);
  });
});

describe('ledger sealing, witnessing, auditor-key', () => {
  it('rotate gives the next key, and its secret is printed beside the database only', async () => {
    const rotated = await commands.run('tenant_admin', ['ledger', 'sealing', 'rotate', '--json']);
    expect(read(rotated, z.object({ kid: z.string() })).kid).toBe('k2');
    const { tenantId } = commands.shop;
    const settings = {
      DATABASE_URL: testDatabase().connectionString,
      LEDGER_HMAC_MASTER: '22'.repeat(32),
      DATA_DIR: commands.folder,
    };
    const keyOf = (words: readonly string[], environment: Record<string, string> = settings) =>
      arbiter(['ledger', 'auditor-key', ...words], { environment });
    const own = ['--tenant', tenantId, '--kid', 'k1'];
    const secret = Buffer.from(deriveLedgerKey(Buffer.alloc(32, 0x22), tenantId, 'k1'));
    expect(await keyOf(own)).toEqual({ code: 0, out: `k1 ${secret.toString('hex')}\n`, err: '' });
    for (const [words, environment, said] of [
      [['--tenant', tenantId, '--kid', 'k9'], settings, 'k1, k2'],
      [['--tenant', 'tnt_0', '--kid', 'k1'], settings, 'no tenant'],
      [own, { ...settings, LEDGER_HMAC_MASTER: '33'.repeat(32) }, 'another LEDGER_HMAC_MASTER'],
    ] as const) {
      const refused = await keyOf(words, environment);
      expect([refused.code, refused.out]).toEqual([2, '']);
      expect(refused.err).toContain(said);
    }
  });

  it('witnessing says how it stands', async () => {
    const shown = await commands.run('auditor', ['ledger', 'witnessing', 'show']);
    expect([shown.code, shown.out]).toEqual([0, expect.stringMatching(/^witnessing +off/)]);
    const on = await commands.run('tenant_admin', ['ledger', 'witnessing', 'on', '--json']);
    expect(read(on, z.object({ on: z.boolean() })).on).toBe(true);
  });
});
