import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadAuthorityConfig } from './authority-config.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'arbiter-authority-config-'));
  folders.push(made);
  return made;
};

const TOKEN = 'a'.repeat(32);
const load = (environment: Readonly<Record<string, string>>, dataDir = folder()) =>
  loadAuthorityConfig({
    environment: {
      DATABASE_URL: 'postgres://localhost/x',
      DATA_DIR: dataDir,
      AUTHORITY_SERVICE_TOKENS: `arbiter=${TOKEN}`,
      ...environment,
    },
  });

describe('the settings of the authority', () => {
  test('have defaults for everything but the services', () => {
    expect(load({})).toMatchObject({
      port: 8090,
      host: '127.0.0.1',
      isEmbedded: false,
      logLevel: 'info',
      rateLimitPerMinute: 6000,
      services: new Map([[TOKEN, 'arbiter']]),
    });
  });

  test('draw a name and secrets once, the secrets for nobody else to read', () => {
    const dataDir = folder();
    const first = load({}, dataDir);
    expect(first.origin).toMatch(/^https:\/\/[0-9a-f]{16}\.authority\.internal$/);
    expect(load({}, dataDir)).toEqual(first);
    expect(load({}).origin).not.toBe(first.origin);
    const secret = join(dataDir, 'authority', 'secrets', 'KEY_ENCRYPTION_KEY');
    expect(statSync(secret).mode & 0o077).toBe(0);
    expect(readFileSync(secret, 'utf8').trim()).toBe(first.keyEncryptionKey.toString('hex'));
    expect(first.keyEncryptionKey.equals(first.ledgerHmacMaster)).toBe(false);
  });

  test('refuse a damaged name', () => {
    const dataDir = folder();
    load({}, dataDir);
    writeFileSync(join(dataDir, 'authority', 'origin'), 'half');
    expect(() => load({}, dataDir)).toThrow(/is damaged: restore it/);
    expect(load({ AUTHORITY_ORIGIN: 'https://a.example' }, dataDir).origin).toBe(
      'https://a.example',
    );
  });

  test.each([
    ['AUTHORITY_SERVICE_TOKENS', ''],
    ['AUTHORITY_SERVICE_TOKENS', TOKEN],
    ['AUTHORITY_SERVICE_TOKENS', `Arbiter=${TOKEN}`],
    ['AUTHORITY_SERVICE_TOKENS', `arbiter=${TOKEN.slice(1)}`],
    ['AUTHORITY_SERVICE_TOKENS', `arbiter=${TOKEN},other=${TOKEN}`],
    ['AUTHORITY_ORIGIN', 'http://a.example'],
    ['AUTHORITY_PORT', '70000'],
    ['AUTHORITY_EMBEDDED', 'yes'],
    ['AUTHORITY_KEY_ENCRYPTION_KEY', 'short'],
  ])('refuse %s=%s in one line that repeats no secret', (name, value) => {
    let line = '';
    try {
      load({ [name]: value });
    } catch (error) {
      line = (error as Error).message;
    }
    expect(line).toMatch(new RegExp(`^${name} is [^\n]+$`));
    if (name.includes('TOKENS')) expect(line).not.toContain(TOKEN);
  });
});
