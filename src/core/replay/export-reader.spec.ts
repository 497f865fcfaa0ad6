import { describe, expect, it } from 'vitest';
import { goldenLines, readLines } from '../../../test/support/golden.js';
import { ok } from '../kernel/index.js';
import { type ExportedEntry, ExportReader } from './export-reader.js';

const lines = goldenLines('1');
const [header = ''] = lines;
const trailer = lines.at(-1) ?? '';
const [, first = '', second = ''] = lines;
const read = (text: readonly string[]) => readLines(text, () => ok(null));

describe('an export', () => {
  it('gives the same entries in both forms', () => {
    const { kind, ...members } = JSON.parse(header) as Record<string, unknown>;
    const rows = lines.slice(1, -1).map((line) => JSON.parse(line) as unknown);
    const end = { ...(JSON.parse(trailer) as object), kind: undefined };
    const document = JSON.stringify({
      ...members,
      anchors: [],
      witnessed_heads: [],
      rows,
      trailer: end,
    });
    expect(kind).toBe('header');
    expect([ExportReader.isHeader(header), ExportReader.isHeader(document)]).toEqual([true, false]);
    const [ofLines, ofDocument]: [ExportedEntry[], ExportedEntry[]] = [[], []];
    readLines(lines, (entry) => ok((ofLines.push(entry), null)));
    const reader = new ExportReader((entry) => ok((ofDocument.push(entry), null)));
    expect(reader.document(document).ok).toBe(true);
    expect(reader.end()).toMatchObject({ ok: true, value: { entryCount: rows.length } });
    expect(ofDocument).toEqual(ofLines);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['nothing', [], /no header/],
    ['no JSON', ['{'], /no strict JSON/],
    ['a member twice', [header.replace('{', '{"kind":"header",')], /no strict JSON/],
    ['another format', [header.replace('oacp-commerce-ledger', 'x')], /no oacp-commerce-ledger/],
    ['another version', [header.replace('"version":1', '"version":2')], /of version 1/],
    ['no header first', [first], /no oacp-commerce-ledger/],
    ['a gap', [header, second], /entry 1 stands where entry 0 belongs/],
    ['a kind of tomorrow', [header, '{"kind":"x"}'], /of a kind/],
    ['an anchor behind an entry', [header, first, '{"kind":"anchor"}'], /anchor stands behind/],
    ['no trailer', lines.slice(0, -1), /before its trailer/],
    ['fewer entries than told', [header, first, trailer], /tells of \d+ entries, the file has 1/],
    ['a line behind the trailer', [...lines, '{}'], /behind the trailer/],
    [
      'a body that cannot be read',
      [header, first.replace('"v\\":1', '"v\\":2')],
      /body of entry 0/,
    ],
  ])('with %s is none', (_name, text, error) => {
    const outcome = read(text);
    expect(outcome.ok ? '' : outcome.error).toMatch(error);
  });
});
