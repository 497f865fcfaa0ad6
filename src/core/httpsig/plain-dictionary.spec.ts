import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainDictionary } from './plain-dictionary.js';
import { type Member, readAnyDictionary, type ReadDictionary, writeMember } from './structured.js';

const comparable = ({ members, marks }: ReadDictionary) => ({
  // Byte sequences are told by what is in them.
  members: [...members].map(([key, [value, parameters]]) => [
    key,
    value instanceof ArrayBuffer ? ['bytes', Buffer.from(value).toString('hex')] : value,
    [...parameters],
  ]),
  marks: { ...marks, members: [...marks.members] },
});

/** Read here as by the library, or not read here at all. */
function agrees(text: string): boolean {
  const plain = readPlainDictionary(text);
  if (plain === null) return false;
  const any = readAnyDictionary(text, 'x');
  if (!any.ok) throw new Error(`${text}: ${any.error.detail}`);
  expect(comparable(plain)).toEqual(comparable(any.value));
  const written = [...any.value.members].map(([key, member]: [string, Member]) => [
    key,
    writeMember(member),
  ]);
  expect([...(plain.texts ?? [])]).toEqual(written);
  return true;
}

const piece = fc.constantFrom(
  ...[
    'sig1',
    'a',
    '*b',
    '"x"',
    '"@method"',
    '""',
    '"a b"',
    '"\\"',
    'é',
    '\t',
    ' ',
    '  ',
    ', ',
    ',',
    ',  ',
  ],
  ...[
    '(',
    ')',
    '()',
    ';',
    '; ',
    '=',
    '=1',
    '=01',
    '=-1',
    '=0',
    '=1.0',
    '=1.5',
    '=?1',
    '=999999999999999',
  ],
  ...[
    '=1234567890123456',
    '=tok',
    '=:AAAA:',
    ':AA==:',
    ':AB==:',
    ':A:',
    '::',
    ':AAA:',
    ';sf',
    ';key="a"',
  ],
  ...[
    '=("a" "b")',
    '=("a";sf "b";key="c");created=1',
    '=@1',
    '=%"a"',
    ';a;a',
    '=("a"  "b")',
    '=( "a")',
  ],
  // A list that was read is remembered by its text; a bracket inside of a string ends none.
  ...['=("a)b")', '=("a)', '("a")', '("a" ")', '")"', '=("a")b'],
);

describe('a dictionary in its written form', () => {
  it.each([
    'sig1=("@method" "@authority" "@path");created=1800000000;keyid="k";alg="ed25519"',
    'sig1=()',
    'sig1=("@query-param";name="a" "x";sf;key="b");created=0;tag="t", sig2=("a");expires=999999999999999',
    'sig1=:AAAA:, sig2=::, a=:AA==:',
    'sig1="https://agent.example", b="x";type=1',
  ])('%s is read at once', (text) => {
    expect(agrees(text)).toBe(true);
  });

  it.each([
    ...[
      '',
      'a',
      'a=1',
      'a;b',
      'a=("a"),b=("b")',
      'a=("a") , b=("b")',
      'a=("a"), a=("b")',
      'a=("a"),',
    ],
    ...[
      'a=("a"), ',
      'a=( "a")',
      'a=("a" )',
      'a=("a"  "b")',
      'a=("a");b;b',
      'a=("a"); b',
      'a=("a");b=01',
    ],
    ...[
      'a=("a");b=-0',
      'a=("a");b=1.0',
      'a=("a");b=1234567890123456',
      'a=("a");b=?1',
      'a=("a");b=?0',
    ],
    ...[
      'a=("\\"")',
      'a=("é")',
      'a=:AB==:',
      'a=:AAA:',
      'a=: AAAA:',
      'a=:A-_A:',
      'A=("a")',
      'a=("a"',
      'a="b',
    ],
    ...[' a=("a")', 'a=("a") ', 'a=(a)', 'a=(1)', 'a=("a");B=1', 'a=@1', 'a=%"x"', 'a=tok'],
  ])('%j is left to the library', (text) => {
    expect(agrees(text)).toBe(false);
  });

  it('whatever it is made of, both read it alike', () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        if (agrees(pieces.join(''))) plain += 1;
      }),
      { numRuns: 20_000 },
    );
    const member = fc.tuple(
      fc.constantFrom('sig1', 'b', '*c', 'd-e'),
      fc.constantFrom(
        '("a" "b";sf)',
        '("a" "b)";sf)',
        '("@path";key="x")',
        '()',
        '"u"',
        ':AAAA:',
        '("a")',
      ),
      fc.constantFrom('', ';created=1', ';a;b="c"', ';keyid="k";n=0'),
      fc.constantFrom(', ', ', ', ', ', ', ', ', ', ',', ' '),
    );
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 3 }), (members) => {
        const last = members.length - 1;
        const text = members
          .map(([key, value, end, gap], at) => `${key}=${value}${end}${at < last ? gap : ''}`)
          .join('');
        if (agrees(text)) plain += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(plain).toBeGreaterThan(500);
  });
});
