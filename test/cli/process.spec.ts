import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDataFolder } from '../support/data-folder.js';
import { startTestService, type TestService } from '../support/service.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { arbiter } from './run.js';

let service: TestService;
let shop: Shop;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  shop = await openShop(service);
  folder = temporaryDataFolder('arbiter-cli-');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = 'ak_test_12345678';
/** Nobody listens there: what is refused before anything is sent does not notice. */
const nowhere = { ARBITER_URL: 'http://127.0.0.1:1', ARBITER_API_KEY: key };

const keyFile = (name: string, text: string, mode: number): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

describe('2: what cannot be run as it is given names the field', () => {
  it.each<readonly [readonly string[], string]>([
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['tenants', 'show', '--frob'], "unknown option '--frob'"],
    [['tenants', 'create', '--name', 'a'], '--world'],
    [['tenants', 'create', '--world', 'moon', '--name', 'a'], '--world'],
    [['tenants', 'create', '--world', 'test', '--name', ''], '--name'],
    [['keys', 'create', '--name', 'a', '--role', 'king'], '--role'],
    [['keys', 'create', '--name', 'a', '--role', 'agent', '--expires', 'soon'], '--expires'],
    [['keys', 'list', '--limit', '1000'], '--limit'],
    [['keys', 'revoke', '../api-keys'], "'key'"],
    [['keys', 'revoke'], "'key'"],
    [['keys', 'signing', 'rotate', 'love'], "'purpose'"],
    [['limits', 'show', '..'], "'merchant'"],
    [['limits', 'show', 'shop', '0'], "'version'"],
    [['limits', 'set', 'shop', '--order-max', '20.999 INR', '--items-max', '1'], '--order-max'],
    [['limits', 'set', 'shop', '--items-max', '1'], '--order-max is missing'],
    [['limits', 'set', 'shop', '--file', '/nowhere/limits.json'], '--file'],
    [['limits', 'diff', 'shop'], '--from'],
    [['decisions', 'show', 'arbdec_XYZ'], "'decision'"],
    [['decisions', 'search', '--outcome', 'maybe'], '--outcome'],
    [['decisions', 'search', '--failing-rule', 'no_rule'], '--failing-rule'],
    [['decisions', 'search', '--from', '2026-02-30T00:00:00Z'], '--from'],
    [['decisions', 'ask', '/nowhere/cart.json'], '/nowhere/cart.json'],
    [['allow', 'consume', 'arbdec_000000000000'], '--order'],
    [['allow', 'consume', 'arbdec_000000000000', '--order', 'o', '--provider', 'me'], '--provider'],
    [['allow', 'consume', 'arbdec_000000000000', '--order', 'o', '--cart', '/nowhere'], '--cart'],
    [['payments', 'show', 'pay_'], "'payment'"],
    [['payments', 'list', '--state', 'lost'], '--state'],
    [['refund', 'ask', 'shop', '--order', 'o', '--amount', '20,99 INR'], '--amount'],
    [['refund', 'show', 'pay_1'], "'refund'"],
    [['clock', 'move'], '--to'],
    [['clock', 'move', '--by', '5 minutes'], '--by'],
    [['clock', 'move', '--to', '2026-12-01T00:00:00Z', '--by', '1d'], '--to'],
    [['ledger', 'sealing', 'maybe'], "'on|off|rotate'"],
    [['tenants', 'show', '--timeout', '0'], '--timeout'],
    [['tenants', 'show', '--url', 'ftp://x'], '--url'],
    [['tenants', 'show', '--key', key, '--key-file', 'x'], '--key-file'],
    [['tenants', 'show', '--key-file', '/nowhere/key'], '--key-file'],
    [['ledger', 'sealing', 'on', '--idempotency-key', 'a b'], '--idempotency-key'],
    [[], 'Usage: arbiter'],
    [['decisions'], 'Usage: arbiter decisions'],
  ])('%j', async (words, named) => {
    const ended = await arbiter(words, { environment: nowhere });
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(named);
    expect(ended.err).not.toContain('    at ');
    expect(ended.err).not.toContain(key);
  });

  it('a wrong value is repeated short and without what moves a cursor', async () => {
    const words = ['decisions', 'search', '--flow', `\u001b[2J${'x'.repeat(5_000)}`];
    const { code, err } = await arbiter(words, { environment: nowhere });
    expect(code).toBe(2);
    expect(err.length).toBeLessThan(1_200);
    expect(err).not.toContain('\u001b');
  });

  it('no key at all', async () => {
    const ended = await arbiter(['tenants', 'show']);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('ARBITER_KEY_FILE');
  });
});

describe('0: help and version', () => {
  it.each([[['--help']], [['limits', 'set', '--help']], [['--version']]])('%j', async (words) => {
    const { code, out, err } = await arbiter(words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).not.toBe('');
  });
});

describe('4: no answer of the service', () => {
  it('nobody listens: standard output stays empty, --json or not', async () => {
    const closed = createServer();
    await new Promise<void>((ready) => closed.listen(0, '127.0.0.1', ready));
    const { port } = closed.address() as AddressInfo;
    await new Promise((ended) => closed.close(ended));
    const environment = { ...nowhere, ARBITER_URL: `http://127.0.0.1:${port}` };
    for (const words of [
      ['ledger', 'head'],
      ['ledger', 'head', '--json'],
    ]) {
      const ended = await arbiter(words, { environment });
      expect(ended).toMatchObject({ code: 4, out: '' });
      expect(ended.err).toMatch(/^http:\/\/127\.0\.0\.1:\d+ gives no answer \(.*ECONNREFUSED/);
      expect(ended.err.trim().split('\n')).toHaveLength(1);
    }
  });

  it('somebody else listens; what may have been done can be asked for again', async () => {
    const keys: unknown[] = [];
    const other = createServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad\u001b[2J</h1>');
    });
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
    const { port } = other.address() as AddressInfo;
    const environment = { ARBITER_URL: `http://127.0.0.1:${port}`, ARBITER_API_KEY: key };
    const { code, out, err } = await arbiter(['ledger', 'sealing', 'on'], { environment });
    other.close();
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain('does not answer as the arbiter');
    expect(err).toContain(`--idempotency-key ${String(keys[0])} `);
    expect(err).not.toContain('\u001b');
  });
});

describe('keys', () => {
  const show = (
    words: readonly string[],
    options: { environment?: Record<string, string>; input?: string } = {},
  ) =>
    arbiter(['tenants', 'show', ...words], {
      ...options,
      environment: { ARBITER_URL: service.baseUrl, ...options.environment },
    });

  it('from a file, by option or environment, with space around it', async () => {
    const path = keyFile('own.key', `\n${shop.apiKeys.auditor}\n`, 0o600);
    expect(await show(['--key-file', path])).toMatchObject({ code: 0, err: '' });
    const environment = { ARBITER_KEY_FILE: path };
    expect(await show([], { environment })).toMatchObject({ code: 0, err: '' });
  });

  it('from standard input', async () => {
    const ended = await show(['--key-file', '-'], { input: `${shop.apiKeys.auditor}\n` });
    expect(ended).toMatchObject({ code: 0, err: '' });
  });

  it('a file that others can read is used, with a warning', async () => {
    const path = keyFile('shared.key', shop.apiKeys.auditor, 0o644);
    const { code, err } = await show(['--key-file', path]);
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: .*shared\.key can be read by other users .*chmod 0600/);
  });

  it.each([
    ['an empty one', ''],
    ['two lines', `${key}\n${key}`],
    ['too long', 'a'.repeat(5_000)],
  ])('2: a file with %s', async (_what, text) => {
    const ended = await show(['--key-file', keyFile('wrong.key', text, 0o600)]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).not.toContain(key);
  });

  it('3: a problem in words: what, how to mend it, and for whom to ask in the log', async () => {
    const ended = await show(['--key', shop.apiKeys.agent]);
    expect(ended).toMatchObject({ code: 3, out: '' });
    expect(ended.err).toMatch(/^403 forbidden: [^\n]+\nfix: [^\n]+\nrequest: \S+\n$/);
  });

  it('3: a key that is not valid', async () => {
    const ended = await show(['--key', key]);
    expect(ended).toMatchObject({ code: 3, out: '' });
    expect(ended.err).toMatch(/^401 unauthenticated: /);
    expect(ended.err).not.toContain(key);
  });
});
