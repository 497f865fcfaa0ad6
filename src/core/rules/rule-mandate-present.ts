import { reasonPlace } from '../kernel/index.js';
import type { Failure, Observation, RuleResult } from './decision.js';
import type { MandateFact, PurchaseCase } from './facts.js';
import { observeCredential } from './shared/credential.js';
import { type MandateFault, mandateFault } from './shared/mandate.js';
import { because, count } from './shared/observe.js';

const RULE = 'mandate_present';

/**
 * Rule 1: a mandate of the buyer is there, and every mandate the purchase names is good for it: known, signed, for this
 * merchant, agent, cart and currency, in force now, not revoked, nor any of its ancestors.
 * One bad mandate refuses; of several the reason that stands first in the catalogue is named, whatever their order.
 */
export function judgeMandatePresent(purchase: PurchaseCase): RuleResult<typeof RULE> {
  const { mandates } = purchase.facts.authority;
  const observations: Observation[] = [count('mandates', mandates.length, 1)];
  let failure: Failure<MandateFault> | null =
    mandates.length === 0 ? because('mandate_missing') : null;
  for (const mandate of inFixedOrder(mandates)) {
    observations.push(
      ...observeCredential(`${mandate.mandateKind}_mandate`, mandate, purchase.atMs),
    );
    failure = worse(failure, failureOf(mandate, purchase));
  }
  return { rule: RULE, failure, observations, notes: [] };
}

function failureOf(mandate: MandateFact, purchase: PurchaseCase): Failure<MandateFault> | null {
  const code = mandateFault(mandate, purchase);
  if (code === null) return null;
  return because(code, code === 'mandate_not_yet_valid' ? beginOf(mandate) : null);
}

/** When waiting ends, or null when the mandate does not say. */
const beginOf = ({ notBeforeAtMs, issuedAtMs }: MandateFact): number | null =>
  notBeforeAtMs === null || issuedAtMs === null ? null : Math.max(notBeforeAtMs, issuedAtMs);

function worse(
  left: Failure<MandateFault> | null,
  right: Failure<MandateFault> | null,
): Failure<MandateFault> | null {
  if (left === null || right === null) return left ?? right;
  const lead = reasonPlace(RULE, left.code) - reasonPlace(RULE, right.code);
  if (lead !== 0) return lead < 0 ? left : right;
  if (left.notBeforeMs === null || right.notBeforeMs === null)
    return left.notBeforeMs === null ? left : right;
  return left.notBeforeMs >= right.notBeforeMs ? left : right;
}

/** So that the trace does not depend on the order in which mandates arrived. */
const inFixedOrder = (mandates: readonly MandateFact[]): readonly MandateFact[] =>
  mandates.length < 2 ? mandates : [...mandates].sort(byKindThenRef);

const byKindThenRef = (left: MandateFact, right: MandateFact): number =>
  compare(left.mandateKind, right.mandateKind) || compare(left.ref, right.ref);

const compare = (left: string, right: string): number =>
  left === right ? 0 : left < right ? -1 : 1;
