import { at, broken, type Expected, UNREADABLE } from './cases.js';
import { type Change, otherText } from './changes.js';
import { type Json, type Members, membersIn, numberIn, textIn } from './export-file.js';
import type { Ledger } from './ledgers.js';

/** What, the path of the member, the new value of it, what follows. */
type Row = readonly [what: string, path: string, value: Json, expected: Expected];

function assign(members: Members, path: string, value: Json): void {
  const names = path.split('.');
  const holder = names.slice(0, -1).reduce(membersIn, members);
  holder[names.at(-1) ?? ''] = value;
}

const NO_HASH = 'f'.repeat(64);

/** What header and trailer both state. */
function statements({ headSeq, kids }: Ledger): Row[] {
  const head = broken('head_mismatch', headSeq, headSeq + 1);
  return [
    ['another head.hash', 'head.hash', NO_HASH, head],
    ['a head.hash that is none', 'head.hash', '', head],
    ['one sealed more', 'counts.sealed', headSeq + 2, head],
    ['one unsealed more', 'counts.unsealed', headSeq + 2, head],
    ...(kids.length === 0 ? [] : [['head.hash null', 'head.hash', null, head] as const]),
  ];
}

export const headerChanges = (ledger: Ledger): Change[] =>
  [
    ...statements(ledger),
    ...formRows,
    ...placeRows(ledger),
    ...sealingRows(ledger),
    ...digestRows(ledger),
    ...originRows(ledger),
  ].map(([what, path, value, expected]) => ({
    what: `header: ${what}`,
    change: ({ header }) => assign(header, path, value),
    expected,
    // The document has no kinds.
    ...(path === 'kind' ? { forms: ['lines' as const] } : {}),
  }));

const formRows: readonly Row[] = [
  ['another kind', 'kind', 'trailer', UNREADABLE],
  ['another format', 'format', 'oacp-commerce-ledgers', UNREADABLE],
  ['another version', 'version', 2, UNREADABLE],
  ['a tenant id with a line feed', 'tenant_id', 'tnt_a\n', UNREADABLE],
  ['a tenant id without prefix', 'tenant_id', 'late', UNREADABLE],
  ['an exported_at of another form', 'exported_at', '2026-11-30T10:00:00Z', UNREADABLE],
  ['an exported_at in other digits', 'exported_at', '２０26-11-30T10:00:00.000Z', UNREADABLE],
];

function placeRows({ file, headSeq }: Ledger): Row[] {
  const firstSealed = file.rows.findIndex(({ kid }) => kid !== null);
  const digest = broken('digest_mismatch', headSeq, headSeq + 1);
  const otherTenant = firstSealed < 0 ? digest : broken('link_hash', firstSealed, firstSealed);
  const beyond = broken('truncated', headSeq + 1, headSeq + 1);
  const before = broken('extra_rows', headSeq, headSeq);
  return [
    ['another tenant', 'tenant_id', 'tnt_other', otherTenant],
    ['head.seq larger', 'head.seq', headSeq + 1, beyond],
    ['head.seq far larger', 'head.seq', Number.MAX_SAFE_INTEGER, beyond],
    ...(headSeq === 0 ? [] : [['head.seq smaller', 'head.seq', headSeq - 1, before] as const]),
  ];
}

function sealingRows({ file, headSeq, kids }: Ledger): Row[] {
  const head = broken('head_mismatch', headSeq, headSeq + 1);
  const { enabled, since_seq: sinceSeq } = membersIn(file.header, 'sealing');
  const leftOut = kids.map((kid): Row => {
    const first = numberIn(
      at(
        file.rows.filter((row) => row['kid'] === kid),
        0,
      ),
      'seq',
    );
    const others = kids.filter((other) => other !== kid);
    return [`kid ${kid} left out`, 'sealing.kids', others, broken('key_unknown', first, first)];
  });
  return [
    ['enabled turned', 'sealing.enabled', enabled !== true, head],
    ['another since_seq', 'sealing.since_seq', 1, head],
    ...(sinceSeq === null ? [] : [['since_seq null', 'sealing.since_seq', null, head] as const]),
    ['a kid more', 'sealing.kids', [...kids, 'k9'], head],
    ['a kid that is none', 'sealing.kids', [...kids, '\n'], head],
    ...leftOut,
  ];
}

/** What nothing but the digest protects. */
function digestRows({ headSeq, kids }: Ledger): Row[] {
  const digest = broken('digest_mismatch', headSeq, headSeq + 1);
  const kidsDoubled: Row = ['kids doubled', 'sealing.kids', [...kids, ...kids], digest];
  const kidsReversed: Row = ['kids reversed', 'sealing.kids', [...kids].reverse(), digest];
  return [
    ['another exported_at', 'exported_at', '2026-11-30T10:00:00.124Z', digest],
    ['another log key', 'log_key', 'shop.example/other', digest],
    ['a self witness more', 'self_witnesses', ['a', 'b'], digest],
    ...(kids.length > 0 ? [kidsDoubled] : []),
    ...(kids.length > 1 ? [kidsReversed] : []),
  ];
}

/** Anchors are judged first, then witnessed heads, each in the order of the file. */
function originRows({ file, headSeq }: Ledger): Row[] {
  const { points } = file;
  const first = points.find(({ kind }) => kind === 'anchor') ?? points[0];
  if (first === undefined)
    return [
      ['an origin', 'origin', 'shop.example', broken('digest_mismatch', headSeq, headSeq + 1)],
    ];
  const code = first['kind'] === 'anchor' ? 'anchor_mismatch' : 'witness_mismatch';
  const expected = broken(code, numberIn(first, 'seq'), headSeq + 1);
  return [
    ['another origin', 'origin', 'shop.example/other', expected],
    ['origin null', 'origin', null, expected],
  ];
}

export function trailerChanges(ledger: Ledger): Change[] {
  const { file, headSeq } = ledger;
  const head = broken('head_mismatch', headSeq, headSeq + 1);
  const digest = broken('digest_mismatch', headSeq, headSeq + 1);
  const right = textIn(file.trailer ?? {}, 'digest');
  const rows: Row[] = [
    ...statements(ledger),
    ['head.seq larger', 'head.seq', headSeq + 1, head],
    ['another digest', 'digest', otherText(right), digest],
    ['a digest in upper case', 'digest', right.toUpperCase(), digest],
    ['a digest that is none', 'digest', 'é', digest],
  ];
  return rows.map(([what, path, value, expected]) => ({
    what: `trailer: ${what}`,
    change: ({ trailer }) => assign(trailer ?? {}, path, value),
    expected,
  }));
}
