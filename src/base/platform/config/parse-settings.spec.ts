import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../package-root.js';
import { parseSettings } from './parse-settings.js';
import { SETTING_NAMES, settingsSchema } from './settings.js';

const linesOf = (environment: Record<string, string>): readonly string[] => {
  const parsed = parseSettings(environment);
  return parsed.ok ? [] : parsed.error;
};

describe('a wrong value is one line that names the setting and the fix', () => {
  test.each([
    ['PORT', 'http', 'PORT is "http": give a whole number from 0 to 65535.'],
    ['PORT', '65536', 'PORT is "65536": give a whole number from 0 to 65535.'],
    ['PORT', '-1', 'PORT is "-1": give a whole number from 0 to 65535.'],
    ['PORT', '08080', 'PORT is "08080": give a whole number from 0 to 65535.'],
    ['PORT', '80.5', 'PORT is "80.5": give a whole number from 0 to 65535.'],
    ['PORT', '', 'PORT is empty: give it a value or leave it out.'],
    [
      'HOST',
      'my host',
      'HOST is "my host": give an address of this machine, as 127.0.0.1 or 0.0.0.0.',
    ],
    ['LEDGER_SEALING_DEFAULT', 'true', 'LEDGER_SEALING_DEFAULT is "true": give on or off.'],
    ['LEDGER_SEALING_DEFAULT', 'ON', 'LEDGER_SEALING_DEFAULT is "ON": give on or off.'],
    [
      'LEDGER_LOG_NAME',
      'https://shop.example',
      'LEDGER_LOG_NAME is "https://shop.example": give a name without a scheme that nobody else uses, as ledger.shop.example: 1 to 128 characters of a-z 0-9 . / -.',
    ],
    [
      'WITNESSING_INTERVAL_SECONDS',
      '0',
      'WITNESSING_INTERVAL_SECONDS is "0": give a whole number from 1 to 86400.',
    ],
    [
      'AGENT_EXECUTED_PAYMENT_ENABLED',
      '1',
      'AGENT_EXECUTED_PAYMENT_ENABLED is "1": give true or false.',
    ],
    [
      'AGENT_EXECUTED_PAYMENT_ENABLED',
      'yes',
      'AGENT_EXECUTED_PAYMENT_ENABLED is "yes": give true or false.',
    ],
    ['ALLOW_LOOPBACK_PEERS', 'on', 'ALLOW_LOOPBACK_PEERS is "on": give true or false.'],
    ['SEED_DEMO', 'true', 'SEED_DEMO is "true": give on or off.'],
    ['JOBS', 'no', 'JOBS is "no": give on or off.'],
    [
      'REDIS_URL',
      'http://user:hunter2@host',
      'REDIS_URL is not a Redis address (not shown, it may hold a password): give redis://user:password@host:6379, or leave it out: then the jobs run on PostgreSQL.',
    ],
    [
      'LOG_LEVEL',
      'verbose',
      'LOG_LEVEL is "verbose": give fatal or error or warn or info or debug.',
    ],
    [
      'RATE_LIMIT_PER_MINUTE',
      '0',
      'RATE_LIMIT_PER_MINUTE is "0": give a whole number from 1 to 1000000.',
    ],
    [
      'COMMERCE_AGENT_SIGNATURE_MODE',
      'strict',
      'COMMERCE_AGENT_SIGNATURE_MODE is "strict": give log or enforce.',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/33',
      'TRUSTED_PROXIES is "10.0.0.0/33": give addresses or networks as 10.0.0.5,10.1.0.0/16, at most 64 of them.',
    ],
    [
      'SIGNATURE_DIRECTORIES',
      'closed',
      'SIGNATURE_DIRECTORIES is "closed": give open or allowlist.',
    ],
    [
      'SIGNATURE_TAP_KEYS',
      '/a.json,',
      'SIGNATURE_TAP_KEYS is "/a.json,": give the paths of JWK Sets, as /path/keys.json,/path/more.json.',
    ],
    ...[
      'agent.shop',
      'http://agent.shop=/a.json',
      'https://user@agent.shop',
      'https://agent.shop=',
      'https://agent.shop,https://agent.shop/',
      'https://agent.shop#a',
      '{"https://agent.shop": 1}',
      '{"https://agent.shop": "/a.json"',
      '{"agent.shop": null}',
    ].map((text) => [
      'SIGNATURE_PINNED_DIRECTORIES',
      text,
      `SIGNATURE_PINNED_DIRECTORIES is ${JSON.stringify(text)}: give up to 1000 addresses, each once, as https://agent.shop=/path/keys.json,https://other.shop (without a file it is fetched), or a JSON object of them with null for no file.`,
    ]),
    [
      'PUBLIC_BASE_URL',
      'shop.example',
      'PUBLIC_BASE_URL is "shop.example": give the origin alone, as https://shop.example (http only for localhost).',
    ],
    [
      'PUBLIC_BASE_URL',
      'http://shop.example',
      'PUBLIC_BASE_URL is "http://shop.example": give the origin alone, as https://shop.example (http only for localhost).',
    ],
    [
      'PUBLIC_BASE_URL',
      'https://shop.example/pay',
      'PUBLIC_BASE_URL is "https://shop.example/pay": give the origin alone, as https://shop.example (http only for localhost).',
    ],
    [
      'PUBLIC_BASE_URL',
      'https://a:b@shop.example',
      'PUBLIC_BASE_URL is "https://a:b@shop.example": give the origin alone, as https://shop.example (http only for localhost).',
    ],
  ])('%s=%s', (name, value, line) => expect(linesOf({ [name]: value })).toEqual([line]));

  test('every wrong setting has its line', () => {
    expect(linesOf({ PORT: 'x', HOST: '', SEED_DEMO: '?' })).toHaveLength(3);
  });

  test('half a pair: loopback peers on a public service', () => {
    expect(
      linesOf({ ALLOW_LOOPBACK_PEERS: 'true', PUBLIC_BASE_URL: 'https://shop.example' })[0],
    ).toMatch(/^ALLOW_LOOPBACK_PEERS is "true" beside PUBLIC_BASE_URL/);
  });

  test.each([
    [{ PUBLIC_BASE_URL: 'https://shop.example' }, 'PUBLIC_BASE_URL'],
    [{ HOST: '0.0.0.0' }, 'a HOST that is not loopback'],
    [{ HOST: '0.0.0.0', PUBLIC_BASE_URL: 'https://shop.example' }, 'PUBLIC_BASE_URL'],
  ])('published test keys on a service that others reach: %j', (environment, beside) => {
    expect(linesOf({ SIGNATURE_ALLOW_TEST_KEYS: 'true', ...environment })).toEqual([
      `SIGNATURE_ALLOW_TEST_KEYS is "true" beside ${beside}: anybody can sign with keys whose private halves are published; set it to false.`,
    ]);
  });

  test.each([
    [{ AUTHORITY_URL: 'https://a.example' }, 'AUTHORITY_ORIGIN and AUTHORITY_SERVICE_TOKEN are'],
    [
      { AUTHORITY_URL: 'https://a.example', AUTHORITY_ORIGIN: 'https://a.example' },
      'AUTHORITY_SERVICE_TOKEN is',
    ],
    [{ AUTHORITY_SERVICE_TOKEN: 'a'.repeat(32) }, 'AUTHORITY_URL and AUTHORITY_ORIGIN are'],
  ])('a part of an authority: %j', (environment, start) => {
    expect(linesOf(environment)).toEqual([expect.stringMatching(`^${start} missing: `)]);
  });

  test.each([
    ['AUTHORITY_URL', 'http://authority.example'],
    ['AUTHORITY_URL', 'https://authority.example/v1'],
    ['AUTHORITY_ORIGIN', 'http://localhost:8081'],
    ['AUTHORITY_ORIGIN', 'https://authority.example/'],
    ['AUTHORITY_ORIGIN', 'https://AUTHORITY.example'],
  ])('%s=%s is not taken', (name, value) => {
    const lines = linesOf({
      AUTHORITY_URL: 'https://a.example',
      AUTHORITY_ORIGIN: 'https://a.example',
      AUTHORITY_SERVICE_TOKEN: 'a'.repeat(32),
      [name]: value,
    });
    expect(lines).toEqual([expect.stringMatching(`^${name} is `)]);
  });

  test('a service token of a wrong form is refused and not repeated', () => {
    const [line = ''] = linesOf({ AUTHORITY_SERVICE_TOKEN: 'hunter2' });
    expect(line).toMatch(
      /^AUTHORITY_SERVICE_TOKEN is not usable \(7 characters, not shown\): give 32/,
    );
    expect(line).not.toContain('hunter2');
  });

  test.each(['mysql://host/shop', 'host/shop', 'postgres//host', 'hunter2'])(
    'DATABASE_URL=%s is refused and not repeated',
    (value) => {
      const [line = ''] = linesOf({ DATABASE_URL: value });
      expect(line).toMatch(
        /^DATABASE_URL is not a PostgreSQL address .*: give postgres:\/\/user:password@host:5432\/database/,
      );
      expect(line).not.toContain(value);
    },
  );

  test.each(['KEY_ENCRYPTION_KEY', 'LEDGER_HMAC_MASTER', 'PLATFORM_ADMIN_KEY'])(
    '%s of a wrong length is refused and not repeated',
    (name) => {
      for (const value of ['ab'.repeat(15), `${'ab'.repeat(101)}`, `${'ab'.repeat(31)}!!`]) {
        const [line = ''] = linesOf({ [name]: value });
        expect(line).toMatch(
          new RegExp(`^${name} is not usable \\(\\d+ characters, not shown\\): give 32`),
        );
        expect(line).not.toContain(value);
      }
    },
  );
});

describe('right values', () => {
  test('nothing given: the defaults', () => {
    const parsed = parseSettings({});
    expect(parsed.ok && parsed.value).toEqual({
      PORT: 8080,
      HOST: '127.0.0.1',
      LEDGER_SEALING_DEFAULT: false,
      WITNESSING_INTERVAL_SECONDS: 60,
      AGENT_EXECUTED_PAYMENT_ENABLED: false,
      UNSAFE_EMBEDDED_AUTHORITY_FOR_LIVE_TENANTS: false,
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: 600,
      ALLOW_LOOPBACK_PEERS: false,
      COMMERCE_AGENT_SIGNATURE_MODE: 'log',
      SIGNATURE_DIRECTORIES: 'open',
      SIGNATURE_ALLOW_TEST_KEYS: false,
      JOBS: true,
    });
  });

  test.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['COMMERCE_AGENT_SIGNATURE_MODE', 'enforce', 'enforce'],
    ['TRUSTED_PROXIES', '127.0.0.1, 10.0.0.0/8,fd00::/8', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
    ['SIGNATURE_DIRECTORIES', 'allowlist', 'allowlist'],
    ['SIGNATURE_ALLOW_TEST_KEYS', 'true', true],
    ['SIGNATURE_TAP_KEYS', '/a/visa.json, b.json', ['/a/visa.json', 'b.json']],
    [
      'SIGNATURE_PINNED_DIRECTORIES',
      'https://Agent.shop=/a/keys=1.json, https://other.shop/jwks.json',
      new Map([
        ['https://agent.shop/', '/a/keys=1.json'],
        ['https://other.shop/jwks.json', null],
      ]),
    ],
    [
      'SIGNATURE_PINNED_DIRECTORIES',
      '{"https://agent.shop/?a=1,2": "/a.json", "http://127.0.0.1:8080/": null}',
      new Map([
        ['https://agent.shop/?a=1,2', '/a.json'],
        ['http://127.0.0.1:8080/', null],
      ]),
    ],
    ['HOST', '::1', '::1'],
    ['HOST', 'localhost', 'localhost'],
    ['PUBLIC_BASE_URL', 'https://shop.example/', 'https://shop.example'],
    ['PUBLIC_BASE_URL', 'http://localhost:3000', 'http://localhost:3000'],
    ['LEDGER_SEALING_DEFAULT', 'on', true],
    ['AGENT_EXECUTED_PAYMENT_ENABLED', 'true', true],
    ['KEY_ENCRYPTION_KEY', 'ff'.repeat(32), Buffer.alloc(32, 255)],
    ['KEY_ENCRYPTION_KEY', Buffer.alloc(32, 251).toString('base64'), Buffer.alloc(32, 251)],
    ['KEY_ENCRYPTION_KEY', Buffer.alloc(32, 251).toString('base64url'), Buffer.alloc(32, 251)],
  ] as const)('%s=%s', (name, text, value) => {
    const parsed = parseSettings({ [name]: text });
    expect(parsed.ok && parsed.value[name]).toEqual(value);
  });

  test('variables of others are not looked at', () => {
    expect(parseSettings({ PATH: '', HOME: '', PORTS: 'x' }).ok).toBe(true);
  });
});

describe('docs/settings.md', () => {
  const rows = readFileSync(join(PACKAGE_ROOT, 'docs/settings.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  test('has a row for every setting and no other, in the order of the schema', () => {
    expect(rows.map(([name]) => name)).toEqual(SETTING_NAMES.map((name) => `\`${name}\``));
  });

  test('states the default that the schema has', () => {
    for (const [name = '', initial = ''] of rows) {
      const field = settingsSchema.shape[name.slice(1, -1) as keyof typeof settingsSchema.shape];
      const fallback = 'defaultValue' in field.def ? String(field.def.defaultValue) : null;
      if (fallback === null) expect(initial, name).not.toMatch(/^`/);
      else expect(initial, name).toBe(`\`${fallback}\``);
    }
  });

  test('states what it does and the threat beside it', () => {
    for (const [name, , purpose = '', threat = ''] of rows) {
      expect(purpose.length, name).toBeGreaterThan(10);
      expect(threat.length, name).toBeGreaterThan(10);
    }
  });
});
