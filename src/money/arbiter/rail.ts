import type { CellRef, CellView } from '../../base/ledger/index.js';
import type { RbiFacts } from '../../core/rules/index.js';
import type { RailClaims } from '../../trust/buyer-authority/index.js';
import {
  currentRailReports,
  currentReportCell,
  evidenceClaimReads,
  isClaimed,
  type RailRequest,
  type RailResolver,
  type ReportedMandate,
  type ResolvedRail,
} from '../../trust/rail-evidence/index.js';
import type { RailNames } from './ask.js';
import { debitMandateCell, withUnderway } from './debit-mandates.js';
import { debitMandateRefOf } from './rbi.js';

/** What providers reported about the payment: what the request names, and the state of the one payment mandate verified. */
export const railOf = (
  resolver: RailResolver,
  { named, claims }: { readonly named: RailNames; readonly claims: RailClaims | null },
  common: Pick<RailRequest, 'tenantId' | 'atMs' | 'deadline'>,
): Promise<ResolvedRail> =>
  resolver.resolveRail({
    ...common,
    ...named,
    mandateRef: claims === null ? null : debitMandateRefOf(claims),
  });

/** The cells by which {@link isRailCurrent} and {@link withReports} see what happened since the reports were looked up. */
export const railCells = ({ evidence, looked }: ResolvedRail): readonly CellRef[] => [
  ...looked.flatMap(({ kind, subjectRef }) => [
    currentReportCell(kind, subjectRef),
    ...(kind === 'payment_mandate' ? [debitMandateCell(subjectRef)] : []),
  ]),
  ...(evidence === null ? [] : evidenceClaimReads([evidence.reference])),
];

/** False: a newer report came between the lookup and the lock, and what was found is to be looked up again. */
export const isRailCurrent = ({ looked }: ResolvedRail, view: CellView): boolean =>
  looked.every(
    ({ kind, subjectRef, reportId }) =>
      (view.get(currentRailReports, [kind, subjectRef])?.reportId ?? null) === reportId,
  );

/**
 * The facts of rule 8 with what providers reported. `facts` come from the verified payment mandate alone and hold the
 * mandate that is being made by a first debit, if any; a state that was reported replaces it, and one that was reported
 * and does not count leaves none.
 */
export function withReports(
  facts: RbiFacts,
  { rail, claims }: { readonly rail: ResolvedRail; readonly claims: RailClaims | null },
  view: CellView,
): RbiFacts {
  const { evidence, notice } = rail;
  const found = mandateFacts(facts, rail.mandate);
  const mandate = withUnderway(found.mandate, view);
  const reported = { ...facts, ...found, mandate, preDebitNotice: notice };
  if (evidence === null) return reported;
  return {
    ...reported,
    evidence: {
      ...evidence,
      claimedBefore: isClaimed(view, evidence.reference),
      // A rail without a debit mandate debits none: there the buyer's payment mandate itself is what evidence names.
      mandateRefBound:
        reported.mandate === null &&
        claims !== null &&
        evidence.mandateRefBound === debitMandateRefOf(claims)
          ? null
          : evidence.mandateRefBound,
    },
  };
}

type MandateFacts = Pick<RbiFacts, 'mandate'> & Partial<RbiFacts>;

/** A mandate reported on another rail than the buyer's mandate names is not the one to be debited. */
export function mandateFacts(facts: RbiFacts, reported: ReportedMandate): MandateFacts {
  if (reported.state === 'unreported') return { mandate: facts.mandate };
  if (reported.state === 'unusable' || reported.rail !== facts.rail)
    return { mandate: null, sameStepAsRegistration: false };
  const { fact, attemptsThisCycle, payeeDebitedThisCycleMinor } = reported;
  return {
    mandate: fact,
    sameStepAsRegistration: facts.sameStepAsRegistration && fact.status === 'initiated',
    cycleSeq: (fact.lastSeq ?? 0) + 1,
    attemptsThisCycle,
    payeeDebitedThisCycleMinor,
  };
}
