import {
  cosignatureMessage,
  formatAddCheckpoint,
  type NoteSignature,
  parseCosignature,
  parseSignatureLine,
  type VerifierKey,
  verifyEd25519,
} from '../../../core/chain/index.js';
import type { OutboundClient, OutboundOutcome } from '../../platform/index.js';
import { SERVICE_VERSION } from '../../platform/index.js';

/** Time for one answer of a witness, in milliseconds. */
export const WITNESS_DEADLINE_MS = 5_000;
/** A witness answers with lines of signatures: more is no answer. */
export const WITNESS_ANSWER_BYTES_MAX = 16 * 1024;
/** How far the time in a cosignature may be from ours, in seconds. */
export const COSIGNATURE_SKEW_S_MAX = 300;

const SIZE_CONTENT_TYPE = 'text/x.tlog.size';
const SIZE_BODY = /^(?:0|[1-9][0-9]{0,15})\n$/;

/** One line that a witness signed, verified. */
export interface Cosignature {
  readonly key: VerifierKey;
  readonly line: string;
  readonly timeSeconds: number;
}

/** Every way in which add-checkpoint ends (C2SP tlog-witness). `detail` is for operators. */
export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly cosignatures: readonly Cosignature[] }
  /** 409: it holds a tree of another size than it was told. */
  | { readonly kind: 'holds'; readonly size: number }
  /** 422: the proof does not extend what it holds, or it holds another root of this size. */
  | { readonly kind: 'refuses_extension' }
  /** 403, 404: it does not know the log, or none of the keys that signed. */
  | { readonly kind: 'unknown_log'; readonly detail: string }
  | { readonly kind: 'away'; readonly detail: string };

export interface Submission {
  /** Submission prefix, without a slash at its end. */
  readonly url: string;
  /** The keys whose line is looked for. */
  readonly keys: readonly VerifierKey[];
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: { readonly text: string; readonly note: string; readonly madeAtMs: number };
  readonly deadlineMs: number;
  /** Real time. */
  readonly nowMs: () => number;
}

/** Sends one checkpoint to one witness. Never rejects. */
export async function submitCheckpoint(
  outbound: OutboundClient,
  submission: Submission,
): Promise<WitnessAnswer> {
  const { url, oldSize, proof, checkpoint } = submission;
  const body = formatAddCheckpoint({ oldSize: BigInt(oldSize), proof, note: checkpoint.note });
  const outcome = await outbound.fetch({
    url: `${url}/add-checkpoint`,
    method: 'POST',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'user-agent': `commerce-arbiter/${SERVICE_VERSION}`,
    },
    body: Buffer.from(body),
    deadlineMs: submission.deadlineMs,
    bodyBytesMax: WITNESS_ANSWER_BYTES_MAX,
  });
  return outcome.kind === 'ok'
    ? answerOf(outcome, submission)
    : { kind: 'away', detail: outcome.kind };
}

function answerOf(
  outcome: Extract<OutboundOutcome, { kind: 'ok' }>,
  submission: Submission,
): WitnessAnswer {
  const { status, headers } = outcome;
  const text = outcome.body.toString('utf8');
  switch (status) {
    case 200:
      return cosignaturesIn(text, submission);
    case 403:
    case 404:
      return { kind: 'unknown_log', detail: `status ${status}` };
    case 409: {
      const isSize = headers['content-type']?.split(';', 1)[0]?.trim() === SIZE_CONTENT_TYPE;
      return isSize && SIZE_BODY.test(text)
        ? { kind: 'holds', size: Number(text) }
        : { kind: 'away', detail: 'status 409 without the size that it holds' };
    }
    case 422:
      return { kind: 'refuses_extension' };
    default:
      return { kind: 'away', detail: `status ${status}` };
  }
}

/** Lines of other keys are passed over; a line of the witness's own that is not good makes the whole answer worthless. */
function cosignaturesIn(text: string, { keys, checkpoint, nowMs }: Submission): WitnessAnswer {
  const cosignatures: Cosignature[] = [];
  for (const line of text.split('\n')) {
    const signature = parseSignatureLine(line);
    if (signature === null) continue;
    const key = keys.find(
      ({ name, keyId }) => name === signature.name && keyId === signature.keyId,
    );
    if (key === undefined) continue;
    const timeSeconds = verifiedTime(signature, key, checkpoint.text);
    if (timeSeconds === null) return { kind: 'away', detail: 'its cosignature does not verify' };
    const fault = timeFault(timeSeconds, { madeAtMs: checkpoint.madeAtMs, nowMs: nowMs() });
    if (fault !== null) return { kind: 'away', detail: fault };
    cosignatures.push({ key, line, timeSeconds });
  }
  return cosignatures.length === 0
    ? { kind: 'away', detail: 'its answer holds no cosignature of its key' }
    : { kind: 'cosigned', cosignatures };
}

function verifiedTime({ signature }: NoteSignature, key: VerifierKey, text: string): number | null {
  const parsed = parseCosignature(signature);
  if (parsed === null) return null;
  const message = cosignatureMessage(parsed.timeSeconds, text);
  return verifyEd25519(key.publicKey, message, parsed.signature) ? parsed.timeSeconds : null;
}

/** A cosignature is not older than the checkpoint that it signs, and not of a time to come. */
function timeFault(
  timeSeconds: number,
  { madeAtMs, nowMs }: { readonly madeAtMs: number; readonly nowMs: number },
): string | null {
  if (timeSeconds < madeAtMs / 1000 - COSIGNATURE_SKEW_S_MAX)
    return 'the time in its cosignature is before the checkpoint was made';
  return timeSeconds > nowMs / 1000 + COSIGNATURE_SKEW_S_MAX
    ? 'the time in its cosignature is in the future'
    : null;
}
