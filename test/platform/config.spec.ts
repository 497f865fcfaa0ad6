import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/base/platform/config/config.js';
import { runScript } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';

const folders: string[] = [];
const isRoot = process.getuid?.() === 0;

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = temporaryDataFolder('arbiter-config-');
  folders.push(folder);
  return folder;
}

const secretFile = (folder: string, name: string): string => join(folder, 'secrets', name);

describe('secrets', () => {
  test('are made once, private, and found again', () => {
    const folder = newFolder();
    const first = loadConfig({ environment: { DATA_DIR: folder } });
    const second = loadConfig({ environment: { DATA_DIR: folder } });
    expect(first.keyEncryptionKey).toHaveLength(32);
    expect(first.keyEncryptionKey.equals(first.ledgerHmacMaster)).toBe(false);
    expect(second).toEqual(first);
    expect(Object.isFrozen(first)).toBe(true);
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'secrets')).sort()).toEqual([
      'KEY_ENCRYPTION_KEY',
      'LEDGER_HMAC_MASTER',
      'PLATFORM_ADMIN_KEY',
    ]);
    for (const name of readdirSync(join(folder, 'secrets')))
      expect(statSync(secretFile(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('given ones make no file', () => {
    const folder = newFolder();
    const key = 'ab'.repeat(32);
    const config = loadConfig({
      environment: {
        DATA_DIR: folder,
        KEY_ENCRYPTION_KEY: key,
        LEDGER_HMAC_MASTER: key,
        PLATFORM_ADMIN_KEY: key,
      },
    });
    expect(config.keyEncryptionKey.toString('hex')).toBe(key);
    expect(config.platformAdminKey).toBe(key);
    expect(existsSync(join(folder, 'secrets'))).toBe(false);
  });

  test('processes that start together agree', async () => {
    const folder = newFolder();
    const text = `
      import { loadConfig } from 'DIST/base/platform/config/config.js';
      const config = loadConfig();
      console.log(config.keyEncryptionKey.toString('hex'), config.ledgerHmacMaster.toString('hex'), config.platformAdminKey);`;
    const children = await Promise.all(
      [1, 2, 3, 4].map(() => runScript(text, { DATA_DIR: folder })),
    );
    const outputs = await Promise.all(
      children.map(async (child) => {
        let output = '';
        child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
        await once(child, 'close');
        return output;
      }),
    );
    expect(outputs[0]).toMatch(/^[0-9a-f]{64} [0-9a-f]{64} [0-9a-f]{64}\n$/);
    expect(new Set(outputs).size).toBe(1);
    expect(readdirSync(join(folder, 'secrets'))).toHaveLength(3);
  });

  test('one that others can read is refused', () => {
    const folder = newFolder();
    loadConfig({ environment: { DATA_DIR: folder } });
    chmodSync(secretFile(folder, 'LEDGER_HMAC_MASTER'), 0o640);
    expect(() => loadConfig({ environment: { DATA_DIR: folder } })).toThrow(
      /LEDGER_HMAC_MASTER can be read by other users: chmod 0600/,
    );
  });

  test('a damaged one is refused, not replaced', () => {
    const folder = newFolder();
    loadConfig({ environment: { DATA_DIR: folder } });
    writeFileSync(secretFile(folder, 'KEY_ENCRYPTION_KEY'), 'abc');
    expect(() => loadConfig({ environment: { DATA_DIR: folder } })).toThrow(
      /KEY_ENCRYPTION_KEY is damaged/,
    );
    expect(readFileSync(secretFile(folder, 'KEY_ENCRYPTION_KEY'), 'utf8')).toBe('abc');
  });

  test('a lost one beside a database is refused, not made anew', () => {
    const folder = newFolder();
    loadConfig({ environment: { DATA_DIR: folder } });
    mkdirSync(join(folder, 'postgres'));
    rmSync(secretFile(folder, 'LEDGER_HMAC_MASTER'));
    expect(() => loadConfig({ environment: { DATA_DIR: folder } })).toThrow(
      /LEDGER_HMAC_MASTER is not given and .* is missing/,
    );
  });
});

describe('the demo, when nothing is said about it', () => {
  test.each([
    [{}, true],
    [{ HOST: '127.0.0.2' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '127.0.0.1.example' }, false],
    [{ PUBLIC_BASE_URL: 'https://shop.example' }, false],
    [{ HOST: '0.0.0.0', SEED_DEMO: 'on' }, true],
    [{ SEED_DEMO: 'off' }, false],
  ])('%j: %s', (environment, seedDemo) => {
    expect(loadConfig({ environment: { DATA_DIR: newFolder(), ...environment } }).seedDemo).toBe(
      seedDemo,
    );
  });
});

describe('data folder', () => {
  test('an unwritable one is one line', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => loadConfig({ environment: { DATA_DIR: join(folder, 'file', 'data') } })).toThrow(
      /^DATA_DIR .* cannot be used \(.*\): make it writable for this user, or set DATA_DIR to another folder\.$/,
    );
  });

  test.runIf(existsSync('/proc'))(
    'one in a file system that makes no folders is one line, too',
    () => {
      expect(() => loadConfig({ environment: { DATA_DIR: '/proc/arbiter/data' } })).toThrow(
        /^DATA_DIR .* cannot be used \(ENOENT/,
      );
    },
  );

  test('without DATA_DIR it is .data beside package.json', () => {
    const packageRoot = newFolder();
    expect(loadConfig({ environment: {}, packageRoot }).dataDir).toBe(join(packageRoot, '.data'));
  });

  test.runIf(isRoot)(
    'as root, under a 0700 folder, it is elsewhere and one line says so; with data in it, it is refused',
    () => {
      const packageRoot = newFolder();
      chmodSync(packageRoot, 0o700);
      const lines: string[] = [];
      const { dataDir } = loadConfig({
        environment: {},
        packageRoot,
        report: (line) => lines.push(line),
      });
      folders.push(dataDir);
      expect(dataDir).toMatch(/^\/var\/lib\/commerce-arbiter\/[0-9a-f]{12}$/);
      expect(lines).toHaveLength(1);
      mkdirSync(join(packageRoot, '.data', 'postgres'), { recursive: true });
      expect(() => loadConfig({ environment: {}, packageRoot })).toThrow(
        /holds a database, but the user that runs PostgreSQL can no longer enter it/,
      );
    },
  );
});
