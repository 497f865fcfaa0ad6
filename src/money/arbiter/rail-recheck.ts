import type { CellRef, CellView, LedgerEvent } from '../../base/ledger/index.js';
import type { DebitMandateFact, PurchaseFacts, RbiFacts } from '../../core/rules/index.js';
import { PAYMENT_MANDATE_STATUSES } from '../../core/proofs/index.js';
import {
  claimEvidence,
  currentRailReports,
  currentReportCell,
  evidenceClaimReads,
  evidenceRefsOf,
  isClaimed,
} from '../../trust/rail-evidence/index.js';

/** What rule 8 looks at again when an allow is used: whether its authentication is still unclaimed, and the bank's mandate. */
export const freshRailCells = (facts: PurchaseFacts): readonly CellRef[] => [
  ...evidenceClaimReads(referencesOf(facts.rbi)),
  ...(facts.rbi.mandate === null
    ? []
    : [currentReportCell('payment_mandate', facts.rbi.mandate.ref)]),
];

const referencesOf = ({ evidence }: RbiFacts): readonly string[] =>
  evidence === null ? [] : [evidence.reference];

/** The stored facts of rule 8 with what was claimed, paused or withdrawn since. Nothing else of them is looked up again. */
export function freshRail(facts: PurchaseFacts, view: CellView): RbiFacts {
  const { evidence, mandate } = facts.rbi;
  return {
    ...facts.rbi,
    evidence: evidence && { ...evidence, claimedBefore: isClaimed(view, evidence.reference) },
    mandate: mandate && { ...mandate, status: statusNow(mandate, view) },
  };
}

function statusNow({ ref, status }: DebitMandateFact, view: CellView): DebitMandateFact['status'] {
  const report = view.get(currentRailReports, ['payment_mandate', ref]);
  if (report === undefined) return status;
  return PAYMENT_MANDATE_STATUSES.find((word) => word === report.status) ?? 'unknown';
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
