import { currentSigningKeys, signingKeys } from './base/keys/index.js';
import { ledgerExports, ledgerWitnessing } from './base/history/index.js';
import { type AnyProjection, anyProjection } from './base/ledger/index.js';
import { webhookEndpoints } from './base/outbox/index.js';
import {
  agents,
  apiKeys,
  currentLimits,
  limitsVersions,
  merchants,
  origins,
  sealingKeys,
  signatureSettings,
  tenants,
} from './base/tenants/index.js';
import {
  allows,
  allowUses,
  debitMandates,
  debitUses,
  decisionNotes,
  decisions,
  mandateUses,
} from './money/arbiter/index.js';
import {
  authoritySpend,
  captures,
  merchantDayMoney,
  merchantOpenMoney,
  orderMoney,
  orderPayments,
  payments,
  refunds,
} from './money/book/index.js';
import { webhookEvents } from './money/rails/index.js';
import { erasedBuyers } from './trust/buyer-authority/index.js';
import {
  ap2Objects,
  consents,
  debitMandateBuyers,
  mandates,
  passports,
} from './trust/buyer-authority/tables.js';
import { stock } from './trust/facts/index.js';
import {
  artifacts,
  catalogPolicies,
  catalogPrices,
  catalogProducts,
  catalogVariants,
  currentArtifacts,
  factLineages,
} from './trust/facts/tables.js';
import { issuerKeys } from './trust/peers/index.js';
import { afaEvidenceClaims, currentRailReports, railReports } from './trust/rail-evidence/index.js';
import { revocationObservations } from './trust/revocation/index.js';
import { statusFloors, statusSlots } from './trust/status/index.js';

/** Every projection of the house: what the writer keeps and `arbiter rebuild` folds again. */
export const PROJECTIONS: readonly AnyProjection[] = [
  anyProjection(signingKeys),
  anyProjection(currentSigningKeys),
  anyProjection(tenants),
  anyProjection(sealingKeys),
  anyProjection(signatureSettings),
  anyProjection(origins),
  anyProjection(merchants),
  anyProjection(limitsVersions),
  anyProjection(currentLimits),
  anyProjection(agents),
  anyProjection(apiKeys),
  anyProjection(ledgerWitnessing),
  anyProjection(ledgerExports),
  anyProjection(webhookEndpoints),
  anyProjection(issuerKeys),
  anyProjection(statusSlots),
  anyProjection(statusFloors),
  anyProjection(revocationObservations),
  anyProjection(artifacts),
  anyProjection(currentArtifacts),
  anyProjection(catalogProducts),
  anyProjection(catalogVariants),
  anyProjection(catalogPrices),
  anyProjection(catalogPolicies),
  anyProjection(factLineages),
  anyProjection(stock),
  anyProjection(mandates),
  anyProjection(consents),
  anyProjection(passports),
  anyProjection(ap2Objects),
  anyProjection(debitMandateBuyers),
  anyProjection(railReports),
  anyProjection(currentRailReports),
  anyProjection(afaEvidenceClaims),
  anyProjection(erasedBuyers),
  anyProjection(captures),
  anyProjection(orderMoney),
  anyProjection(merchantDayMoney),
  anyProjection(authoritySpend),
  anyProjection(payments),
  anyProjection(orderPayments),
  anyProjection(merchantOpenMoney),
  anyProjection(refunds),
  anyProjection(decisions),
  anyProjection(allows),
  anyProjection(allowUses),
  anyProjection(mandateUses),
  anyProjection(debitMandates),
  anyProjection(debitUses),
  anyProjection(decisionNotes),
  anyProjection(webhookEvents),
];
