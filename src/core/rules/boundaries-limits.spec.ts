import { describe, expect, it } from 'vitest';
import { both, boundary, type Boundary } from '../../../test/support/boundaries.js';
import {
  absentCapsOf,
  AT_MS,
  capsOf,
  change,
  limitsOf,
  mandateOf,
  orderOf,
  passportOf,
  type PurchaseDraft,
  type RefundDraft,
  soundAbsentPurchase,
  soundHandoff,
  soundPurchase,
  soundRefund,
} from '../../../test/support/purchase-case.js';
import { AMOUNT_MINOR_MAX } from '../kernel/index.js';
import { decidePurchase, decideRefund } from './index.js';

describe('limits', () => {
  const limits: readonly Boundary[] = [
    boundary<bigint>(
      'order at the maximum, 1 minor unit above',
      (draft, value) => (capsOf(draft).orderMaxMinor = value),
      { inside: 209_900n, outside: 209_899n, reason: 'order_amount_cap_exceeded' },
    ),
    boundary<number>(
      'pieces at the maximum, 1 above',
      (draft, value) => (limitsOf(draft).itemsMax = value),
      { inside: 3, outside: 2, reason: 'order_items_cap_exceeded' },
    ),
    boundary<bigint>(
      'day at the maximum, 1 minor unit above',
      (draft, value) => (capsOf(draft).dailyMaxMinor = value),
      { inside: 2_209_900n, outside: 2_209_899n, reason: 'daily_amount_cap_exceeded' },
    ),
    boundary<bigint>(
      'day filled to the maximum before, 1 minor unit more',
      ({ counters }, value) => (counters.merchantDayMinor = value),
      { inside: 4_790_100n, outside: 4_790_101n, reason: 'daily_amount_cap_exceeded' },
    ),
  ];
  both(soundHandoff, limits);
  both(soundPurchase, limits);

  it('a daily maximum that is not set is skipped, and the trace says so', () => {
    const open = change(soundHandoff(), (draft) => {
      capsOf(draft).dailyMaxMinor = null;
      draft.counters.merchantDayMinor = AMOUNT_MINOR_MAX;
    });
    const decision = decidePurchase(open);
    expect(decision.outcome).toBe('allow');
    expect(decision.trace[1]?.notes).toEqual(['daily_maximum_not_set']);
  });
});

describe('presence and absent buyers', () => {
  const cartMandate = (draft: PurchaseDraft) => mandateOf(draft, 'cart');
  /** A merchant that sells to nobody who is away: whoever passes is present. */
  const present = () => change(soundPurchase(), (draft) => (limitsOf(draft).notPresent = null));
  const away = 'not_present_limits_missing';

  both(present, [
    boundary<number>(
      'cart mandate issued 600 000 ms ago, 600 001 ms ago',
      (draft, value) => (cartMandate(draft).issuedAtMs = value),
      { inside: AT_MS - 600_000, outside: AT_MS - 600_001, reason: away },
    ),
    boundary<boolean>(
      'signed by the buyer’s own key, by another',
      (draft, value) => (cartMandate(draft).buyerKeyBound = value),
      { inside: true, outside: false, reason: away },
    ),
    boundary<'cart' | 'payment'>(
      'a cart mandate, another mandate for this cart',
      (draft, value) => (cartMandate(draft).mandateKind = value),
      { inside: 'cart', outside: 'payment', reason: away },
    ),
  ]);

  it('a cart mandate that is not good for this purchase proves nothing', () => {
    const decision = decidePurchase(
      change(present(), (draft) => (cartMandate(draft).status.verdict = 'suspended')),
    );
    expect(decision.reason).toBe('mandate_suspended');
    expect(decision.trace[6]?.failure?.code).toBe(away);
  });

  it('a cart mandate that is only claimed proves nothing, even where claims are allowed', () => {
    const claimed = change(present(), (draft) => {
      draft.facts.world = 'test';
      draft.facts.callerAssertedAllowed = true;
      passportOf(draft).world = 'test';
      Object.assign(cartMandate(draft), { source: 'caller_asserted', signature: 'not_checked' });
      cartMandate(draft).status.verdict = 'not_checked';
    });
    expect(decidePurchase(claimed)).toMatchObject({
      failingRule: 'not_present_limits',
      reason: away,
    });
  });

  it('presence that is proved needs no evidence to be looked up', () => {
    const proved = change(present(), ({ facts }) => (facts.presenceEvidence = 'unavailable'));
    expect(decidePurchase(proved).outcome).toBe('allow');
  });

  both(soundAbsentPurchase, [
    boundary<bigint>(
      'order at the maximum for absent buyers, 1 minor unit above',
      (draft, value) => (absentCapsOf(draft).orderMaxMinor = value),
      { inside: 209_900n, outside: 209_899n, reason: 'not_present_amount_cap_exceeded' },
    ),
    boundary<number>(
      'pieces at the maximum for absent buyers, 1 above',
      (draft, value) => (absentCapsOf(draft).itemsMax = value),
      { inside: 3, outside: 2, reason: 'not_present_items_cap_exceeded' },
    ),
    boundary<bigint>(
      'day at the maximum for absent buyers, 1 minor unit above',
      (draft, value) => (absentCapsOf(draft).dailyMaxMinor = value),
      { inside: 509_900n, outside: 509_899n, reason: 'not_present_daily_amount_cap_exceeded' },
    ),
    boundary<bigint>(
      'intent’s cap at spent and order, 1 minor unit lower',
      (draft, value) => (mandateOf(draft, 'intent').capMinor = value),
      { inside: 309_900n, outside: 309_899n, reason: 'intent_cap_exceeded' },
    ),
    boundary<bigint>(
      'spent under the intent up to its cap, 1 minor unit more',
      ({ counters }, value) => {
        counters.intentSpentMinor = value;
        counters.intentsSpent = [{ ref: 'mdt_intent', spentMinor: value }];
      },
      { inside: 290_100n, outside: 290_101n, reason: 'intent_cap_exceeded' },
    ),
    boundary<bigint>(
      'spent under the most drawn on of an entry that has no sum of each intent',
      ({ counters }, value) => {
        counters.intentSpentMinor = value;
        counters.intentsSpent = [];
      },
      { inside: 290_100n, outside: 290_101n, reason: 'intent_cap_exceeded' },
    ),
  ]);

  it('without an intent mandate an absent buyer has left no cap', () => {
    const none = change(soundAbsentPurchase(), ({ facts }) => {
      facts.authority.mandates = facts.authority.mandates.filter(
        ({ mandateKind }) => mandateKind !== 'intent',
      );
    });
    expect(decidePurchase(none).reason).toBe('intent_cap_missing');
  });

  it('of several intents the narrowest cap holds', () => {
    const two = change(soundAbsentPurchase(), (draft) => {
      draft.facts.authority.mandates.push({
        ...mandateOf(draft, 'intent'),
        ref: 'mdt_intent_2',
        capMinor: 309_899n,
      });
      draft.counters.intentsSpent.push({ ref: 'mdt_intent_2', spentMinor: 100_000n });
    });
    expect(decidePurchase(two).reason).toBe('intent_cap_exceeded');
  });

  it('each intent is held by what is spent under itself', () => {
    const nested = (innerSpentMinor: bigint) =>
      change(soundAbsentPurchase(), (draft) => {
        draft.facts.authority.mandates.push({
          ...mandateOf(draft, 'intent'),
          ref: 'mdt_inner',
          capMinor: 209_950n,
        });
        draft.counters.intentsSpent.push({ ref: 'mdt_inner', spentMinor: innerSpentMinor });
      });
    // The outer one is drawn on more, by purchases under other intents; the inner one has its own room.
    expect(decidePurchase(nested(50n)).reason).toBe(null);
    const over = decidePurchase(nested(51n));
    expect(over.reason).toBe('intent_cap_exceeded');
    const trace = over.trace.find(({ rule }) => rule === 'not_present_limits');
    expect(trace?.observations.at(-1)).toMatchObject({ observed: 209_951n, limit: 209_950n });
  });

  it('an intent without a sum beside others is a broken reading, never an allow', () => {
    const unread = change(soundAbsentPurchase(), (draft) => {
      draft.counters.intentsSpent = [{ ref: 'mdt_other', spentMinor: 0n }];
    });
    expect(decidePurchase(unread)).toMatchObject({
      outcome: 'refuse',
      failingRule: 'not_present_limits',
    });
  });

  it('only an intent may name any merchant', () => {
    const any = (kind: 'intent' | 'payment') =>
      change(soundPurchase(), (draft) => (mandateOf(draft, kind).merchantIds = ['*']));
    expect(decidePurchase(any('intent')).reason).toBe(null);
    expect(decidePurchase(any('payment')).reason).toBe('mandate_merchant_mismatch');
  });

  it('a cart mandate that names no cart is for no cart', () => {
    const blank = change(soundPurchase(), (draft) => (cartMandate(draft).cartHash = null));
    expect(decidePurchase(blank).reason).toBe('mandate_cart_mismatch');
  });
});

describe('refund', () => {
  const reasonOf = (edit: (draft: RefundDraft) => void) =>
    decideRefund(change(soundRefund(), edit)).reason;

  it('the rest passes, one minor unit more does not; zero and less never', () => {
    expect(reasonOf(({ facts }) => (facts.amountMinor = 149_900n))).toBe(null);
    expect(reasonOf(({ facts }) => (facts.amountMinor = 149_901n))).toBe('refund_exceeds_captured');
    expect(reasonOf(({ facts }) => (facts.amountMinor = 1n))).toBe(null);
    expect(reasonOf(({ facts }) => (facts.amountMinor = 0n))).toBe('refund_amount_not_positive');
    expect(reasonOf(({ facts }) => (facts.amountMinor = -1n))).toBe('refund_amount_not_positive');
  });

  it('in full once, not twice', () => {
    const full = (refundedMinor: bigint) =>
      reasonOf((draft) => {
        draft.facts.amountMinor = 209_900n;
        orderOf(draft).refundedMinor = refundedMinor;
      });
    expect(full(0n)).toBe(null);
    expect(full(209_900n)).toBe('refund_exceeds_captured');
  });
});
