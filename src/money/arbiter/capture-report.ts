import { err, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import type { CaptureRecorded, NewCapture } from '../book/index.js';
import type { RecordedDecision } from './decide.js';
import { drawnIntentRefsOf, passportRefOf } from './judge.js';

/**
 * Captured money as its reporter names it: `decisionId` is the allowed decision it rests on, `paymentId` the payment that
 * its allow was used for. Null = not named; either of them names the other.
 */
export type CaptureReport = Omit<NewCapture, 'authority'> & {
  readonly decisionId: string | null;
  readonly paymentId: string | null;
};

/**
 * What a payment drew on, copied from the decision it names, so that cumulative caps grow with it (facts/arbiter.md E5,
 * G5). Problems, in order: not_found `/decision_id` (unknown, or another merchant's), conflict `/decision_id` (refused,
 * or not a purchase), conflict `/amount/currency`. Not checked: that the amount is the cart's total, or that the allow
 * was usable: money that moved is written down whatever was decided.
 */
export function authorityOfCapture(
  report: CaptureReport,
  decision: RecordedDecision | null,
): Result<NonNullable<CaptureRecorded['authority']>, Problem> {
  if (decision === null || decision.merchantId !== report.merchantId)
    return err(
      problem('not_found', 'This merchant has no decision of this id.', {
        fix: 'Name the decision as it was answered, or leave decision_id out.',
        field: '/decision_id',
      }),
    );
  const { judged } = decision;
  if (decision.decision.outcome !== 'allow' || judged.kind !== 'purchase')
    return err(
      problem('conflict', 'This decision did not allow a purchase.', {
        fix: 'Name an allowed purchase, or leave decision_id out.',
        field: '/decision_id',
      }),
    );
  if (judged.facts.cart.currency !== report.currency)
    return err(
      problem('conflict', `The decision is in ${judged.facts.cart.currency}.`, {
        fix: 'Report the capture in the currency of the decision.',
        field: '/amount/currency',
      }),
    );
  return ok({
    decisionId: decision.decisionId,
    passportRef: passportRefOf(judged.facts.authority),
    intentRefs: drawnIntentRefsOf(judged.facts.authority),
    buyerAway: buyerWasAway(decision),
  });
}

/** Rule 7 noted it; a handoff has no such rule, because there the buyer pays in person. */
export const buyerWasAway = ({ decision }: RecordedDecision): boolean =>
  decision.trace.some(
    ({ rule, notes }) => rule === 'not_present_limits' && notes.includes('buyer_not_present'),
  );
