import type { RuleResult } from './decision.js';
import type { AuthorityFacts, PurchaseCase } from './facts.js';
import { because, text } from './shared/observe.js';

const RULE = 'verified_buyer_authority';

/**
 * Rule 4: mandates, consent and passport were verified here, not merely claimed by the request. The live world accepts
 * no claim at all; the test world does where the tenant has switched it on. An unknown world counts as live.
 */
export function judgeVerifiedBuyerAuthority({ facts }: PurchaseCase): RuleResult<typeof RULE> {
  const source = isVerified(facts.authority) ? 'verified' : 'caller_asserted';
  const isTolerated =
    source === 'caller_asserted' && facts.world === 'test' && facts.callerAssertedAllowed === true;
  return {
    rule: RULE,
    failure:
      source === 'verified' || isTolerated ? null : because('buyer_authority_caller_asserted'),
    observations: [text('authority.source', source, 'verified'), text('world', facts.world)],
    notes: isTolerated ? ['caller_asserted_allowed_in_test_world'] : [],
  };
}

/** INVARIANT: one value of the caller's makes the whole authority the caller's word, whatever the facts say of the whole. */
const isVerified = ({ source, mandates, consent, passport }: AuthorityFacts): boolean =>
  source === 'verified' &&
  mandates.every((mandate) => mandate.source === 'verified') &&
  (consent === null || consent.source === 'verified') &&
  (passport === null || passport.source === 'verified');
