/** Tries of one message before it is given up: with the delays below about 25 hours. */
export const ATTEMPTS_MAX = 11;
const FIRST_DELAY_MS = 10_000;
const DELAY_FACTOR = 3;
const DELAY_MS_MAX = 8 * 3_600_000;
/** A delay is spread by so much of itself to both sides, so that messages that failed together do not return together. */
const JITTER = 0.2;

/** An endpoint that nothing reached for so long is disabled when the next try fails. */
export const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;

/**
 * Milliseconds until the next try, or null when the message is given up: 10 s, 30 s, 90 s, ... 8 h, each a fifth more
 * or less. `attempts` = tries made since the message was handed out or sent again; `jitter` is drawn from [0, 1).
 */
export function retryDelayMs(attempts: number, jitter: number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null;
  const delayMs = Math.min(
    FIRST_DELAY_MS * DELAY_FACTOR ** Math.max(0, attempts - 1),
    DELAY_MS_MAX,
  );
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * jitter));
}
