import { describe, expect, it } from 'vitest';
import {
  artifactOf,
  AT_MS,
  capsOf,
  change,
  deepFreeze,
  limitsOf,
  mandateOf,
  passportOf,
  type PurchaseDraft,
  soundHandoff,
  soundPurchase,
} from '../../../test/support/purchase-case.js';
import {
  AGENT_PAYMENT_RULES,
  HANDOFF_RULES,
  type RuleName,
  RULESET_VERSION,
} from '../kernel/index.js';
import { decidePurchase, type PurchaseCase } from './index.js';

/** One way for each rule to fail that leaves all others alone. */
const FAILS: Readonly<
  Record<(typeof AGENT_PAYMENT_RULES)[number], (draft: PurchaseDraft) => void>
> = {
  mandate_present: (draft) => (mandateOf(draft, 'payment').expiresAtMs = AT_MS),
  consent_active: ({ facts }) => (facts.authority.consent = null),
  passport_amount_cap: (draft) => (passportOf(draft).capMinor = 259_899n),
  verified_buyer_authority: ({ facts }) => (facts.authority.source = 'caller_asserted'),
  facts_valid: (draft) => (artifactOf(draft, 'price').status.verdict = 'revoked'),
  merchant_limits: (draft) => (capsOf(draft).orderMaxMinor = 209_899n),
  not_present_limits: (draft) => {
    mandateOf(draft, 'cart').issuedAtMs = AT_MS - 600_001;
    limitsOf(draft).notPresent = null;
  },
  rbi_afa: ({ facts }) => (facts.rbi.profile = null),
};

const HANDOFF_FAILS: Readonly<
  Record<(typeof HANDOFF_RULES)[number], (draft: PurchaseDraft) => void>
> = {
  handoff_facts_valid: FAILS.facts_valid,
  handoff_merchant_limits: FAILS.merchant_limits,
};

function expectAllCombinations<Rule extends RuleName>(
  sound: PurchaseCase,
  rules: readonly Rule[],
  fails: Readonly<Record<Rule, (draft: PurchaseDraft) => void>>,
) {
  for (let mask = 0; mask < 2 ** rules.length; mask += 1) {
    const failing = rules.filter((_rule, index) => (mask & (1 << index)) !== 0);
    const decision = decidePurchase(
      deepFreeze(
        change(sound, (draft) => {
          for (const rule of failing) fails[rule](draft);
        }),
      ),
    );
    const recorded = decision.trace.filter(({ failure }) => failure !== null);
    expect(decision.trace.map(({ rule }) => rule)).toEqual(rules);
    expect(recorded.map(({ rule }) => rule)).toEqual(failing);
    expect(decision.failingRule).toBe(failing[0] ?? null);
    expect(decision.outcome).toBe(failing.length === 0 ? 'allow' : 'refuse');
    expect(decision.reason === null).toBe(failing.length === 0);
  }
}

describe('the first failing rule decides, and every rule always runs', () => {
  it('all 2^8 combinations of the eight rules', () => {
    expectAllCombinations(soundPurchase(), AGENT_PAYMENT_RULES, FAILS);
  });

  it('all 2^2 combinations of the two handoff rules', () => {
    expectAllCombinations(soundHandoff(), HANDOFF_RULES, HANDOFF_FAILS);
  });

  it('names the ruleset and freezes all it hands out', () => {
    const decision = decidePurchase(change(soundPurchase(), FAILS.consent_active));
    expect(decision.ruleset).toBe(RULESET_VERSION);
    const parts: unknown[] = [decision, decision.trace];
    for (const result of decision.trace)
      parts.push(result, result.failure, result.observations, result.notes, ...result.observations);
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  });

  it('a flow that is not exactly the handoff is judged by all eight', () => {
    const strange = change(soundHandoff(), ({ facts }) => (facts.flow = 'handoff ' as never));
    expect(decidePurchase(strange)).toMatchObject({
      failingRule: 'mandate_present',
      reason: 'mandate_missing',
    });
  });

  it('the handoff reads neither mandate nor consent, passport, authority or AFA', () => {
    const bare = change(soundHandoff(), ({ facts }) => {
      facts.rbi.profile = null;
      facts.presenceEvidence = 'unavailable';
      limitsOf({ facts } as PurchaseDraft).notPresent = null;
    });
    expect(decidePurchase(bare).outcome).toBe('allow');
  });
});
