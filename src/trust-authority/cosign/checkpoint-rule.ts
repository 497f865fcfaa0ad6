import {
  type AddCheckpoint,
  type Checkpoint,
  EMPTY_ROOT,
  formatNote,
  parseAddCheckpoint,
  parseCheckpoint,
  parseNote,
  type SignedNote,
  type VerifierKey,
  verifyConsistency,
  verifyNote,
} from '../../core/chain/index.js';
import { err, ok, problem, type Problem, type Result } from '../../core/kernel/index.js';

/** One request to a witness, read and not yet judged. */
export interface CheckpointRequest {
  readonly oldSize: bigint;
  readonly proof: AddCheckpoint['proof'];
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
}

/** What a witness holds of a log. */
export interface KnownLog {
  readonly vkeys: readonly VerifierKey[];
  /** Of the newest checkpoint that was cosigned; 0 with the root of the empty tree before the first. */
  readonly size: bigint;
  readonly root: Uint8Array;
  readonly isCosigned: boolean;
}

/**
 * `new`: to be recorded, then cosigned. `seen`: it is the newest one already, and cosigned again. `other_size`: the
 * caller believed in another size than the one that is told here. `note` holds the lines of the log's keys alone.
 */
export type CheckpointVerdict =
  | { readonly kind: 'new' | 'seen'; readonly note: string }
  | { readonly kind: 'other_size'; readonly size: bigint }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Reads the body of add-checkpoint (C2SP tlog-witness). Problem: request_malformed. Not checked: who signed it, whether
 * the sizes and the proof fit.
 */
export function readCheckpointRequest(text: string): Result<CheckpointRequest, Problem> {
  const request = parseAddCheckpoint(text);
  if (!request.ok) return err(malformed(request.error));
  const note = parseNote(request.value.note);
  if (!note.ok) return err(malformed(note.error));
  const checkpoint = parseCheckpoint(note.value.text);
  if (!checkpoint.ok) return err(malformed(checkpoint.error));
  if (checkpoint.value.size > BigInt(Number.MAX_SAFE_INTEGER))
    return err(malformed(`a tree of this witness has at most ${Number.MAX_SAFE_INTEGER} leaves`));
  const { oldSize, proof } = request.value;
  return ok({ oldSize, proof, note: note.value, checkpoint: checkpoint.value });
}

/**
 * What a witness says to a checkpoint (C2SP tlog-witness v1.0.0). Refusals, in order: forbidden (no line of a trusted
 * key, or one that does not verify), validation_failed (the old size is above the new one), another size is known,
 * unverifiable (the empty tree with another root, a proof where none belongs, the same size with another root, a proof
 * that does not hold).
 * INVARIANT: what is cosigned extends all that was cosigned before, so two trees of one size, or a shorter one after a
 * longer, never are.
 */
export function judgeCheckpoint(log: KnownLog, request: CheckpointRequest): CheckpointVerdict {
  const { oldSize, proof, note, checkpoint } = request;
  const signed = verifyNote(note, log.vkeys);
  if (!signed.ok) return refused(badSignature(signed.error.key));
  const { verified } = signed.value;
  if (verified.length === 0) return refused(unsigned);
  if (oldSize > checkpoint.size) return refused(oldBeyondNew);
  if (oldSize !== log.size) return { kind: 'other_size', size: log.size };
  const isEmptyTree = Buffer.compare(checkpoint.root, EMPTY_ROOT) === 0;
  if (checkpoint.size === 0n && !isEmptyTree) return refused(emptyTreeRoot);
  const isConsistent =
    oldSize === 0n
      ? proof.length === 0
      : verifyConsistency({
          ...{ oldSize, newSize: checkpoint.size, proof },
          ...{ oldRoot: log.root, newRoot: checkpoint.root },
        });
  if (!isConsistent) return refused(oldSize === checkpoint.size ? otherRoot : badProof);
  const isSeen = log.isCosigned && oldSize === checkpoint.size;
  return { kind: isSeen ? 'seen' : 'new', note: noteOf(note, verified) };
}

/** Without the lines of strangers: nothing that anybody may add is kept. */
const noteOf = ({ text, signatures }: SignedNote, verified: readonly VerifierKey[]): string =>
  formatNote(
    text,
    signatures
      .filter(({ name, keyId }) => verified.some((key) => key.name === name && key.keyId === keyId))
      .map(({ line }) => line),
  );

const refused = (refusal: Problem): CheckpointVerdict => ({ kind: 'refused', problem: refusal });

const malformed = (fault: string): Problem =>
  problem('request_malformed', `The request is not one of add-checkpoint: ${fault}.`, {
    fix: 'Send the body that C2SP tlog-witness describes.',
    field: '',
  });

const unsigned = problem('forbidden', 'No key that is trusted for this origin signed the note.', {
  fix: 'Sign with a key that the log was registered with, or register the new one.',
});

const badSignature = ({ name, keyId }: VerifierKey): Problem =>
  problem('forbidden', `The line of the trusted key ${keyId} does not verify.`, {
    fix: `Send the note as ${name} signed it.`,
  });

const oldBeyondNew = problem('validation_failed', 'The old size is above that of the checkpoint.', {
  fix: 'Name the size that the witness holds, and a checkpoint of at least that size.',
});

const emptyTreeRoot = problem('unverifiable', 'A tree without leaves has another root.', {
  fix: 'Its root is the SHA-256 of nothing.',
});

const otherRoot = problem(
  'unverifiable',
  'A checkpoint of this size is known, and it has another root or needs no proof.',
  { fix: 'If the proof is empty, the log signed two trees of one size: look into it.' },
);

const badProof = problem(
  'unverifiable',
  'The proof does not show that the tree was only added to.',
  {
    fix: 'Prove from the old size, with no hash at all from size 0. If the proof is right, the log was rewritten: look into it.',
  },
);
