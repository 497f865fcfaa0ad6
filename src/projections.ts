import { currentSigningKeys, signingKeys } from './base/keys/index.js';
import { type AnyProjection, anyProjection } from './base/ledger/index.js';
import {
  agents,
  apiKeys,
  currentLimits,
  limitsVersions,
  merchants,
  origins,
  tenants,
} from './base/tenants/index.js';
import { decisions } from './money/arbiter/index.js';
import { authoritySpend, captures, merchantDayMoney, orderMoney } from './money/book/index.js';
import { consents, mandates, passports } from './trust/buyer-authority/index.js';
import { artifacts, currentArtifacts, stock } from './trust/facts/index.js';
import { issuerKeys } from './trust/peers/index.js';
import { statusSlots } from './trust/status/index.js';

/** Every projection of the house: what the writer keeps and `arbiter rebuild` folds again. */
export const PROJECTIONS: readonly AnyProjection[] = [
  anyProjection(signingKeys),
  anyProjection(currentSigningKeys),
  anyProjection(tenants),
  anyProjection(origins),
  anyProjection(merchants),
  anyProjection(limitsVersions),
  anyProjection(currentLimits),
  anyProjection(agents),
  anyProjection(apiKeys),
  anyProjection(issuerKeys),
  anyProjection(statusSlots),
  anyProjection(artifacts),
  anyProjection(currentArtifacts),
  anyProjection(stock),
  anyProjection(mandates),
  anyProjection(consents),
  anyProjection(passports),
  anyProjection(captures),
  anyProjection(orderMoney),
  anyProjection(merchantDayMoney),
  anyProjection(authoritySpend),
  anyProjection(decisions),
];
