import { type AfaCase, isAboutTerms } from './afa-case.js';
import { nextOpeningMs } from './indian-time.js';
import { defer, denyIf, note, type Remark } from './remark.js';
import { AUTOPAY_ATTEMPTS, AUTOPAY_WINDOWS, inForce, isInForce } from './thresholds.js';

/** UPI AutoPay runs off-peak and at most four times a cycle. A debit made together with the mandate is the buyer's own act. */
export function checkSchedule(afa: AfaCase): readonly Remark[] {
  if (!runsByItself(afa)) return [];
  const attempts = inForce(AUTOPAY_ATTEMPTS, afa.atMs);
  return [
    ...denyIf(
      attempts !== null && afa.facts.attemptsThisCycle >= attempts.attempts + attempts.retries,
      'upi_retry_exhausted',
    ),
    ...checkWindow(afa),
  ];
}

const runsByItself = ({ rail, event, facts }: AfaCase): boolean =>
  rail === 'upi_autopay' &&
  !isAboutTerms(event) &&
  !(event === 'first_debit' && facts.sameStepAsRegistration);

function checkWindow(afa: AfaCase): readonly Remark[] {
  if (!isInForce(AUTOPAY_WINDOWS, afa.atMs)) return [];
  const openingMs = nextOpeningMs(AUTOPAY_WINDOWS.openMinutes, afa.executionAtMs);
  return openingMs === afa.executionAtMs
    ? [note('upi_window_open')]
    : [defer('upi_window_closed', openingMs)];
}

/** The earliest instant at which everything that waiting heals is healed. */
export function earliestMs(afa: AfaCase, notBeforeMs: readonly number[]): number | null {
  if (notBeforeMs.length === 0) return null;
  const latestMs = Math.max(...notBeforeMs);
  return runsByItself(afa) && isInForce(AUTOPAY_WINDOWS, afa.atMs)
    ? nextOpeningMs(AUTOPAY_WINDOWS.openMinutes, latestMs)
    : latestMs;
}
