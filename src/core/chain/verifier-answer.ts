import { canonicalize } from '../kernel/index.js';
import type { EndBreakCode } from './end-checks.js';
import type { ExportHead } from './export-format.js';
import type { RowBreakCode } from './row-judge.js';

export type ExportBreakCode = RowBreakCode | EndBreakCode;

/** What a verifier says of a file. */
export type VerifierAnswer =
  { readonly result: 'unreadable'; readonly message: string } | JudgedAnswer;

/** `found` null = verified. The counts, head and tree are those of the rows that were accepted. */
export interface JudgedAnswer {
  readonly result: 'verified' | 'broken';
  readonly found: { readonly code: ExportBreakCode; readonly seq: number } | null;
  readonly sealedCount: number;
  readonly unsealedCount: number;
  readonly head: ExportHead | null;
  readonly tree: { readonly size: number; readonly rootHex: string } | null;
  readonly signatures: 'verified' | 'skipped' | 'unverifiable';
  readonly unverifiable: { readonly rowCount: number; readonly kids: readonly string[] };
  readonly witnesses: readonly { readonly name: string; readonly self: boolean }[];
  readonly unwitnessedSinceSeq: number | null;
}

export const exitCodeOf = ({ result }: VerifierAnswer): 0 | 1 | 2 =>
  result === 'verified' ? 0 : result === 'broken' ? 1 : 2;

const MEANINGS: Readonly<Record<ExportBreakCode, string>> = {
  extra_rows: 'there are entries behind the head that the file itself names',
  sequence_gap: 'an entry before this one is missing',
  sequence_duplicate: 'an entry stands a second time, or out of its place',
  previous_link: 'the entry does not follow the one before it: one of the two was put there',
  link_hash: 'the entry is not the one that was written: its text, place or seal was changed',
  canonical_form: 'the entry is not in the form in which entries are written',
  key_unknown: 'the entry is sealed with a key that the file does not list',
  signature: 'the entry was not sealed with the secret you gave',
  truncated: 'the file ends before the entries it speaks of',
  head_mismatch: 'what the file says about its entries is not what stands in it',
  anchor_mismatch: 'a signed checkpoint is not one of these entries',
  witness_mismatch: 'witnesses saw other entries than these',
  digest_mismatch: 'a part that no link covers was changed: the header or an entry without seal',
  expected_head_mismatch: 'the head you were told is not in this history',
  checkpoint_signature: 'a checkpoint was not signed by the key you gave',
  witness_signature: 'a witness you gave did not sign what stands under its name',
  cosignature_quorum: 'the newest witnessed head carries too few of the witnesses you gave',
  not_sealed: 'no entry is sealed, and you asked for a sealed ledger',
  signatures_unverifiable: 'not every signature could be checked with the secrets you gave',
};

/** One JSON line, without LF. */
export function answerJson(answer: VerifierAnswer): string {
  const judged = answer.result === 'unreadable' ? null : answer;
  return canonicalize({
    result: answer.result,
    break: judged?.found?.code ?? null,
    seq: judged?.found?.seq ?? null,
    entries: (judged?.sealedCount ?? 0) + (judged?.unsealedCount ?? 0),
    sealed: judged?.sealedCount ?? 0,
    unsealed: judged?.unsealedCount ?? 0,
    head: judged?.head ? { seq: judged.head.seq, hash: judged.head.hash } : null,
    tree: judged?.tree ? { size: judged.tree.size, root: judged.tree.rootHex } : null,
    signatures: judged?.signatures ?? 'skipped',
    unverifiable: {
      rows: judged?.unverifiable.rowCount ?? 0,
      kids: judged?.unverifiable.kids ?? [],
    },
    witnesses: (judged?.witnesses ?? []).map(({ name, self }) => ({ name, self })),
    unwitnessed_since_seq: judged?.unwitnessedSinceSeq ?? null,
    message: answer.result === 'unreadable' ? answer.message : headline(answer),
  });
}

/** The same for people, without the last LF. `used` names the options that were used. */
export function answerText(answer: VerifierAnswer, used: readonly string[]): string {
  if (answer.result === 'unreadable') return `not a readable export: ${answer.message}`;
  if (answer.found !== null) {
    const { code, seq } = answer.found;
    return [
      `${code} at seq ${seq}`,
      `${MEANINGS[code]}. Export the ledger again and compare the two files before you conclude anything.`,
    ].join('\n');
  }
  return [
    headline(answer),
    ...(answer.sealedCount === 0 ? ['nothing is chained: no entry is sealed'] : []),
    ...(answer.head === null
      ? []
      : [`head: seq ${answer.head.seq}, link ${answer.head.hash ?? 'none'}`]),
    ...(answer.tree === null
      ? []
      : [`tree: ${answer.tree.size} leaves, root ${answer.tree.rootHex}`]),
    signaturesLine(answer),
    ...witnessLines(answer),
    `options used: ${used.length === 0 ? 'none' : used.join(', ')}`,
  ].join('\n');
}

function headline({ found, sealedCount, unsealedCount }: JudgedAnswer): string {
  if (found !== null) return `${found.code} at seq ${found.seq}: ${MEANINGS[found.code]}`;
  return `verified: ${sealedCount + unsealedCount} entries, ${sealedCount} sealed, ${unsealedCount} unsealed`;
}

function signaturesLine({ signatures, unverifiable }: JudgedAnswer): string {
  if (signatures !== 'unverifiable')
    return `signatures: ${signatures === 'verified' ? 'verified' : 'skipped (no secret file)'}`;
  return `signatures: unverifiable (${unverifiable.rowCount} rows, ${unverifiable.kids.join(', ')})`;
}

function witnessLines({ witnesses, unwitnessedSinceSeq }: JudgedAnswer): string[] {
  const names = witnesses.map(({ name, self }) => (self ? `${name} (self)` : name));
  return [
    ...(names.length === 0 ? [] : [`witnesses of the newest witnessed head: ${names.join(', ')}`]),
    unwitnessedSinceSeq === null
      ? 'every entry is covered by a witnessed head'
      : `unwitnessed since seq ${unwitnessedSinceSeq}`,
  ];
}
