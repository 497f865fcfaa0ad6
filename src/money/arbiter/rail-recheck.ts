import type { CellRef, CellView, LedgerEvent } from '../../base/ledger/index.js';
import type { PreDebitNoticeFact, PurchaseFacts, RbiFacts } from '../../core/rules/index.js';
import {
  claimEvidence,
  currentRailReports,
  currentReportCell,
  evidenceClaimReads,
  evidenceRefsOf,
  isClaimed,
} from '../../trust/rail-evidence/index.js';
import { debitMandateCell, reportedUnderLock, withUnderway } from './debit-mandates.js';
import { mandateFacts } from './rail.js';

/**
 * What rule 8 looks at again when an allow is used: whether its authentication is still unclaimed, what became of the
 * notice, the bank's mandate and what was started under it.
 */
export const freshRailCells = ({ rbi }: PurchaseFacts): readonly CellRef[] => [
  ...evidenceClaimReads(rbi.evidence === null ? [] : [rbi.evidence.reference]),
  ...noticeRefsOf(rbi).map((ref) => currentReportCell('pre_debit_notice', ref)),
  ...(rbi.mandate === null ? [] : [debitMandateCell(rbi.mandate.ref)]),
];

const noticeRefsOf = ({ preDebitNotice }: RbiFacts): readonly string[] =>
  preDebitNotice === null || preDebitNotice.ref === null ? [] : [preDebitNotice.ref];

/** The stored facts of rule 8 with what was claimed, reported and started since. Nothing else of them is looked up again. */
export function freshRail({ rbi }: PurchaseFacts, view: CellView, atMs: number): RbiFacts {
  const { evidence, mandate, preDebitNotice, cycleSeq } = rbi;
  const reported = mandate === null ? rbi : freshMandate(rbi, mandate.ref, view);
  return {
    ...reported,
    // The cycle that was decided: one that was debited since is over, and the allow is not for the next one.
    cycleSeq,
    evidence: evidence && { ...evidence, claimedBefore: isClaimed(view, evidence.reference) },
    preDebitNotice: preDebitNotice && noticeNow(preDebitNotice, view, atMs),
  };
}

function freshMandate(rbi: RbiFacts, mandateRef: string, view: CellView): RbiFacts {
  const found = mandateFacts(rbi, reportedUnderLock(view, mandateRef));
  return { ...rbi, ...found, mandate: withUnderway(found.mandate, view) };
}

/** A notice that the buyer opted out of since, or of which it turned out that it never reached the buyer. */
function noticeNow(notice: PreDebitNoticeFact, view: CellView, atMs: number): PreDebitNoticeFact {
  const status =
    notice.ref === null
      ? undefined
      : view.get(currentRailReports, ['pre_debit_notice', notice.ref])?.status;
  if (status === 'opted_out') return { ...notice, optedOutAtMs: notice.optedOutAtMs ?? atMs };
  return status === 'failed' ? { ...notice, sentAtMs: null, deliveredAtMs: null } : notice;
}

/** The events by which the authentication that the decision rests on is used up; what serves nothing here stays free. */
export function evidenceClaims(
  facts: PurchaseFacts,
  { view, decisionId }: { readonly view: CellView; readonly decisionId: string },
): readonly LedgerEvent[] {
  const refs = evidenceRefsOf(facts).filter((ref) => !isClaimed(view, ref));
  const claimed = claimEvidence(view, refs, { decisionId, cartHash: facts.cart.hash });
  return claimed.ok ? claimed.value : [];
}
