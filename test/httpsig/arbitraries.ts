import fc from 'fast-check';
import { type HeaderLine, type HttpRequestMessage } from '../../src/core/httpsig/index.js';

/** A request with what may be covered of it. */
export interface GeneratedRequest {
  readonly request: HttpRequestMessage;
  /** Identifiers that the request has, in any order, each once. */
  readonly components: readonly string[];
}

const letters = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });

const SAFE = 'abzAZ09-._~';
/** Letters that every URL parser leaves where they are. */
const plainPath = fc.array(letters(SAFE.replace('.', ''), 1, 8), { minLength: 0, maxLength: 4 });
const plainPair = fc.tuple(letters('abcXYZ019', 1, 6), letters(SAFE, 0, 8));

/** Visible ASCII, spaces inside. */
const fieldValue = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
  .map((text) => text.trim());

const dictionaryField = fc
  .uniqueArray(fc.tuple(letters('abc', 1, 2), fc.integer({ min: 0, max: 999 })), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 4,
  })
  .map((members) => ({
    keys: members.map(([key]) => key),
    value: members.map(([key, number]) => `${key}=${number}`).join(',  '),
  }));

const FIELD_NAMES = ['accept', 'content-type', 'x-trace', 'x-list'] as const;

/** `paths`: the alphabet of path segments. */
export function generatedRequest(
  paths: fc.Arbitrary<readonly string[]> = plainPath,
): fc.Arbitrary<GeneratedRequest> {
  return fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      scheme: fc.constantFrom('https', 'http'),
      host: fc.constantFrom('shop.example', 'a.b.example', 'xn--bcher-kva.example'),
      port: fc.constantFrom('', ':8443', ':443', ':80'),
      segments: paths,
      pairs: fc.option(fc.array(plainPair, { minLength: 1, maxLength: 3 }), { nil: null }),
      fields: fc.array(fc.tuple(fc.constantFrom(...FIELD_NAMES), fieldValue), { maxLength: 5 }),
      dictionary: fc.option(dictionaryField, { nil: null }),
      order: fc.infiniteStream(fc.nat(1_000)),
    })
    .map(({ method, scheme, host, port, segments, pairs, fields, dictionary, order }) => {
      const query = pairs?.map((pair) => pair.join('=')).join('&');
      const target = `/${segments.join('/')}${query === undefined ? '' : `?${query}`}`;
      const headers: HeaderLine[] = [['Host', `${host}${port}`], ...fields];
      if (dictionary !== null) headers.push(['Priority', dictionary.value]);
      const components = [
        '"@method"',
        '"@authority"',
        '"@scheme"',
        '"@path"',
        '"@query"',
        '"@target-uri"',
        ...new Set(fields.map(([name]) => `"${name}"`)),
        ...(dictionary === null ? [] : ['"priority"']),
        ...(dictionary?.keys ?? []).map((key) => `"priority";key="${key}"`),
      ];
      const shuffled = components
        .map((text) => ({ text, rank: order.next().value as number }))
        .sort((left, right) => left.rank - right.rank)
        .map(({ text }) => text);
      const authority = `${host}${port}`;
      const request = { kind: 'request', method, scheme, authority, target, headers, body: null };
      const count = (order.next().value as number) % (shuffled.length + 1);
      return { request, components: shuffled.slice(0, count) } as GeneratedRequest;
    });
}

/** Text of the strings that structured fields allow, quotation marks and backslashes among them. */
export const parameterText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 40,
});

export const signatureParameters = fc.record(
  {
    created: fc.integer({ min: 0, max: 4_000_000_000 }),
    expires: fc.integer({ min: 4_000_000_001, max: 4_100_000_000 }),
    nonce: parameterText,
    keyid: parameterText,
    tag: parameterText,
  },
  { requiredKeys: ['created', 'keyid'] },
);
