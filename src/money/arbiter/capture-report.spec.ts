import { expect, it } from 'vitest';
import { AT_MS, change, mandateOf, soundPurchase } from '../../../test/support/purchase-case.js';
import { decidePurchase } from '../../core/rules/index.js';
import { authorityOfCapture } from './capture-report.js';

it('draws on the intent above a mandate, named or not: a cap counts over all its children', () => {
  const purchase = change(soundPurchase(), (draft) => {
    draft.facts.authority.mandates = [mandateOf(draft, 'cart'), mandateOf(draft, 'payment')];
    mandateOf(draft, 'payment').intentRefs = ['mdt_above', 'mdt_intent'];
  });
  const { facts, counters } = purchase;
  const authority = authorityOfCapture(
    {
      captureId: 'cap-1',
      merchantId: facts.merchantId,
      orderId: 'order-1',
      amountMinor: 1n,
      currency: 'INR',
      paymentId: null,
      decisionId: 'arbdec_5b0e1c7d2a9f',
    },
    {
      decisionId: 'arbdec_5b0e1c7d2a9f',
      merchantId: facts.merchantId,
      agentId: facts.agentId,
      orderId: null,
      decision: decidePurchase(purchase),
      dryRun: false,
      usable: true,
      usableReason: null,
      allow: null,
      recheck: null,
      judged: { kind: 'purchase', facts, counters },
      decidedAtMs: AT_MS,
      entry: { id: 'ent_1', seq: 1, link: null },
    },
  );
  expect(authority).toMatchObject({
    ok: true,
    value: { passportRef: 'cpsp_1', intentRefs: ['mdt_intent', 'mdt_above'], buyerAway: false },
  });
});
