import { err, ok, type Result } from '../kernel/index.js';
import { HASH_BYTES } from './merkle.js';
import { decodeBase64, encodeBase64, parseUint64 } from './wire-text.js';

/** A log's statement about its tree (C2SP tlog-checkpoint): the text of a signed note. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Uint8Array;
  /** Lines behind the root; none of ours has any. */
  readonly extensions: readonly string[];
}

// eslint-disable-next-line no-control-regex -- what a signed note refuses as well
const NO_LINE = /[\u0000-\u001f]|\p{Surrogate}/u;

/** Origin, size, root and extensions, each on its line with LF. The caller says that the lines are not empty. */
export const checkpointText = ({ origin, size, root, extensions }: Checkpoint): string =>
  [origin, size.toString(), encodeBase64(root), ...extensions].map((line) => `${line}\n`).join('');

/**
 * Reads the text of a checkpoint, its last LF included. Refused: control characters, an empty origin or extension, a
 * size that is no plain decimal of 64 bits, a root that is not strict base64 of 32 bytes.
 * Not checked: that the root of size 0 is the one of the empty tree.
 */
export function parseCheckpoint(text: string): Result<Checkpoint, string> {
  if (!text.endsWith('\n')) return err('a checkpoint ends with a line feed');
  const lines = text.slice(0, -1).split('\n');
  if (lines.some((line) => line === '' || NO_LINE.test(line)))
    return err('no line of a checkpoint is empty or holds control characters');
  const [origin, sizeText, rootText, ...extensions] = lines;
  if (origin === undefined || sizeText === undefined || rootText === undefined)
    return err('a checkpoint has an origin, a size and a root');
  const size = parseUint64(sizeText);
  if (size === null)
    return err('the size of a checkpoint is a decimal number without leading zeros');
  const root = decodeBase64(rootText);
  if (root?.length !== HASH_BYTES)
    return err(`the root of a checkpoint is base64 of ${HASH_BYTES} bytes`);
  return ok({ origin, size, root, extensions });
}
