import {
  broken,
  type Case,
  casesOf,
  type CaseOptions,
  type Damage,
  type Expected,
  UNREADABLE,
  VERIFIED,
} from './cases.js';
import { numberIn } from './export-file.js';
import { type Ledger, secretOf } from './ledgers.js';

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const secretLine = ({ plan }: Ledger, kid: string): string =>
  `${kid} ${hexOf(secretOf(plan.tenantId, kid))}`;

/** The auditor's file: the derived key of each kid, on a line of its own. */
export const secretsFile = (ledger: Ledger, kids = ledger.kids): string =>
  [
    '# derived keys',
    '',
    ...kids.map((kid) => secretLine(ledger, kid)),
    'k-unused ' + '0'.repeat(64),
  ].join('\n');

const firstOf = ({ file }: Ledger, kid: string): number => {
  const row = file.rows.find((one) => one['kid'] === kid);
  return row === undefined ? -1 : numberIn(row, 'seq');
};

/** The right secrets, wrong ones, and some of them missing, with and without --require-signatures. */
export function secretCases(ledger: Ledger): Case[] {
  const { file, headSeq, plan, kids } = ledger;
  const damage = (what: string, options: CaseOptions, expected: Expected): Damage => ({
    name: `${plan.name}: secrets: ${what}`,
    ...{ file, options, expected },
  });
  const required = { more: ['--require-signatures'] };
  const unverifiable =
    kids.length === 0 ? VERIFIED : broken('signatures_unverifiable', headSeq, headSeq + 1);
  const only = kids.length === 1 ? VERIFIED : UNREADABLE;
  const [kid = 'k1'] = kids;
  const perKid = kids.flatMap((one) => {
    const others = kids.filter((other) => other !== one);
    const wrong = [...others.map((other) => secretLine(ledger, other)), `${one} ${'0'.repeat(64)}`];
    const seq = firstOf(ledger, one);
    return [
      damage(`${one} wrong`, { secrets: wrong.join('\n') }, broken('signature', seq, seq)),
      damage(`${one} missing`, { secrets: secretsFile(ledger, others) }, VERIFIED),
      damage(
        `${one} missing and required`,
        { secrets: secretsFile(ledger, others), ...required },
        unverifiable,
      ),
      damage(
        `${one} of another tenant`,
        { secrets: `${one} ${hexOf(secretOf('tnt_other', one))}` },
        broken('signature', seq, seq),
      ),
    ];
  });
  return [
    damage('all', { secrets: secretsFile(ledger) }, VERIFIED),
    damage('all and required', { secrets: secretsFile(ledger), ...required }, VERIFIED),
    damage('none, but required', required, unverifiable),
    damage('a key alone', { secrets: `${hexOf(secretOf(plan.tenantId, kid))}\n` }, only),
    damage(
      'a wrong key alone',
      { secrets: '1'.repeat(64) },
      kids.length === 1 ? broken('signature', firstOf(ledger, kid)) : UNREADABLE,
    ),
    ...perKid,
  ].flatMap(casesOf);
}

/** Forms of the secret file; the ledger has exactly one key. */
export function secretFileCases(ledger: Ledger): Case[] {
  const { file, plan, kids } = ledger;
  const [kid = ''] = kids;
  const hex = hexOf(secretOf(plan.tenantId, kid));
  const of = (what: string, secrets: string, expected: Expected): Damage => ({
    name: `secret file: ${what}`,
    ...{ file, expected, options: { secrets }, forms: ['lines'] },
  });
  return [
    of('upper case', hex.toUpperCase(), VERIFIED),
    of('blanks around', ` \t${kid} \t ${hex}\t \r\n`, VERIFIED),
    of('comments around', `#\n # ${hex}\n\n${hex}\n# end`, VERIFIED),
    of('several kids', `${kid} ${hex}\nk2 ${hex}\n`, VERIFIED),
    of('empty', '', UNREADABLE),
    of('only comments', '# k1\n\n', UNREADABLE),
    of('the same kid twice', `${kid} ${hex}\n${kid} ${hex}\n`, UNREADABLE),
    of('two keys alone', `${hex}\n${hex}\n`, UNREADABLE),
    of('a key alone and one with kid', `${hex}\n${kid} ${hex}\n`, UNREADABLE),
    of('a digit less', `${kid} ${hex.slice(1)}`, UNREADABLE),
    of('a digit more', `${kid} ${hex}0`, UNREADABLE),
    of('no hex', `${kid} ${'g'.repeat(64)}`, UNREADABLE),
    of('base64', Buffer.from(hex, 'hex').toString('base64'), UNREADABLE),
    of('no blank', `${kid}${hex}`, UNREADABLE),
    of('a no-break space', `${kid}\u00a0${hex}`, UNREADABLE),
    of('a word behind', `${kid} ${hex} # comment`, UNREADABLE),
    of('a kid that is none', `k/1 ${hex}`, UNREADABLE),
    of('a kid of 65 letters', `${'k'.repeat(65)} ${hex}`, UNREADABLE),
    of('a byte order mark', `\ufeff${kid} ${hex}`, UNREADABLE),
    of('digits of another script', `${kid} ${'１'.repeat(64)}`, UNREADABLE),
  ].flatMap(casesOf);
}
