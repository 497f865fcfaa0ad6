import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arbiter } from '../cli/run.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { goldenFile } from '../support/golden.js';

let folder: string;
beforeAll(() => {
  folder = temporaryDataFolder('arbiter-replay-');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const golden = goldenFile('1');
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
/** The golden ledger with one text for another in every line. */
const altered = (from: string, to: string): string =>
  file('altered.jsonl', readFileSync(golden, 'utf8').replaceAll(from, to));

const limits = (orderMax: string) => ({
  currencies: [{ currency: 'INR', order_max_minor: orderMax }],
  items_max: 20,
});

describe('arbiter replay', () => {
  it('0: the same, without a service', async () => {
    const { code, out, err } = await arbiter(['replay', golden]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^same: \d+ decisions of \d+ entries, 0 different$/m);
    expect(out).toContain(`node scripts/verify-ledger.mjs ${golden}`);
  });

  it('1: each difference by decision, entry and member', async () => {
    const path = altered(
      String.raw`\"order_max_minor\":\"5000000\"`,
      String.raw`\"order_max_minor\":\"1\"`,
    );
    const { code, out } = await arbiter(['replay', path]);
    expect(code).toBe(1);
    expect(out).toMatch(/^arbdec_[0-9a-f]{12}, entry \d+, ruleset 1:$/m);
    expect(out).toMatch(/^ {2}\/trace\/5\/failure: recorded null, judged \{/m);
    const json = JSON.parse((await arbiter(['replay', path, '--json'])).out) as object;
    expect(json).toMatchObject({ result: 'different', chain_verified: false });
  });

  it('1: a ruleset that this program does not have', async () => {
    const path = altered(String.raw`\"ruleset\":\"1\"`, String.raw`\"ruleset\":\"99\"`);
    const { code, out } = await arbiter(['replay', path]);
    expect(code).toBe(1);
    expect(out).toMatch(/^ruleset 99: \d+ decisions not judged/m);
  });

  it.each([
    ['nowhere', '/nowhere/export.jsonl', /cannot be read \(ENOENT\)/],
    [
      'no export',
      new URL('../../package.json', import.meta.url).pathname,
      /no oacp-commerce-ledger/,
    ],
  ])('2: %s', async (_name, path, said) => {
    const { code, err } = await arbiter(['replay', path]);
    expect(code).toBe(2);
    expect(err).toMatch(said);
  });
});

describe('arbiter backtest', () => {
  it('1: what lower limits refuse, with amounts', async () => {
    const candidate = file('candidate.json', JSON.stringify(limits('91799')));
    const { code, out } = await arbiter(['backtest', golden, '--limits', candidate]);
    expect(code).toBe(1);
    expect(out).toMatch(/^allow -> refuse: \d+, [\d.]+ INR$/m);
    const json = await arbiter(['backtest', golden, '--limits', candidate, '--json']);
    const report = JSON.parse(json.out) as { flips: { candidate: { reason: string } }[] };
    expect(report.flips[0]?.candidate.reason).toBe('order_amount_cap_exceeded');
  });

  it('2: a merchant without a decision in the file, with those that it has', async () => {
    const candidate = file('candidate.json', JSON.stringify(limits('91799')));
    const words = ['backtest', golden, '--limits', candidate, '--merchant'];
    const { code, out, err } = await arbiter([...words, 'chai-hose', '--json']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/--merchant chai-hose: .* Its merchants: .*\bchai-house\b.*\.$/m);
    for (const [, merchants = ''] of err.matchAll(/Its merchants: (.*)\.$/gm))
      for (const merchant of merchants.split(', '))
        expect((await arbiter([...words, merchant])).code).not.toBe(2);
  });

  it('2: a candidate that cannot be meant, by field and fix', async () => {
    const candidate = file('bad.json', JSON.stringify({ ...limits('0'), items_max: 0 }));
    const { code, err } = await arbiter(['backtest', golden, '--limits', candidate]);
    expect(code).toBe(2);
    expect(err).toMatch(/\/currencies\/0\/order_max_minor: .* minor units/);
  });
});

it('docs/replay.md shows what the commands print', async () => {
  const page = readFileSync(new URL('../../docs/replay.md', import.meta.url), 'utf8');
  const block = (language: string, place: number): string =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``, 'g'))][place]?.[1] ??
    '';
  const candidate = file('candidate.json', block('json', 0));
  for (const place of [0, 1]) {
    const [, ...words] = block('sh', place).replace('candidate.json', candidate).split(' ');
    const { out } = await arbiter(words);
    expect(out.trimEnd()).toBe(block('text', place));
  }
});
