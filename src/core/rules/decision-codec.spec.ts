import { describe, expect, it } from 'vitest';
import {
  AT_MS,
  capsOf,
  change,
  mandateOf,
  soundAbsentPurchase,
  soundHandoff,
  soundPurchase,
  soundRefund,
} from '../../../test/support/purchase-case.js';
import { type CanonicalValue, canonicalize } from '../kernel/index.js';
import {
  type Decision,
  decidePurchase,
  decideRefund,
  decisionCodec,
  purchaseCounters,
  purchaseFacts,
  traceCodec,
} from './index.js';

const stored = (decision: Decision): CanonicalValue => decisionCodec.encode(decision);
const throughText = (value: CanonicalValue): unknown => JSON.parse(canonicalize(value));

describe('decisions in the ledger', () => {
  const decisions: readonly (readonly [string, Decision])[] = [
    ['allowed', decidePurchase(soundPurchase())],
    ['allowed, buyer away', decidePurchase(soundAbsentPurchase())],
    ['allowed handoff', decidePurchase(soundHandoff())],
    ['allowed refund', decideRefund(soundRefund())],
    [
      'allowed, the day filled with sums of more digits than one amount may have',
      decidePurchase(
        change(soundHandoff(), (draft) => {
          capsOf(draft).dailyMaxMinor = null;
          draft.counters.merchantDayMinor = 10n ** 24n;
        }),
      ),
    ],
    [
      'refused with a time to wait for',
      decidePurchase(
        change(soundPurchase(), (draft) => (mandateOf(draft, 'cart').notBeforeAtMs = AT_MS + 1)),
      ),
    ],
    [
      'refused for a kind of fact',
      decidePurchase(change(soundHandoff(), ({ facts }) => (facts.artifacts = []))),
    ],
    [
      'refused by a rule that threw',
      decidePurchase(change(soundPurchase(), ({ facts }) => (facts.cart.subtotalMinor = 0n))),
    ],
  ];

  it.each(decisions)('round trip through canonical text: %s', (_name, decision) => {
    expect(decisionCodec.decode(throughText(stored(decision)), 'decision')).toEqual(decision);
    expect(traceCodec.decode(throughText(traceCodec.encode(decision.trace)), 'trace')).toEqual(
      decision.trace,
    );
  });

  it('prints amounts as decimal strings, instants in RFC 3339, ages in milliseconds', () => {
    const decision = decidePurchase(
      change(soundPurchase(), (draft) => (mandateOf(draft, 'cart').notBeforeAtMs = AT_MS + 1)),
    );
    expect(stored(decision)).toMatchObject({
      flow: 'agent_payment',
      outcome: 'refuse',
      failing_rule: 'mandate_present',
      reason: 'mandate_not_yet_valid',
      not_before: '2026-11-30T09:30:00.001Z',
      trace: expect.arrayContaining([
        expect.objectContaining({
          rule: 'passport_amount_cap',
          failure: null,
          observations: expect.arrayContaining([
            {
              kind: 'amount',
              name: 'passport.spent_and_order',
              observed: '259900',
              limit: '300000',
            },
            {
              kind: 'instant',
              name: 'passport.expires_at',
              observed: '2026-11-30T09:39:00.000Z',
              limit: '2026-11-30T09:30:00.000Z',
            },
            { kind: 'age_ms', name: 'passport.status_age', observed: 30_000, limit: 600_000 },
          ]),
        }),
      ]),
    });
  });

  it('a stored case, read again, gives the same decision', () => {
    const sound = soundPurchase();
    const again = decidePurchase({
      facts: purchaseFacts.decode(throughText(purchaseFacts.encode(sound.facts)), 'facts'),
      counters: purchaseCounters.decode(
        throughText(purchaseCounters.encode(sound.counters)),
        'counters',
      ),
      atMs: sound.atMs,
    });
    expect(again).toEqual(decidePurchase(sound));
  });

  it('an entry from before ancestors and used mandates were noted reads as none of them', () => {
    const sound = soundPurchase();
    const stored = throughText(purchaseFacts.encode(sound.facts)) as {
      authority: { mandates: { ancestor_slots?: unknown }[] };
    };
    for (const mandate of stored.authority.mandates) delete mandate.ancestor_slots;
    const facts = purchaseFacts.decode(stored, 'facts');
    expect(facts.authority.mandates.map(({ ancestorSlots }) => ancestorSlots)).toEqual([
      [],
      [],
      [],
    ]);
    const { used_mandate_refs: used, ...before } = purchaseCounters.encode(
      sound.counters,
    ) as Record<string, CanonicalValue>;
    expect(used).toEqual(['mdt_elsewhere']);
    const counters = purchaseCounters.decode(throughText(before), 'counters');
    expect(counters.usedMandateRefs).toEqual([]);
    expect(decidePurchase({ ...sound, facts, counters })).toEqual(decidePurchase(sound));
  });

  it('sums of an entry from before each intent had its own read as none noted', () => {
    const sound = soundPurchase();
    const { intents_spent, ...before } = purchaseCounters.encode(sound.counters) as Record<
      string,
      unknown
    >;
    expect(intents_spent).toEqual([{ ref: 'mdt_intent', spent_minor: '100000' }]);
    const counters = purchaseCounters.decode(before, 'counters');
    expect(counters).toEqual({ ...sound.counters, intentsSpent: [] });
  });

  it('sums of an entry from before stock was kept read as no stock kept', () => {
    const sound = soundPurchase();
    const { stock, ...before } = purchaseCounters.encode(sound.counters) as Record<
      string,
      CanonicalValue
    >;
    expect(stock).toEqual([{ variant_id: 'pot-1l', quantity_available: 6 }]);
    const counters = purchaseCounters.decode(throughText(before), 'counters');
    expect(counters).toEqual({ ...sound.counters, stock: [] });
    expect(decidePurchase({ ...sound, counters })).toEqual(decidePurchase(sound));
  });

  it.each(['007', '1.5', '', '-0', '1'.repeat(39), 7])(
    'refuses the stored amount %j',
    (observed) => {
      const [first] = decidePurchase(soundHandoff()).trace;
      const amounts = [{ kind: 'amount', name: 'order.total', observed, limit: null }];
      const forged = [
        { ...(traceCodec.encode(first ? [first] : []) as object[])[0], observations: amounts },
      ];
      expect(() => traceCodec.decode(forged, 'trace')).toThrow(
        'is a decimal string of minor units',
      );
    },
  );

  it('refuses a stored reason that the rule cannot have named', () => {
    const [first, ...rest] = decidePurchase(
      change(soundPurchase(), ({ facts }) => (facts.authority.mandates = [])),
    ).trace;
    const forged = traceCodec.encode([
      {
        ...first,
        failure: { code: 'consent_missing', artifactType: null, notBeforeMs: null },
      } as never,
      ...rest,
    ]);
    expect(() => traceCodec.decode(throughText(forged), 'trace')).toThrow(
      'trace[0].failure.code is a reason of mandate_present',
    );
  });
});
