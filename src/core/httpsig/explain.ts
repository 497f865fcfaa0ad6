import { ok } from '../kernel/index.js';
import { ComponentReader } from './component-value.js';
import { adviceFor, type BaseCause, likelyCause } from './explain-cause.js';
import { type HttpMessage } from './message.js';
import { baseOf } from './signature-base.js';
import { readSignatures } from './signature-input.js';
import { type SignatureFault } from './vocabulary.js';

/** The base of one label as we build it, or why there is none. */
export interface LabelledBase {
  /** Null: the header does not come apart into labels. */
  readonly label: string | null;
  readonly base: string | null;
  readonly fault: SignatureFault | null;
}

/** Our base for every signature of a message, whatever its profile: what a signer compares with its own. */
export function basesOf(message: HttpMessage): readonly LabelledBase[] {
  const read = readSignatures(message);
  if (!read.ok) return [{ label: null, base: null, fault: read.error }];
  const reader = new ComponentReader(message);
  return read.value.map((signature) => {
    const base = signature.fault === null ? baseOf(reader, signature) : ok('');
    if (signature.fault !== null)
      return { label: signature.label, base: null, fault: signature.fault };
    return base.ok
      ? { label: signature.label, base: base.value, fault: null }
      : { label: signature.label, base: null, fault: base.error };
  });
}

export interface ComparedLine {
  readonly ours: string | null;
  readonly expected: string | null;
  readonly same: boolean;
}

/** Where two bases part. */
export interface BaseComparison {
  readonly same: boolean;
  readonly lines: readonly ComparedLine[];
  readonly first: {
    /** From 1. */
    readonly line: number;
    /** From 1; one behind the end when one text begins with the other. */
    readonly character: number;
    /** Identifier of our line, or of the expected one when ours ends before. */
    readonly component: string | null;
  } | null;
  readonly cause: BaseCause | null;
  readonly advice: string | null;
}

/** Compares our base with the one a signer signed, line by line, and names the likely cause of the first difference. */
export function explainBase(ours: string, expected: string): BaseComparison {
  if (ours === expected)
    return { same: true, lines: sameLines(ours), first: null, cause: null, advice: null };
  const left = ours.split('\n');
  const right = expected.split('\n');
  const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [own, other] = [left[index] ?? null, right[index] ?? null];
    return { ours: own, expected: other, same: own === other };
  });
  const at = lines.findIndex(({ same }) => !same);
  const line = lines[at] ?? { ours: null, expected: null, same: false };
  const cause = likelyCause({ ours: left, expected: right, at });
  return {
    same: false,
    lines,
    first: {
      line: at + 1,
      character: firstDifference(line.ours ?? '', line.expected ?? '') + 1,
      component: componentOf(line.ours ?? line.expected ?? ''),
    },
    cause,
    advice: adviceFor(cause),
  };
}

const sameLines = (base: string): readonly ComparedLine[] =>
  base.split('\n').map((line) => ({ ours: line, expected: line, same: true }));

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}

const componentOf = (line: string): string | null =>
  /^("[^"]*"(?:;[a-z]+(?:="(?:[^"\\]|\\.)*")?)*): /.exec(line)?.[1] ?? null;
