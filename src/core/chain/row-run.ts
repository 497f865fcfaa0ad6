import { GENESIS_PREV } from './entry-bytes.js';
import { type SubtreeHash, TreeBuilder } from './merkle.js';
import { type RowContext, RowJudge, type RowPlace } from './row-judge.js';

/** What a run of rows says when it is judged alone, in a form that can be handed from thread to thread. */
export interface RowRunReport {
  /** Where the run took itself to start: what its first row says of the rows before it. */
  readonly start: RowPlace;
  readonly end: RowPlace;
  readonly firstLeaf: number;
  readonly rowCount: number;
  readonly uncheckedCount: number;
  readonly hasExpectedLink: boolean;
  readonly kidsSeen: readonly string[];
  readonly uncheckedKids: readonly string[];
  /** The run cut behind each row that somebody asks for; the last part ends the run. */
  readonly parts: readonly RunPart[];
}

interface RunPart {
  /** The leaves of the part. */
  readonly subtrees: readonly SubtreeHash[];
  readonly leafCount: number;
  /** The row the part ends with, when it is one that was asked for. */
  readonly stop: { readonly seq: number; readonly link: string | null } | null;
}

/** Where the first row of a run says it stands. */
export interface RunStart {
  readonly seq: number;
  readonly prev: string;
}

const SEQ_AT_END = /"prev":"([0-9a-f]{64})","seq":(0|[1-9][0-9]{0,14})\}$/;

/** The place of a sealed row, read from the end of its line; null = it has another form. */
export function runStartOf(line: Buffer, begin: number, end: number): RunStart | null {
  const tail = line.toString('latin1', Math.max(begin, end - 128), end);
  const [, prev, seq] = SEQ_AT_END.exec(tail) ?? [];
  return prev === undefined || seq === undefined ? null : { seq: Number(seq), prev };
}

/**
 * Judges rows that stand somewhere in the file, on the word of the first about the rows before it. `lines` gives each
 * line to the function it is called with, until that says no. `firstLeaf` is a guess: how many sealed rows stand before.
 * Null = something in them can only be judged where they stand: an unsealed row, another line, a break.
 */
export function judgeRun(
  context: RowContext,
  { seq, prev, firstLeaf }: RunStart & { readonly firstLeaf: number },
  lines: (judge: (line: Buffer, begin: number, end: number) => boolean) => void,
): RowRunReport | null {
  const isFirst = prev === GENESIS_PREV;
  // A first sealed row would have to say that sealing starts with it; every other one follows a sealed row.
  if (isFirst || !Number.isSafeInteger(firstLeaf) || firstLeaf < 0) return null;
  const start: RowPlace = { nextSeq: seq, lastLink: prev, sealing: true, sinceSeq: null };
  const parts: RunPart[] = [];
  let isOdd = false;
  let leavesBefore = 0;
  const cut = (stop: RunPart['stop']): void => {
    const leafCount = judge.sealedCount - leavesBefore;
    parts.push({ subtrees: judge.tree.subtrees(), leafCount, stop });
    leavesBefore = judge.sealedCount;
    judge.tree = TreeBuilder.from(firstLeaf + leavesBefore);
  };
  const judge = new RowJudge(
    context,
    {
      onUnsealed: () => (isOdd = true),
      onStop: (stopSeq, link) => cut({ seq: stopSeq, link }),
    },
    start,
  );
  judge.tree = TreeBuilder.from(firstLeaf);
  lines((line, begin, end) => {
    isOdd ||= !judge.acceptLine(line, begin, end);
    return !isOdd;
  });
  // Switching sealing inside a run is rare, and since when it is on is told by rows in front of it.
  if (isOdd || !judge.sealing || judge.sinceSeq !== null) return null;
  cut(null);
  return {
    start,
    end: { nextSeq: judge.nextSeq, lastLink: judge.lastLink, sealing: true, sinceSeq: null },
    firstLeaf,
    rowCount: judge.sealedCount,
    uncheckedCount: judge.uncheckedCount,
    hasExpectedLink: judge.hasExpectedLink,
    kidsSeen: [...judge.kidsSeen],
    uncheckedKids: [...judge.uncheckedKids],
    parts,
  };
}

/**
 * Takes over a run that was judged alone, when it starts exactly where the rows judged here end: then it would have been
 * accepted here as well, row by row. False = it does not, and nothing was taken.
 */
export function takeRun(
  judge: RowJudge,
  run: RowRunReport,
  onStop: (seq: number, link: string | null) => void,
): boolean {
  const { start, end } = run;
  const follows =
    judge.sealing &&
    judge.nextSeq === start.nextSeq &&
    judge.lastLink === start.lastLink &&
    judge.sealedCount === run.firstLeaf;
  if (!follows) return false;
  judge.nextSeq = end.nextSeq;
  judge.lastLink = end.lastLink;
  judge.uncheckedCount += run.uncheckedCount;
  judge.hasExpectedLink ||= run.hasExpectedLink;
  for (const kid of run.kidsSeen) judge.kidsSeen.add(kid);
  for (const kid of run.uncheckedKids) judge.uncheckedKids.add(kid);
  for (const part of run.parts) {
    for (const subtree of part.subtrees) judge.tree.pushSubtree(subtree);
    judge.sealedCount += part.leafCount;
    if (part.stop !== null) onStop(part.stop.seq, part.stop.link);
  }
  judge.passStops();
  return true;
}
