import type { OutboundOutcome } from '../platform/index.js';
import { retryDelayMs } from './retry.js';

/**
 * How a try ended without being delivered. `http_status`: answered with something else than 2xx; `redirect`: with a
 * place to go to, which is never followed; `not_signed`: a key of ours does not open; `interrupted`: the process ended
 * in the middle, and whether it was received is not known. The others are those of the outbound client.
 */
export const ERROR_CLASSES = [
  'http_status',
  'redirect',
  'timeout',
  'connect_failed',
  'tls_failed',
  'dns_failed',
  'refused_url',
  'refused_address',
  'too_large',
  'not_signed',
  'interrupted',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** `errorClass` null = delivered. */
export interface AttemptResult {
  readonly statusCode: number | null;
  readonly errorClass: ErrorClass | null;
}

/** The receiver says that nobody listens there any more: RFC 9110 section 15.5.11. */
const GONE = 410;

export const isGone = ({ statusCode }: AttemptResult): boolean => statusCode === GONE;

/** Any 2xx is delivered, whatever its body says. */
export function resultOf(outcome: OutboundOutcome): AttemptResult {
  if (outcome.kind !== 'ok') return { statusCode: null, errorClass: outcome.kind };
  const { status: statusCode } = outcome;
  const isDelivered = statusCode >= 200 && statusCode < 300;
  return { statusCode, errorClass: isDelivered ? null : 'http_status' };
}

/** When it is tried again; null = never, because it was delivered, nobody listens, or it was tried for a day. */
export function nextAttemptAtMs(
  result: AttemptResult,
  { attempts, endedAtMs, jitter }: { attempts: number; endedAtMs: number; jitter: number },
): number | null {
  if (result.errorClass === null || isGone(result)) return null;
  const delayMs = retryDelayMs(attempts, jitter);
  return delayMs === null ? null : endedAtMs + delayMs;
}
