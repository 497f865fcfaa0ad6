import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  type ChainEntry,
  deriveLedgerKey,
  entryBodyText,
  entryLink,
  entryMac,
  ExportDigest,
  exportDocumentEnd,
  exportDocumentStart,
  type ExportHeader,
  exportHeaderLine,
  exportRowLine,
  exportTrailerLine,
  ExportVerifier,
  GENESIS_PREV,
  judgeRun,
  NO_OPTIONS,
  runStartOf,
  type VerifierAnswer,
  type VerifierOptions,
} from './index.js';

const TENANT = 'tnt_export';
const KEY = deriveLedgerKey(new Uint8Array(32).fill(3), TENANT, 'k1');
const LAST = 40;

const bodyOf = (seq: number, id = `ent_${seq}`): string =>
  entryBodyText({
    id,
    type: seq === 0 ? 'ledger.opened' : 'toy.happened',
    atMs: seq,
    actor: { role: 'system', id: 'test' },
    requestId: `req_${seq}`,
    data: seq === 0 ? { sealing: { on: true, kid: 'k1' } } : { note: 'caf\u00e9 "\\" \u20b9', seq },
  });

/** Rows as an honest writer seals them, from these bodies. */
function sealed(bodies: readonly string[], kid = 'k1'): ChainEntry[] {
  let prev = GENESIS_PREV;
  return bodies.map((body, seq) => {
    const place = { tenantId: TENANT, seq, kid, prev, body };
    const mac = entryMac(KEY, place);
    const link = entryLink(place, mac);
    const row = { seq, body, kid, prev, mac, link };
    prev = link;
    return row;
  });
}

const BODIES = Array.from({ length: LAST + 1 }, (_, seq) => bodyOf(seq));
const ROWS = sealed(BODIES);

/** The lines of an export of these rows that says of itself what is true. */
function linesOf(rows: readonly ChainEntry[], change: Partial<ExportHeader> = {}): string[] {
  const head = { seq: rows.at(-1)?.seq ?? 0, hash: rows.at(-1)?.link ?? null };
  const counts = { sealed: rows.length, unsealed: 0 };
  const header: ExportHeader = {
    tenantId: TENANT,
    exportedAt: '2026-11-30T10:00:00.000Z',
    sealing: { enabled: true, sinceSeq: 0, kids: ['k1'] },
    head,
    counts,
    origin: null,
    logKey: null,
    selfWitnesses: [],
    ...change,
  };
  const digest = new ExportDigest();
  digest.add(exportHeaderLine(header));
  return [
    exportHeaderLine(header),
    ...rows.map(exportRowLine),
    exportTrailerLine({ head, counts, digest: digest.hex() }),
  ];
}

function judge(lines: readonly (string | Buffer)[], options: Partial<VerifierOptions> = {}) {
  const verifier = new ExportVerifier({ ...NO_OPTIONS, ...options });
  for (const line of lines) {
    const bytes = Buffer.from(line as string);
    if (!verifier.line(bytes, 0, bytes.length)) break;
  }
  return verifier.end();
}

const foundBy = (answer: VerifierAnswer) =>
  answer.result === 'verified' || answer.result === 'broken' ? answer.found : answer.result;

const HONEST = linesOf(ROWS);
const changed = (seq: number, change: Partial<ChainEntry>): string[] =>
  linesOf(ROWS.map((row) => (row.seq === seq ? { ...row, ...change } : row)));

describe('an export', () => {
  it('that is honest is verified, in every spelling of its lines', () => {
    const answer = judge(HONEST, { secrets: { kind: 'only', key: KEY } });
    expect(answer).toMatchObject({ result: 'verified', sealedCount: LAST + 1, unsealedCount: 0 });
    expect(answer).toMatchObject({ signatures: 'verified', tree: { size: LAST + 1 } });
    const respelled = HONEST.map((line) =>
      JSON.stringify(JSON.parse(line), null, 1).replaceAll('\n', ' '),
    );
    expect(judge(respelled, { secrets: { kind: 'only', key: KEY } })).toEqual(answer);
  });

  it('as a single document gives the same answer', () => {
    const [header, trailer] = [HONEST[0] ?? '', HONEST.at(-1) ?? ''].map(
      (line) => JSON.parse(line) as Record<string, never>,
    );
    const { tenant_id: tenantId, exported_at: exportedAt, ...rest } = header ?? {};
    const text =
      exportDocumentStart(
        {
          tenantId: String(tenantId),
          exportedAt: String(exportedAt),
          sealing: { enabled: true, sinceSeq: 0, kids: ['k1'] },
          head: rest['head'] as never,
          counts: rest['counts'] as never,
          origin: null,
          logKey: null,
          selfWitnesses: [],
        },
        [],
      ) +
      ROWS.map(exportRowLine).join(',') +
      exportDocumentEnd(trailer as never);
    expect(new ExportVerifier(NO_OPTIONS).document(Buffer.from(text))).toEqual(judge(HONEST));
  });

  const [row5, row6] = [ROWS[5] ?? ROWS[0], ROWS[6] ?? ROWS[0]];
  it.each<[string, string[], string, number]>([
    ['a missing row', linesOf(ROWS.filter(({ seq }) => seq !== 5)), 'sequence_gap', 6],
    ['a row twice', HONEST.toSpliced(6, 0, HONEST[6] ?? ''), 'sequence_duplicate', 5],
    ['swapped rows', HONEST.with(6, HONEST[7] ?? '').with(7, HONEST[6] ?? ''), 'sequence_gap', 6],
    ['a foreign prev', changed(5, { prev: row6?.link ?? '' }), 'previous_link', 5],
    ['a null prev', changed(5, { prev: null }), 'previous_link', 5],
    ['a changed body', changed(5, { body: bodyOf(5, 'ent_x') }), 'link_hash', 5],
    ['a changed link', changed(5, { link: row6?.link ?? '' }), 'link_hash', 5],
    ['a changed mac', changed(5, { mac: row6?.mac ?? '' }), 'link_hash', 5],
    ['a changed kid', changed(5, { kid: 'k2' }), 'link_hash', 5],
    ['an upper case link', changed(5, { link: row5?.link?.toUpperCase() ?? '' }), 'link_hash', 5],
    ['half a seal', changed(5, { mac: null }), 'link_hash', 5],
    ['no seal', changed(5, { kid: null, prev: null, mac: null, link: null }), 'previous_link', 5],
    ['a body with a space', linesOf(sealed(BODIES.with(5, ` ${bodyOf(5)}`))), 'canonical_form', 5],
    ['a second opening', linesOf(sealed(BODIES.with(5, bodyOf(0)))), 'canonical_form', 5],
    ['an unlisted key', linesOf(sealed(BODIES, 'k2')), 'key_unknown', 0],
    ['more rows than the head', linesOf(ROWS, { head: { seq: 5, hash: null } }), 'extra_rows', 6],
    ['no trailer', HONEST.slice(0, -1), 'truncated', LAST + 1],
    ['a cut tail', HONEST.toSpliced(20, LAST - 18), 'truncated', 19],
    ['a false count', linesOf(ROWS, { counts: { sealed: 1, unsealed: 0 } }), 'head_mismatch', LAST],
    [
      'a false switch',
      linesOf(ROWS, { sealing: { enabled: true, sinceSeq: 1, kids: ['k1'] } }),
      'head_mismatch',
      LAST,
    ],
    [
      'a key too many',
      linesOf(ROWS, { sealing: { enabled: true, sinceSeq: 0, kids: ['k1', 'k2'] } }),
      'head_mismatch',
      LAST,
    ],
    [
      'a changed header',
      HONEST.with(0, (HONEST[0] ?? '').replace('"origin":null', '"origin":"x"')),
      'digest_mismatch',
      LAST,
    ],
  ])('with %s is broken there', (_name, lines, code, seq) => {
    expect(foundBy(judge(lines))).toEqual({ code, seq });
  });

  it.each<[string, Partial<VerifierOptions>, unknown]>([
    ['a head in it', { expectedHead: { seq: null, hash: row5?.link ?? '' } }, null],
    ['a head at its place', { expectedHead: { seq: 5, hash: row5?.link ?? '' } }, null],
    [
      'a head elsewhere',
      { expectedHead: { seq: 6, hash: row5?.link ?? '' } },
      { code: 'expected_head_mismatch', seq: 6 },
    ],
    [
      'a head of others',
      { expectedHead: { seq: null, hash: GENESIS_PREV } },
      { code: 'expected_head_mismatch', seq: LAST },
    ],
    [
      'a head beyond',
      { expectedHead: { seq: LAST + 1, hash: GENESIS_PREV } },
      { code: 'truncated', seq: LAST + 1 },
    ],
    [
      'a foreign secret',
      { secrets: { kind: 'only', key: new Uint8Array(32) } },
      { code: 'signature', seq: 0 },
    ],
    [
      'no secret but all seals',
      { requireSignatures: true },
      { code: 'signatures_unverifiable', seq: LAST },
    ],
    ['witnesses it lacks', { witnessKeys: [] }, { code: 'cosignature_quorum', seq: LAST }],
  ])('asked for %s', (_name, options, found) => {
    expect(foundBy(judge(HONEST, options))).toEqual(found);
  });

  it.each<[string, (string | Buffer)[]]>([
    ['nothing', []],
    ['no header', HONEST.slice(1)],
    ['two headers', [HONEST[0] ?? '', ...HONEST]],
    ['a torn line', [...HONEST.slice(0, 9), (HONEST[9] ?? '').slice(0, -9)]],
    ['an empty line', HONEST.toSpliced(3, 0, '')],
    ['a line behind the trailer', [...HONEST, HONEST[3] ?? '']],
    ['a member twice', HONEST.with(4, (HONEST[4] ?? '').replace('"seq":3', '"seq":3,"seq":3'))],
    ['a fraction', HONEST.with(4, (HONEST[4] ?? '').replace('"seq":3', '"seq":3.0'))],
    ['an unknown member', HONEST.with(4, (HONEST[4] ?? '').replace('"seq":3', '"seq":3,"x":3'))],
    [
      'bytes that are no UTF-8',
      HONEST.map((line, index) =>
        index === 4
          ? Buffer.from(Buffer.from(line).toString('latin1').replace('\u00c3', '\u00ff'), 'latin1')
          : line,
      ),
    ],
  ])('with %s is not readable', (_name, lines) => {
    expect(foundBy(judge(lines))).toBe('unreadable');
  });

  it.each(['kid', 'link', 'mac', 'prev'])('with no JSON in %s is not readable', (member) => {
    for (const wrong of ['\u00ff', '"', '\\', '\u0001']) {
      const line = (HONEST[4] ?? '').replace(`"${member}":"`, `"${member}":"\0`);
      const bytes = Buffer.from(line);
      const at = bytes.indexOf(0);
      const damaged = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(wrong, 'latin1'),
        bytes.subarray(at + 2),
      ]);
      const lines: (string | Buffer)[] = [...HONEST];
      expect(foundBy(judge(lines.with(4, damaged)))).toBe('unreadable');
    }
  });

  it('with bodies of every length and escape is verified', () => {
    const ids = ['', '"', '\\', '\\"', '\n', '!', ' ', '\u20b9', '#', '\u007f'].flatMap((odd) =>
      Array.from(
        { length: 9 },
        (_, length) => `${'a'.repeat(length)}${odd}${'b'.repeat(9 - length)}`,
      ),
    );
    const rows = sealed(['', ...ids].map((id, seq) => bodyOf(seq, id)));
    expect(judge(linesOf(rows))).toMatchObject({ result: 'verified', sealedCount: rows.length });
  });

  it('a break comes before an unreadable line behind it', () => {
    const lines = changed(5, { mac: row6?.mac ?? '' }).with(20, 'nonsense');
    expect(foundBy(judge(lines))).toEqual({ code: 'link_hash', seq: 5 });
  });

  it('of which any bit is changed is never verified with another meaning', () => {
    const bytes = Buffer.from(HONEST.join('\n'));
    fc.assert(
      fc.property(fc.nat({ max: bytes.length * 8 - 1 }), (bit) => {
        const damaged = Buffer.from(bytes);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const lines: Buffer[] = [];
        for (let begin = 0; begin <= damaged.length;) {
          const end = damaged.indexOf(10, begin);
          lines.push(damaged.subarray(begin, end < 0 ? damaged.length : end));
          begin = end < 0 ? damaged.length + 1 : end + 1;
        }
        expect(judge(lines).result).not.toBe('verified');
      }),
      { numRuns: 400 },
    );
  });
});

describe('rows judged in runs', () => {
  const rowLines = HONEST.slice(1, -1).map((line) => Buffer.from(line));

  /** Judges the first rows here and the rest in runs of so many, as threads do. */
  function inRuns(size: number, options: Partial<VerifierOptions> = {}) {
    const verifier = new ExportVerifier({ ...NO_OPTIONS, ...options });
    const feed = (line: Buffer) => verifier.line(line, 0, line.length);
    feed(Buffer.from(HONEST[0] ?? ''));
    feed(rowLines[0] ?? Buffer.alloc(0));
    const context = verifier.rowContext;
    if (context === null) throw new Error('no row was judged');
    for (let at = 1; at < rowLines.length; at += size) {
      const some = rowLines.slice(at, at + size);
      const start = runStartOf(some[0] ?? Buffer.alloc(0), 0, some[0]?.length ?? 0);
      const report =
        start &&
        judgeRun(context, { ...start, firstLeaf: start.seq }, (one) => {
          for (const line of some) if (!one(line, 0, line.length)) return;
        });
      expect(report !== null && verifier.takeRun(report)).toBe(true);
    }
    feed(Buffer.from(HONEST.at(-1) ?? ''));
    return verifier.end();
  }

  it.each([1, 2, 3, 7, 16, 100])('of %i give the answer of one run', (size) => {
    expect(inRuns(size)).toEqual(judge(HONEST));
    const options = { expectedHead: { seq: 9, hash: ROWS[9]?.link ?? '' } };
    expect(inRuns(size, options)).toEqual(judge(HONEST, options));
  });

  it('that do not follow are not taken', () => {
    const verifier = new ExportVerifier(NO_OPTIONS);
    for (const line of HONEST.slice(0, 2))
      verifier.line(Buffer.from(line), 0, Buffer.byteLength(line));
    const context = verifier.rowContext;
    const line = rowLines[5] ?? Buffer.alloc(0);
    const start = runStartOf(line, 0, line.length);
    if (context === null || start === null) throw new Error('no row was judged');
    const run = (firstLeaf: number) =>
      judgeRun(context, { ...start, firstLeaf }, (one) => one(line, 0, line.length));
    for (const firstLeaf of [5, 1]) {
      const report = run(firstLeaf);
      expect(report).not.toBeNull();
      expect(report && verifier.takeRun(report)).toBe(false);
    }
  });
});
