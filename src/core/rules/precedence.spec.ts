import { afterAll, describe, expect, it } from 'vitest';
import {
  absentCapsOf,
  artifactOf,
  AT_MS,
  capsOf,
  change,
  consentOf,
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
import { REASON_CATALOGUE, type ReasonRule, type RuleName } from '../kernel/index.js';
import {
  AGENT_EXECUTED_PAYMENT_DISABLED,
  type ArtifactFact,
  type ArtifactType,
  type Decision,
  decidePurchase,
  decideRefund,
  reasonEntryOf,
} from './index.js';

/**
 * Each row breaks one more thing; a case has every row's break from its own row to the last. So the first row is a
 * purchase with everything wrong, each next row has one thing put right, and the next reason has to appear.
 */
type Row<Case> = readonly [reason: string, wrong: (draft: Case) => void];

const reached = new Set<string>();

function collect({
  failingRule,
  reason,
}: Pick<Decision, 'reason'> & { failingRule: ReasonRule | null }) {
  if (failingRule !== null && reason !== null)
    reached.add(`${failingRule}/${reasonEntryOf(failingRule, reason).code}`);
}

const facts = (draft: PurchaseDraft) => draft.facts;
const cart = (draft: PurchaseDraft) => draft.facts.cart;
const authority = (draft: PurchaseDraft) => draft.facts.authority;
const counters = (draft: PurchaseDraft) => draft.counters;
const payment = (draft: PurchaseDraft) => mandateOf(draft, 'payment');
const set =
  <Part, Member extends keyof Part>(
    part: (draft: PurchaseDraft) => Part,
    member: Member,
    value: Part[Member],
  ) =>
  (draft: PurchaseDraft) => {
    part(draft)[member] = value;
  };

const MANDATE_ROWS: readonly Row<PurchaseDraft>[] = [
  ['mandate_missing', set(authority, 'mandates', [])],
  ['mandate_signature_invalid', set(payment, 'signature', 'invalid')],
  ['mandate_issuer_untrusted', set(payment, 'signature', 'issuer_untrusted')],
  ['mandate_merchant_mismatch', set(payment, 'merchantIds', ['*', 'm_coffee'])],
  ['mandate_agent_mismatch', set(payment, 'agentId', 'agt_2')],
  ['mandate_cart_mismatch', set(payment, 'cartHash', 'c'.repeat(64))],
  ['mandate_currency_mismatch', set(payment, 'currency', 'USD')],
  ['mandate_constraint_violated', set(payment, 'constraints', 'violated')],
  ['mandate_constraint_unresolved', set(payment, 'constraints', 'unresolved')],
  ['mandate_not_yet_valid', set(payment, 'notBeforeAtMs', AT_MS + 1)],
  ['mandate_expired', set(payment, 'expiresAtMs', AT_MS)],
  ['mandate_revoked', (draft) => (payment(draft).status.verdict = 'revoked')],
  ['mandate_suspended', (draft) => (payment(draft).status.verdict = 'suspended')],
  [
    'mandate_parent_revoked',
    set(payment, 'parentStatus', {
      verdict: 'revoked',
      listUri: null,
      index: null,
      listIssuedAtMs: null,
      listVersion: null,
      fault: null,
    }),
  ],
  ['mandate_already_used', set(counters, 'usedMandateRefs', ['mdt_payment'])],
  ['status_list_unavailable', (draft) => (payment(draft).status.verdict = 'unavailable')],
  ['mandate_amount_cap_exceeded', set(payment, 'capMinor', 209_899n)],
];

const CONSENT_ROWS: readonly Row<PurchaseDraft>[] = [
  ['consent_missing', set(authority, 'consent', null)],
  ['consent_missing', set(consentOf, 'state', 'unknown')],
  ['consent_signature_invalid', set(consentOf, 'signature', 'invalid')],
  ['consent_issuer_untrusted', set(consentOf, 'signature', 'issuer_untrusted')],
  ['consent_merchant_mismatch', set(consentOf, 'merchantId', 'm_coffee')],
  ['consent_agent_mismatch', set(consentOf, 'agentId', 'agt_2')],
  ['consent_buyer_mismatch', set(consentOf, 'buyerCommitment', 'buyer-commitment-2')],
  ['consent_denied', set(consentOf, 'state', 'denied')],
  ['consent_not_yet_valid', set(consentOf, 'notBeforeAtMs', AT_MS + 1)],
  ['consent_expired', set(consentOf, 'expiresAtMs', AT_MS)],
  ['consent_revoked', (draft) => (consentOf(draft).status.verdict = 'revoked')],
  ['consent_suspended', (draft) => (consentOf(draft).status.verdict = 'suspended')],
  ['status_list_unavailable', (draft) => (consentOf(draft).status.verdict = 'unavailable')],
];

const PASSPORT_ROWS: readonly Row<PurchaseDraft>[] = [
  ['passport_missing', set(authority, 'passport', null)],
  ['passport_signature_invalid', set(passportOf, 'signature', 'invalid')],
  ['passport_issuer_untrusted', set(passportOf, 'signature', 'issuer_untrusted')],
  ['passport_world_mismatch', set(passportOf, 'world', 'test')],
  ['passport_merchant_mismatch', set(passportOf, 'merchantId', 'm_coffee')],
  ['passport_agent_mismatch', set(passportOf, 'agentId', 'agt_2')],
  ['passport_buyer_mismatch', set(passportOf, 'buyerCommitment', 'buyer-commitment-2')],
  ['passport_scope_missing', set(passportOf, 'passportType', 'browse')],
  ['passport_scope_missing', set(passportOf, 'scopes', ['commerce:checkout.create'])],
  ['passport_currency_mismatch', set(passportOf, 'currency', 'USD')],
  [
    'passport_lifetime_exceeded',
    (draft) => {
      const passport = passportOf(draft);
      passport.issuedAtMs = (passport.expiresAtMs ?? 0) - 600_001;
    },
  ],
  ['passport_not_yet_valid', set(passportOf, 'notBeforeAtMs', AT_MS + 1)],
  ['passport_expired', set(passportOf, 'expiresAtMs', AT_MS)],
  ['passport_revoked', (draft) => (passportOf(draft).status.verdict = 'revoked')],
  ['passport_suspended', (draft) => (passportOf(draft).status.verdict = 'suspended')],
  ['status_list_unavailable', (draft) => (passportOf(draft).status.verdict = 'unavailable')],
  ['passport_amount_cap_exceeded', set(passportOf, 'capMinor', null)],
];

const AUTHORITY_ROWS: readonly Row<PurchaseDraft>[] = [
  ['buyer_authority_caller_asserted', set(authority, 'source', 'caller_asserted')],
];

const without = (type: ArtifactType) => (draft: PurchaseDraft) => {
  draft.facts.artifacts = draft.facts.artifacts.filter((candidate) => candidate.type !== type);
};
const verdict = (type: ArtifactType, word: ArtifactFact['verdict']): Row<PurchaseDraft> => [
  `${word}:${type}`,
  set((draft: PurchaseDraft) => artifactOf(draft, type), 'verdict', word),
];

/** Every reason of one artifact in turn. */
const artifactRows = (type: ArtifactType): readonly Row<PurchaseDraft>[] => {
  const one = (draft: PurchaseDraft) => artifactOf(draft, type);
  const status = (draft: PurchaseDraft) => one(draft).status;
  return [
    [`artifact_missing_or_invalid:${type}`, without(type)],
    verdict(type, 'artifact_missing_or_invalid'),
    verdict(type, 'artifact_scope_mismatch'),
    verdict(type, 'issuer_key_untrusted'),
    verdict(type, 'issuer_key_inactive'),
    verdict(type, 'signature_algorithm_unsupported'),
    verdict(type, 'signature_missing_or_placeholder'),
    verdict(type, 'detached_jws_verification_failed'),
    verdict(type, 'payload_hash_mismatch'),
    [`payload_hash_mismatch:${type}`, set(one, 'payloadHash', null)],
    [`artifact_not_yet_valid:${type}`, set(one, 'notBeforeAtMs', AT_MS + 1)],
    [`artifact_expired_or_stale:${type}`, set(one, 'expiresAtMs', AT_MS)],
    [`artifact_ttl_exceeds_default:${type}`, set(one, 'expiresAtMs', AT_MS + 86_400_000)],
    ...(type === 'catalog_snapshot'
      ? [[`catalog_stale:${type}`, set(one, 'sourceObservedAtMs', AT_MS - 900_001)] as const]
      : []),
    ...(type === 'inventory'
      ? [[`stale_inventory:${type}`, set(one, 'sourceObservedAtMs', AT_MS - 60_001)] as const]
      : []),
    [`artifact_revoked:${type}`, set(status, 'verdict', 'revoked')],
    [`artifact_suspended:${type}`, set(status, 'verdict', 'suspended')],
    [
      `revocation_snapshot_stale:${type}`,
      (draft) =>
        Object.assign(status(draft), { verdict: 'valid', listIssuedAtMs: AT_MS - 600_001 }),
    ],
    [`status_list_unavailable:${type}`, set(status, 'verdict', 'unavailable')],
  ];
};

const LINE_ROWS: readonly Row<PurchaseDraft>[] = [
  [
    'product_or_variant_not_found:catalog_snapshot',
    (draft) => (artifactOf(draft, 'catalog_snapshot').productRefs = ['tea']),
  ],
  ['quantity_invalid', ({ facts }) => facts.cart.lines.forEach((line) => (line.quantity = 0))],
  ['price_changed:price', set(cart, 'currency', 'EUR')],
  [
    'inventory_snapshot_insufficient:inventory',
    set((draft: PurchaseDraft) => artifactOf(draft, 'inventory'), 'quantityAvailable', 1),
  ],
];

const HANDOFF_FACTS_ROWS: readonly Row<PurchaseDraft>[] = [
  ...artifactRows('catalog_snapshot'),
  ...artifactRows('price'),
  ...artifactRows('inventory'),
  ...artifactRows('policy'),
  ...artifactRows('protocol_adapter'),
  ...LINE_ROWS,
];

const FACTS_ROWS: readonly Row<PurchaseDraft>[] = [
  ...HANDOFF_FACTS_ROWS.slice(0, -LINE_ROWS.length),
  ...artifactRows('offer').slice(1),
  // In this walk the cart's currency stays: with another one the rules before this one would refuse.
  ...LINE_ROWS.map(([reason, wrong]): Row<PurchaseDraft> => [
    reason,
    reason === 'price_changed:price'
      ? ({ facts }) => {
          for (const { unitPrice } of facts.artifacts)
            if (unitPrice !== null) unitPrice.amountMinor += 1n;
        }
      : wrong,
  ]),
];

const LIMITS_ROWS: readonly Row<PurchaseDraft>[] = [
  ['merchant_limits_missing', set(facts, 'limits', null)],
  ['order_currency_not_allowed', set(capsOf, 'currency', 'JPY')],
  ['order_amount_cap_exceeded', set(capsOf, 'orderMaxMinor', 209_899n)],
  ['order_items_cap_exceeded', set(limitsOf, 'itemsMax', 2)],
  ['daily_amount_cap_exceeded', set(capsOf, 'dailyMaxMinor', 2_209_899n)],
];

const intent = (draft: PurchaseDraft) => mandateOf(draft, 'intent');
const NOT_PRESENT_ROWS: readonly Row<PurchaseDraft>[] = [
  ['buyer_presence_unknown', set(facts, 'presenceEvidence', 'unavailable')],
  ['not_present_limits_missing', set(limitsOf, 'notPresent', null)],
  ['not_present_currency_mismatch', set(absentCapsOf, 'currency', 'USD')],
  ['not_present_amount_cap_exceeded', set(absentCapsOf, 'orderMaxMinor', 209_899n)],
  ['not_present_items_cap_exceeded', set(absentCapsOf, 'itemsMax', 2)],
  ['not_present_daily_amount_cap_exceeded', set(absentCapsOf, 'dailyMaxMinor', 509_899n)],
  ['intent_cap_missing', set(intent, 'capMinor', null)],
  ['intent_currency_mismatch', set(intent, 'currency', null)],
  ['intent_cap_exceeded', set(intent, 'capMinor', 309_899n)],
];

const RBI_ROWS: readonly Row<PurchaseDraft>[] = [
  ['afa_evidence_missing', set((draft: PurchaseDraft) => draft.facts.rbi, 'profile', null)],
];

const REFUND_ROWS: readonly Row<RefundDraft>[] = [
  ['refund_amount_not_positive', ({ facts }) => (facts.amountMinor = 0n)],
  ['refund_currency_mismatch', ({ facts }) => (facts.currency = 'USD')],
  ['refund_exceeds_captured', (draft) => (orderOf(draft).refundedMinor = 169_901n)],
];

const named = <Case>(rule: RuleName, rows: readonly Row<Case>[]) =>
  rows.map(([reason, wrong]) => ({ rule, reason, wrong }));

function walk<Case, Draft>(
  rows: readonly { rule: RuleName; reason: string; wrong: (draft: Draft) => void }[],
  { sound, decide }: { sound: () => Case; decide: (judged: Case) => Decision },
) {
  it.each(rows.map((row, index) => [row.rule, row.reason, index] as const))(
    '%s %s (row %i)',
    (rule, reason, index) => {
      const broken = change(sound(), (draft) => {
        // Last row first, so that this row's own break is the last word where two rows touch one field.
        for (const row of rows.slice(index).reverse()) row.wrong(draft as Draft);
      });
      const decision = decide(broken);
      expect([decision.outcome, decision.failingRule, decision.reason]).toEqual([
        'refuse',
        rule,
        reason,
      ]);
      collect(decision);
    },
  );

  it('and when the last thing is put right, it is allowed', () => {
    expect(decide(sound())).toMatchObject({ outcome: 'allow', failingRule: null, reason: null });
  });

  it('the rows follow the order of the catalogue, artifact by artifact', () => {
    const places = rows.map(({ rule, reason }) =>
      REASON_CATALOGUE.indexOf(reasonEntryOf(rule, reason)),
    );
    const falls = places.filter((place, index) => place < (places[index - 1] ?? 0));
    const restarts = new Set(rows.map(({ reason }) => reason.split(':')[1]).filter(Boolean)).size;
    expect(falls.length).toBeLessThanOrEqual(Math.max(0, restarts - 1));
  });
}

describe('agent_payment: everything wrong, then one thing after another put right', () => {
  walk(
    [
      ...named('mandate_present', MANDATE_ROWS),
      ...named('consent_active', CONSENT_ROWS),
      ...named('passport_amount_cap', PASSPORT_ROWS),
      ...named('verified_buyer_authority', AUTHORITY_ROWS),
      ...named('facts_valid', FACTS_ROWS),
      ...named('merchant_limits', LIMITS_ROWS),
      ...named('not_present_limits', NOT_PRESENT_ROWS),
      ...named('rbi_afa', RBI_ROWS),
    ],
    { sound: soundAbsentPurchase, decide: decidePurchase },
  );
});

describe('handoff: everything wrong, then one thing after another put right', () => {
  walk(
    [
      ...named('handoff_facts_valid', HANDOFF_FACTS_ROWS),
      ...named('handoff_merchant_limits', LIMITS_ROWS),
    ],
    { sound: soundHandoff, decide: decidePurchase },
  );
});

describe('refund: everything wrong, then one thing after another put right', () => {
  walk(named('refund_within_captured', REFUND_ROWS), { sound: soundRefund, decide: decideRefund });

  it('an order without a capture has nothing to refund', () => {
    const nothing = change(soundRefund(), (draft) => (draft.counters.order = null));
    expect(decideRefund(nothing).reason).toBe('refund_exceeds_captured');
  });
});

/** What no codec would ever let through: only a broken promise of our own can make a rule throw. */
const broken = (value: unknown) => value as never;

const BREAKS: readonly (readonly [RuleName, (draft: PurchaseDraft) => void])[] = [
  ['mandate_present', set(payment, 'merchantIds', broken(null))],
  ['consent_active', set(consentOf, 'status', broken(null))],
  ['passport_amount_cap', set(counters, 'passportSpentMinor', -1n)],
  ['facts_valid', set(cart, 'subtotalMinor', 1n)],
  ['merchant_limits', set(counters, 'merchantDayMinor', broken(undefined))],
  ['not_present_limits', set(absentCapsOf, 'itemsMax', broken(NaN))],
  ['rbi_afa', set(facts, 'rbi', broken(null))],
];

describe('a rule that throws refuses at its place, and all others still run', () => {
  it.each(BREAKS)('%s', (rule, wrong) => {
    const decision = decidePurchase(change(soundAbsentPurchase(), wrong));
    expect([decision.failingRule, decision.reason]).toEqual([rule, 'rule_error']);
    expect(decision.trace.map((result) => result.failure?.code ?? null)).toEqual(
      decision.trace.map((result) => (result.rule === rule ? 'rule_error' : null)),
    );
    collect(decision);
  });

  it('verified_buyer_authority', () => {
    const asserted = change(soundPurchase(), ({ facts }) => {
      facts.world = 'test';
      facts.authority.source = 'caller_asserted';
      passportOf({ facts } as PurchaseDraft).world = 'test';
    });
    Object.defineProperty(asserted.facts, 'callerAssertedAllowed', {
      get: () => expect.fail('read'),
    });
    const decision = decidePurchase(asserted);
    expect([decision.failingRule, decision.reason]).toEqual([
      'verified_buyer_authority',
      'rule_error',
    ]);
    collect(decision);
  });

  it.each([
    ['handoff_facts_valid', set(cart, 'taxMinor', 1n)],
    ['handoff_merchant_limits', set(limitsOf, 'currencies', broken(null))],
  ] as const)('%s', (rule, wrong) => {
    const decision = decidePurchase(change(soundHandoff(), wrong));
    expect([decision.failingRule, decision.reason]).toEqual([rule, 'rule_error']);
    expect(decision.trace).toHaveLength(2);
    collect(decision);
  });

  it('refund_within_captured', () => {
    const decision = decideRefund(
      change(soundRefund(), (draft) => (orderOf(draft).capturedMinor = -1n)),
    );
    expect([decision.failingRule, decision.reason]).toEqual([
      'refund_within_captured',
      'rule_error',
    ]);
    collect(decision);
  });
});

// What rule 8 can say is reached by the tables of its own room; allow_use stands beside an allow (src/money/arbiter).
afterAll(() => {
  collect(AGENT_EXECUTED_PAYMENT_DISABLED);
  const unreached = REASON_CATALOGUE.filter(
    ({ rule }) => rule !== 'rbi_afa' && rule !== 'allow_use',
  )
    .map(({ rule, code }) => `${rule}/${code}`)
    .filter((key) => !reached.has(key));
  expect(unreached, 'reasons that no row of the precedence tables produced').toEqual([]);
});
