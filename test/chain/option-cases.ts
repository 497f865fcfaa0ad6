import {
  at,
  broken,
  type Case,
  casesOf,
  type CaseOptions,
  type Damage,
  type Expected,
  UNREADABLE,
  VERIFIED,
} from './cases.js';
import { membersIn, textIn } from './export-file.js';
import { type Ledger, logKeyOf } from './ledgers.js';
import { WITNESSES } from './signers.js';

const hex = 'f'.repeat(64);
const digits = '0'.repeat(64);

/** Arguments beside a good file that make no sense. */
const UNUSABLE: readonly (readonly string[])[] = [
  ['another-file'],
  ['--unknown'],
  ['-x'],
  ['--Json'],
  ['--json'],
  ['--json=1'],
  ['--require-seal'],
  ['--require-sealed=yes'],
  ['--require-sealed', '--require-sealed'],
  ['--no-progress', '--no-progress'],
  ['--expected-head'],
  ['--expected', hex],
  ['--expected-head', ''],
  ['--expected-head='],
  ['--expected-head', hex, '--expected-head', hex],
  ['--expected-head', hex.slice(1)],
  ['--expected-head', `${hex}0`],
  ['--expected-head', hex.toUpperCase()],
  ['--expected-head', `${hex}\n`],
  ['--expected-head', `:${hex}`],
  ['--expected-head', `-1:${hex}`],
  ['--expected-head', `+1:${hex}`],
  ['--expected-head', `01:${hex}`],
  ['--expected-head', `1.0:${hex}`],
  ['--expected-head', ` 1:${hex}`],
  ['--expected-head', `1 :${hex}`],
  ['--expected-head', `१:${hex}`],
  ['--expected-head', `9007199254740992:${hex}`],
  ['--expected-head', `99999999999999999999:${hex}`],
  ['--expected-head', `1:1:${hex}`],
  ['--expected-head', `${hex}:1`],
  ['--expected-head', '1:'],
  ['--hmac-secret-file'],
  ['--hmac-secret-file', '/nonexistent/secrets'],
  ['--hmac-secret-file', '/'],
  ['--hmac-secret-file', ''],
  ['--witness-keys'],
  ['--witness-keys', '/nonexistent/keys'],
  ['--witness-keys', '/'],
  ['--witness-quorum', '1'],
];

const BAD_QUORUMS = [
  '',
  '0',
  '-1',
  '+1',
  '01',
  '1.0',
  '1e1',
  'one',
  '१',
  ' 1',
  '1\n',
  '10000000000',
] as const;

/** Options that cannot be used, and the forms of those that can. The ledger is sealed and holds witnessed heads. */
export function optionCases(ledger: Ledger): Case[] {
  const { file } = ledger;
  const of = (more: readonly string[], expected: Expected, options: CaseOptions = {}): Damage => ({
    name: `options: ${JSON.stringify(more).replaceAll(hex, 'ff')}`,
    ...{ file, expected, options: { ...options, more }, forms: ['lines'] },
  });
  const keys = { keys: at(WITNESSES, 0).key.text };
  const head = textIn(membersIn(file.header, 'head'), 'hash');
  return [
    ...UNUSABLE.map((more) => of(more, UNREADABLE)),
    ...BAD_QUORUMS.map((count) => of(['--witness-quorum', count], UNREADABLE, keys)),
    of(['--witness-quorum', '1', '--witness-quorum', '1'], UNREADABLE, keys),
    of([], VERIFIED),
    of(['--no-progress'], VERIFIED),
    of(['--require-sealed'], VERIFIED),
    of(['--require-sealed', '--no-progress', `--expected-head=${head}`], VERIFIED),
    of(['--witness-quorum=1'], VERIFIED, keys),
    of(['--witness-quorum', '2'], UNREADABLE, keys),
    of(['--witness-quorum', '999999999'], UNREADABLE, keys),
    of(['--witness-quorum', '1'], UNREADABLE, { keys: logKeyOf(ledger) }),
  ].flatMap(casesOf);
}

/** A head from outside, at every row and beside it. */
export function expectedHeads(ledger: Ledger): Case[] {
  const { file, headSeq, plan } = ledger;
  const of = (what: string, expectedHead: string, expected: Expected): Damage => ({
    name: `${plan.name}: expected head: ${what}`,
    ...{ file, expected, options: { expectedHead } },
  });
  const mismatch = (seq: number) => broken('expected_head_mismatch', seq, headSeq + 1);
  const rows = file.rows.flatMap((row, seq) => {
    const { link } = row;
    if (typeof link !== 'string')
      return [of(`unsealed row ${seq}`, `${seq}:${digits}`, mismatch(seq))];
    const other = seq === headSeq ? 0 : seq + 1;
    return [
      of(`of row ${seq}`, link, VERIFIED),
      of(`of row ${seq} with its seq`, `${seq}:${link}`, VERIFIED),
      of(`mac of row ${seq}`, textIn(row, 'mac'), mismatch(headSeq)),
      ...(other === seq
        ? []
        : [of(`of row ${seq} with another seq`, `${other}:${link}`, mismatch(other))]),
    ];
  });
  const beyond = broken('truncated', headSeq + 1, headSeq + 1);
  return [
    ...rows,
    of('of nothing', hex, mismatch(headSeq)),
    of('of genesis', digits, mismatch(headSeq)),
    of('of nothing with the last seq', `${headSeq}:${hex}`, mismatch(headSeq)),
    of('behind the end', `${headSeq + 1}:${hex}`, beyond),
    of('far behind the end', `${Number.MAX_SAFE_INTEGER}:${hex}`, beyond),
  ].flatMap(casesOf);
}

/** --require-sealed asks for one sealed row at least. */
export const sealedDemand = ({ file, headSeq, kids, plan }: Ledger): Case[] =>
  casesOf({
    name: `${plan.name}: sealed rows demanded`,
    ...{ file, options: { more: ['--require-sealed'] } },
    expected: kids.length > 0 ? VERIFIED : broken('not_sealed', headSeq, headSeq + 1),
  });
