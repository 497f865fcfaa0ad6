import type { ExportHead, ExportHeader, ExportTrailer } from './export-format.js';
import type { ReadAnchor } from './export-reader.js';
import { type NoteSignature, verifyNote } from './note.js';
import { type VerifierOptions, witnessCount } from './verifier-options.js';
import type { VerifierKey, VerifierKind } from './vkey.js';

export type EndBreakCode =
  | 'truncated'
  | 'head_mismatch'
  | 'anchor_mismatch'
  | 'witness_mismatch'
  | 'digest_mismatch'
  | 'expected_head_mismatch'
  | 'checkpoint_signature'
  | 'witness_signature'
  | 'cosignature_quorum'
  | 'not_sealed'
  | 'signatures_unverifiable';

export interface EndBreak {
  readonly code: EndBreakCode;
  readonly seq: number;
}

/** What stood at a row that an anchor, a witnessed head or the expected head names. */
export interface Stop {
  readonly link: string | null;
  /** Sealed rows up to it. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** All that the rows said, beside what the file says about them. */
export interface EndState {
  readonly header: ExportHeader;
  readonly anchors: readonly ReadAnchor[];
  readonly trailer: ExportTrailer | null;
  readonly options: VerifierOptions;
  /** Seq of the last row; -1 = there is none. */
  readonly lastSeq: number;
  /** Link of the last sealed row. */
  readonly lastLink: string | null;
  readonly sealing: boolean;
  readonly sinceSeq: number | null;
  readonly sealedCount: number;
  readonly unsealedCount: number;
  /** Sealed rows whose mac was not checked. */
  readonly uncheckedCount: number;
  readonly kidsSeen: ReadonlySet<string>;
  readonly hasExpectedLink: boolean;
  /** By seq. */
  readonly stops: ReadonlyMap<number, Stop>;
  /** The digest as the file's own lines give it. */
  readonly digest: string;
}

/** What the end of the file says, and who signed the newest witnessed head. */
export interface EndVerdict {
  readonly found: EndBreak | null;
  /** Verified cosigners of the newest witnessed head; empty when signatures were not asked for or not reached. */
  readonly witnesses: readonly VerifierKey[];
}

type Check = (state: EndState) => EndBreak | null;

/** Before the signatures of notes, in this order. */
const CHECKS: readonly Check[] = [
  truncated,
  headMismatch,
  (state) => anchorMismatch(state, { kind: 'anchor', code: 'anchor_mismatch' }),
  (state) => anchorMismatch(state, { kind: 'witnessed_head', code: 'witness_mismatch' }),
  digestMismatch,
  expectedHeadMismatch,
  checkpointSignature,
  witnessSignature,
];

/** What is found when all rows were accepted: the first break, in the order of {@link EndBreakCode}. */
export function judgeEnd(state: EndState): EndVerdict {
  for (const check of CHECKS) {
    const found = check(state);
    if (found !== null) return { found, witnesses: [] };
  }
  const witnesses = newestCosigners(state);
  const found = quorumMissed(state, witnesses) ?? notSealed(state) ?? signaturesUnverifiable(state);
  return { found, witnesses };
}

const atHead = (state: EndState, code: EndBreakCode): EndBreak => ({
  code,
  seq: state.header.head.seq,
});

function truncated({ header, anchors, trailer, options, lastSeq }: EndState): EndBreak | null {
  const wanted = [
    header.head.seq,
    ...anchors.map(({ seq }) => seq).slice(-1),
    options.expectedHead?.seq ?? 0,
  ];
  return trailer === null || wanted.some((seq) => lastSeq < seq)
    ? { code: 'truncated', seq: lastSeq + 1 }
    : null;
}

function headMismatch(state: EndState): EndBreak | null {
  const { header, trailer, lastSeq, lastLink, sealedCount, unsealedCount } = state;
  const { sealing } = header;
  const isHead = (head: ExportHead | undefined): boolean =>
    head?.seq === lastSeq && head.hash === lastLink;
  const isCount = (counts: ExportHeader['counts'] | undefined): boolean =>
    counts?.sealed === sealedCount && counts.unsealed === unsealedCount;
  const kids = new Set(sealing.kids);
  const holds =
    isHead(header.head) &&
    isCount(header.counts) &&
    sealing.enabled === state.sealing &&
    sealing.sinceSeq === state.sinceSeq &&
    kids.size === state.kidsSeen.size &&
    [...kids].every((kid) => state.kidsSeen.has(kid)) &&
    isHead(trailer?.head) &&
    isCount(trailer?.counts);
  return holds ? null : atHead(state, 'head_mismatch');
}

function anchorMismatch(
  { header, anchors, stops }: EndState,
  { kind, code }: { readonly kind: ReadAnchor['kind']; readonly code: EndBreakCode },
): EndBreak | null {
  const wrong = anchors.find((anchor) => {
    if (anchor.kind !== kind) return false;
    const stop = stops.get(anchor.seq);
    const { origin, size, root } = anchor.checkpoint;
    return !(
      stop !== undefined &&
      stop.link === anchor.hash &&
      stop.size === anchor.size &&
      size === BigInt(stop.size) &&
      Buffer.compare(root, stop.root) === 0 &&
      origin === header.origin
    );
  });
  return wrong === undefined ? null : { code, seq: wrong.seq };
}

function digestMismatch(state: EndState): EndBreak | null {
  return state.trailer?.digest === state.digest ? null : atHead(state, 'digest_mismatch');
}

function expectedHeadMismatch(state: EndState): EndBreak | null {
  const { expectedHead } = state.options;
  if (expectedHead === null) return null;
  const { seq, hash } = expectedHead;
  const holds = seq === null ? state.hasExpectedLink : state.stops.get(seq)?.link === hash;
  return holds ? null : { code: 'expected_head_mismatch', seq: seq ?? state.lastSeq };
}

const keysOf = ({ witnessKeys }: VerifierOptions, kind: VerifierKind): readonly VerifierKey[] =>
  (witnessKeys ?? []).filter((key) => key.kind === kind);

/**
 * With a key of a log given: the file is not of a log whose key was given, a line of a given log key fails, or a note
 * has no line of the file's own log. Witnesses know a log by its name alone, and cosign another log of the same operator
 * as honestly as this one.
 */
function checkpointSignature({ header, anchors, options }: EndState): EndBreak | null {
  const code = 'checkpoint_signature';
  const keys = keysOf(options, 'ed25519');
  if (keys.length === 0) return null;
  const own = keys.filter(({ name }) => name === header.origin);
  if (own.length === 0) return { code, seq: header.head.seq };
  const isOwn = ({ name, keyId }: NoteSignature): boolean =>
    own.some((key) => key.name === name && key.keyId === keyId);
  for (const { seq, text, notes } of signedTexts(anchors)) {
    const isSigned = verifyNote({ text, signatures: notes.flat() }, keys).ok;
    // All lines of given keys verify: one that is there is good.
    if (!isSigned || !notes.every((lines) => lines.some(isOwn))) return { code, seq };
  }
  return null;
}

/** A line of a given witness key fails, in an anchor or a witnessed head. */
function witnessSignature({ anchors, options }: EndState): EndBreak | null {
  const keys = keysOf(options, 'cosignature');
  const failed = signedTexts(anchors).find(
    ({ text, notes }) => !verifyNote({ text, signatures: notes.flat() }, keys).ok,
  );
  return failed === undefined ? null : { code: 'witness_signature', seq: failed.seq };
}

/** A checkpoint's text, and the signature lines of every note over it. */
interface SignedText {
  readonly seq: number;
  readonly text: string;
  readonly notes: (readonly NoteSignature[])[];
}

/**
 * What is signed, once for all checkpoints that say it: who repeats one a thousand times is not verified as often. Those
 * of one text are of one seq by now, so the first that fails in this order is the first in the file's.
 */
function signedTexts(anchors: readonly ReadAnchor[]): readonly SignedText[] {
  const byText = new Map<string, SignedText>();
  for (const { seq, signedNote } of anchors) {
    const { text, signatures } = signedNote;
    const same = byText.get(text);
    if (same === undefined) byText.set(text, { seq, text, notes: [signatures] });
    else same.notes.push(signatures);
  }
  return [...byText.values()];
}

export const newestWitnessed = (anchors: readonly ReadAnchor[]): ReadAnchor | undefined =>
  anchors.findLast(({ kind }) => kind === 'witnessed_head');

function newestCosigners({ anchors, options }: EndState): readonly VerifierKey[] {
  const newest = newestWitnessed(anchors);
  if (newest === undefined || options.witnessKeys === null) return [];
  const verified = verifyNote(newest.signedNote, keysOf(options, 'cosignature'));
  return verified.ok ? verified.value.verified : [];
}

function quorumMissed(state: EndState, witnesses: readonly VerifierKey[]): EndBreak | null {
  if (state.options.witnessKeys === null) return null;
  if (witnessCount(witnesses) >= state.options.witnessQuorum) return null;
  const seq = newestWitnessed(state.anchors)?.seq ?? state.header.head.seq;
  return { code: 'cosignature_quorum', seq };
}

function notSealed(state: EndState): EndBreak | null {
  const isMissed = state.options.requireSealed && state.sealedCount === 0;
  return isMissed ? atHead(state, 'not_sealed') : null;
}

function signaturesUnverifiable(state: EndState): EndBreak | null {
  const isChecked =
    state.sealedCount === 0 || (state.options.secrets !== null && state.uncheckedCount === 0);
  return state.options.requireSignatures && !isChecked
    ? atHead(state, 'signatures_unverifiable')
    : null;
}
