import { err, invariant, ok, type Result } from '../kernel/index.js';
import { ByteReader, lengthAndBytes, numberBytes } from './opentimestamps-bytes.js';
import {
  applyStep,
  MESSAGE_BYTES_MAX,
  STEP_TAGS,
  stepKindOf,
  type TimestampStep,
} from './opentimestamps-steps.js';

/** Who says when a message was known. `pending` is a calendar's promise and proves no time yet. */
export type Attestation =
  | { readonly kind: 'pending'; readonly calendar: string }
  | { readonly kind: 'bitcoin'; readonly height: number }
  /** Of a kind that this program does not know: kept byte for byte. `tagHex` is its 8 bytes. */
  | { readonly kind: 'unknown'; readonly tagHex: string; readonly payload: Uint8Array };

/** A message and all that is known of it. Never without both attestations and branches. */
export interface Timestamp {
  readonly message: Uint8Array;
  readonly attestations: readonly Attestation[];
  readonly branches: readonly TimestampBranch[];
}

export interface TimestampBranch {
  readonly step: TimestampStep;
  /** Of the message after the step. */
  readonly timestamp: Timestamp;
}

/** Steps below each other, as the reference client reads them. */
export const TIMESTAMP_DEPTH_MAX = 256;
/** Steps and attestations of one tree; one with four calendars has some 400. */
export const TIMESTAMP_PARTS_MAX = 4_096;

const FORK = 0xff;
const ATTESTATION = 0x00;
const TAG_BYTES = 8;
const PENDING_TAG = '83dfe30d2ef90c8e';
const BITCOIN_TAG = '0588960d73d71901';
const PAYLOAD_BYTES_MAX = 8_192;
const CALENDAR_BYTES_MAX = 1_000;
const CALENDAR = /^[A-Za-z0-9._/:-]*$/;

/** Whether a calendar of this address can stand in a proof: no query, no login, no escapes, at most 1,000 characters. */
export const isCalendarAddress = (text: string): boolean =>
  CALENDAR.test(text) && text.length <= CALENDAR_BYTES_MAX;

type Read<Value> = Result<Value, string>;

const TOO_SHORT = 'It ends too early, or a length in it is wrong.';

/**
 * Reads the tree of `message`. Failures: it ends too early, a tag that is no step, more than
 * {@link TIMESTAMP_DEPTH_MAX} steps below each other or {@link TIMESTAMP_PARTS_MAX} parts in all, a message that gets empty or
 * too long, a malformed attestation of a known kind. Branches with the same step become one.
 */
export const readTimestamp = (reader: ByteReader, message: Uint8Array): Read<Timestamp> =>
  new TreeReader(reader).timestamp(message, 0);

class TreeReader {
  #parts = 0;

  constructor(private readonly reader: ByteReader) {}

  timestamp(message: Uint8Array, depth: number): Read<Timestamp> {
    if (depth >= TIMESTAMP_DEPTH_MAX) return err('It is nested too deep.');
    const attestations: Attestation[] = [];
    const branches: TimestampBranch[] = [];
    for (;;) {
      const first = this.reader.byte();
      const tag = first === FORK ? this.reader.byte() : first;
      if (tag === null) return err(TOO_SHORT);
      this.#parts += 1;
      if (this.#parts > TIMESTAMP_PARTS_MAX) return err('It has too many parts.');
      if (tag === ATTESTATION) {
        const attestation = this.attestation();
        if (!attestation.ok) return attestation;
        attestations.push(attestation.value);
      } else {
        const branch = this.branch(tag, message, depth);
        if (!branch.ok) return branch;
        branches.push(branch.value);
      }
      if (first !== FORK) return ok(united(message, attestations, branches));
    }
  }

  private branch(tag: number, message: Uint8Array, depth: number): Read<TimestampBranch> {
    const step = this.step(tag);
    if (!step.ok) return step;
    const next = applyStep(step.value, message);
    if (next === null) return err(`A message in it gets longer than ${MESSAGE_BYTES_MAX} bytes.`);
    const timestamp = this.timestamp(next, depth + 1);
    return timestamp.ok ? ok({ step: step.value, timestamp: timestamp.value }) : timestamp;
  }

  private step(tag: number): Read<TimestampStep> {
    const kind = stepKindOf(tag);
    if (kind === null) return err(`It has a step of an unknown kind (${tag.toString(16)}).`);
    if (kind !== 'append' && kind !== 'prepend') return ok({ kind });
    const bytes = this.reader.lengthAndBytes(1, MESSAGE_BYTES_MAX);
    return bytes === null ? err(TOO_SHORT) : ok({ kind, bytes });
  }

  private attestation(): Read<Attestation> {
    const tag = this.reader.bytes(TAG_BYTES);
    const payload = this.reader.lengthAndBytes(0, PAYLOAD_BYTES_MAX);
    if (tag === null || payload === null) return err(TOO_SHORT);
    const tagHex = Buffer.from(tag).toString('hex');
    const inner = new ByteReader(payload);
    switch (tagHex) {
      case PENDING_TAG: {
        const address = inner.lengthAndBytes(0, CALENDAR_BYTES_MAX);
        const calendar = address === null ? null : Buffer.from(address).toString('latin1');
        return calendar === null || !inner.atEnd() || !isCalendarAddress(calendar)
          ? err('A calendar in it has a malformed address.')
          : ok({ kind: 'pending', calendar });
      }
      case BITCOIN_TAG: {
        const height = inner.number();
        return height === null || !inner.atEnd()
          ? err('A block in it has a malformed height.')
          : ok({ kind: 'bitcoin', height });
      }
      default:
        return ok({ kind: 'unknown', tagHex, payload });
    }
  }
}

/**
 * All that two timestamps of the same message say. INVARIANT: a merge only adds: what a calendar answers can take
 * nothing away from a proof.
 */
export function mergeTimestamps(one: Timestamp, other: Timestamp): Timestamp {
  invariant(
    Buffer.from(one.message).equals(other.message),
    'timestamps that are merged are of the same message',
  );
  return united(
    one.message,
    [...one.attestations, ...other.attestations],
    [...one.branches, ...other.branches],
  );
}

/** The tree with what else is known of messages in it: each addition is merged wherever its message stands. */
export function withAdditions(timestamp: Timestamp, additions: readonly Timestamp[]): Timestamp {
  const { message } = timestamp;
  const branches = timestamp.branches.map(({ step, timestamp: next }) => ({
    step,
    timestamp: withAdditions(next, additions),
  }));
  return additions
    .filter((each) => Buffer.from(each.message).equals(message))
    .reduce(mergeTimestamps, { ...timestamp, branches });
}

/** A timestamp in which every attestation and every step stands once. */
function united(
  message: Uint8Array,
  given: readonly Attestation[],
  branches: readonly TimestampBranch[],
): Timestamp {
  const attestations = new Map(given.map((each) => [nameOf(attestationBytes(each)), each]));
  const byStep = new Map<string, TimestampBranch>();
  for (const { step, timestamp } of branches) {
    const name = nameOf(stepBytes(step));
    const known = byStep.get(name)?.timestamp;
    byStep.set(name, {
      step,
      timestamp: known === undefined ? timestamp : mergeTimestamps(known, timestamp),
    });
  }
  return { message, attestations: [...attestations.values()], branches: [...byStep.values()] };
}

const nameOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** The bytes of a tree. INVARIANT: no timestamp is empty. */
export function writeTimestamp({ attestations, branches }: Timestamp): Buffer {
  const parts = [
    ...sortedAttestations(attestations).map((each) =>
      Buffer.concat([Buffer.from([ATTESTATION]), attestationBytes(each)]),
    ),
    ...sortedBranches(branches).map(({ step, timestamp }) =>
      Buffer.concat([stepBytes(step), writeTimestamp(timestamp)]),
    ),
  ];
  invariant(parts.length > 0, 'a timestamp says something');
  return Buffer.concat(
    parts.flatMap((part, place) =>
      place === parts.length - 1 ? [part] : [Buffer.from([FORK]), part],
    ),
  );
}

/** By kind, then by what each kind is about: the order of the reference client. */
export const sortedAttestations = (attestations: readonly Attestation[]): readonly Attestation[] =>
  [...attestations].sort((one, other) => {
    const tags = Buffer.compare(tagOf(one), tagOf(other));
    if (tags !== 0) return tags;
    return one.kind === 'bitcoin' && other.kind === 'bitcoin'
      ? one.height - other.height
      : Buffer.compare(contentOf(one), contentOf(other));
  });

export const sortedBranches = (branches: readonly TimestampBranch[]): readonly TimestampBranch[] =>
  [...branches].sort(({ step: one }, { step: other }) =>
    Buffer.compare(orderOf(one), orderOf(other)),
  );

const orderOf = (step: TimestampStep): Buffer =>
  Buffer.concat([Buffer.from([STEP_TAGS[step.kind]]), 'bytes' in step ? step.bytes : Buffer.of()]);

const stepBytes = (step: TimestampStep): Buffer =>
  Buffer.concat([
    Buffer.from([STEP_TAGS[step.kind]]),
    'bytes' in step ? lengthAndBytes(step.bytes) : Buffer.of(),
  ]);

const attestationBytes = (attestation: Attestation): Buffer =>
  Buffer.concat([tagOf(attestation), lengthAndBytes(payloadOf(attestation))]);

function tagOf(attestation: Attestation): Buffer {
  switch (attestation.kind) {
    case 'pending':
      return Buffer.from(PENDING_TAG, 'hex');
    case 'bitcoin':
      return Buffer.from(BITCOIN_TAG, 'hex');
    case 'unknown':
      return Buffer.from(attestation.tagHex, 'hex');
  }
}

function contentOf(attestation: Attestation): Uint8Array {
  switch (attestation.kind) {
    case 'pending':
      return Buffer.from(attestation.calendar, 'latin1');
    case 'bitcoin':
      return numberBytes(attestation.height);
    case 'unknown':
      return attestation.payload;
  }
}

const payloadOf = (attestation: Attestation): Uint8Array =>
  attestation.kind === 'pending' ? lengthAndBytes(contentOf(attestation)) : contentOf(attestation);
