import { err, ok, type Result } from '../kernel/index.js';
import { HASH_BYTES } from './merkle.js';
import { decodeBase64, encodeBase64, parseUint64 } from './wire-text.js';

/** Hashes of one consistency proof; 63 are enough for every tree of 64 bits (C2SP tlog-witness). */
export const CONSISTENCY_PROOF_MAX = 63;

/** The body of `POST <submission prefix>/add-checkpoint` (C2SP tlog-witness). */
export interface AddCheckpoint {
  /** Size of the tree that the witness is believed to hold. */
  readonly oldSize: bigint;
  readonly proof: readonly Uint8Array[];
  /** The text of the signed note, not yet read. */
  readonly note: string;
}

export const formatAddCheckpoint = ({ oldSize, proof, note }: AddCheckpoint): string =>
  `old ${oldSize}\n${proof.map((hash) => `${encodeBase64(hash)}\n`).join('')}\n${note}`;

/**
 * Reads the body of add-checkpoint up to its blank line. Refused: another first line, an old size that is no plain
 * decimal of 64 bits, a proof line that is not strict base64 of 32 bytes, more than {@link CONSISTENCY_PROOF_MAX} of
 * them, no blank line. Not checked: the note ({@link parseNote}) and whether the sizes and the proof fit.
 */
export function parseAddCheckpoint(text: string): Result<AddCheckpoint, string> {
  const split = text.indexOf('\n\n');
  if (split < 0) return err('the request has a blank line before the note');
  const [first = '', ...lines] = text.slice(0, split).split('\n');
  const oldSize = first.startsWith('old ') ? parseUint64(first.slice(4)) : null;
  if (oldSize === null)
    return err('the first line is "old" and a decimal number without leading zeros');
  if (lines.length > CONSISTENCY_PROOF_MAX)
    return err(`a proof has at most ${CONSISTENCY_PROOF_MAX} hashes`);
  const proof: Uint8Array[] = [];
  for (const line of lines) {
    const hash = decodeBase64(line);
    if (hash?.length !== HASH_BYTES)
      return err(`a line of the proof is base64 of ${HASH_BYTES} bytes`);
    proof.push(hash);
  }
  return ok({ oldSize, proof, note: text.slice(split + 2) });
}
