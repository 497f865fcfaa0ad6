import { err, ok, type Result } from '../kernel/index.js';
import type { DetachedTimestamp } from './opentimestamps.js';
import { stepText } from './opentimestamps-steps.js';
import {
  type Attestation,
  sortedAttestations,
  sortedBranches,
  type Timestamp,
} from './opentimestamps-tree.js';

/** What of a block's header an attestation is compared with. */
export interface BlockHeader {
  readonly merkleRoot: Uint8Array;
  readonly timeSeconds: number;
}

const HEADER_LINE = /^(\d{1,9})\s+([0-9a-fA-F]{160})$/;
const ROOT_AT_BYTE = 36;
const TIME_AT_BYTE = 68;
const ROOT_BYTES = 32;

/**
 * Headers of Bitcoin blocks: a line `<height> <160 hex digits>` each, `#` comments. Failures: a line of another form, two
 * headers of one height. Not checked: their work, and whether they are of the chain. Whoever gives them vouches for them.
 */
export function parseBlockHeaders(text: string): Result<ReadonlyMap<number, BlockHeader>, string> {
  const headers = new Map<number, BlockHeader>();
  for (const [index, whole] of text.split('\n').entries()) {
    const line = (whole.split('#', 1)[0] ?? '').trim();
    if (line === '') continue;
    const [, height, hex] = HEADER_LINE.exec(line) ?? [];
    if (height === undefined || hex === undefined)
      return err(`Line ${index + 1} is no height and header of 80 bytes in hexadecimal.`);
    if (headers.has(Number(height))) return err(`Line ${index + 1} repeats block ${height}.`);
    const bytes = Buffer.from(hex, 'hex');
    headers.set(Number(height), {
      merkleRoot: bytes.subarray(ROOT_AT_BYTE, ROOT_AT_BYTE + ROOT_BYTES),
      timeSeconds: bytes.readUInt32LE(TIME_AT_BYTE),
    });
  }
  return ok(headers);
}

/** An attestation and the message it is of. */
export interface Attested {
  readonly attestation: Attestation;
  readonly message: Uint8Array;
}

export const attestedIn = ({ message, attestations, branches }: Timestamp): readonly Attested[] => [
  ...attestations.map((attestation) => ({ attestation, message })),
  ...branches.flatMap(({ timestamp }) => attestedIn(timestamp)),
];

/**
 * One attestation judged. `confirmed`: the given header of that height holds the message; the file was there by
 * `timeSeconds` (as miners' clocks go: within about two hours). `unchecked`: no header of that height was given.
 * `contradicted`: it holds another root, or the message cannot be a root.
 */
export type JudgedAttestation =
  | { readonly kind: 'pending'; readonly calendar: string }
  | { readonly kind: 'unknown'; readonly tagHex: string }
  | {
      readonly kind: 'bitcoin';
      readonly height: number;
      readonly state: 'confirmed' | 'unchecked' | 'contradicted';
      readonly timeSeconds: number | null;
    };

/**
 * What a proof says about a file. Faults: `file_mismatch` (the proof is about other bytes), `block_mismatch` (it is about
 * this file, but leads to none of the given headers and contradicts one). Without a fault: `confirmed` (by a given
 * header), `attested` (a block is named, no header of it was given), `pending` (calendars promised), `unknown` (nothing in
 * it that this program understands).
 */
export interface TimestampVerdict {
  readonly result:
    'confirmed' | 'attested' | 'pending' | 'unknown' | 'file_mismatch' | 'block_mismatch';
  /** The lowest confirmed block, else the lowest attested one. */
  readonly height: number | null;
  readonly timeSeconds: number | null;
  readonly attestations: readonly JudgedAttestation[];
}

/**
 * Judges a proof against the SHA-256 of a file and the headers that were given. One confirmed attestation is enough:
 * every calendar proves by itself.
 * INVARIANT: what is pending, or cannot be looked up, is never a fault.
 */
export function judgeTimestamp(
  { timestamp }: DetachedTimestamp,
  fileDigest: Uint8Array,
  headers: ReadonlyMap<number, BlockHeader>,
): TimestampVerdict {
  const attestations = attestedIn(timestamp).map((each) => judged(each, headers));
  if (!Buffer.from(fileDigest).equals(timestamp.message))
    return { result: 'file_mismatch', height: null, timeSeconds: null, attestations };
  const lowest = (state: 'confirmed' | 'unchecked' | 'contradicted') =>
    attestations
      .filter((each) => each.kind === 'bitcoin')
      .filter((each) => each.state === state)
      .sort((one, other) => one.height - other.height)[0];
  const found = lowest('confirmed') ?? lowest('contradicted') ?? lowest('unchecked');
  if (found !== undefined) {
    const { height, state, timeSeconds } = found;
    return { result: RESULTS[state], height, timeSeconds, attestations };
  }
  const isPending = attestations.some(({ kind }) => kind === 'pending');
  const result = isPending ? 'pending' : 'unknown';
  return { result, height: null, timeSeconds: null, attestations };
}

const RESULTS = {
  confirmed: 'confirmed',
  contradicted: 'block_mismatch',
  unchecked: 'attested',
} as const;

function judged(
  { attestation, message }: Attested,
  headers: ReadonlyMap<number, BlockHeader>,
): JudgedAttestation {
  if (attestation.kind === 'pending') return attestation;
  if (attestation.kind === 'unknown') return { kind: 'unknown', tagHex: attestation.tagHex };
  const { kind, height } = attestation;
  if (message.length !== ROOT_BYTES)
    return { kind, height, state: 'contradicted', timeSeconds: null };
  const header = headers.get(height);
  if (header === undefined) return { kind, height, state: 'unchecked', timeSeconds: null };
  return Buffer.from(header.merkleRoot).equals(message)
    ? { kind, height, state: 'confirmed', timeSeconds: header.timeSeconds }
    : { kind, height, state: 'contradicted', timeSeconds: null };
}

/** The whole tree for people, a line for each step and attestation. */
export function timestampLines(timestamp: Timestamp, indent = 0): readonly string[] {
  const space = ' '.repeat(indent);
  const attested = sortedAttestations(timestamp.attestations).flatMap((each) =>
    attestationLines(each, timestamp.message).map((line) => `${space}${line}`),
  );
  const branches = sortedBranches(timestamp.branches);
  const forked = branches.length > 1;
  return [
    ...attested,
    ...branches.flatMap(({ step, timestamp: next }) => [
      `${space}${forked ? ' -> ' : ''}${stepText(step)}`,
      ...timestampLines(next, indent + (forked ? 4 : 0)),
    ]),
  ];
}

function attestationLines(attestation: Attestation, message: Uint8Array): readonly string[] {
  switch (attestation.kind) {
    case 'pending':
      return [`pending at ${attestation.calendar}`];
    case 'bitcoin': {
      // Bitcoin's tools print digests in the order opposite to that of their bytes.
      const root = Buffer.from(message).reverse().toString('hex');
      return [`Bitcoin block ${attestation.height}`, `# merkle root ${root}`];
    }
    case 'unknown':
      return [`of the unknown kind ${attestation.tagHex}`];
  }
}
