import { gzipSync } from 'node:zlib';
import { type Case, casesOf, type Damage, type Expected, UNREADABLE, VERIFIED } from './cases.js';
import { fileOf, type Form, FORMS } from './export-file.js';
import type { Ledger } from './ledgers.js';

type Edit = readonly [what: string, edit: (printed: string) => string];

/** Puts `replacement` in the place of the first `found`. */
const put =
  (found: string | RegExp, replacement: string) =>
  (printed: string): string =>
    printed.replace(found, () => replacement);

const VERSION = '"version":1';
const NUMBERS = [
  ...['1.0', '1e0', '1E0', '10e-1', '01', '+1', '0x1', '1n', '१', '-0', '--1', '1.', '.1', '-'],
  ...['NaN', 'Infinity', '-Infinity', 'undefined', 'True', '9007199254740992', '1e400', '1_0'],
  '123456789012345678901234567890'.repeat(200),
];

const BAD_STRINGS: readonly (readonly [string, string])[] = [
  ['half a surrogate pair', '\\ud83d'],
  ['the other half', '\\ude00'],
  ['a reversed pair', '\\ude00\\ud83d'],
  ['half a pair in upper case', '\\uD83Dx'],
  ['half a pair in front of a character', '\\ud83d😀'],
  ['a raw tab', '\t'],
  ['a raw zero', '\u0000'],
  ['a raw control character', '\u001f'],
  ['an unknown escape', '\\x41'],
  ['an escape in octal', '\\101'],
  ['an escape of three digits', '\\u041"'],
  ['an escape of other digits', '\\u00g0'],
  ['an escape with a sign', '\\u+041'],
  ['an escape with a blank', '\\u 041'],
  ['an escape with an underscore', '\\u0_41'],
  ['an escape in fullwidth digits', '\\u００４１'],
  ['a quote', '"'],
  ['a backslash at the end', '\\'],
];

const BAD_TEXTS: readonly Edit[] = [
  ...NUMBERS.map((number): Edit => [
    `version ${number.slice(0, 20)}`,
    put(VERSION, `"version":${number}`),
  ]),
  ['seq -0', put('"seq":0}', '"seq":-0}')],
  ...BAD_STRINGS.map(([what, text]): Edit => [what, put('"log_key":"', `"log_key":"${text}`)]),
  ...BAD_STRINGS.slice(0, 6).map(([what, text]): Edit => [
    `${what} in a name of a member`,
    put(VERSION, `"${text}":0,${VERSION}`),
  ]),
  ['a member twice', put(VERSION, `${VERSION},${VERSION}`)],
  ['a member twice, deep', put('"enabled":', '"enabled":true,"enabled":')],
  ['a member twice by an escape', put(VERSION, `${VERSION},"versio\\u006e":1`)],
  ['a member twice in a row', put('"kid":', '"kid":null,"kid":')],
  ['a comma at the end', put(/\}(\n|$)/, ',}\n')],
  ['a comma at the end of a list', put('"kids":[', '"kids":[,')],
  ['a comma missing', put(`,${VERSION}`, VERSION)],
  ['a colon missing', put(VERSION, '"version"1')],
  ['single quotes', put(VERSION, "'version':1")],
  ['no quotes', put(VERSION, 'version:1')],
  ['a comment', put(VERSION, `/* 1 */${VERSION}`)],
  ['a bracket missing', put('{', '')],
  ['a value behind a value', put(/\}(\n|$)/, '}{}\n')],
  ['a byte order mark', (printed) => `\ufeff${printed}`],
  ['a byte order mark at the end', (printed) => `${printed}\ufeff`],
  ...['\u00a0', '\f', '\v', '\u2028', '\u0085', '\u3000', '\ufeff'].map((blank): Edit => [
    `a blank that is none: ${escape(blank)}`,
    put(VERSION, `${blank}${VERSION}`),
  ]),
  ['nesting without end', put('"kids":[', `"kids":[${'['.repeat(100_000)}`)],
  ['deep nesting', put('"kids":[', `"kids":[${'['.repeat(40)}${']'.repeat(40)},`)],
  ['a member named __proto__', put(VERSION, `"__proto__":{"a":1},${VERSION}`)],
  ['a member named constructor', put(VERSION, `"constructor":null,${VERSION}`)],
];

/** Other spellings of the same content. */
const SAME_TEXTS: readonly Edit[] = [
  [
    'blanks between tokens',
    (printed) => printed.replaceAll(/(?<!\\)":/g, '" \t:\t ').replaceAll(/\}(?=\n|$)/g, ' } '),
  ],
  ['carriage returns', (printed) => `${printed.trimEnd().replaceAll('\n', '\r\n')}\r\n`],
  ['escapes', put('"tnt_', '"\\u0074\\u006Et_')],
  ['escaped names', put(VERSION, '"versi\\u006fn":1')],
  ['solidus', put('shop.example/', 'shop.example\\/')],
  ['a pair of escapes', (printed) => printed.replaceAll('😀', '\\ud83D\\uDE00')],
  ['everything else escaped', (printed) => printed.replaceAll(/[\u0080-\ud7ff]/g, escape)],
  ['another order', (printed) => printed.replaceAll(/("link":"\w+"),("mac":"\w+")/g, '$2,$1')],
];

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** JSON that is read strictly, and spellings that carry no meaning. The ledger has points and non-ASCII text. */
export function jsonDamage({ file, plan }: Ledger): Case[] {
  const damage = ([what, text]: Edit, expected: Expected, forms?: readonly Form[]): Damage => ({
    name: `${plan.name}: JSON: ${what}`,
    ...{ file, expected, text, forms },
  });
  return [
    ...BAD_TEXTS.map((edit) => damage(edit, UNREADABLE)),
    ...SAME_TEXTS.map((edit) => damage(edit, VERIFIED)),
    damage(['no line feed at the end', (printed) => printed.trimEnd()], VERIFIED, ['lines']),
    damage(['lines of one document', indented], VERIFIED, ['document']),
    damage(['blank lines around', (printed) => `\n \n${printed}\n\n`], VERIFIED, ['document']),
    damage(['a kind', put('{', '{"kind":"header",')], UNREADABLE, ['document']),
    damage(['a value behind it', (printed) => `${printed}\n{}`], UNREADABLE, ['document']),
  ].flatMap(casesOf);
}

const indented = (printed: string): string => JSON.stringify(JSON.parse(printed), null, 2);

/** Bytes that are not UTF-8, in the place of the first `id` of a body. */
const BAD_BYTES: readonly (readonly [string, readonly number[]])[] = [
  ['a byte that starts nothing', [0xff]],
  ['a lone continuation', [0x80]],
  ['a torn character', [0xe2, 0x82]],
  ['an overlong solidus', [0xc0, 0xaf]],
  ['an overlong zero', [0xc0, 0x80]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a pair of surrogates', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
];

function withBytes(printed: string, bytes: readonly number[]): Buffer {
  const whole = Buffer.from(printed);
  const place = whole.indexOf('ent_');
  return Buffer.concat([whole.subarray(0, place), Buffer.from(bytes), whole.subarray(place)]);
}

const plain = (name: string, content: string | Buffer, expected: Expected): Case => ({
  ...{ name, content, expected, options: {} },
});

/** Files that are no text, and files that are no export. */
export function strangeFiles({ file }: Ledger): Case[] {
  const [lines, document] = [fileOf(file, 'lines'), fileOf(file, 'document')];
  const stranger = (what: string, content: string | Buffer): Case =>
    plain(`a file of ${what}`, content, UNREADABLE);
  return [
    ...FORMS.flatMap((form) =>
      BAD_BYTES.map(([what, bytes]) =>
        plain(`${what} (${form})`, withBytes(fileOf(file, form), bytes), UNREADABLE),
      ),
    ),
    ...[
      '',
      '\n',
      '   ',
      '[]',
      '{}',
      'null',
      '0',
      '"text"',
      'true',
      'export',
      '{',
      '}',
      '\u0000',
    ].map((text) => stranger(JSON.stringify(text), text)),
    stranger('bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 151) % 256))),
    stranger('UTF-16', Buffer.from(`\ufeff${lines}`, 'utf16le')),
    stranger('gzip', gzipSync(lines)),
    stranger('a page', '<!doctype html><title>404</title>'),
    stranger('another program', '{"version":1,"rows":[]}'),
    stranger(
      'a list of its lines',
      JSON.stringify(
        lines
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ),
    ),
    stranger('two exports', lines + lines),
    stranger('two documents', document + document),
    stranger('an export and a document', `${lines}${document}\n`),
    stranger('brackets', '['.repeat(1_000_000)),
    stranger('objects', '{"a":'.repeat(1_000_000)),
  ];
}

const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** The longest line that is read, and one byte more. Only the header's size is told, blanks carry no meaning. */
export function longLines({ file }: Ledger): Case[] {
  const lines = fileOf(file, 'lines').trimEnd().split('\n');
  const padded = (index: number, bytes: number): string =>
    lines
      .map((line, at) =>
        at === index ? `${line}${' '.repeat(bytes - Buffer.byteLength(line))}` : line,
      )
      .join('\n');
  const last = lines.length - 1;
  return [0, last - 1, last].flatMap((index) => [
    plain(`line ${index} of 16 MiB`, padded(index, LINE_BYTES_MAX), VERIFIED),
    plain(`line ${index} of a byte more`, padded(index, LINE_BYTES_MAX + 1), UNREADABLE),
    plain(
      `line ${index} of a byte more and LF`,
      `${padded(index, LINE_BYTES_MAX + 1)}\n`,
      UNREADABLE,
    ),
  ]);
}

/** A document may be one line longer than any line of the other form. */
export const longDocument = ({ file }: Ledger): Case =>
  plain(
    'a document in one line of 17 MiB',
    fileOf(file, 'document').replace('{', `{${' '.repeat(17 * 1024 * 1024)}`),
    VERIFIED,
  );
