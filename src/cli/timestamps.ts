import { createHash, randomBytes } from 'node:crypto';
import {
  createReadStream,
  fsyncSync,
  closeSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import {
  type DetachedTimestamp,
  formatDetachedTimestamp,
  mergeTimestamps,
  OTS_FILE_BYTES_MAX,
  parseDetachedTimestamp,
  type Timestamp,
  withAdditions,
} from '../core/chain/index.js';
import { err, ok, type Result } from '../core/kernel/index.js';
import { readBounded } from './bounded-file.js';
import { askAbout, submitTo } from './calendars.js';

/** Proof files and what calendars add to them. */

const NONCE_BYTES = 16;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

/** SHA-256 of a file of any size. */
export async function digestOfFile(path: string): Promise<Result<Buffer, string>> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return ok(hash.digest());
  } catch (error) {
    return err(`${path} cannot be read (${codeOf(error)}).`);
  }
}

export function readProofFile(path: string): Result<DetachedTimestamp, string> {
  try {
    const bytes = readBounded(path, OTS_FILE_BYTES_MAX);
    if (bytes === null) return err(`${path} is larger than ${OTS_FILE_BYTES_MAX} bytes.`);
    const proof = parseDetachedTimestamp(bytes);
    return proof.ok ? proof : err(`${path} is no readable proof. ${proof.error}`);
  } catch (error) {
    return err(`${path} cannot be read (${codeOf(error)}).`);
  }
}

/** A new file, or with `replaces` one in the place of what is there: never half. */
export function writeProofFile(
  path: string,
  proof: DetachedTimestamp,
  { replaces }: { readonly replaces: boolean },
): Result<null, string> {
  const target = replaces ? `${path}.new` : path;
  try {
    const file = openSync(target, replaces ? 'w' : 'wx');
    try {
      writeSync(file, formatDetachedTimestamp(proof));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (replaces) renameSync(target, path);
    return ok(null);
  } catch (error) {
    if (replaces) rmSync(target, { force: true });
    return err(`${path} cannot be written (${codeOf(error)}).`);
  }
}

/** What one calendar answered. */
export interface CalendarReport {
  readonly calendar: string;
  readonly outcome: 'added' | 'not_yet' | 'away' | 'not_asked';
  /** For people; null when it added something. */
  readonly detail: string | null;
}

/**
 * Shows a digest to calendars. They see it only behind a random nonce, so nobody who asks them about the file's own digest
 * learns that it was stamped. Null = none of them took it.
 */
export async function stamped(
  digest: Uint8Array,
  calendars: readonly string[],
  timeoutMs: number,
): Promise<{ readonly proof: DetachedTimestamp | null; readonly reports: CalendarReport[] }> {
  const nonce = randomBytes(NONCE_BYTES);
  const nonced = Buffer.concat([digest, nonce]);
  const commitment = createHash('sha256').update(nonced).digest();
  const answers = await Promise.all(
    calendars.map(async (calendar) => ({
      calendar,
      answer: await submitTo(calendar, commitment, timeoutMs),
    })),
  );
  const known = answers.flatMap(({ answer }) => (answer.ok ? [answer.value] : []));
  const reports = answers.map(({ calendar, answer }): CalendarReport => {
    const detail = answer.ok ? null : answer.error;
    return { calendar, outcome: answer.ok ? 'added' : 'away', detail };
  });
  const [first, ...rest] = known;
  if (first === undefined) return { proof: null, reports };
  const hashed = {
    step: { kind: 'sha256' } as const,
    timestamp: rest.reduce(mergeTimestamps, first),
  };
  const behindNonce: Timestamp = { message: nonced, attestations: [], branches: [hashed] };
  const step = { kind: 'append', bytes: nonce } as const;
  const branches = [{ step, timestamp: behindNonce }];
  return { proof: { timestamp: { message: digest, attestations: [], branches } }, reports };
}

interface Promised {
  readonly calendar: string;
  readonly commitment: Uint8Array;
}

/** What calendars promised and no block confirms yet. */
const promisesIn = (timestamp: Timestamp): readonly Promised[] => [
  ...timestamp.attestations.flatMap((each) =>
    each.kind === 'pending' && !hasBlock(timestamp)
      ? [{ calendar: each.calendar, commitment: timestamp.message }]
      : [],
  ),
  ...timestamp.branches.flatMap(({ timestamp: next }) => promisesIn(next)),
];

export const hasBlock = ({ attestations, branches }: Timestamp): boolean =>
  attestations.some(({ kind }) => kind === 'bitcoin') ||
  branches.some(({ timestamp }) => hasBlock(timestamp));

/** Asks the calendars that `isAsked` allows what became of what they promised, and adds it. */
export async function upgraded(
  proof: DetachedTimestamp,
  isAsked: (calendar: string) => boolean,
  timeoutMs: number,
): Promise<{ readonly proof: DetachedTimestamp; readonly reports: readonly CalendarReport[] }> {
  let current = proof;
  const answers = await Promise.all(
    promisesIn(proof.timestamp).map(async ({ calendar, commitment }) => ({
      calendar,
      answer: isAsked(calendar) ? await askAbout(calendar, commitment, timeoutMs) : null,
    })),
  );
  const reports = answers.map(({ calendar, answer }): CalendarReport => {
    if (answer === null)
      return { calendar, outcome: 'not_asked', detail: `give --calendar ${calendar} to ask it` };
    if (!answer.ok) return { calendar, outcome: 'away', detail: answer.error };
    const { value } = answer;
    if (value === null || !hasBlock(value))
      return { calendar, outcome: 'not_yet', detail: 'no block holds it yet' };
    const grown = { timestamp: withAdditions(current.timestamp, [value]) };
    // INVARIANT: what is written can be read again: no answer makes a proof too large or too deep.
    const again = parseDetachedTimestamp(formatDetachedTimestamp(grown));
    if (!again.ok) return { calendar, outcome: 'away', detail: `with its answer: ${again.error}` };
    current = again.value;
    return { calendar, outcome: 'added', detail: null };
  });
  return { proof: current, reports };
}
