export type { RailKind } from '../../core/proofs/index.js';
export {
  NO_RAIL,
  RAIL_RESOLVER,
  RAIL_UNAVAILABLE,
  type RailRequest,
  type RailResolver,
  type ReportedMandate,
  type ResolvedRail,
} from './contract.js';
export {
  afaEvidenceClaims,
  claimEvidence,
  evidenceClaimReads,
  evidenceRefsOf,
  type EvidenceUse,
  isClaimed,
} from './evidence-claims.js';
export {
  currentRailReports,
  currentReportCell,
  paymentMandateReported,
  type PaymentMandateReported,
  type RailReportRow,
  railReports,
} from './rail-evidence.ledger.js';
export { RAIL_REPORTS, RailEvidenceModule } from './rail-evidence.module.js';
export { RailReports } from './rail-reports.js';
export { StoredRailResolver } from './resolve-rail.js';
