import { describe, expect, it } from 'vitest';
import {
  capsOf,
  change,
  mandateOf,
  passportOf,
  soundHandoff,
  soundPurchase,
} from '../../../test/support/purchase-case.js';
import { REASON_CATALOGUE } from '../kernel/index.js';
import {
  AGENT_EXECUTED_PAYMENT_DISABLED,
  decidePurchase,
  renderRefusal,
  UNUSABLE_REASONS,
  unusableActionOf,
} from './index.js';

const asJson = (value: unknown) => JSON.stringify(value, null, 2);

describe('the refusal as the mission spells it', () => {
  it('a purchase above the buyer’s cap, character by character', () => {
    const decision = decidePurchase(
      change(soundPurchase(), (draft) => (passportOf(draft).capMinor = 1n)),
    );
    expect(asJson(renderRefusal(decision, 'arbdec_5b0e1c7d2a9f'))).toBe(`{
  "code": "arbiter_refused",
  "failing_rule": "passport_amount_cap",
  "reason": "passport_amount_cap_exceeded",
  "decision_id": "arbdec_5b0e1c7d2a9f",
  "action": "The commerce arbiter refused: passport_amount_cap (passport_amount_cap_exceeded).",
  "required_config": "buyer_authority.passport_ref, passport_max_amount_minor_units, passport_currency, passport_expires_at"
}`);
  });

  it('a payment link above the merchant’s day', () => {
    const decision = decidePurchase(
      change(soundHandoff(), (draft) => (capsOf(draft).dailyMaxMinor = 0n)),
    );
    expect(asJson(renderRefusal(decision, 'arbdec_0123456789ab'))).toBe(`{
  "code": "arbiter_refused",
  "failing_rule": "handoff_merchant_limits",
  "reason": "daily_amount_cap_exceeded",
  "decision_id": "arbdec_0123456789ab",
  "action": "The commerce arbiter refused: handoff_merchant_limits (daily_amount_cap_exceeded).",
  "required_config": "cart.total, merchant_limits.daily_max"
}`);
  });

  it('names the kind of fact, and until when waiting helps', () => {
    const revoked = change(soundHandoff(), ({ facts }) => {
      for (const { type, status } of facts.artifacts)
        if (type === 'price') status.verdict = 'revoked';
    });
    expect(renderRefusal(decidePurchase(revoked), 'arbdec_0123456789ab')).toMatchObject({
      failing_rule: 'handoff_facts_valid',
      reason: 'artifact_revoked:price',
      action: 'The commerce arbiter refused: handoff_facts_valid (artifact_revoked:price).',
    });
    const early = change(
      soundPurchase(),
      (draft) => (mandateOf(draft, 'payment').notBeforeAtMs = Date.UTC(2026, 11, 1)),
    );
    expect(renderRefusal(decidePurchase(early), 'arbdec_0123456789ab')).toMatchObject({
      reason: 'mandate_not_yet_valid',
      not_before: '2026-12-01T00:00:00.000Z',
    });
  });

  it('speaks for the switch of agent-executed payment too', () => {
    expect(renderRefusal(AGENT_EXECUTED_PAYMENT_DISABLED, 'arbdec_0123456789ab')).toMatchObject({
      failing_rule: 'agent_executed_payment',
      reason: 'agent_executed_payment_disabled',
    });
  });

  it('an allow is not rendered as a refusal, and a reason outside the catalogue not at all', () => {
    expect(() => renderRefusal(decidePurchase(soundPurchase()), 'arbdec_0123456789ab')).toThrow(
      'only a refusal is rendered as one',
    );
    const half = { failingRule: 'rbi_afa', reason: null, notBeforeMs: null } as const;
    expect(() => renderRefusal(half, 'arbdec_0123456789ab')).toThrow(
      'only a refusal is rendered as one',
    );
    expect(() =>
      renderRefusal(
        { failingRule: 'rbi_afa', reason: 'never_heard_of', notBeforeMs: null },
        'arbdec_0123456789ab',
      ),
    ).toThrow('every refusal names a reason of the catalogue');
  });

  it('every reason of the passport rule asks for the same four things', () => {
    const asked = new Set(
      REASON_CATALOGUE.filter(({ rule }) => rule === 'passport_amount_cap').map(
        ({ requiredConfig }) => requiredConfig,
      ),
    );
    expect([...asked]).toEqual([
      'buyer_authority.passport_ref, passport_max_amount_minor_units, passport_currency, passport_expires_at',
    ]);
  });
});

describe('an allow that cannot be used', () => {
  it('says, for every reason there is, that a new decision has to be asked for (J7)', () => {
    expect(UNUSABLE_REASONS).toEqual([
      'agent_executed_payment_disabled',
      'grantex_countersignature_missing',
    ]);
    for (const reason of UNUSABLE_REASONS)
      expect(unusableActionOf(reason)).toMatch(/[Aa]sk for a new decision/);
  });
});
