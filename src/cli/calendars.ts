import {
  CALENDAR_ANSWER_BYTES_MAX,
  isCalendarAddress,
  parseCalendarAnswer,
  type Timestamp,
} from '../core/chain/index.js';
import { err, ok, type Result } from '../core/kernel/index.js';

/**
 * OpenTimestamps calendars, over HTTP. What one answers is read as a timestamp of what it was asked about, and nothing of it
 * is believed: a merge only adds to a proof.
 */

/** A calendar is a stranger: for one request, in milliseconds. */
export const CALENDAR_TIMEOUT_MS = 10_000;

const MEDIA_TYPE = 'application/vnd.opentimestamps.v1';

/** The public calendars of the reference client, by the ends of their names: a proof that names others asks nobody by itself. */
const PUBLIC_CALENDAR =
  /^https:\/\/[a-z0-9-]+\.(?:[a-z0-9-]+\.)*calendar\.(?:opentimestamps\.org|eternitywall\.com|catallaxy\.com)$/;

export const isPublicCalendar = (address: string): boolean => PUBLIC_CALENDAR.test(address);

/** `http` or `https`, without what a proof cannot carry; a slash at the end is taken away. */
export function parseCalendar(text: string): Result<string, string> {
  const address = text.replace(/\/+$/, '');
  return /^https?:\/\/[^/]/.test(address) && URL.canParse(address) && isCalendarAddress(address)
    ? ok(address)
    : err('Give the address of a calendar, as https://a.example, without query or login.');
}

/** Asks a calendar to take a commitment. */
export async function submitTo(
  calendar: string,
  commitment: Uint8Array,
  timeoutMs: number,
): Promise<Result<Timestamp, string>> {
  const answer = await ask(`${calendar}/digest`, { body: commitment, timeoutMs });
  if (!answer.ok) return answer;
  const { status, bytes } = answer.value;
  return status === 200 ? read(bytes, commitment) : err(`it answers ${status}`);
}

/** What a calendar knows of a commitment by now; null = nothing more than that it holds it. */
export async function askAbout(
  calendar: string,
  commitment: Uint8Array,
  timeoutMs: number,
): Promise<Result<Timestamp | null, string>> {
  const hex = Buffer.from(commitment).toString('hex');
  const answer = await ask(`${calendar}/timestamp/${hex}`, { body: null, timeoutMs });
  if (!answer.ok) return answer;
  const { status, bytes } = answer.value;
  if (status === 404) return ok(null);
  return status === 200 ? read(bytes, commitment) : err(`it answers ${status}`);
}

function read(bytes: Uint8Array, commitment: Uint8Array): Result<Timestamp, string> {
  const timestamp = parseCalendarAnswer(bytes, commitment);
  return timestamp.ok ? timestamp : err(`its answer is no timestamp: ${timestamp.error}`);
}

async function ask(
  url: string,
  { body, timeoutMs }: { readonly body: Uint8Array | null; readonly timeoutMs: number },
): Promise<Result<{ readonly status: number; readonly bytes: Uint8Array }, string>> {
  try {
    const response = await fetch(url, {
      headers: { accept: MEDIA_TYPE },
      // Another address is not the calendar that was named.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === null ? {} : { method: 'POST', body: Buffer.from(body) }),
    });
    const bytes = await bytesOf(response);
    return bytes === null
      ? err(`its answer is longer than ${CALENDAR_ANSWER_BYTES_MAX} bytes`)
      : ok({ status: response.status, bytes });
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return err(isLate ? `no answer within ${timeoutMs / 1_000} s` : 'it cannot be reached');
  }
}

/** Null = more than a calendar may answer; the rest is not read. */
async function bytesOf(response: Response): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > CALENDAR_ANSWER_BYTES_MAX) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
