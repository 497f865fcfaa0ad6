import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { configFor, testKey } from '../../../test/httpsig/signed-requests.js';
import { contextOf, judge, KeysInMemory } from '../../../test/httpsig/verifier.js';
import { type HeaderLine, type HttpRequestMessage } from '../../core/httpsig/index.js';
import { EXIT } from '../exit-codes.js';
import { runCommandLine } from '../program.js';

const folder = mkdtempSync(join(tmpdir(), 'sign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = testKey();
const keyFile = join(folder, 'key.jwk');
writeFileSync(keyFile, JSON.stringify(key.privateKey.export({ format: 'jwk' })));
const bodyFile = join(folder, 'body.json');
writeFileSync(bodyFile, '{"x":1}');

async function run(...words: readonly string[]) {
  const shown: string[] = [];
  const noted: string[] = [];
  const exit = await runCommandLine(['sign', ...words], {
    version: '0',
    isWatched: false,
    out: (text) => shown.push(text),
    note: (text) => noted.push(text),
    writeError: () => undefined,
    settings: { url: null, apiKey: null, keyFile: null },
  });
  return { exit, out: shown.join('\n'), note: noted.join('\n') };
}

const linesOf = (out: string): readonly HeaderLine[] =>
  out.split('\n').map((line): HeaderLine => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });

function verdictOf(request: Partial<HttpRequestMessage>, lines: readonly HeaderLine[]) {
  const config = configFor(key);
  const message: HttpRequestMessage = {
    kind: 'request',
    method: 'GET',
    scheme: 'https',
    authority: 'shop.example',
    target: '/',
    body: null,
    ...request,
    headers: [...(request.headers ?? []), ...lines],
  };
  const context = contextOf(config, Math.floor(Date.now() / 1_000), { routeKind: 'a2a' });
  return judge(message, context, { keys: new KeysInMemory(config) });
}

const WBA = [
  '--signing-key',
  keyFile,
  '--profile',
  'web-bot-auth',
  '--agent-url',
  'https://agent.example',
];

describe('arbiter sign', () => {
  it('shows header lines that verify, for the path as it is written', async () => {
    const { exit, out } = await run("https://shop.example/a'b/../c?x=it's#f", ...WBA);
    expect(exit).toBe(EXIT.done);
    expect(verdictOf({ target: "/a'b/../c?x=it's" }, linesOf(out))).toMatchObject({
      status: 'verified',
      coverage: 'full',
      agent: 'https://agent.example',
    });
  });

  it('signs a body, headers and a payment', async () => {
    const { exit, out } = await run(
      'https://shop.example',
      ...['--signing-key', keyFile, '--profile', 'tap-pay', '--method', 'POST', '--data', bodyFile],
      ...[
        '--header',
        'Content-Type: application/json',
        '--header',
        'X-Other:1',
        '--nonce',
        'nonce-of-cli',
      ],
    );
    expect(exit).toBe(EXIT.done);
    expect(out).toContain('nonce="nonce-of-cli"');
    const headers: readonly HeaderLine[] = [['Content-Type', 'application/json']];
    const request = { method: 'POST', body: Buffer.from('{"x":1}'), headers };
    expect(verdictOf(request, linesOf(out))).toMatchObject({
      status: 'verified',
      tag: 'agent-payer-auth',
    });
    expect(out).toContain('"content-type" "content-digest"');
  });

  it('shows the base on standard error, or both as JSON', async () => {
    const { out, note } = await run('https://shop.example/x', ...WBA, '--base');
    expect(note).toMatch(/^"@method": GET\n"@authority": shop.example\n"@path": \/x\n/);
    expect(out).not.toContain('@signature-params');
    const json = await run(
      'https://shop.example/x',
      ...WBA,
      '--json',
      '--label',
      'a',
      '--window',
      '60',
    );
    const document = JSON.parse(json.out) as { headers: Record<string, string>; base: string };
    expect(document.headers['Signature-Input']).toMatch(/^a=/);
    expect(document.base).toContain('"signature-agent";key="a"');
  });

  it.each([
    ['no key', ['https://shop.example/', '--profile', 'tap-pay'], /signing-key/],
    [
      'a profile that is not known',
      ['https://shop.example/', '--signing-key', keyFile, '--profile', 'x'],
      /tap-browse/,
    ],
    [
      'a file that is not there',
      ['https://shop.example/', '--signing-key', join(folder, 'no'), '--profile', 'tap-pay'],
      /cannot be read/,
    ],
    [
      'a body that is not there',
      ['https://shop.example/', ...WBA, '--data', join(folder, 'no')],
      /cannot be read/,
    ],
    [
      'no agent',
      ['https://shop.example/', '--signing-key', keyFile, '--profile', 'web-bot-auth'],
      /agentUrl/,
    ],
    ['no URL', ['shop.example', ...WBA], /absolute/],
    ['no header line', ['https://shop.example/', ...WBA, '--header', 'x'], /Name: value/],
    [
      'a line break in a header',
      ['https://shop.example/', ...WBA, '--header', 'a: b\nc: d'],
      /Name: value/,
    ],
    ['no window', ['https://shop.example/', ...WBA, '--window', '0'], /window/],
  ])('with %s says what to give', async (_name, words, message) => {
    const { exit, out, note } = await run(...words);
    expect(exit).toBe(EXIT.usage);
    expect(note).toMatch(message);
    expect(out).toBe('');
  });

  it('never shows the private key', async () => {
    const { out, note } = await run('https://shop.example/x', ...WBA, '--base');
    const { d } = key.privateKey.export({ format: 'jwk' });
    expect(`${out}${note}`).not.toContain(String(d));
  });
});
