import { at, broken, changed, type Expected, UNREADABLE } from './cases.js';
import { type Change, otherText } from './changes.js';
import { type ExportFile, type Form, type Members, numberIn, textIn } from './export-file.js';
import type { Ledger } from './ledgers.js';

/** Lines: by (seq, kind, note). In the document each kind has a list of its own. */
const inOrder = (points: readonly Members[], form: Form): boolean =>
  points.every((point, index) =>
    points.slice(0, index).every((before) => {
      if (form === 'document' && before['kind'] !== point['kind']) return true;
      const rank = (members: Members) =>
        [
          String(numberIn(members, 'seq')).padStart(9, '0'),
          textIn(members, 'kind'),
          textIn(members, 'note'),
        ] as const;
      return rank(before).join('\u0000') <= rank(point).join('\u0000');
    }),
  );

const CHECKPOINT_LINES = ['origin', 'size', 'root'] as const;
const OTHER_LINES = {
  origin: 'shop.example/other',
  size: '77',
  root: `${'A'.repeat(43)}=`,
} as const;

export function pointChanges(ledger: Ledger, index: number): Change[] {
  const { file, headSeq } = ledger;
  const point = at(file.points, index);
  const [kind, seq, note] = [textIn(point, 'kind'), numberIn(point, 'seq'), textIn(point, 'note')];
  const mismatch = kind === 'anchor' ? 'anchor_mismatch' : 'witness_mismatch';
  const change = (what: string, members: Members, expected: Expected): Change => {
    const edit = (edited: ExportFile) => Object.assign(at(edited.points, index), members);
    const { points } = changed(file, edit);
    return {
      what: `${kind} ${index}: ${what}`,
      change: edit,
      expected: (form) => (inOrder(points, form) ? expected : UNREADABLE),
    };
  };
  const noteWith = (name: (typeof CHECKPOINT_LINES)[number]): string =>
    note.split('\n').with(CHECKPOINT_LINES.indexOf(name), OTHER_LINES[name]).join('\n');
  const seqs = [...file.rows.map((row) => numberIn(row, 'seq'))].filter((other) => other !== seq);
  const digest = broken('digest_mismatch', headSeq, headSeq + 1);
  return [
    ...seqs.map((other) =>
      change(`moved to seq ${other}`, { seq: other }, broken(mismatch, other)),
    ),
    change('moved behind the head', { seq: headSeq + 5 }, broken('truncated', headSeq + 1)),
    change('another hash', { hash: otherText(textIn(point, 'hash')) }, broken(mismatch, seq)),
    change('a hash that is none', { hash: '' }, broken(mismatch, seq)),
    change('another size', { size: numberIn(point, 'size') + 1 }, broken(mismatch, seq)),
    ...CHECKPOINT_LINES.map((name) =>
      change(`another ${name} in the note`, { note: noteWith(name) }, broken(mismatch, seq)),
    ),
    change(
      'a size in the note beyond 2^53',
      { note: note.replace(/\n\d+\n/, '\n18446744073709551615\n') },
      broken(mismatch, seq),
    ),
    change('an extension in the note', { note: note.replace('\n\n', '\nmore\n\n') }, digest),
    change(
      'another signature in the note',
      { note: note.replace(/(?<=\n— [^ ]+ .{20})./, otherBase64) },
      digest,
    ),
    change(
      'a line less in the note',
      { note: note.replace(/\n— [^\n]*\n$/, '\n') },
      note.split('\n— ').length === 2 ? UNREADABLE : digest,
    ),
    change('the other kind', { kind: kind === 'anchor' ? 'witnessed_head' : 'anchor' }, digest),
    ...BAD_NOTES.map(({ what, edit }) => ({
      ...change(`note: ${what}`, { note: edit(note) }, UNREADABLE),
      expected: UNREADABLE,
    })),
  ];
}

const otherBase64 = (digit: string): string => (digit === 'A' ? 'B' : 'A');

const BAD_NOTES: readonly { readonly what: string; readonly edit: (note: string) => string }[] = [
  { what: 'empty', edit: () => '' },
  { what: 'without its last line feed', edit: (note) => note.slice(0, -1) },
  { what: 'without signatures', edit: (note) => note.slice(0, note.indexOf('\n\n') + 2) },
  { what: 'without blank line', edit: (note) => note.replace('\n\n', '\n') },
  { what: 'a control character', edit: (note) => `\u0001${note}` },
  { what: 'carriage returns', edit: (note) => note.replaceAll('\n', '\r\n') },
  { what: 'a hyphen for the dash', edit: (note) => note.replaceAll('— ', '- ') },
  { what: 'a signer with a space', edit: (note) => note.replace('— ', '— a b') },
  { what: 'a signer with a plus', edit: (note) => note.replace('— ', '— a+b') },
  { what: 'a line behind the signatures', edit: (note) => `${note}more\n` },
  { what: 'base64 without padding', edit: (note) => note.replace(/=+\n$/, '\n') },
  { what: 'the other base64 alphabet', edit: (note) => note.replace(/(\n— [^ ]+ ).{3}/, '$1-_-') },
  {
    what: 'a signature of no bytes',
    edit: (note) => note.replace(/(\n— [^ ]+ )[^\n]*\n/, '$1AAAAAA==\n'),
  },
  {
    what: '101 signatures',
    edit: (note) =>
      note +
      note
        .slice(note.indexOf('\n\n') + 2)
        .split('\n')[0]
        ?.concat('\n')
        .repeat(101),
  },
  { what: 'no origin', edit: (note) => note.replace(/^[^\n]+/, '') },
  { what: 'a size with a zero in front', edit: (note) => note.replace(/\n(\d+)\n/, '\n0$1\n') },
  { what: 'a negative size', edit: (note) => note.replace(/\n(\d+)\n/, '\n-$1\n') },
  { what: 'a size of 2^64', edit: (note) => note.replace(/\n(\d+)\n/, '\n18446744073709551616\n') },
  { what: 'a size in other digits', edit: (note) => note.replace(/\n(\d+)\n/, '\n१\n') },
  { what: 'a short root', edit: (note) => note.replace(/\n[^\n]{44}\n/, '\nAAAA\n') },
  {
    what: 'a root with spare bits',
    edit: (note) => note.replace(/\n([^\n]{42})[^\n]=\n/, '\n$1B=\n'),
  },
  { what: 'a root in hex', edit: (note) => note.replace(/\n[^\n]{44}\n/, `\n${'0'.repeat(64)}\n`) },
  { what: 'no root', edit: (note) => note.replace(/\n[^\n]{44}\n/, '\n') },
  { what: 'an empty extension', edit: (note) => note.replace('\n\n', '\n\n\n') },
];
