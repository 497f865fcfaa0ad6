import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stamped, upgraded } from '../../src/cli/timestamps.js';
import { arbiter, type Ended } from '../cli/run.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { type Misbehaviour, startCalendar, type TestCalendar } from './calendar.js';

let folder: string;
let one: TestCalendar;
let other: TestCalendar;

beforeAll(async () => {
  folder = temporaryDataFolder('arbiter-timestamps-');
  [one, other] = await Promise.all([startCalendar(), startCalendar()]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  one.misbehave = null;
  other.misbehave = null;
});

let count = 0;
/** A head file as `arbiter ledger head` prints it, more or less. */
function headFile(text = `{"seq":${(count += 1)},"link":"ab"}\n`): string {
  const path = join(folder, `head-${(count += 1)}.json`);
  writeFileSync(path, text);
  return path;
}

const timestamp = (...words: readonly string[]): Promise<Ended> => arbiter(['timestamp', ...words]);
const stamp = (file: string, ...calendars: readonly TestCalendar[]): Promise<Ended> =>
  timestamp('stamp', file, ...calendars.flatMap(({ url }) => ['--calendar', url]));
const allowed = (...calendars: readonly TestCalendar[]) =>
  calendars.flatMap(({ url }) => ['--calendar', url]);

function headers(...lines: readonly string[]): string {
  const path = join(folder, `headers-${(count += 1)}`);
  writeFileSync(path, `# from our node\n${lines.join('\n')}\n`);
  return path;
}

describe('arbiter timestamp', () => {
  it('stamps at several calendars, upgrades when a block holds it, and verifies offline', async () => {
    const file = headFile();
    const sealed = await stamp(file, one, other);
    expect(sealed).toMatchObject({ code: 0, err: '' });
    expect(sealed.out).toContain(`${file}.ots is written`);

    const early = await timestamp('verify', file);
    expect(early.code).toBe(0);
    expect(early.out).toMatch(/^pending: the proof is of this file/);
    expect(early.out).toContain(`pending at ${one.url}`);
    expect(early.out).toContain(`pending at ${other.url}`);

    const tooEarly = await timestamp('upgrade', `${file}.ots`, ...allowed(one, other));
    expect(tooEarly).toMatchObject({ code: 1, err: '' });
    expect(tooEarly.out).toContain('not yet');

    const block = one.confirm(965_447);
    const grown = await timestamp('upgrade', `${file}.ots`, ...allowed(one, other));
    expect(grown.code).toBe(0);
    expect(grown.out).toContain(`${one.url}: added`);
    expect(grown.out).toContain(`${other.url}: not yet`);

    const attested = await timestamp('verify', file);
    expect(attested.code).toBe(0);
    expect(attested.out).toMatch(/^attested: block height 965447, not compared with the chain/);

    const known = headers(block);
    const confirmed = await timestamp('verify', file, '--bitcoin-headers', known);
    expect(confirmed.code).toBe(0);
    expect(confirmed.out).toMatch(
      /^confirmed: the file was there before block 965447 of 2026-11-30T00:53:20\.000Z/,
    );
    const json = await arbiter(['--json', 'timestamp', 'verify', file, '--bitcoin-headers', known]);
    expect(JSON.parse(json.out)).toMatchObject({
      result: 'confirmed',
      file_sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
      height: 965_447,
      block_time: '2026-11-30T00:53:20.000Z',
    });

    // What holds a block is not asked again: only the other calendar is.
    one.asked.length = 0;
    expect((await timestamp('upgrade', `${file}.ots`, ...allowed(one, other))).code).toBe(0);
    expect(one.asked).toEqual([]);
  });

  it('tells a calendar nothing but a digest behind a nonce', async () => {
    const file = headFile();
    one.asked.length = 0;
    await stamp(file, one);
    expect(one.asked).toEqual(['POST /digest']);
    const again = join(folder, 'same.json');
    writeFileSync(again, readFileSync(file));
    await stamp(again, one);
    expect(readFileSync(`${again}.ots`).equals(readFileSync(`${file}.ots`))).toBe(false);
  });

  it('another file is a mismatch, whatever the proof is worth', async () => {
    const file = headFile();
    await stamp(file, one);
    const changed = headFile('changed\n');
    const ended = await timestamp('verify', changed, `${file}.ots`);
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/^file_mismatch: /);
  });

  it('a header that holds something else is a mismatch of the block, not of the file', async () => {
    const file = headFile();
    await stamp(file, one);
    one.confirm(965_448);
    await timestamp('upgrade', `${file}.ots`, ...allowed(one));
    const wrong = headers(`965448 ${'00'.repeat(80)}`);
    const ended = await timestamp('verify', file, '--bitcoin-headers', wrong);
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/^block_mismatch: the proof is of this file/);
    const others = headers(`1 ${'00'.repeat(80)}`);
    const unknown = await timestamp('verify', file, '--bitcoin-headers', others);
    expect(unknown.code).toBe(0);
    expect(unknown.out).toMatch(/^attested: /);
  });

  it('never writes over a proof', async () => {
    const file = headFile();
    await stamp(file, one);
    const before = readFileSync(`${file}.ots`);
    one.asked.length = 0;
    expect(await stamp(file, one)).toMatchObject({ code: 2, out: '' });
    expect(one.asked).toEqual([]);
    expect(readFileSync(`${file}.ots`).equals(before)).toBe(true);
  });

  it('asks no calendar that a proof names but nobody allowed', async () => {
    const file = headFile();
    await stamp(file, one);
    one.asked.length = 0;
    const ended = await timestamp('upgrade', `${file}.ots`);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain(`give --calendar ${one.url}`);
    expect(one.asked).toEqual([]);
  });

  it('a calendar that is away costs its own stamp only', async () => {
    other.misbehave = 'failing';
    const [alone, file, both] = [headFile(), headFile(), headFile()];
    const refused = await stamp(alone, other);
    expect(refused).toMatchObject({ code: 4, out: '' });
    expect(refused.err).toContain('nothing was written');
    expect(existsSync(`${alone}.ots`)).toBe(false);

    const ended = await stamp(file, one, other);
    expect(ended.code).toBe(0);
    expect(ended.out).toContain(`${other.url}: away, it answers 500`);
    const few = await timestamp('stamp', both, '--at-least', '2', ...allowed(one, other));
    expect(few.code).toBe(4);
    expect(existsSync(`${both}.ots`)).toBe(false);

    one.misbehave = 'failing';
    const before = readFileSync(`${file}.ots`);
    expect((await timestamp('upgrade', `${file}.ots`, ...allowed(one))).code).toBe(4);
    expect(readFileSync(`${file}.ots`).equals(before)).toBe(true);
  });

  it.each<readonly [Misbehaviour, string]>([
    ['silent', 'no answer within 0.5 s'],
    ['garbage', 'no timestamp'],
    ['huge', 'longer than 10000 bytes'],
    ['endless', 'longer than 10000 bytes'],
    ['failing', 'answers 500'],
    ['cut', 'cannot be reached'],
    ['elsewhere', 'cannot be reached'],
  ])('a calendar that is %s adds nothing and takes nothing away', async (misbehave, why) => {
    const digest = createHash('sha256').update(misbehave).digest();
    const { proof } = await stamped(digest, [one.url], 5_000);
    if (proof === null) throw new Error('no proof');
    one.misbehave = misbehave;
    const refused = await stamped(digest, [one.url], 500);
    expect(refused.proof).toBeNull();
    expect(refused.reports[0]?.detail).toContain(why);
    const asked = await upgraded(proof, () => true, 500);
    expect(asked.proof).toBe(proof);
    expect(asked.reports[0]).toMatchObject({ outcome: 'away' });
    expect(asked.reports[0]?.detail).toContain(why);
  });

  it('what a calendar says about another commitment is found against the chain, and hides no other proof', async () => {
    const file = headFile();
    await stamp(file, one, other);
    const block = one.confirm(300);
    other.misbehave = 'other_commitment';
    await timestamp('upgrade', `${file}.ots`, ...allowed(one, other));
    const lie = `7 ${'00'.repeat(80)}`;
    const alone = await timestamp('verify', file, '--bitcoin-headers', headers(lie));
    expect([alone.code, alone.out.slice(0, 14)]).toEqual([1, 'block_mismatch']);
    const both = await timestamp('verify', file, '--bitcoin-headers', headers(lie, block));
    expect(both.code).toBe(0);
    expect(both.out).toMatch(/^confirmed: .* block 300 /);
    expect(both.out).toContain('block height 7: contradicted');
  });

  it.each<readonly [readonly string[], string]>([
    [['stamp', '/nowhere/head', '--calendar', 'http://127.0.0.1:1'], '/nowhere/head'],
    [['stamp', 'x'], '--calendar'],
    [['stamp', 'x', '--calendar', 'ftp://a'], '--calendar'],
    [['stamp', 'x', '--calendar', 'https://u:p@a.example'], '--calendar'],
    [['stamp', 'x', '--calendar', 'https://a.example/?q'], '--calendar'],
    [['upgrade', '/nowhere/head.ots'], '/nowhere/head.ots'],
    [['verify', '/nowhere/head'], '/nowhere/head'],
    [['info', '/dev/null'], 'no readable proof'],
    [['frobnicate'], 'frobnicate'],
  ])('2: %j', async (words, named) => {
    const ended = await timestamp(...words);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(named);
    expect(ended.err).not.toContain('    at ');
  });

  it('2: a torn proof and headers that are none', async () => {
    const file = headFile();
    await stamp(file, one);
    const torn = join(folder, 'torn.ots');
    writeFileSync(torn, readFileSync(`${file}.ots`).subarray(0, -3));
    expect((await timestamp('verify', file, torn)).code).toBe(2);
    const none = headers('965447');
    expect((await timestamp('verify', file, '--bitcoin-headers', none)).code).toBe(2);
  });
});

describe('the reference client', () => {
  /** In a folder of its own; null = why it cannot be had. */
  function referenceClient(): { readonly ots: string } | { readonly missing: string } {
    const venv = join(folder, 'venv');
    for (const [program, ...words] of [
      ['python3', '-m', 'venv', venv],
      [join(venv, 'bin', 'pip'), 'install', '--quiet', 'opentimestamps-client==0.7.2'],
    ] as const) {
      const { status, stderr, error } = spawnSync(program, words, {
        encoding: 'utf8',
        timeout: 90_000,
      });
      if (status !== 0)
        return { missing: error?.message ?? stderr.trim().split('\n').at(-1) ?? '' };
    }
    return { ots: join(venv, 'bin', 'ots') };
  }

  it('reads the same in a pending and in a confirmed proof', async ({ skip }) => {
    const client = referenceClient();
    if ('missing' in client) {
      console.warn(`OPENTIMESTAMPS CLIENT MISSING: ots info DID NOT RUN (${client.missing}).`);
      return skip();
    }
    const file = headFile();
    await stamp(file, one, other);
    const compare = async (): Promise<string> => {
      const theirs = spawnSync(client.ots, ['info', `${file}.ots`], { encoding: 'utf8' });
      expect(theirs.status).toBe(0);
      const ours = await timestamp('info', `${file}.ots`);
      const spelled = ours.out
        .replace(/pending at (\S+)/g, "verify PendingAttestation('$1')")
        .replace(/Bitcoin block (\d+)/g, 'verify BitcoinBlockHeaderAttestation($1)')
        .replace(/# merkle root/g, '# Bitcoin block merkle root');
      const told = theirs.stdout
        .split('\n')
        .filter((line) => !/^\s*[#*] Transaction id/.test(line));
      expect(spelled.trim()).toBe(told.join('\n').trim());
      return ours.out;
    };
    expect(await compare()).toContain('pending at');
    one.confirm(965_487);
    other.confirm(965_488);
    await timestamp('upgrade', `${file}.ots`, ...allowed(one, other));
    const confirmed = await compare();
    expect(confirmed).toContain('Bitcoin block 965487');
    expect(confirmed).toContain('Bitcoin block 965488');
  });
});
