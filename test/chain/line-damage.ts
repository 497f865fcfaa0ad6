import { at, broken, changed, type Damage, type Expected, UNREADABLE } from './cases.js';
import { linesOf, membersIn, numberIn, textIn, textOfLines } from './export-file.js';
import { type Ledger, ledgerOf } from './ledgers.js';

type LineKind = 'header' | 'point' | 'row' | 'trailer';

interface Line {
  readonly index: number;
  readonly kind: LineKind;
  /** Of a row. */
  readonly seq: number;
}

const linesIn = ({ file: { points, rows } }: Ledger): Line[] => {
  const kinds: LineKind[] = [
    'header',
    ...points.map(() => 'point' as const),
    ...rows.map(() => 'row' as const),
    'trailer',
  ];
  return kinds.map((kind, index) => ({ index, kind, seq: index - 1 - points.length }));
};

/** Whole lines removed, doubled, swapped, cut off, torn, and strange lines between them. */
export function lineDamage(ledger: Ledger): Damage[] {
  const { file, headSeq, plan } = ledger;
  const all = linesOf(file);
  const damage = (what: string, lines: readonly string[], expected: Expected): Damage => ({
    name: `${plan.name}: ${what}`,
    file,
    expected,
    forms: ['lines'],
    text: () => textOfLines(lines),
  });
  return linesIn(ledger).flatMap((line) => {
    const { index, kind } = line;
    const [text, before, after] = [at(all, index), all.slice(0, index), all.slice(index + 1)];
    const label = `line ${index} (${kind})`;
    const torn = (part: string): Damage => ({
      ...damage(`${label} torn`, [], UNREADABLE),
      text: () => textOfLines(before) + part,
    });
    return [
      damage(`${label} removed`, [...before, ...after], removed(line, headSeq)),
      damage(`${label} doubled`, [...before, text, text, ...after], doubled(line, headSeq)),
      ...(kind === 'trailer'
        ? []
        : [
            damage(
              `${label} swapped with the next`,
              [...before, at(after, 0), text, ...after.slice(1)],
              swapped(line, at(linesIn(ledger), index + 1)),
            ),
            damage(`the end cut behind ${label}`, [...before, text], cutBehind(line)),
          ]),
      torn(text.slice(0, Math.floor(text.length / 2))),
      torn(text.slice(0, -1)),
      torn(`${text.slice(0, 20)}\n`),
      ...STRANGE_LINES.map((strange) =>
        damage(
          `${JSON.stringify(strange)} in front of ${label}`,
          [...before, strange, text, ...after],
          UNREADABLE,
        ),
      ),
    ];
  });
}

const STRANGE_LINES = [
  '',
  ' \t',
  '{}',
  'null',
  '{"kind":"note"}',
  '{"kind":1}',
  '# comment',
] as const;

function removed({ kind, seq }: Line, headSeq: number): Expected {
  if (kind === 'header') return UNREADABLE;
  if (kind === 'point') return broken('digest_mismatch', headSeq, headSeq + 1);
  if (kind === 'trailer') return broken('truncated', headSeq + 1, headSeq + 1);
  return seq === headSeq ? broken('truncated', seq, seq) : broken('sequence_gap', seq + 1, seq);
}

function doubled({ kind, seq }: Line, headSeq: number): Expected {
  if (kind === 'point') return broken('digest_mismatch', headSeq, headSeq + 1);
  return kind === 'row' ? broken('sequence_duplicate', seq, seq + 1) : UNREADABLE;
}

/** Only two rows leave lines of the right kinds in the right order: anchors and heads have one order too. */
const swapped = (line: Line, next: Line): Expected =>
  line.kind === 'row' && next.kind === 'row'
    ? broken('sequence_gap', next.seq, line.seq)
    : UNREADABLE;

const cutBehind = ({ kind, seq }: Line): Expected =>
  kind === 'row' ? broken('truncated', seq + 1, seq + 1) : broken('truncated', 0, 0);

/** Rows removed, doubled, moved and cut in both forms, several at a time. */
export function rowRuns({ file, headSeq, plan }: Ledger): Damage[] {
  const middle = Math.floor(headSeq / 2);
  const damage = (
    what: string,
    pick: (rows: typeof file.rows) => typeof file.rows,
    expected: Expected,
  ) => ({
    name: `${plan.name}: rows: ${what}`,
    file: changed(file, (edited) => (edited.rows = pick(edited.rows))),
    expected,
  });
  const gap = (seq: number, entries: number): Expected => broken('sequence_gap', seq, entries);
  return [
    damage('none left', () => [], broken('truncated', 0, 0)),
    damage('only the first left', (rows) => rows.slice(0, 1), broken('truncated', 1, 1)),
    damage('only the last left', (rows) => rows.slice(-1), gap(headSeq, 0)),
    damage(
      'the last half cut',
      (rows) => rows.slice(0, middle),
      broken('truncated', middle, middle),
    ),
    damage('the first half cut', (rows) => rows.slice(middle), gap(middle, 0)),
    damage('reversed', (rows) => [...rows].reverse(), gap(headSeq, 0)),
    damage('the first at the end', (rows) => [...rows.slice(1), at(rows, 0)], gap(1, 0)),
    damage('the last in front', (rows) => [at(rows, -1), ...rows.slice(0, -1)], gap(headSeq, 0)),
    damage('all twice', (rows) => [...rows, ...rows], broken('sequence_duplicate', 0, headSeq + 1)),
    damage(
      'one more behind the head',
      (rows) => [...rows, { ...at(rows, -1), seq: headSeq + 1 }],
      broken('extra_rows', headSeq + 1, headSeq + 1),
    ),
  ];
}

/** Lines of another tenant's ledger of the same shape, put in the place of this one's. */
export function splices(ledger: Ledger): Damage[] {
  const { file, headSeq, plan } = ledger;
  const foreign = ledgerOf({ ...plan, tenantId: 'tnt_foreign' }).file;
  const sealed = file.rows.filter(({ kid }) => kid !== null).map((row) => numberIn(row, 'seq'));
  const first = sealed[0];
  const row = (seq: number) => broken(seq === first ? 'link_hash' : 'previous_link', seq, seq);
  const label = (what: string) => `${plan.name}: of another tenant: ${what}`;
  const digest = broken('digest_mismatch', headSeq, headSeq + 1);
  const rows = sealed.flatMap((seq) => [
    {
      name: label(`row ${seq}`),
      file: changed(file, (edited) => (edited.rows[seq] = at(foreign.rows, seq))),
      expected: row(seq),
    },
    {
      name: label(`rows from ${seq}`),
      file: changed(file, (edited) =>
        edited.rows.splice(seq, headSeq + 1, ...foreign.rows.slice(seq)),
      ),
      expected: row(seq),
    },
  ]);
  const trailerBreak = first === undefined ? digest : broken('head_mismatch', headSeq, headSeq + 1);
  const points = file.points.map((point, index) => ({
    name: label(`point ${index}`),
    file: changed(file, (edited) => (edited.points[index] = at(foreign.points, index))),
    expected: broken(
      textIn(point, 'kind') === 'anchor' ? 'anchor_mismatch' : 'witness_mismatch',
      numberIn(point, 'seq'),
      headSeq + 1,
    ),
  }));
  return [
    ...rows,
    ...points,
    {
      name: label('header'),
      file: { ...file, header: foreign.header },
      expected: first === undefined ? digest : row(first),
    },
    { name: label('trailer'), file: { ...file, trailer: foreign.trailer }, expected: trailerBreak },
  ];
}

/** JSON Lines are judged in the order of the file; a document is read whole before its first row is judged. */
export function unreadBehindBreak({ file, headSeq, plan }: Ledger): Damage[] {
  const gap = broken('sequence_gap', headSeq, headSeq - 1);
  const cut = changed(file, ({ rows }) => rows.splice(headSeq - 1, 1));
  const name = (what: string) => `${plan.name}: behind a gap: ${what}`;
  const ofLines = { file: cut, expected: gap, forms: ['lines' as const] };
  return [
    { ...ofLines, name: name('a text'), text: (printed) => `${printed}text\n` },
    { ...ofLines, name: name('an empty line'), text: (printed) => `${printed}\n` },
    { ...ofLines, name: name('a torn trailer'), text: (printed) => printed.slice(0, -9) },
    {
      name: name('a member of the wrong type'),
      file: changed(cut, ({ trailer }) => (membersIn(trailer ?? {}, 'head')['seq'] = null)),
      expected: (form) => (form === 'lines' ? gap : UNREADABLE),
    },
  ];
}
