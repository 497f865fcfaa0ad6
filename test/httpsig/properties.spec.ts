import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentDigest,
  type HeaderLine,
  type HttpRequestMessage,
  type SignatureVerdict,
} from '../../src/core/httpsig/index.js';
import {
  AGENT,
  configFor,
  NOW,
  shopRequest,
  signedRequest,
  tapParameters,
  testKey,
  wbaParameters,
} from './signed-requests.js';
import { contextOf, judge, KeysInMemory } from './verifier.js';

const key = testKey();
const config = configFor(key);
const verdictOf = (request: HttpRequestMessage): SignatureVerdict =>
  judge(request, contextOf(config, NOW), { keys: new KeysInMemory(config) });

const BODY = Buffer.from('{"quantity":"1"}');
const plain = shopRequest({
  method: 'POST',
  target: '/a2a/v1/message:send?lang=en&x=1',
  body: BODY,
  headers: [
    ['Host', 'shop.example'],
    ['Content-Type', 'application/json'],
    ['Content-Digest', contentDigest(BODY, ['sha-256', 'sha-512'])],
    ['Accept', 'application/json'],
    ['Accept', 'text/plain'],
    ['Signature-Agent', `sig1="${AGENT}"`],
  ],
});
const COVERED = [
  '@method',
  '@authority',
  '@path',
  '@query',
  '@scheme',
  '@target-uri',
  '"@query-param";name="lang"',
  'content-type',
  'content-digest',
  'accept',
  '"signature-agent";key="sig1"',
];
const tap = signedRequest(plain, key, { components: COVERED, parameters: tapParameters(key) });
const wba = signedRequest(plain, key, { components: COVERED, parameters: wbaParameters(key) });
const SIGNED = [tap, wba];

/** Names of the lines that are covered or carry the signature. */
const COVERED_LINES = /^(host|content-type|content-digest|accept|signature.*)$/i;

const replaced = (text: string, at: number, letter: string): string =>
  `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));

describe('a signed request', () => {
  it('is verified as it is', () => {
    for (const request of SIGNED)
      expect(verdictOf(request)).toMatchObject({ status: 'verified', coverage: 'full' });
  });

  it('is refused when one character of what it covers is another', () => {
    const parts = ['method', 'target', 'authority'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...SIGNED),
        fc.constantFrom(...parts),
        fc.nat(500),
        visible,
        (request, part, place, letter) => {
          const before = request[part];
          const changed = replaced(before, place % before.length, letter);
          // A host is the same in any case.
          fc.pre(changed.toLowerCase() !== before.toLowerCase());
          const verdict = verdictOf({ ...request, [part]: changed });
          expect(verdict.status).toBe('invalid');
        },
      ),
      { numRuns: 400 },
    );
  });

  it('is refused when one character of a covered line is another, and never attributed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIGNED),
        fc.nat(50),
        fc.nat(2_000),
        visible,
        (request, line, place, letter) => {
          const covered = request.headers.filter(
            ([name]) => COVERED_LINES.test(name) && name !== 'Host',
          );
          const [name, value] = covered[line % covered.length] ?? ['', ''];
          const changed = replaced(value, place % value.length, letter);
          fc.pre(!isSameSignature(name, value, changed));
          const headers = request.headers.map((entry): HeaderLine =>
            entry[1] === value ? [name, changed] : entry,
          );
          expect(verdictOf({ ...request, headers }).status).not.toBe('verified');
        },
      ),
      { numRuns: 600 },
    );
  });

  it('is refused when one byte of its content is another, or is missing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIGNED),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (request, place, mask) => {
          const body = Buffer.from(BODY);
          const at = place % body.length;
          body[at] = (body[at] ?? 0) ^ mask;
          expect(verdictOf({ ...request, body })).toMatchObject({ reason: 'digest_mismatch' });
          const shorter = BODY.subarray(0, at);
          expect(verdictOf({ ...request, body: shorter })).toMatchObject({
            reason: 'digest_mismatch',
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps its verdict when lines that it does not cover come, go and change places', () => {
    const uncovered: fc.Arbitrary<HeaderLine> = fc.tuple(
      fc.constantFrom('X-A', 'X-B', 'Cookie', 'User-Agent', 'Date', 'X-Signature-Verified'),
      fc.string({ unit: visible }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...SIGNED),
        fc.array(uncovered, { maxLength: 6 }),
        fc.infiniteStream(fc.nat(100)),
        (request, lines, places) => {
          const headers = [...request.headers];
          for (const line of lines)
            headers.splice((places.next().value as number) % (headers.length + 1), 0, line);
          expect(verdictOf({ ...request, headers })).toEqual(verdictOf(request));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps its verdict when its label is another on both sides, for the label is not signed', () => {
    const headers = tap.headers.map(([name, value]): HeaderLine => [
      name,
      /^signature(-input)?$/i.test(name) ? value.replace(/^sig1=/, 'other=') : value,
    ]);
    expect(verdictOf({ ...tap, headers })).toEqual({ ...verdictOf(tap), label: 'other' });
  });
});

/** Base64 has spellings of the same bytes; only the bytes are the signature. */
function isSameSignature(name: string, before: string, after: string): boolean {
  if (before === after) return true;
  if (name !== 'Signature') return false;
  const bytes = (text: string): string | undefined => /^sig1=:([A-Za-z0-9+/]*=*):$/.exec(text)?.[1];
  const [left, right] = [bytes(before), bytes(after)];
  return (
    left !== undefined &&
    right !== undefined &&
    Buffer.from(left, 'base64').equals(Buffer.from(right, 'base64'))
  );
}

describe('any bytes in the headers', () => {
  const anyByte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
  const structuredByte = fc.constantFrom(
    ...'sig1=("@authority";key,.:?%\\ \t0123456789-*)'.split(''),
  );
  const text = fc.oneof(
    fc.string({ unit: anyByte, maxLength: 200 }),
    fc.string({ unit: structuredByte, maxLength: 200 }),
  );
  const names = fc.constantFrom(
    'Signature-Input',
    'Signature',
    'Signature-Agent',
    'UCP-Agent',
    'Content-Digest',
  );

  it('never throw and never verify', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, text), { maxLength: 6 }), (lines) => {
        const request = shopRequest({ headers: [['Host', 'shop.example'], ...lines] });
        const context = contextOf(config, NOW, { profiles: ['tap', 'wba', 'ucp'] });
        const verdict = judge(request, context, { keys: new KeysInMemory(config) });
        expect(verdict.status).not.toBe('verified');
        expect(verdict.note ?? '').toMatch(/^[\x20-\x7e]*$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('spliced into a good signature never throw, and verify only where nothing that counts was changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIGNED),
        names,
        fc.nat(400),
        text,
        (request, field, place, inserted) => {
          fc.pre(inserted.trim() !== '');
          const headers = request.headers.map(([name, value]): HeaderLine => {
            if (name !== field) return [name, value];
            const at = place % (value.length + 1);
            return [name, `${value.slice(0, at)}${inserted}${value.slice(at)}`];
          });
          const verdict = verdictOf({ ...request, headers });
          const before = verdictOf(request);
          // Another label appended, or space between parts: the verdict may stand, and then speaks of the same signature.
          if (verdict.status === 'verified')
            expect({ ...verdict, label: null }).toEqual({ ...before, label: null });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('in targets, hosts and methods never throw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIGNED),
        text,
        text,
        text,
        (request, target, authority, method) => {
          const verdict = verdictOf({ ...request, target, authority, method });
          expect(verdict.status).toBe('invalid');
        },
      ),
      { numRuns: 500 },
    );
  });
});
