import { err, ok, type Result } from '../kernel/index.js';
import { HASH_BYTES } from './merkle.js';
import { decodeBase64, encodeBase64, parseUint64 } from './wire-text.js';

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** Hashes of one inclusion proof: one a level of a tree of 64 bits. */
const INCLUSION_PROOF_MAX = 64;

/** A leaf's place in a tree with everything that proves it (C2SP tlog-proof), but the leaf. */
export interface TlogProof {
  readonly index: bigint;
  /** From the leaf to the root. */
  readonly hashes: readonly Uint8Array[];
  /** The text of the signed note, not yet read. */
  readonly checkpoint: string;
  /** Bytes of an application, in front of the index; null or absent = none. */
  readonly extra?: Uint8Array | null;
}

export const formatTlogProof = ({ index, hashes, checkpoint, extra }: TlogProof): string =>
  [
    FIRST_LINE,
    ...(extra === undefined || extra === null ? [] : [`extra ${encodeBase64(extra)}`]),
    `index ${index}`,
    ...hashes.map(encodeBase64),
    '',
    checkpoint,
  ].join('\n');

/**
 * Reads a proof up to its blank line. Refused: another first line, an `extra` that is not strict base64, an index that
 * is no plain decimal of 64 bits, a hash that is not strict base64 of 32 bytes, more than 64 of them, no blank line.
 * Not checked: the note ({@link parseNote}) and the proof ({@link verifyInclusion}).
 */
export function parseTlogProof(text: string): Result<TlogProof, string> {
  const split = text.indexOf('\n\n');
  if (split < 0) return err('the proof has a blank line before the checkpoint');
  const [first, ...lines] = text.slice(0, split).split('\n');
  if (first !== FIRST_LINE) return err(`the first line is "${FIRST_LINE}"`);
  const extraLine = lines[0]?.startsWith('extra ') === true ? lines.shift() : undefined;
  const extra = extraLine === undefined ? null : decodeBase64(extraLine.slice('extra '.length));
  if (extraLine !== undefined && extra === null) return err('"extra" is followed by base64');
  const indexLine = lines.shift() ?? '';
  const index = indexLine.startsWith('index ')
    ? parseUint64(indexLine.slice('index '.length))
    : null;
  if (index === null) return err('"index" is followed by a decimal number without leading zeros');
  if (lines.length > INCLUSION_PROOF_MAX)
    return err(`a proof has at most ${INCLUSION_PROOF_MAX} hashes`);
  const hashes: Uint8Array[] = [];
  for (const line of lines) {
    const hash = decodeBase64(line);
    if (hash?.length !== HASH_BYTES)
      return err(`a line of the proof is base64 of ${HASH_BYTES} bytes`);
    hashes.push(hash);
  }
  return ok({ index, hashes, checkpoint: text.slice(split + 2), extra });
}
