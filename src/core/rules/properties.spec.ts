import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absentCapsOf,
  artifactOf,
  AT_MS,
  capsOf,
  change,
  consentOf,
  deepFreeze,
  limitsOf,
  mandateOf,
  passportOf,
  type PurchaseDraft,
  soundAbsentPurchase,
  soundHandoff,
  soundPurchase,
} from '../../../test/support/purchase-case.js';
import { AMOUNT_MINOR_MAX } from '../kernel/index.js';
import { type ArtifactType, decidePurchase, type PurchaseCase } from './index.js';

type Edit = (draft: PurchaseDraft) => void;

/** Ways to go wrong, several of them able to hit the same rule, type or line at once. */
const EDITS: readonly Edit[] = [
  (draft) => (mandateOf(draft, 'intent').expiresAtMs = AT_MS),
  (draft) => (mandateOf(draft, 'intent').signature = 'invalid'),
  (draft) => (mandateOf(draft, 'intent').notBeforeAtMs = AT_MS + 2),
  (draft) => (mandateOf(draft, 'payment').notBeforeAtMs = AT_MS + 3),
  (draft) => (mandateOf(draft, 'payment').status.verdict = 'revoked'),
  (draft) => (mandateOf(draft, 'payment').buyerCommitment = 'buyer-commitment-2'),
  (draft) => (consentOf(draft).state = 'denied'),
  (draft) => (passportOf(draft).capMinor = 1n),
  (draft) => (artifactOf(draft, 'price').status.verdict = 'revoked'),
  (draft) => (artifactOf(draft, 'inventory').expiresAtMs = AT_MS),
  (draft) => (artifactOf(draft, 'policy').verdict = 'issuer_key_untrusted'),
  ({ facts }) => {
    for (const artifact of facts.artifacts)
      if (artifact.type === 'price') artifact.payloadHash = null;
  },
  ({ facts }) => {
    for (const artifact of facts.artifacts)
      if (artifact.type === 'inventory') artifact.quantityAvailable = 0;
  },
  ({ counters, facts }) =>
    (counters.stock = facts.cart.lines.map(({ variantId }) => ({
      variantId,
      quantityAvailable: 0,
    }))),
  ({ facts }) => (facts.artifacts = facts.artifacts.filter(({ type }) => type !== 'price')),
  ({ facts }) => (facts.artifacts = facts.artifacts.filter(({ variantId }) => variantId === null)),
  ({ facts }) => facts.cart.lines.forEach((line) => (line.unitPriceMinor += 1n)),
  ({ facts }) => facts.cart.lines.forEach((line) => (line.productId += '-new')),
  ({ facts }) => facts.cart.lines.forEach((line) => (line.quantity = -1)),
  (draft) => (capsOf(draft).orderMaxMinor = 1n),
  (draft) => (limitsOf(draft).itemsMax = 0),
  (draft) => (limitsOf(draft).notPresent = null),
  ({ facts }) => (facts.rbi.profile = null),
];

const sound = fc.constantFrom(soundPurchase(), soundAbsentPurchase(), soundHandoff());

/** An allowed case with a few things wrong; an edit that finds nothing to break breaks nothing. */
const anyCase: fc.Arbitrary<PurchaseCase> = fc
  .tuple(sound, fc.subarray([...EDITS], { maxLength: 6 }))
  .map(([sample, edits]) =>
    change(sample, (draft) => {
      for (const edit of edits) {
        try {
          edit(draft);
        } catch {
          continue;
        }
      }
    }),
  );

const shuffled = <Item>(items: readonly Item[]): fc.Arbitrary<Item[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

const rearranged = (sample: PurchaseCase): fc.Arbitrary<PurchaseCase> =>
  fc
    .tuple(
      shuffled(sample.facts.artifacts),
      shuffled(sample.facts.authority.mandates),
      shuffled(sample.facts.cart.lines),
      shuffled(sample.facts.limits?.currencies ?? []),
      shuffled(sample.counters.stock),
    )
    .map(([artifacts, mandates, lines, currencies, stock]) => ({
      ...sample,
      counters: { ...sample.counters, stock },
      facts: {
        ...sample.facts,
        artifacts,
        authority: { ...sample.facts.authority, mandates },
        cart: { ...sample.facts.cart, lines },
        limits: sample.facts.limits && { ...sample.facts.limits, currencies },
      },
    }));

/** The purchase at another amount, its evidence bound to that amount: one piece, priced, signed and mandated at it. */
function priced(sample: PurchaseCase, totalMinor: bigint): PurchaseCase {
  return change(sample, (draft) => {
    const { cart, artifacts } = draft.facts;
    const [line] = cart.lines;
    if (line === undefined) return;
    cart.lines = [{ ...line, quantity: 1, unitPriceMinor: totalMinor }];
    Object.assign(cart, {
      subtotalMinor: totalMinor,
      discountMinor: 0n,
      taxMinor: 0n,
      shippingMinor: 0n,
      totalMinor,
    });
    for (const artifact of artifacts)
      if (artifact.type === 'price' && artifact.variantId === line.variantId)
        artifact.unitPrice = { amountMinor: totalMinor, currency: 'INR' };
    for (const mandate of draft.facts.authority.mandates) mandate.capMinor = AMOUNT_MINOR_MAX;
    if (draft.facts.authority.passport !== null) passportOf(draft).capMinor = AMOUNT_MINOR_MAX;
    Object.assign(capsOf(draft), { orderMaxMinor: AMOUNT_MINOR_MAX, dailyMaxMinor: null });
    Object.assign(absentCapsOf(draft), { orderMaxMinor: AMOUNT_MINOR_MAX, dailyMaxMinor: null });
    draft.counters = {
      passportSpentMinor: 0n,
      intentSpentMinor: 0n,
      intentsSpent: [],
      merchantDayMinor: 0n,
      notPresentDayMinor: 0n,
      stock: [],
      usedMandateRefs: [],
    };
  });
}

interface Cap {
  readonly reason: string;
  readonly set: (draft: PurchaseDraft, capMinor: bigint) => void;
  /** Where the cap counts over time: how much was counted before. */
  readonly spend?: (draft: PurchaseDraft, spentMinor: bigint) => void;
}

const CAPS: readonly Cap[] = [
  {
    reason: 'mandate_amount_cap_exceeded',
    set: (draft, cap) => (mandateOf(draft, 'payment').capMinor = cap),
  },
  {
    reason: 'passport_amount_cap_exceeded',
    set: (draft, cap) => (passportOf(draft).capMinor = cap),
    spend: ({ counters }, spent) => (counters.passportSpentMinor = spent),
  },
  {
    reason: 'order_amount_cap_exceeded',
    set: (draft, cap) => (capsOf(draft).orderMaxMinor = cap),
  },
  {
    reason: 'daily_amount_cap_exceeded',
    set: (draft, cap) => (capsOf(draft).dailyMaxMinor = cap),
    spend: ({ counters }, spent) => (counters.merchantDayMinor = spent),
  },
  {
    reason: 'not_present_amount_cap_exceeded',
    set: (draft, cap) => (absentCapsOf(draft).orderMaxMinor = cap),
  },
  {
    reason: 'not_present_daily_amount_cap_exceeded',
    set: (draft, cap) => (absentCapsOf(draft).dailyMaxMinor = cap),
    spend: ({ counters }, spent) => (counters.notPresentDayMinor = spent),
  },
  {
    reason: 'intent_cap_exceeded',
    set: (draft, cap) => (mandateOf(draft, 'intent').capMinor = cap),
    spend: ({ counters }, spent) => (counters.intentSpentMinor = spent),
  },
];

/** Amounts of every size, many of them close to each other. */
const amountMinor = fc.oneof(
  fc.bigInt({ min: 1n, max: 20n }),
  fc.bigInt({ min: 1n, max: AMOUNT_MINOR_MAX }),
);

describe('properties of every decision', () => {
  it('the order in which artifacts, mandates, lines and limits arrive changes nothing, not even the trace', () => {
    fc.assert(
      fc.property(
        anyCase.chain((sample) => fc.tuple(fc.constant(sample), rearranged(sample))),
        ([sample, other]) => {
          expect(decidePurchase(other)).toEqual(decidePurchase(sample));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('the same case gives the same decision, and is left as it was', () => {
    fc.assert(
      fc.property(anyCase, (sample) => {
        const before = structuredClone(sample);
        const decision = decidePurchase(deepFreeze(sample));
        expect(decidePurchase(sample)).toEqual(decision);
        expect(sample).toEqual(before);
      }),
    );
  });

  it('allow means that no rule failed, refuse names the first that did', () => {
    fc.assert(
      fc.property(anyCase, (sample) => {
        const { outcome, failingRule, trace } = decidePurchase(sample);
        const failed = trace.filter(({ failure }) => failure !== null).map(({ rule }) => rule);
        expect(failingRule).toBe(failed[0] ?? null);
        expect(outcome).toBe(failed.length === 0 ? 'allow' : 'refuse');
      }),
    );
  });

  it.each(CAPS)('$reason exactly when order and what was spent are above the cap', (cap) => {
    fc.assert(
      fc.property(amountMinor, amountMinor, amountMinor, (order, spentBefore, capMinor) => {
        const spent = cap.spend === undefined ? 0n : spentBefore;
        const decision = decidePurchase(
          change(priced(soundAbsentPurchase(), order), (draft) => {
            cap.set(draft, capMinor);
            cap.spend?.(draft, spent);
          }),
        );
        expect(decision.reason).toBe(order + spent > capMinor ? cap.reason : null);
      }),
    );
  });

  it('an order that is allowed is allowed at any lower amount, and under any higher cap', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CAPS),
        amountMinor,
        amountMinor,
        fc.tuple(amountMinor, amountMinor),
        (cap, order, capMinor, [lessBy, moreBy]) => {
          const judge = (totalMinor: bigint, limitMinor: bigint) =>
            decidePurchase(
              change(priced(soundAbsentPurchase(), totalMinor), (draft) =>
                cap.set(draft, limitMinor),
              ),
            ).outcome;
          fc.pre(judge(order, capMinor) === 'allow');
          expect(judge(order > lessBy ? order - lessBy : 1n, capMinor)).toBe('allow');
          expect(judge(order, capMinor + moreBy)).toBe('allow');
        },
      ),
    );
  });

  it('one more artifact that is not good never turns a refusal into an allow', () => {
    const types: readonly ArtifactType[] = ['catalog_snapshot', 'price', 'inventory', 'offer'];
    fc.assert(
      fc.property(anyCase, fc.constantFrom(...types), (sample, type) => {
        const more = change(sample, ({ facts }) => {
          const source = facts.artifacts.find((candidate) => candidate.type === type);
          if (source !== undefined)
            facts.artifacts.push({ ...source, id: 'art_more', verdict: 'payload_hash_mismatch' });
        });
        if (decidePurchase(sample).outcome === 'refuse')
          expect(decidePurchase(more).outcome).toBe('refuse');
      }),
    );
  });
});
