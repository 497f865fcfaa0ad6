import {
  type ArtifactFact,
  type ArtifactType,
  type MandateFact,
  type PurchaseCase,
  rbiFactsOf,
  type RefundCase,
  REQUIRED_ARTIFACT_TYPES,
  type StatusFact,
} from '../../src/core/rules/index.js';

/** The instant at which the sample cases are judged. */
export const AT_MS = Date.UTC(2026, 10, 30, 9, 30);

export type Draft<Value> = Value extends bigint | number | string | boolean | null
  ? Value
  : Value extends readonly (infer Item)[]
    ? Draft<Item>[]
    : { -readonly [Member in keyof Value]: Draft<Value[Member]> };

export type PurchaseDraft = Draft<PurchaseCase>;
export type RefundDraft = Draft<RefundCase>;

/** A copy of the case with one thing changed. */
export function change<Case>(sample: Case, edit: (draft: Draft<Case>) => void): Case {
  const draft = structuredClone(sample);
  edit(draft as Draft<Case>);
  return draft;
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

const status = (index: number): StatusFact => ({
  verdict: 'valid',
  listUri: 'https://status.example/lists/1',
  index,
  listIssuedAtMs: AT_MS - 30_000,
  listVersion: 7,
  fault: null,
});

const mandate = (
  mandateKind: MandateFact['mandateKind'],
  rest: Partial<MandateFact> = {},
): MandateFact => ({
  ref: `mdt_${mandateKind}`,
  source: 'verified',
  signature: 'valid',
  agentId: 'agt_1',
  buyerCommitment: 'buyer-commitment-1',
  notBeforeAtMs: AT_MS - 60_000,
  expiresAtMs: AT_MS + 600_000,
  status: status(1),
  mandateKind,
  issuedAtMs: AT_MS - 60_000,
  merchantIds: ['m_tea'],
  cartHash: null,
  buyerKeyBound: true,
  capMinor: 500_000n,
  currency: 'INR',
  intentRefs: ['mdt_intent'],
  parentStatus: status(2),
  constraints: 'met',
  ancestorSlots: [
    { listUri: 'https://status.example/lists/1', index: 2, lineage: 'mandate|above' },
  ],
  ...rest,
});

const artifact = (type: ArtifactType, rest: Partial<ArtifactFact> = {}): ArtifactFact => ({
  id: `art_${type}_${rest.variantId ?? 'all'}`,
  type,
  verdict: 'valid',
  payloadHash: 'f'.repeat(64),
  issuedAtMs: AT_MS - 20_000,
  notBeforeAtMs: AT_MS - 20_000,
  expiresAtMs: AT_MS + 30_000,
  sourceObservedAtMs: AT_MS - 25_000,
  status: status(3),
  productId: null,
  variantId: null,
  productRefs: null,
  unitPrice: null,
  quantityAvailable: null,
  staleInventoryRefusal: false,
  ...rest,
});

const lineFacts = (
  productId: string,
  variantId: string,
  unitPriceMinor: bigint,
): ArtifactFact[] => [
  artifact('price', {
    productId,
    variantId,
    unitPrice: { amountMinor: unitPriceMinor, currency: 'INR' },
  }),
  artifact('inventory', {
    productId,
    variantId,
    quantityAvailable: 12,
    staleInventoryRefusal: true,
  }),
];

/** A live purchase with the buyer present, that every one of the eight rules allows. */
export const soundPurchase = (): PurchaseCase => ({
  atMs: AT_MS,
  facts: {
    flow: 'agent_payment',
    world: 'live',
    callerAssertedAllowed: false,
    merchantId: 'm_tea',
    agentId: 'agt_1',
    cart: {
      currency: 'INR',
      lines: [
        { productId: 'tea', variantId: 'tea-250', quantity: 2, unitPriceMinor: 45_000n },
        { productId: 'pot', variantId: 'pot-1l', quantity: 1, unitPriceMinor: 119_900n },
      ],
      subtotalMinor: 209_900n,
      discountMinor: 9_900n,
      taxMinor: 6_000n,
      shippingMinor: 3_900n,
      totalMinor: 209_900n,
      hash: 'a'.repeat(64),
      coreHash: 'b'.repeat(64),
    },
    authority: {
      source: 'verified',
      mandates: [
        mandate('intent', { merchantIds: ['*'] }),
        mandate('cart', { cartHash: 'b'.repeat(64) }),
        mandate('payment'),
      ],
      consent: {
        ref: 'cns_1',
        source: 'verified',
        signature: 'valid',
        agentId: 'agt_1',
        buyerCommitment: 'buyer-commitment-1',
        notBeforeAtMs: AT_MS - 60_000,
        expiresAtMs: AT_MS + 600_000,
        status: status(0),
        merchantId: 'm_tea',
        state: 'granted',
      },
      passport: {
        ref: 'cpsp_1',
        source: 'verified',
        signature: 'valid',
        agentId: 'agt_1',
        buyerCommitment: 'buyer-commitment-1',
        notBeforeAtMs: AT_MS - 60_000,
        expiresAtMs: AT_MS + 540_000,
        status: status(5),
        merchantId: 'm_tea',
        world: 'live',
        issuedAtMs: AT_MS - 60_000,
        passportType: 'checkout',
        scopes: ['commerce:checkout.create', 'commerce:payment.initiate'],
        capMinor: 300_000n,
        currency: 'INR',
      },
    },
    presenceEvidence: 'resolved',
    artifacts: [
      artifact('catalog_snapshot', { productRefs: ['tea', 'pot', 'cup'] }),
      artifact('policy'),
      artifact('protocol_adapter'),
      artifact('offer'),
      ...lineFacts('tea', 'tea-250', 45_000n),
      ...lineFacts('pot', 'pot-1l', 119_900n),
    ],
    limits: {
      version: 3,
      currencies: [
        { currency: 'INR', orderMaxMinor: 1_000_000n, dailyMaxMinor: 5_000_000n },
        { currency: 'USD', orderMaxMinor: 10_000n, dailyMaxMinor: null },
      ],
      itemsMax: 10,
      notPresent: {
        currency: 'INR',
        orderMaxMinor: 400_000n,
        itemsMax: 5,
        dailyMaxMinor: 900_000n,
      },
    },
    rbi: rbiFactsOf('none'),
  },
  counters: {
    passportSpentMinor: 50_000n,
    intentSpentMinor: 100_000n,
    intentsSpent: [{ ref: 'mdt_intent', spentMinor: 100_000n }],
    merchantDayMinor: 2_000_000n,
    notPresentDayMinor: 300_000n,
    stock: [{ variantId: 'pot-1l', quantityAvailable: 6 }],
    usedMandateRefs: ['mdt_elsewhere'],
  },
});

/** The same purchase without a cart mandate: the buyer is away, and every rule still allows. */
export const soundAbsentPurchase = (): PurchaseCase =>
  change(soundPurchase(), ({ facts }) => {
    facts.authority.mandates = facts.authority.mandates.filter(
      ({ mandateKind }) => mandateKind !== 'cart',
    );
  });

/** The same cart, paid by the buyer on the merchant's own page: nobody's authority is asked for. */
export const soundHandoff = (): PurchaseCase =>
  change(soundPurchase(), ({ facts }) => {
    facts.flow = 'handoff';
    facts.agentId = null;
    facts.authority = { source: 'caller_asserted', mandates: [], consent: null, passport: null };
    facts.artifacts = facts.artifacts.filter(({ type }) => REQUIRED_ARTIFACT_TYPES.includes(type));
  });

/** A refund of part of what was captured. */
export const soundRefund = (): RefundCase => ({
  atMs: AT_MS,
  facts: { merchantId: 'm_tea', orderId: 'ord_1', amountMinor: 40_000n, currency: 'INR' },
  counters: { order: { currency: 'INR', capturedMinor: 209_900n, refundedMinor: 60_000n } },
});

const found = <Item>(item: Item | null | undefined): Item => {
  if (item === null || item === undefined) throw new Error('the sample case has this');
  return item;
};

/** Parts of a draft by name. */
export const mandateOf = ({ facts }: PurchaseDraft, kind: MandateFact['mandateKind']) =>
  found(facts.authority.mandates.find(({ mandateKind }) => mandateKind === kind));
export const consentOf = ({ facts }: PurchaseDraft) => found(facts.authority.consent);
export const passportOf = ({ facts }: PurchaseDraft) => found(facts.authority.passport);
export const limitsOf = ({ facts }: PurchaseDraft) => found(facts.limits);
export const capsOf = (draft: PurchaseDraft) => found(limitsOf(draft).currencies[0]);
export const absentCapsOf = (draft: PurchaseDraft) => found(limitsOf(draft).notPresent);
export const artifactOf = ({ facts }: PurchaseDraft, type: ArtifactType) =>
  found(facts.artifacts.find((candidate) => candidate.type === type));
export const orderOf = ({ counters }: RefundDraft) => found(counters.order);
