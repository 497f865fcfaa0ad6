import { type AfaCase, eMandateClass, isFirstDebit } from './afa-case.js';
import type { PreDebitNoticeFact } from './facts.js';
import { DAY_MS } from './indian-time.js';
import { AFA_SKEW_MS } from './evidence-checks.js';
import { defer, deny, denyIf, note, type Remark } from './remark.js';
import { isInForce, PDN_EXEMPT_AUTO_TOPUP, PDN_MIN_LEAD } from './thresholds.js';

/** A notice older than this no longer announces the debit (no rule is known; facts/payments.md P7). Inclusive. */
export const PDN_AGE_MS_MAX = 7 * DAY_MS;
/** Shortest time between notice and debit; exactly this long passes. */
export const PDN_LEAD_MS_MIN = PDN_MIN_LEAD.minSeconds * 1000;

/** Checks P1 to P7 of the notice the buyer gets before a debit under an e-mandate. */
export function checkNotice(afa: AfaCase): readonly Remark[] {
  if (eMandateClass(afa.rail) === null || !isDebitUnderMandate(afa)) return [];
  if (isExemptTopUp(afa)) return [note('pdn_exempt_fastag_ncmc')];
  if (isFirstDebit(afa)) {
    return firstDebitNeedsNotice(afa)
      ? [note('uncertain:first_debit_notice'), ...judgeNotice(afa)]
      : [];
  }
  return judgeNotice(afa);
}

const isDebitUnderMandate = ({ event }: AfaCase): boolean =>
  event === 'first_debit' || event === 'subsequent_debit' || event === 'auto_topup';

const isExemptTopUp = (afa: AfaCase): boolean =>
  afa.event === 'auto_topup' && isInForce(PDN_EXEMPT_AUTO_TOPUP, afa.atMs);

/** Not when mandate and debit are one step; else when the debit runs more than 24 hours after the registration. */
function firstDebitNeedsNotice({ event, executionAtMs, facts }: AfaCase): boolean {
  if (event === 'first_debit' && facts.sameStepAsRegistration) return false;
  const registeredAtMs = facts.mandate?.registeredAtMs ?? null;
  return registeredAtMs === null || executionAtMs - registeredAtMs > DAY_MS;
}

function judgeNotice(afa: AfaCase): readonly Remark[] {
  const notice = afa.facts.preDebitNotice;
  const noticedAtMs = notice === null ? null : (notice.deliveredAtMs ?? notice.sentAtMs);
  // A notice that is said to go out later has not gone out.
  if (notice === null || noticedAtMs === null || noticedAtMs > afa.atMs + AFA_SKEW_MS) {
    return [deny('pdn_missing')];
  }
  const leadMs = afa.executionAtMs - noticedAtMs;
  const faults = [
    ...denyIf(
      notice.amountMinor !== afa.amount.amountMinor || notice.currency !== afa.amount.currency,
      'pdn_amount_mismatch',
    ),
    ...denyIf(!refersToThisDebit(notice, afa), 'pdn_reference_mismatch'),
    ...denyIf(notice.optedOutAtMs !== null, 'pdn_opted_out'),
    ...denyIf(!isComplete(notice), 'pdn_incomplete'),
    ...denyIf(leadMs > PDN_AGE_MS_MAX, 'pdn_stale'),
    ...(leadMs < PDN_LEAD_MS_MIN ? [defer('pdn_too_late', noticedAtMs + PDN_LEAD_MS_MIN)] : []),
  ];
  return [
    ...(notice.deliveredAtMs === null ? [note('warning:pdn_delivery_unproven')] : []),
    ...(faults.length === 0 ? [note('pdn_ok')] : faults),
  ];
}

/** UPI numbers its cycles, so there the number must be named. */
function refersToThisDebit(notice: PreDebitNoticeFact, { rail, facts }: AfaCase): boolean {
  return (
    facts.mandate !== null &&
    notice.mandateRef === facts.mandate.ref &&
    notice.seq === facts.cycleSeq &&
    (notice.seq !== null || rail !== 'upi_autopay') &&
    notice.payeeId !== null &&
    notice.payeeId === facts.payeeId
  );
}

const isComplete = (notice: PreDebitNoticeFact): boolean =>
  notice.payeeNamed && notice.reasonGiven && notice.scheduledForAtMs !== null;
