import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeWithOracle } from '../../../test/support/oracles.js';
import {
  CANONICAL_DEPTH_MAX,
  canonicalize,
  type CanonicalValue,
  parseStrictJson,
} from './index.js';

interface JcsOracle {
  readonly files: readonly { name: string; input_base64: string; output_hex: string }[];
  readonly texts: readonly { name: string; input: string; output: string }[];
  readonly must_error: readonly { name: string; input?: string; input_hex?: string }[];
}

/** As a door reads bytes: fatal, and a byte order mark is text. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const accepts = (text: string): boolean => parseStrictJson(text).ok;

function valueOf(text: string): CanonicalValue {
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new Error(`refused at ${parsed.error.offset}: ${parsed.error.message}`);
  return parsed.value;
}

describeWithOracle<JcsOracle>('trust/jcs.json', 'vectors of RFC 8785', (jcs) => {
  /** The one file with fractions, which are no value of ours. */
  const files = jcs.files.filter((file) => file.name !== 'values');

  it.each(files.map((file) => [file.name, file] as const))(
    'reads and prints file %s',
    (_, file) => {
      const text = utf8.decode(Buffer.from(file.input_base64, 'base64'));
      // One file writes 56.0 for 56: a fraction is refused however small it is.
      const integers = text.replace('56.0', '56');
      expect(Buffer.from(canonicalize(valueOf(integers))).toString('hex')).toBe(file.output_hex);
      expect(accepts(text)).toBe(integers === text);
    },
  );

  const isOurs = (value: unknown, input: string): boolean =>
    (typeof value !== 'number' || /^-?(0|[1-9]\d*)$/.test(input)) &&
    (typeof value !== 'number' || (Number.isSafeInteger(value) && !Object.is(value, -0))) &&
    !input.includes('__proto__');

  it.each(jcs.texts.map((text) => [text.name, text] as const))(
    'text %s',
    (_, { input, output }) => {
      if (!isOurs(JSON.parse(input), input)) return expect(accepts(input)).toBe(false);
      expect(canonicalize(valueOf(input))).toBe(output);
    },
  );

  it.each(jcs.must_error.map((vector) => [vector.name, vector] as const))(
    'refuses %s',
    (_, { input, input_hex: hex }) => {
      if (hex === undefined) return expect(accepts(input ?? '')).toBe(false);
      const read = (): boolean => accepts(utf8.decode(Buffer.from(hex, 'hex')));
      // Bytes that are no UTF-8 do not become text at all.
      let accepted = false;
      try {
        accepted = read();
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
      expect(accepted).toBe(false);
    },
  );
});

describe('strict JSON', () => {
  it.each([
    ['{"a":1,"a":1}', 7],
    ['{"a":1,"\\u0061":2}', 7],
    ['[{"x":{"b":0,"b":0}}]', 13],
    ['{"__proto__":{}}', 1],
    ['{"a":{"__proto__":1}}', 6],
    [' "\\ud800"', 1],
    ['["\\udc00\\ud800"]', 1],
    ['9007199254740992', 0],
    ['-9007199254740992', 0],
    ['[1.0]', 1],
    ['1e2', 0],
    ['[-0]', 1],
    ['{} {}', 3],
    ['01', 1],
    ['', 0],
    ['  ', 2],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1 2]', 3],
    ["{'a':1}", 1],
    ['{a:1}', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['"\u0000"', 1],
    ['"\\x"', 2],
    ['"\\u12"', 3],
    ['"\\', 2],
    ['"open', 5],
    ['[1', 2],
    ['{"a":1', 6],
    ['-', 0],
    ['+1', 0],
    ['tru', 0],
    ['nulL', 0],
    ['\u00a01', 0],
  ])('refuses %j at %i', (text, offset) => {
    const parsed = parseStrictJson(text);
    expect(parsed.ok ? null : parsed.error.offset).toBe(offset);
  });

  it('takes names of the object prototype as ordinary names', () => {
    const text = '{"constructor":1,"hasOwnProperty":2,"toString":3}';
    expect(valueOf(text)).toEqual(JSON.parse(text));
  });

  it('counts nesting, and deep text does not break the stack', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    expect(accepts(nested(CANONICAL_DEPTH_MAX))).toBe(true);
    expect(accepts(nested(CANONICAL_DEPTH_MAX + 1))).toBe(false);
    expect(accepts(objects(CANONICAL_DEPTH_MAX))).toBe(true);
    expect(accepts(objects(CANONICAL_DEPTH_MAX + 1))).toBe(false);
    expect(accepts('['.repeat(1_000_000))).toBe(false);
  });

  const text = fc.string({ unit: 'grapheme' });
  const { value } = fc.letrec<{ value: CanonicalValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      text,
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(
        text.filter((name) => name !== '__proto__'),
        tie('value'),
        { noNullPrototype: true },
      ),
    ),
  }));

  it('reads back what JSON.stringify and canonicalize print', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, '\t', '\r\n '), (written, indent) => {
        const plain: unknown = JSON.parse(JSON.stringify(written));
        expect(valueOf(JSON.stringify(written, null, indent))).toEqual(plain);
        expect(valueOf(canonicalize(written))).toEqual(plain);
      }),
    );
  });

  it('accepts nothing that JSON.parse refuses, and never reads it otherwise', () => {
    const noise = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '\\',
        '\\u00',
        '1',
        '-',
        '0',
        '.',
        'e',
        ' ',
        'true',
        'null',
        '\n',
        '\u0007',
        '\ud800',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(noise, (parts) => {
        const parsed = parseStrictJson(parts.join(''));
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(parts.join('')));
        else expect(parsed.error.offset).toBeLessThanOrEqual(parts.join('').length);
      }),
      { numRuns: 5_000 },
    );
  });
});
