import type { ReasonOf } from '../kernel/index.js';
import type { Failure, RuleResult } from './decision.js';
import type { ConsentFact, PurchaseCase } from './facts.js';
import {
  credentialStatusFault,
  isOfMandateBuyer,
  isSameName,
  observeCredential,
  signatureFault,
  timeFault,
} from './shared/credential.js';
import { because, text } from './shared/observe.js';

const RULE = 'consent_active';
type Code = ReasonOf<typeof RULE>;

/**
 * Rule 2: the buyer has consented, to this merchant and this agent, and the consent is in force now.
 * A consent that was asked for but not answered is no consent.
 */
export function judgeConsentActive(purchase: PurchaseCase): RuleResult<typeof RULE> {
  const { consent } = purchase.facts.authority;
  if (consent === null) {
    const observations = [text('consent.ref', null)];
    return { rule: RULE, failure: because('consent_missing'), observations, notes: [] };
  }
  const code = consentFault(consent, purchase);
  return {
    rule: RULE,
    failure: code === null ? null : failureOf(code, consent),
    observations: [
      ...observeCredential('consent', consent, purchase.atMs),
      text('consent.state', consent.state, 'granted'),
    ],
    notes: [],
  };
}

const failureOf = (code: Code, { notBeforeAtMs }: ConsentFact): Failure<Code> =>
  because(code, code === 'consent_not_yet_valid' ? notBeforeAtMs : null);

function consentFault(consent: ConsentFact, { facts, atMs }: PurchaseCase): Code | null {
  if (consent.state !== 'granted' && consent.state !== 'denied') return 'consent_missing';
  const signature = signatureFault(consent);
  if (signature !== null) return `consent_${signature}`;
  if (!isSameName(consent.merchantId, facts.merchantId)) return 'consent_merchant_mismatch';
  if (!isSameName(consent.agentId, facts.agentId)) return 'consent_agent_mismatch';
  if (!isOfMandateBuyer(consent, facts.authority.mandates)) return 'consent_buyer_mismatch';
  if (consent.state === 'denied') return 'consent_denied';
  const time = timeFault(consent, atMs);
  if (time !== null) return `consent_${time}`;
  const status = credentialStatusFault(consent, atMs);
  if (status === null) return null;
  return status === 'unavailable' ? 'status_list_unavailable' : `consent_${status}`;
}
