import type { CanonicalValue } from '../../src/core/kernel/index.js';
import { at, broken, changed, type Damage, type Expected, VERIFIED } from './cases.js';
import { redigest, textIn } from './export-file.js';
import { reseal, restate } from './forged.js';
import { type Draft, ledgerOf, type LedgerPlan } from './ledgers.js';

type Edit = readonly [what: string, edit: (body: string) => string];

const put =
  (found: string, replacement: string) =>
  (body: string): string =>
    body.replace(found, () => replacement);

const data = (text: string) => put('"data":{', `"data":{${text}`);

/** Of the request behind the entry, when it was signed. */
const SIGNATURE = {
  agent: 'https://agent.example',
  coverage: 'full',
  created: '2026-11-30T10:00:00.000Z',
  expires: '2026-11-30T10:04:00.000Z',
  keyid: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  nonce_hash: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  profile: 'wba',
  tag: 'web-bot-auth',
};
const UNNAMED = { agent: null, created: null, expires: null, nonce_hash: null, tag: null };

/** Put behind the request id, where it belongs. */
const signed = (signature: CanonicalValue) =>
  put(',"type":"toy.happened"', `,"signature":${JSON.stringify(signature)},"type":"toy.happened"`);
const signatureText = `"signature":${JSON.stringify(SIGNATURE)}`;
const without = (name: keyof typeof SIGNATURE): CanonicalValue =>
  Object.fromEntries(Object.entries(SIGNATURE).filter(([other]) => other !== name));
const SIGNATURE_NAMES = Object.keys(SIGNATURE) as (keyof typeof SIGNATURE)[];

/** A member `signature` that nobody writes. */
const NOT_SIGNED: readonly Edit[] = [
  ['signed: in front of the request id', put('"request_id"', `${signatureText},"request_id"`)],
  ['signed: behind the type', put('"v":1', `${signatureText},"v":1`)],
  ['signed: at the end', put('"v":1}', `"v":1,${signatureText}}`)],
  ['signed: inside the actor', put('"role":"system"', `"role":"system",${signatureText}`)],
  ['signed: twice', put(',"type"', `,${signatureText},${signatureText},"type"`)],
  ['signed: another name', put(',"type"', `,"signatures":${JSON.stringify(SIGNATURE)},"type"`)],
  ...[null, true, 1, 'wba', [], {}, [SIGNATURE]].map((value): Edit => [
    `signed: ${JSON.stringify(value).slice(0, 10)}`,
    signed(value),
  ]),
  ['signed: a member more', signed({ ...SIGNATURE, zone: 'x' })],
  ['signed: a member more in front', signed({ a: 'x', ...SIGNATURE })],
  ['signed: out of order', signed(Object.fromEntries(Object.entries(SIGNATURE).reverse()))],
  [
    'signed: a member twice',
    put(',"type"', `,${signatureText.replace('{', '{"agent":null,')},"type"`),
  ],
  ['signed: a blank', put(',"type"', `,${signatureText.replace(':', ': ')},"type"`)],
  ...SIGNATURE_NAMES.flatMap((name): Edit[] => [
    [`signed: without ${name}`, signed(without(name))],
    [`signed: ${name} as number`, signed({ ...SIGNATURE, [name]: 1 })],
    [`signed: ${name} as list`, signed({ ...SIGNATURE, [name]: [SIGNATURE[name]] })],
    [`signed: ${name} false`, signed({ ...SIGNATURE, [name]: false })],
    ...(name in UNNAMED
      ? []
      : [[`signed: ${name} null`, signed({ ...SIGNATURE, [name]: null })] as Edit]),
  ]),
];

/** Bodies that are not the canonical text of an entry. The body edited has the data `{"z":"é"}`. */
const NOT_CANONICAL: readonly Edit[] = [
  ['a blank', put(':', ': ')],
  ['a line feed at the end', (body) => `${body}\n`],
  ['a blank in front', (body) => ` ${body}`],
  [
    'members out of order',
    put('"id":"ent_1","request_id":"req_1"', '"request_id":"req_1","id":"ent_1"'),
  ],
  ['members of data out of order', data('"zz":1,')],
  ['order of code points', put('"data":{"z":"é"}', '"data":{"\ufb33":1,"\u{1f602}":2}')],
  ['a member twice', put('"v":1', '"v":1,"v":1')],
  ['a member of data twice', data('"z":1,')],
  ['a member missing', put('"request_id":"req_1",', '')],
  ['a member more', put('"v":1', '"v":1,"w":1')],
  ['version 2', put('"v":1', '"v":2')],
  ['version as text', put('"v":1', '"v":"1"')],
  ['version true', put('"v":1', '"v":true')],
  ['version 1.0', put('"v":1', '"v":1.0')],
  ['an instant as number', (body) => body.replace(/"at":"[^"]*"/, '"at":1')],
  ['a type that is null', put('"type":"toy.happened"', '"type":null')],
  ['an id that is a number', put('"id":"ent_1"', '"id":1')],
  ['data as list', put('"data":{"z":"é"}', '"data":[]')],
  ['data null', put('"data":{"z":"é"}', '"data":null')],
  ['data as text', put('"data":{"z":"é"}', '"data":"{}"')],
  ['an actor more', put('"role":"system"', '"role":"system","s":1')],
  ['an actor without role', put(',"role":"system"', '')],
  ['an actor as text', put('{"id":"test","role":"system"}', '"test"')],
  ['an escape that is not needed', put('é', '\\u00e9')],
  ['an escaped solidus', data('"a":"\\/",')],
  ['a long escape', data('"a":"\\u000a",')],
  ['an escape in upper case', data('"a":"\\u001F",')],
  ['a raw control character', data('"a":"\u001f",')],
  ['a raw line feed', data('"a":"\n",')],
  ['half a surrogate pair', data('"a":"\\ud800",')],
  ['an escaped pair', data('"a":"\\ud83d\\ude00",')],
  ['-0', data('"a":-0,')],
  ['a fraction', data('"a":1.5,')],
  ['an exponent', data('"a":1e3,')],
  ['a zero in front', data('"a":01,')],
  ['2^53', data('"a":9007199254740992,')],
  ['-2^53', data('"a":-9007199254740992,')],
  ['many digits', data(`"a":${'9'.repeat(5000)},`)],
  ['NaN', data('"a":NaN,')],
  ['Infinity', data('"a":Infinity,')],
  ['33 deep', data(`"a":${'['.repeat(31)}${']'.repeat(31)},`)],
  ['33 deep in objects', data(`"a":${'{"a":'.repeat(30)}{}${'}'.repeat(30)},`)],
  ['1,000 deep', data(`"a":${'['.repeat(1000)}${']'.repeat(1000)},`)],
  ['100,000 deep', data(`"a":${'['.repeat(100_000)}${']'.repeat(100_000)},`)],
  ['no text', () => ''],
  ['no JSON', () => 'body'],
  ['null', () => 'null'],
  ['a list', (body) => `[${body}]`],
  ['two of them', (body) => body + body],
  ['a torn one', (body) => body.slice(0, -1)],
  ['a byte order mark', (body) => `\ufeff${body}`],
  ['another opening', put('"toy.happened"', '"ledger.opened"')],
  ...NOT_SIGNED,
];

/** Unusual, and still the canonical text of an entry. */
const CANONICAL: readonly Edit[] = [
  ['2^53 - 1', data('"a":9007199254740991,"b":-9007199254740991,"c":0,"d":-1,')],
  ['32 deep', data(`"a":${'['.repeat(30)}${']'.repeat(30)},`)],
  ['wide, not deep', data(`"a":[${Array(100).fill('[],{}').join(',')}],`)],
  ['order of UTF-16', put('"data":{"z":"é"}', '"data":{"a":"","é":0,"\u{1f602}":1,"\ufb33":2}')],
  [
    'names of prototypes',
    put('"data":{"z":"é"}', '"data":{"__proto__":{"a":1},"constructor":1,"toString":[]}'),
  ],
  ['an empty name', data('"":{"":""},')],
  [
    'escapes that are needed',
    data('"a":"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028\ufeff\uffff/",'),
  ],
  ['any text as instant', put('"at":"', '"at":"x')],
  ['an empty type', put('"toy.happened"', '""')],
  ['a type that only looks like one', put('"toy.happened"', '"ledger.openeded"')],
  ['signed', signed(SIGNATURE)],
  ['signed, all that may be missing', signed({ ...SIGNATURE, ...UNNAMED })],
  ['signed, escapes', signed({ ...SIGNATURE, keyid: '"\\\u0001', tag: 'é' })],
  ['signed, empty texts', signed({ ...SIGNATURE, agent: '', keyid: '', profile: '' })],
  ...Object.keys(UNNAMED).map((name): Edit => [
    `signed, ${name} null`,
    signed({ ...SIGNATURE, [name]: null }),
  ]),
];

const happened = (kid: string | null): Draft => ({ kid, data: { z: 'é' } });
const opened = (kid: string | null): Draft => ({
  type: 'ledger.opened',
  data: { sealing: { on: kid !== null, kid } },
  kid,
});

const planOf = (kid: string | null, drafts: readonly Draft[]): LedgerPlan => ({
  name: kid === null ? 'unsealed' : 'sealed',
  tenantId: 'tnt_bodies',
  drafts,
  sealing: { enabled: kid !== null, sinceSeq: kid === null ? null : 0 },
  anchoredAt: [],
  witnessedAt: [],
});

/** Every edit of row 1, with links, head and digest made again: only the form of the body is left to find. */
export const bodyCases = (): Damage[] =>
  ['k1', null].flatMap((kid) => {
    const ledger = ledgerOf(planOf(kid, [opened(kid), happened(kid), happened(kid)]));
    const of = ([what, edit]: Edit, expected: Expected, seq = 1): Damage => {
      const file = changed(ledger.file, (copy) => {
        const row = at(copy.rows, seq);
        const before = textIn(row, 'body');
        row['body'] = edit(before);
        if (row['body'] === before) throw new Error(`${what} changes nothing`);
        redigest(restate(reseal(copy)));
      });
      return { name: `${ledger.plan.name}: body: ${what}`, file, expected };
    };
    const form = broken('canonical_form', 1, 1);
    return [
      ...NOT_CANONICAL.map((edit) => of(edit, form)),
      ...CANONICAL.map((edit) => of(edit, VERIFIED)),
      ...(kid === null
        ? [
            of(
              ['an opening that is none', put('"ledger.opened"', '"toy.happened"')],
              broken('canonical_form', 0, 0),
              0,
            ),
          ]
        : []),
    ];
  });

const says = (type: string, value: Draft['data'], kid: string | null): Draft => ({
  type,
  data: value,
  kid,
});

const SEALING_OFF: readonly CanonicalValue[] = [
  ...[null, [], true, { on: 1 }, { on: 'true' }],
  // Looks like the member from behind, but is none.
  ...[['on', true], [{ on: true }], { on: { on: true } }],
  ...[{ '{"on': true }, { 'on"': true }, { on2: true, o: true }],
];
const OPENED_OFF: readonly CanonicalValue[] = [
  ...[{}, { on: true }],
  ...SEALING_OFF.map((sealing) => ({ sealing })),
];
const SWITCHED_OFF: readonly CanonicalValue[] = [
  ...[{}, { sealing: { on: true } }],
  ...['true', 1, null, [true]].map((on) => ({ on })),
  ...[{ 'a"on': true }, { a: '"on":true' }, { a: ['on', true], b: { on: true } }],
];

/** What entries say about sealing, in forms nobody writes: only the exact `true` switches on. */
export function declarations(): Damage[] {
  const of = (
    what: string,
    drafts: readonly Draft[],
    expected: Expected,
    sinceSeq: number | null = null,
  ): Damage => ({
    name: `sealing said: ${what}`,
    file: ledgerOf({ ...planOf(null, drafts), sealing: { enabled: sinceSeq !== null, sinceSeq } })
      .file,
    expected,
  });
  const on = { on: true, kid: 'k1' };
  const switchTo = (value: Draft['data'], kid: string | null): Draft =>
    says('ledger.sealing_switched', value, kid);
  const sealedOpening = opened('k1');
  return [
    ...OPENED_OFF.map((value) =>
      of(
        `opened ${JSON.stringify(value)}`,
        [says('ledger.opened', value, null), happened(null)],
        VERIFIED,
      ),
    ),
    ...SWITCHED_OFF.map((value) =>
      of(
        `switched ${JSON.stringify(value)}`,
        [sealedOpening, switchTo(value, 'k1'), happened(null)],
        VERIFIED,
      ),
    ),
    of('on without kid', [opened(null), switchTo({ on: true }, 'k1'), happened('k1')], VERIFIED, 1),
    of(
      'on twice',
      [opened(null), switchTo(on, 'k1'), happened('k1'), switchTo(on, 'k2')],
      VERIFIED,
      1,
    ),
    of(
      'off twice',
      [opened('k1'), switchTo({ on: false }, 'k1'), switchTo({ on: false }, null)],
      VERIFIED,
    ),
    of(
      'off, on, off, on',
      [
        sealedOpening,
        switchTo({ on: false }, 'k1'),
        switchTo(on, 'k1'),
        switchTo({ on: false }, 'k1'),
        happened(null),
        switchTo(on, 'k1'),
      ],
      VERIFIED,
      5,
    ),
    of(
      'a switch of another type',
      [sealedOpening, says('ledger.sealing_switche', { on: false }, 'k1'), happened('k1')],
      VERIFIED,
      0,
    ),
    of('sealed while off', [opened(null), happened('k1')], broken('link_hash', 1, 1)),
    of(
      'sealed after off',
      [sealedOpening, switchTo({ on: false }, 'k1'), happened('k1')],
      broken('link_hash', 2, 2),
    ),
    of('unsealed while on', [sealedOpening, happened(null)], broken('previous_link', 1, 1), 0),
    of(
      'the switch on unsealed',
      [opened(null), switchTo(on, null)],
      broken('previous_link', 1, 1),
      1,
    ),
    of(
      'the switch off unsealed',
      [sealedOpening, switchTo({ on: false }, null)],
      broken('previous_link', 1, 1),
    ),
    of(
      'opened on, unsealed',
      [says('ledger.opened', { sealing: on }, null)],
      broken('previous_link', 0, 0),
      0,
    ),
    of(
      'opened off, sealed',
      [says('ledger.opened', { sealing: { on: false } }, 'k1')],
      broken('link_hash', 0, 0),
    ),
    of(
      'enabled, but said off',
      [sealedOpening, switchTo({ on: false }, 'k1')],
      broken('head_mismatch', 1, 2),
      0,
    ),
    of('since the rotation', [sealedOpening, switchTo(on, 'k2')], broken('head_mismatch', 1, 2), 1),
    of(
      'a form that is none switches nothing',
      [opened(null), notCanonical(switchTo(on, 'k1'))],
      broken('link_hash', 1, 1),
      1,
    ),
    of(
      'a form that is none, unsealed',
      [opened(null), notCanonical(switchTo(on, null))],
      broken('canonical_form', 1, 1),
      1,
    ),
  ];
}

/** The same entry with a blank in its text. */
function notCanonical(draft: Draft): Draft {
  const plan = planOf(draft.kid, [opened(null), draft]);
  const body = textIn(at(ledgerOf(plan).file.rows, 1), 'body');
  return { ...draft, body: body.replace(':', ': ') };
}
