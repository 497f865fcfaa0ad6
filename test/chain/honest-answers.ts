import { type Case, type CaseOptions, VERIFIED } from './cases.js';
import { fileOf, FORMS, numberIn } from './export-file.js';
import { type Ledger, logKeyOf, treeAt } from './ledgers.js';
import { hexOf, secretsFile } from './secrets.js';
import { SELF_WITNESS, WITNESSES } from './signers.js';

/** Everything --json says about an honest ledger but the words. */
function answerOf(
  ledger: Ledger,
  extra: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { file, headSeq } = ledger;
  const { size, root } = treeAt(file.rows, headSeq);
  const heads = file.points.filter(({ kind }) => kind === 'witnessed_head');
  const newest = heads.length === 0 ? -1 : Math.max(...heads.map((head) => numberIn(head, 'seq')));
  return {
    ...{ result: 'verified', break: null, seq: null, origin: file.header['origin'] },
    ...{ entries: headSeq + 1, sealed: size, unsealed: headSeq + 1 - size },
    head: file.header['head'],
    tree: size === 0 ? null : { size, root: hexOf(root) },
    ...{ signatures: 'skipped', unverifiable: { rows: 0, kids: [] }, witnesses: [] },
    unwitnessed_since_seq: newest === headSeq ? null : newest + 1,
    ...extra,
  };
}

/** Honest exports and all that is told about them, with and without secrets and keys. */
export function honestAnswers(ledger: Ledger): Case[] {
  const { file, kids, plan } = ledger;
  const heads = file.points.filter(({ kind }) => kind === 'witnessed_head');
  const [first] = kids;
  const left = file.rows.filter(({ kid }) => kid !== null && kid !== first).length;
  const signers = (plan.lastWitnesses ?? WITNESSES).map(({ name }) => ({
    name,
    self: name === SELF_WITNESS.name,
  }));
  const keys = [logKeyOf(ledger), ...WITNESSES.map(({ key }) => key.text)].join('\n');
  const partly =
    left === 0
      ? { signatures: 'verified' }
      : { signatures: 'unverifiable', unverifiable: { rows: left, kids: kids.slice(1) } };
  const variants: (readonly [string, CaseOptions, Record<string, unknown>])[] = [
    ['alone', {}, {}],
    ['with all secrets', { secrets: secretsFile(ledger) }, { signatures: 'verified' }],
    ['with the first secret', { secrets: secretsFile(ledger, kids.slice(0, 1)) }, partly],
    ...(heads.length === 0 ? [] : [['with keys', { keys }, { witnesses: signers }] as const]),
  ];
  return FORMS.flatMap((form) =>
    variants.map(([what, options, extra]) => ({
      name: `${plan.name}: honest, ${what} (${form})`,
      content: fileOf(file, form),
      options,
      expected: VERIFIED,
      answer: answerOf(ledger, extra),
    })),
  );
}
