import { describe, expect, it } from 'vitest';
import {
  artifactOf,
  AT_MS,
  capsOf,
  change,
  limitsOf,
  mandateOf,
  type PurchaseDraft,
  soundAbsentPurchase,
  soundHandoff,
  soundPurchase,
  soundRefund,
} from '../../../test/support/purchase-case.js';
import { AMOUNT_MINOR_MAX, type RuleName } from '../kernel/index.js';
import { type Decision, decidePurchase, decideRefund, type PurchaseCase } from './index.js';

const resultOf = ({ trace }: Decision, rule: RuleName) =>
  trace.find((result) => result.rule === rule) ?? expect.fail(`${rule} ran`);

const seen = (decision: Decision, rule: RuleName, name: string) =>
  resultOf(decision, rule).observations.find((observation) => observation.name === name);

const judged = (sample: PurchaseCase, edit: (draft: PurchaseDraft) => void) =>
  decidePurchase(change(sample, edit));

describe('what the trace shows', () => {
  it('of several artifacts of a type the oldest, and the oldest word about revocation', () => {
    for (const [older, younger] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const decision = judged(soundHandoff(), ({ facts }) => {
        const prices = facts.artifacts.filter(({ type }) => type === 'price');
        Object.assign(prices[older] ?? {}, { issuedAtMs: AT_MS - 200_000 });
        Object.assign(prices[younger]?.status ?? {}, { listIssuedAtMs: AT_MS - 500_000 });
      });
      expect(decision.outcome).toBe('allow');
      const ages = ['price.age', 'price.status_age'].map((name) =>
        seen(decision, 'handoff_facts_valid', name),
      );
      expect(ages).toMatchObject([
        { observed: 200_000, limit: 300_000 },
        { observed: 500_000, limit: 600_000 },
      ]);
    }
  });

  it('the line, by its smallest variant, whose price or stock does not fit', () => {
    const dearer = judged(soundHandoff(), ({ facts }) =>
      facts.cart.lines.forEach((line) => (line.unitPriceMinor += 1n)),
    );
    expect(seen(dearer, 'handoff_facts_valid', 'line.variant')).toMatchObject({
      observed: 'pot-1l',
    });
    expect(seen(dearer, 'handoff_facts_valid', 'line.unit_price')).toMatchObject({
      observed: 119_901n,
      limit: 119_900n,
    });
    const short = judged(
      soundHandoff(),
      (draft) => (artifactOf(draft, 'inventory').quantityAvailable = 1),
    );
    expect(seen(short, 'handoff_facts_valid', 'line.quantity')).toMatchObject({
      observed: 2,
      limit: 1,
    });
  });

  it('two lines of one variant are told apart by their product', () => {
    for (const products of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const unknown = judged(soundHandoff(), ({ facts }) => {
        const [line] = facts.cart.lines;
        facts.cart.lines = products.map((productId) => ({ ...line, productId }) as never);
      });
      expect(seen(unknown, 'handoff_facts_valid', 'line.product')).toMatchObject({ observed: 'a' });
    }
  });

  it('a variant that no price or no stock speaks of, by the smallest name', () => {
    for (const type of ['price', 'inventory'] as const) {
      const one = judged(soundHandoff(), ({ facts }) => {
        facts.artifacts = facts.artifacts.filter(
          (artifact) => artifact.type !== type || artifact.variantId !== 'tea-250',
        );
      });
      expect(one.reason).toBe(`artifact_missing_or_invalid:${type}`);
      expect(seen(one, 'handoff_facts_valid', `${type}.missing`)).toMatchObject({
        observed: 'tea-250',
      });
    }
    const nameless = judged(soundHandoff(), (draft) => {
      const [line] = draft.facts.cart.lines;
      if (line !== undefined) line.variantId = '';
      artifactOf(draft, 'price').variantId = '';
      artifactOf(draft, 'inventory').variantId = '';
    });
    expect(nameless.reason).toBe('artifact_missing_or_invalid:price');
  });

  it('a count of nothing left as a count, not as a broken fact', () => {
    const sold = judged(
      soundHandoff(),
      (draft) => (artifactOf(draft, 'inventory').quantityAvailable = 0),
    );
    expect(sold.reason).toBe('inventory_snapshot_insufficient:inventory');
  });

  it('signed and kept stock side by side, the kept only where there is any', () => {
    const short = (stock: PurchaseCase['counters']['stock']) =>
      judged(soundHandoff(), (draft) => {
        artifactOf(draft, 'inventory').quantityAvailable = stock.length === 0 ? 1 : 12;
        draft.counters.stock = [...stock];
      });
    const kept = short([{ variantId: 'tea-250', quantityAvailable: 1 }]);
    expect(seen(kept, 'handoff_facts_valid', 'line.quantity')).toMatchObject({ limit: 12 });
    expect(seen(kept, 'handoff_facts_valid', 'line.stock')).toEqual({
      kind: 'count',
      name: 'line.stock',
      observed: 2,
      limit: 1,
    });
    expect(seen(short([]), 'handoff_facts_valid', 'line.stock')).toBeUndefined();
  });

  it('the narrowest cap of all intents', () => {
    for (const caps of [
      [500_000n, 400_000n],
      [400_000n, 500_000n],
    ]) {
      const decision = judged(soundAbsentPurchase(), (draft) => {
        const intent = mandateOf(draft, 'intent');
        intent.capMinor = caps[0] ?? null;
        draft.facts.authority.mandates.push({
          ...intent,
          ref: 'mdt_intent_2',
          capMinor: caps[1] ?? null,
        });
        draft.counters.intentsSpent.push({ ref: 'mdt_intent_2', spentMinor: 100_000n });
      });
      expect(seen(decision, 'not_present_limits', 'intent.spent_and_order')).toMatchObject({
        observed: 309_900n,
        limit: 400_000n,
      });
    }
  });

  it('how old the proof of presence is, by the youngest', () => {
    const decision = judged(soundPurchase(), (draft) => {
      const proof = mandateOf(draft, 'cart');
      draft.facts.authority.mandates.push({ ...proof, ref: 'mdt_cart_2', issuedAtMs: AT_MS - 9 });
    });
    expect(resultOf(decision, 'not_present_limits').notes).toEqual(['buyer_present']);
    expect(seen(decision, 'not_present_limits', 'presence.age')).toMatchObject({
      observed: 9,
      limit: 600_000,
    });
  });

  it('that nothing was captured, and only then', () => {
    const none = decideRefund(change(soundRefund(), (draft) => (draft.counters.order = null)));
    expect(none.trace[0]?.notes).toEqual(['nothing_captured']);
    expect(decideRefund(soundRefund()).trace[0]?.notes).toEqual([]);
  });
});

describe('a cart that is no cart', () => {
  it.each([
    ['empty', 0],
    ['of 101 lines', 101],
  ])('%s: the limits cannot be judged either', (_name, lines) => {
    const decision = judged(soundHandoff(), (draft) => {
      const [line] = draft.facts.cart.lines;
      draft.facts.cart.lines = Array.from({ length: lines }, () => ({ ...line }) as never);
      limitsOf(draft).itemsMax = 1_000;
    });
    expect(decision.trace.map(({ failure }) => failure?.code)).toEqual([
      'quantity_invalid',
      'rule_error',
    ]);
  });

  it('the largest amount there is can be paid, one minor unit more cannot', () => {
    const reasonAt = (totalMinor: bigint) =>
      judged(soundHandoff(), (draft) => {
        const { cart } = draft.facts;
        Object.assign(cart, { discountMinor: 0n, taxMinor: 0n, totalMinor });
        cart.shippingMinor = totalMinor - cart.subtotalMinor;
        Object.assign(capsOf(draft), { orderMaxMinor: AMOUNT_MINOR_MAX * 2n, dailyMaxMinor: null });
      }).reason;
    expect(reasonAt(AMOUNT_MINOR_MAX)).toBe(null);
    expect(reasonAt(AMOUNT_MINOR_MAX + 1n)).toBe('rule_error');
  });
});
