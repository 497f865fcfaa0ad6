import canonicalizeOracle from 'canonicalize';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeWithOracle } from '../../../test/support/oracles.js';
import { CANONICAL_DEPTH_MAX, canonicalize, type CanonicalValue, InvariantError } from './index.js';

interface JcsOracle {
  readonly files: readonly {
    readonly name: string;
    readonly input_base64: string;
    readonly output_hex: string;
    readonly sha256: string;
  }[];
  readonly texts: readonly { name: string; input: string; output_hex: string }[];
  readonly must_error: readonly { name: string; input?: string; kind: string }[];
  readonly must_error_js_values: { readonly values: readonly string[] };
}

const asValue = (value: unknown): CanonicalValue => value as CanonicalValue;
const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

function holdsOnlyOurs(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(holdsOnlyOurs);
}

describeWithOracle<JcsOracle>('trust/jcs.json', 'vectors of RFC 8785', (jcs) => {
  it.each(jcs.files.map((file) => [file.name, file] as const))('file %s', (_, file) => {
    const value: unknown = JSON.parse(Buffer.from(file.input_base64, 'base64').toString('utf8'));
    if (!holdsOnlyOurs(value)) {
      expect(file.name).toBe('values');
      return expect(() => canonicalize(asValue(value))).toThrow(InvariantError);
    }
    const text = canonicalize(asValue(value));
    expect(hexOf(text)).toBe(file.output_hex);
    expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256);
  });

  it.each(jcs.texts.map((text) => [text.name, text] as const))('text %s', (_, text) => {
    const value: unknown = JSON.parse(text.input);
    if (holdsOnlyOurs(value)) expect(hexOf(canonicalize(asValue(value)))).toBe(text.output_hex);
    else expect(() => canonicalize(asValue(value))).toThrow(InvariantError);
  });

  const aboutValues = jcs.must_error.filter(({ kind }) => kind === 'unicode' || kind === 'number');
  it.each(aboutValues.map((vector) => [vector.name, vector] as const))(
    'refuses %s',
    (_, vector) => {
      const value: unknown = JSON.parse(vector.input ?? 'null');
      expect(() => canonicalize(asValue(value))).toThrow(InvariantError);
    },
  );

  it.each(jcs.must_error_js_values.values)('refuses the value %s', (source) => {
    // In this realm: a plain object of another one would be refused for its prototype alone.
    const value: unknown = runInThisContext(`(${source})`);
    expect(() => canonicalize(asValue(value))).toThrow(InvariantError);
    expect(() => canonicalize(asValue([value]))).toThrow(InvariantError);
    expect(() => canonicalize(asValue({ member: value }))).toThrow(InvariantError);
  });
});

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const { value } = fc.letrec<{ value: CanonicalValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
}));

describe('canonical text', () => {
  it('is what the package canonicalize prints for every value of the closed set', () => {
    fc.assert(
      fc.property(value, (written) => {
        expect(canonicalize(written)).toBe(canonicalizeOracle(written));
      }),
    );
  });

  it('does not depend on the order in which members were added', () => {
    fc.assert(
      fc.property(fc.dictionary(text, value), (written) => {
        const reversed = Object.fromEntries(Object.entries(written).reverse());
        expect(canonicalize(reversed)).toBe(canonicalize(written));
      }),
    );
  });

  it('sorts names by UTF-16 code units, not by code points and not by locale', () => {
    const names = ['\uffff', '\u{10000}', '\ufb33', '\u{1f602}', 'é', 'z', 'Z', 'a', '10', '9', ''];
    const written = Object.fromEntries(names.map((name) => [name, 0]));
    const printed = Object.keys(JSON.parse(canonicalize(written)) as object);
    // Whole numbers come first in any JavaScript object, so the text itself is looked at.
    const inText = [...canonicalize(written).matchAll(/"([^"]*)":0/g)].map((match) => match[1]);
    expect(inText).toEqual([
      ...['', '10', '9', 'Z', 'a', 'z', 'é', '\u{10000}', '\u{1f602}', '\ufb33', '\uffff'],
    ]);
    expect(printed).toHaveLength(names.length);
  });

  it('escapes exactly what RFC 8785 asks', () => {
    for (let unit = 0; unit < 0xd800; unit += 1) {
      const character = String.fromCharCode(unit);
      expect(canonicalize(character)).toBe(canonicalizeOracle(character));
    }
  });

  it('refuses lone surrogates wherever they stand', () => {
    for (const bad of ['\ud800', '\udc00', '\ude02\ud83d', 'a\ud83d', '\ud83d\ud83d\ude02']) {
      expect(() => canonicalize(bad)).toThrow(InvariantError);
      expect(() => canonicalize({ [bad]: 1 })).toThrow(InvariantError);
    }
    expect(canonicalize('\ud83d\ude02')).toBe('"😂"');
  });

  it('refuses symbol members; takes objects without a prototype', () => {
    expect(() => canonicalize(asValue({ [Symbol('x')]: 1 }))).toThrow(InvariantError);
    expect(canonicalize(asValue(Object.assign(Object.create(null), { a: 1 })))).toBe('{"a":1}');
  });

  it('keeps __proto__ an ordinary member', () => {
    expect(canonicalize(asValue(JSON.parse('{"a":2,"__proto__":1}')))).toBe(
      '{"__proto__":1,"a":2}',
    );
  });

  it('prints safe integers to both ends and nothing beyond', () => {
    expect(canonicalize([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0])).toBe(
      '[9007199254740991,-9007199254740991,0]',
    );
    for (const bad of [2 ** 53, -(2 ** 53), 0.5, -0, NaN, Infinity]) {
      expect(() => canonicalize(bad)).toThrow(InvariantError);
    }
  });

  it(`nests ${CANONICAL_DEPTH_MAX} deep and no deeper`, () => {
    const nested = (depth: number): CanonicalValue =>
      depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };
    expect(canonicalize(nested(CANONICAL_DEPTH_MAX))).toContain('1');
    expect(() => canonicalize(nested(CANONICAL_DEPTH_MAX + 1))).toThrow(InvariantError);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => canonicalize(asValue(circle))).toThrow(InvariantError);
  });
});
