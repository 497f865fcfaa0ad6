import { canonicalize } from '../kernel/index.js';
import type { EndBreakCode } from './end-checks.js';
import type { ExportHead } from './export-format.js';
import type { RowBreakCode } from './row-judge.js';
import type { Quorum } from './verifier-options.js';

export type ExportBreakCode = RowBreakCode | EndBreakCode;

/** What a verifier says of a file. Unusable: the options, or a file that cannot be read at all; for programs unreadable. */
export type VerifierAnswer =
  | { readonly result: 'unreadable'; readonly message: string }
  | { readonly result: 'unusable'; readonly message: string }
  | JudgedAnswer;

/** `found` null = verified. The counts, head and tree are those of the rows that were accepted. */
export interface JudgedAnswer {
  readonly result: 'verified' | 'broken';
  readonly found: { readonly code: ExportBreakCode; readonly seq: number } | null;
  /** The name of the log, as the file gives it. */
  readonly origin: string | null;
  /** Signatures were asked for without a key of a log: then any log would do. */
  readonly isLogUnchecked: boolean;
  readonly sealedCount: number;
  readonly unsealedCount: number;
  readonly head: ExportHead | null;
  readonly tree: { readonly size: number; readonly rootHex: string } | null;
  readonly signatures: 'verified' | 'skipped' | 'unverifiable';
  readonly unverifiable: { readonly rowCount: number; readonly kids: readonly string[] };
  readonly witnesses: readonly { readonly name: string; readonly self: boolean }[];
  readonly unwitnessedSinceSeq: number | null;
  /** Key ids of sealed entries whose signature was not checked, for whatever reason. */
  readonly uncheckedKids: readonly string[];
  readonly quorum: Quorum & { readonly asked: number };
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
  checkpoint_signature:
    'the file is not of the log you gave a key of, or its key did not sign a checkpoint',
  witness_signature: 'a witness you gave did not sign what stands under its name',
  cosignature_quorum: 'the newest witnessed head carries too few of the witnesses you gave',
  not_sealed: 'no entry is sealed, and you asked for a sealed ledger',
  signatures_unverifiable: 'not every signature could be checked with the secrets you gave',
};

const COMPARE = 'Export the ledger again and compare the two files before you conclude anything.';

/** What a break means, and what to do. Of two kinds nothing was found wrong with the file: something is missing to check it. */
function explained(answer: JudgedAnswer): { readonly meaning: string; readonly advice: string } {
  const { found, uncheckedKids, quorum } = answer;
  if (found === null) return { meaning: '', advice: '' };
  const meaning = MEANINGS[found.code];
  if (found.code === 'signatures_unverifiable')
    return {
      meaning: `${meaning}: none was given for ${uncheckedKids.map(visible).join(', ')}`,
      advice: "Ask for these auditor's keys, and give them with --hmac-secret-file.",
    };
  if (found.code !== 'cosignature_quorum') return { meaning, advice: COMPARE };
  const { asked, given, signed, missing } = quorum;
  const names = missing.length === 0 ? 'none' : missing.map(visible).join(', ');
  return {
    meaning: `${meaning}: ${signed} of ${given} keys given, ${asked} asked for; missing: ${names}`,
    advice:
      given === 0
        ? 'Give keys of witnesses with --witness-keys.'
        : 'Ask why the missing witnesses did not cosign it: they may be away, or a later head has them.',
  };
}

/** One JSON line, without LF. */
export function answerJson(answer: VerifierAnswer): string {
  const judged = isJudged(answer) ? answer : null;
  return canonicalize({
    result: judged?.result ?? 'unreadable',
    break: judged?.found?.code ?? null,
    seq: judged?.found?.seq ?? null,
    origin: judged?.origin ?? null,
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
    message: isJudged(answer) ? headline(answer) : answer.message,
  });
}

const isJudged = (answer: VerifierAnswer): answer is JudgedAnswer =>
  answer.result === 'verified' || answer.result === 'broken';

/** The same for people, without the last LF. `used` names the options that were used. */
export function answerText(answer: VerifierAnswer, used: readonly string[]): string {
  if (answer.result === 'unreadable') return `not a readable export: ${answer.message}`;
  if (answer.result === 'unusable') return answer.message;
  if (answer.found !== null) {
    const { code, seq } = answer.found;
    const { meaning, advice } = explained(answer);
    return [
      `${code} at seq ${seq}`,
      `${meaning}. ${advice}`,
      ...(code === 'checkpoint_signature' ? [logLine(answer)] : []),
    ].join('\n');
  }
  return [
    headline(answer),
    logLine(answer),
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

function headline(answer: JudgedAnswer): string {
  const { found, sealedCount, unsealedCount } = answer;
  if (found !== null) return `${found.code} at seq ${found.seq}: ${explained(answer).meaning}`;
  return `verified: ${sealedCount + unsealedCount} entries, ${sealedCount} sealed, ${unsealedCount} unsealed`;
}

const logLine = ({ origin }: JudgedAnswer): string =>
  `log: ${origin === null ? 'none' : visible(origin)}`;

/** A name out of a file: nothing in it may command a terminal. */
export const visible = (name: string): string =>
  name.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );

function signaturesLine({ signatures, unverifiable }: JudgedAnswer): string {
  if (signatures !== 'unverifiable')
    return `signatures: ${signatures === 'verified' ? 'verified' : 'skipped (no secret file)'}`;
  return `signatures: unverifiable (${unverifiable.rowCount} rows, ${unverifiable.kids.join(', ')})`;
}

function witnessLines(answer: JudgedAnswer): string[] {
  const { witnesses, isLogUnchecked, unwitnessedSinceSeq } = answer;
  const names = witnesses.map(({ name, self }) => (self ? `${name} (self)` : name));
  return [
    ...(isLogUnchecked
      ? ['no key of the log was given: another log of the same operator would pass']
      : []),
    ...(names.length === 0 ? [] : [`witnesses of the newest witnessed head: ${names.join(', ')}`]),
    unwitnessedSinceSeq === null
      ? 'every entry is covered by a witnessed head'
      : `unwitnessed since seq ${unwitnessedSinceSeq}`,
  ];
}
