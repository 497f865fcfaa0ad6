import { err, ok, type Result } from '../kernel/index.js';
import { ByteReader } from './opentimestamps-bytes.js';
import { readTimestamp, type Timestamp, writeTimestamp } from './opentimestamps-tree.js';

/**
 * OpenTimestamps proofs: that a file was there before a block of the Bitcoin chain was made. The format is that of the
 * reference client's `.ots` files, version 1; nothing here asks a network.
 */

/** A proof about a file that is known by its SHA-256 only; `timestamp.message` is that digest. */
export interface DetachedTimestamp {
  readonly timestamp: Timestamp;
}

/** Largest `.ots` file that is read, in bytes; one with four calendars has about 3,000. */
export const OTS_FILE_BYTES_MAX = 1_048_576;

const MAGIC = Buffer.concat([
  Buffer.from('\x00OpenTimestamps\x00\x00Proof\x00', 'latin1'),
  Buffer.from('bf89e2e884e89294', 'hex'),
]);
const VERSION = 1;
const FILE_HASH_SHA256 = 0x08;
const DIGEST_BYTES = 32;

/**
 * Reads an `.ots` file. Failures, one sentence each, in the order in which they are met: larger than
 * {@link OTS_FILE_BYTES_MAX}, no OpenTimestamps file, another version, a file hash other than SHA-256, a malformed tree
 * (see {@link readTimestamp}), bytes behind the end. Not checked: what the proof says; see `judgeTimestamp`.
 */
export function parseDetachedTimestamp(bytes: Uint8Array): Result<DetachedTimestamp, string> {
  if (bytes.length > OTS_FILE_BYTES_MAX)
    return err(`It is larger than ${OTS_FILE_BYTES_MAX} bytes.`);
  const reader = new ByteReader(bytes);
  const magic = reader.bytes(MAGIC.length);
  if (magic === null || !MAGIC.equals(magic)) return err('It is no OpenTimestamps proof.');
  const version = reader.number();
  if (version !== VERSION) return err(`It is of another version than ${VERSION}.`);
  if (reader.byte() !== FILE_HASH_SHA256)
    return err('It is about a file hash other than SHA-256, which is not supported.');
  const digest = reader.bytes(DIGEST_BYTES);
  if (digest === null) return err('It ends too early.');
  return whole(reader, readTimestamp(reader, digest));
}

/** Bytes of an `.ots` file, as the reference client writes them: attestations before steps, both sorted. */
export const formatDetachedTimestamp = ({ timestamp }: DetachedTimestamp): Buffer =>
  Buffer.concat([
    MAGIC,
    Buffer.from([VERSION, FILE_HASH_SHA256]),
    timestamp.message,
    writeTimestamp(timestamp),
  ]);

/** Most bytes of a calendar's answer. */
export const CALENDAR_ANSWER_BYTES_MAX = 10_000;

/**
 * Reads what a calendar answers about a commitment: a timestamp without head, of the message it was asked about.
 * Failures: larger than {@link CALENDAR_ANSWER_BYTES_MAX}, malformed, bytes behind the end. Not checked, because nothing
 * in it says so: whether it is of this commitment. A wrong one leads to no block's root and is found against headers.
 */
export function parseCalendarAnswer(
  bytes: Uint8Array,
  commitment: Uint8Array,
): Result<Timestamp, string> {
  if (bytes.length > CALENDAR_ANSWER_BYTES_MAX)
    return err(`It is larger than ${CALENDAR_ANSWER_BYTES_MAX} bytes.`);
  const reader = new ByteReader(bytes);
  const read = whole(reader, readTimestamp(reader, commitment));
  return read.ok ? ok(read.value.timestamp) : read;
}

function whole(
  reader: ByteReader,
  timestamp: Result<Timestamp, string>,
): Result<DetachedTimestamp, string> {
  if (!timestamp.ok) return timestamp;
  return reader.atEnd()
    ? ok({ timestamp: timestamp.value })
    : err('There are bytes behind its end.');
}
