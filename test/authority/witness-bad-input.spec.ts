import { afterAll, describe, expect, it } from 'vitest';
import {
  encodeBase64,
  formatNote,
  parseVkey,
  signatureLine,
  vkeyOf,
} from '../../src/core/chain/index.js';
import { describeWithOracle } from '../support/oracles.js';
import { openDesk } from './desk.js';
import { logKey, openLog, register, send, testLog } from './test-log.js';

const desk = await openDesk();
const log = await openLog(desk);
const SIZE = 6;
await send(desk, log.request(0, SIZE));
const before = await desk.entryCount(log.tenantId);
const count = async (): Promise<number> => desk.entryCount(log.tenantId);

afterAll(async () => {
  // Nothing of what stands below changed anything.
  expect(await count()).toBe(before);
  expect((await send(desk, log.request(SIZE, SIZE))).status).toBe(200);
  expect(await desk.differences(log.tenantId)).toEqual([]);
});

const good = log.request(SIZE, 8);
const note = log.note(8);
const hash = encodeBase64(Buffer.alloc(32, 7));
const edited = (from: string | RegExp, to: string): string => {
  const body = good.replace(from, to);
  if (body === good) throw new Error('the edit changes something');
  return body;
};
const signed = (text: string): string => `old ${SIZE}\n\n${formatNote(text, [log.key.line(text)])}`;

describe('what anybody sends wrong to the witness', () => {
  it.each<[string, string | Uint8Array, number]>([
    ['nothing', '', 400],
    ['a line feed', '\n', 400],
    ['blank lines', '\n\n\n\n', 400],
    ['JSON', '{"old":1}', 400],
    ['a page', '<html></html>', 400],
    ['bytes that are no text', Buffer.from([0x6f, 0x6c, 0x64, 0x20, 0xff, 0xfe, 0x0a, 0x0a]), 400],
    ['random bytes', Buffer.from(Array.from({ length: 999 }, (_, at) => (at * 89) % 256)), 400],
    ['NUL', edited('old', 'old\0'), 400],
    ['a byte order mark', `\ufeff${good}`, 400],
    ['CRLF', good.replaceAll('\n', '\r\n'), 400],
    ['CR at the end of one line', edited(`old ${SIZE}\n`, `old ${SIZE}\r\n`), 400],
    ['no old size', edited(/^old 6\n/, ''), 400],
    ['another word', edited('old', 'new'), 400],
    ['a capital', edited('old', 'Old'), 400],
    ['two spaces', edited('old ', 'old  '), 400],
    ['a sign', edited('old 6', 'old +6'), 400],
    ['a negative size', edited('old 6', 'old -6'), 400],
    ['a fraction', edited('old 6', 'old 6.0'), 400],
    ['an exponent', edited('old 6', 'old 6e0'), 400],
    ['hexadecimal', edited('old 6', 'old 0x6'), 400],
    ['other digits', edited('old 6', 'old ٦'), 400],
    ['a leading zero', edited('old 6', 'old 06'), 400],
    ['an old size beyond 64 bits', edited('old 6', 'old 18446744073709551616'), 400],
    ['an old size above the new one', edited('old 6', 'old 18446744073709551615'), 400],
    ['64 hashes', `old ${SIZE}\n${`${hash}\n`.repeat(64)}\n${note}`, 400],
    ['63 hashes', `old ${SIZE}\n${`${hash}\n`.repeat(63)}\n${note}`, 422],
    ['a hash of 31 bytes', `old ${SIZE}\n${encodeBase64(Buffer.alloc(31))}\n\n${note}`, 400],
    ['a hash of 33 bytes', `old ${SIZE}\n${encodeBase64(Buffer.alloc(33))}\n\n${note}`, 400],
    ['a hash without padding', `old ${SIZE}\n${hash.replace('=', '')}\n\n${note}`, 400],
    ['a hash with loose bits', `old ${SIZE}\n${hash.replace(/.=$/, 'd=')}\n\n${note}`, 400],
    ['a hash for addresses', `old ${SIZE}\n${`${'-_'.repeat(21)}-`}=\n\n${note}`, 400],
    ['a hash with a space', `old ${SIZE}\n${hash} \n\n${note}`, 400],
    ['no note', `old ${SIZE}\n\n`, 400],
    ['a note without signatures', `old ${SIZE}\n\n${log.text(8)}`, 400],
    ['a note without its last line feed', good.slice(0, -1), 400],
    ['a note with an empty line behind', `${good}\n`, 400],
    ['a note with text behind', `${good}more\n`, 400],
    ['a hyphen for the dash', edited('\u2014', '-'), 400],
    ['101 signatures', `${good}${`${log.key.line(log.text(8))}\n`.repeat(100)}`, 400],
    ['no origin', signed(`\n8\n${hash}\n`), 400],
    ['no size', signed(`${log.origin}\n${hash}\n`), 400],
    ['no root', signed(`${log.origin}\n8\n`), 400],
    ['a size with a leading zero', signed(`${log.origin}\n08\n${hash}\n`), 400],
    ['a negative size of the tree', signed(`${log.origin}\n-8\n${hash}\n`), 400],
    ['a size beyond 64 bits', signed(`${log.origin}\n18446744073709551616\n${hash}\n`), 400],
    ['a size that no tree here has', signed(`${log.origin}\n9007199254740992\n${hash}\n`), 400],
    ['the largest size, unproven', signed(`${log.origin}\n9007199254740991\n${hash}\n`), 422],
    ['a root of 31 bytes', signed(`${log.origin}\n8\n${encodeBase64(Buffer.alloc(31))}\n`), 400],
    ['an empty extension', signed(`${log.origin}\n8\n${hash}\n\nx\n`), 400],
    ['a tab in an extension', signed(`${log.origin}\n8\n${hash}\n\tx\n`), 400],
    ['another origin', good.replaceAll(log.origin, `${log.origin}x`), 404],
    ['the origin in capitals', good.replaceAll(log.origin, log.origin.toUpperCase()), 404],
    ['a space behind the origin', signed(`${log.origin} \n8\n${hash}\n`), 404],
    [
      'the key of nobody',
      `old ${SIZE}\n\n${formatNote(log.text(8), [logKey(log.origin).line(log.text(8))])}`,
      403,
    ],
    [
      'the key of another name',
      `old ${SIZE}\n\n${formatNote(log.text(8), [logKey('x').line(log.text(8))])}`,
      403,
    ],
    [
      'the signature of another text',
      `old ${SIZE}\n\n${formatNote(log.text(8), [log.key.line(log.text(7))])}`,
      403,
    ],
    ['a good line beside a bad one of the same key', `${good}${log.key.line(log.text(7))}\n`, 403],
    [
      'a signature of 63 bytes',
      `old ${SIZE}\n\n${formatNote(log.text(8), [signatureLine(log.origin, log.key.vkey.keyId, Buffer.alloc(63))])}`,
      403,
    ],
    [
      'a signature of zeros',
      `old ${SIZE}\n\n${formatNote(log.text(8), [signatureLine(log.origin, log.key.vkey.keyId, Buffer.alloc(64))])}`,
      403,
    ],
    ['no proof', `old ${SIZE}\n\n${note}`, 422],
    ['a proof of another size', `old ${SIZE}\n${hash}\n\n${note}`, 422],
    ['a longer proof', edited('\n\n', `\n${hash}\n\n`), 422],
    ['a size of 2^53 as the old one', edited('old 6', 'old 9007199254740992'), 400],
  ])('%s', async (_name, body, status) => {
    const answer = await send(desk, body);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('"code"')]);
    expect(answer.type).toMatch(/^application\/problem\+json/);
  });

  it('64 KiB and more', async () => {
    const large = await send(desk, `${good}${'x'.repeat(64 * 1024)}`);
    expect(large.status).toBe(413);
    const hashes = await send(desk, `old ${SIZE}\n${`${hash}\n`.repeat(1_400)}\n${note}`);
    expect(hashes.status).toBe(400);
  });

  it('as another type: lines are read as text, as bytes, or without a type', async () => {
    const stale = log.request(2, 3);
    for (const type of ['text/plain', 'text/plain; charset=utf-8', 'application/octet-stream']) {
      expect((await send(desk, stale, { 'content-type': type })).status).toBe(409);
    }
    // A view of bytes gets no type from fetch.
    expect((await send(desk, stale, {})).status).toBe(409);
    for (const type of ['text/csv', 'application/x-www-form-urlencoded', 'text/html', 'x/y'])
      expect((await send(desk, stale, { 'content-type': type })).status).toBe(415);
    expect((await send(desk, stale, { 'content-type': 'text/plain; charset=latin1' })).status).toBe(
      415,
    );
    expect((await send(desk, stale, { 'content-type': 'application/json' })).status).toBe(400);
    expect((await send(desk, '{}', { 'content-type': 'application/json' })).status).toBe(415);
  });

  it('by another method, or below another path', async () => {
    expect((await desk.call('GET', '/witness/add-checkpoint', undefined, null)).status).toBe(405);
    expect((await desk.call('POST', '/witness/add-checkpoint/x', '{}', null)).status).toBe(404);
    for (const odd of ['%00', 'A'.repeat(64), 'x'.repeat(300), '..', '%2e%2e', '0'.repeat(63)]) {
      const answer = await desk.call('GET', `/witness/${odd}/checkpoint`, undefined, null);
      expect([400, 404]).toContain(answer.status);
    }
  });
});

describe('logs that nobody may register', () => {
  const key = log.key.vkey.text;
  const other = logKey('other').vkey.text;
  const cosigner = vkeyOf('cosignature', 'other', logKey('other').publicKey).text;
  it.each<[string, object, string]>([
    ['no origin', { origin: '' }, '/origin'],
    ['two lines', { origin: 'a\nb' }, '/origin'],
    ['a carriage return', { origin: 'a\rb' }, '/origin'],
    ['a tab', { origin: 'a\tb' }, '/origin'],
    ['half a character', { origin: 'a\ud800' }, '/origin'],
    ['NUL', { origin: 'a\0' }, '/origin'],
    ['a long origin', { origin: 'x'.repeat(256) }, '/origin'],
    ['a number', { origin: 7 }, '/origin'],
    ['no keys', { vkeys: [] }, '/vkeys'],
    [
      '17 keys',
      { vkeys: Array.from({ length: 17 }, (_, at) => logKey(`k${at}`).vkey.text) },
      '/vkeys',
    ],
    ['one key twice', { vkeys: [other, other] }, '/vkeys'],
    ['a text', { vkeys: ['x'] }, '/vkeys/0'],
    ['an empty text', { vkeys: [other, ''] }, '/vkeys/1'],
    [
      'a key under another name',
      { vkeys: [key.replace('log.example', 'log.example.x')] },
      '/vkeys/0',
    ],
    [
      'a key with another id',
      { vkeys: [other.replace(/\+[0-9a-f]{8}\+/, '+00000000+')] },
      '/vkeys/0',
    ],
    ['a key of a cosigner', { vkeys: [cosigner] }, '/vkeys/0'],
    ['a long key', { vkeys: [`${other}${'A'.repeat(600)}`] }, '/vkeys/0'],
    ['a member nobody knows', { name: 'x' }, '/name'],
  ])('%s', async (_name, edit, field) => {
    const body = { origin: testLog().origin, vkeys: [other], ...edit };
    const answer = await desk.call('PUT', `/v1/tenants/${log.tenantId}/log`, body);
    expect(answer).toMatchObject({ status: 400, body: { field } });
  });

  it('an origin in any letters is taken, each spelling for itself', async () => {
    // The same word, composed and decomposed.
    for (const origin of ['журнал.example/日誌 🧾', 'caf\u00e9.example', 'cafe\u0301.example']) {
      const tenantId = await desk.tenant();
      const own = testLog({ origin: `${origin} ${tenantId}`, key: logKey(`log-${tenantId}`) });
      const vkeys = [own.key.vkey.text];
      expect((await register(desk, tenantId, { origin: own.origin, vkeys })).status).toBe(200);
      expect((await send(desk, own.request(0, 3))).status).toBe(200);
      const path = `/witness/${own.originSha256}/checkpoint`;
      expect((await desk.call('GET', path, undefined, null)).text).toContain(`${own.origin}\n3\n`);
      expect(await desk.differences(tenantId)).toEqual([]);
    }
  });
});

describeWithOracle<{ encodings: readonly { hex: string }[] }>(
  'trust/ed25519-small-order.json',
  'keys of small order',
  (oracle) => {
    it.each(oracle.encodings)('$hex signs for no log', async ({ hex }) => {
      const { text } = vkeyOf('ed25519', 'small', Buffer.from(hex, 'hex'));
      expect(parseVkey(text).ok).toBe(false);
      const body = { origin: testLog().origin, vkeys: [text] };
      expect(await desk.call('PUT', `/v1/tenants/${log.tenantId}/log`, body)).toMatchObject({
        status: 400,
        body: { field: '/vkeys/0' },
      });
    });
  },
);
