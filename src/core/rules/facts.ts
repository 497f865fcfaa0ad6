import { codec, type Decoded, type Ruleset, RULESET_VERSION, WORLDS } from '../kernel/index.js';
import { rbiFacts } from './rbi/facts.js';

/**
 * What the rules see: everything the arbiter found out before it took the tenant's lock (facts) and the sums it read
 * under the lock (counters). The decision entry stores exactly these, so a decision can be judged again offline.
 * Personal data stands here as commitments only (decisions 1.8).
 */

/** Purchases are judged by the eight rules or, when the buyer pays on the merchant's own page, by two. */
export const PURCHASE_FLOWS = ['agent_payment', 'handoff'] as const;
export type PurchaseFlow = (typeof PURCHASE_FLOWS)[number];
export type Flow = PurchaseFlow | 'refund';

/** OACP artifact types that a purchase may rest on (facts/arbiter.md 2.6), in the order rule 5 reads them. */
export const ARTIFACT_TYPES = [
  'catalog_snapshot',
  'price',
  'inventory',
  'policy',
  'protocol_adapter',
  'merchant_capability',
  'seller_agent_capability',
  'offer',
  'public_discovery',
  'mandate_capability',
  'commitment_evidence',
] as const;
export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

/** The five kinds of merchant facts every purchase needs (mission M16). */
export const REQUIRED_ARTIFACT_TYPES = ARTIFACT_TYPES.slice(0, 5);

/**
 * What the status list said, and how old the list was. `unavailable` = no usable copy: it refuses, and `fault` says why
 * there was none (a StatusListFault). `not_checked` stands only beside caller-asserted values, which have no slot.
 * `listVersion` is the version of the list that was read, null where the list states none or none was read.
 */
export const statusFact = codec.record({
  verdict: codec.oneOf('valid', 'revoked', 'suspended', 'unavailable', 'not_checked'),
  listUri: codec.nullable(codec.text),
  index: codec.nullable(codec.integer),
  listIssuedAtMs: codec.nullable(codec.instant),
  listVersion: codec.added(codec.nullable(codec.integer), null),
  fault: codec.added(codec.nullable(codec.text), null),
});
export type StatusFact = Decoded<typeof statusFact>;

/** What mandate, consent and passport have in common. Absent times refuse; they never read as "still good". */
const credential = {
  ref: codec.text,
  source: codec.oneOf('verified', 'caller_asserted'),
  /**
   * `not_checked` stands only beside `caller_asserted`; every other value is the verifier's. `not_found`: a mandate was
   * named, and there is none of this name, or it could not be loaded in time.
   */
  signature: codec.oneOf('valid', 'invalid', 'issuer_untrusted', 'not_checked', 'not_found'),
  agentId: codec.nullable(codec.text),
  buyerCommitment: codec.nullable(codec.text),
  notBeforeAtMs: codec.nullable(codec.instant),
  expiresAtMs: codec.nullable(codec.instant),
  status: statusFact,
};

export const mandateFact = codec.record({
  ...credential,
  mandateKind: codec.oneOf('intent', 'cart', 'payment'),
  issuedAtMs: codec.nullable(codec.instant),
  /** Merchants the buyer named; `*` (any merchant) counts for an intent only. */
  merchantIds: codec.list(codec.text),
  /** The cart this mandate names; required of a cart mandate, null for an intent. */
  cartHash: codec.nullable(codec.text),
  /** The buyer's own key signed it (key binding), so the buyer was there. */
  buyerKeyBound: codec.flag,
  capMinor: codec.nullable(codec.amountMinor),
  currency: codec.nullable(codec.text),
  /** Every intent it draws on: itself where it is one, and all above it. What it pays counts against each (G5). */
  intentRefs: codec.list(codec.text),
  /** The worst status among all ancestors; null when it has none. */
  parentStatus: codec.nullable(statusFact),
  /** Where the status of each ancestor stands, so that all of them are looked at again when the allow is used. */
  ancestorSlots: codec.added(
    codec.list(codec.record({ listUri: codec.text, index: codec.integer, lineage: codec.text })),
    [],
  ),
  /** What its open ancestors demand of this purchase, as the verifier judged it; `met` where they demand nothing. */
  constraints: codec.added(codec.oneOf('met', 'violated', 'unresolved'), 'met'),
});
export type MandateFact = Decoded<typeof mandateFact>;

export const consentFact = codec.record({
  ...credential,
  merchantId: codec.nullable(codec.text),
  state: codec.oneOf('granted', 'denied', 'unknown'),
});
export type ConsentFact = Decoded<typeof consentFact>;

export const passportFact = codec.record({
  ...credential,
  merchantId: codec.nullable(codec.text),
  world: codec.nullable(codec.oneOf(...WORLDS)),
  issuedAtMs: codec.nullable(codec.instant),
  passportType: codec.oneOf('browse', 'checkout', 'unknown'),
  scopes: codec.list(codec.text),
  capMinor: codec.nullable(codec.amountMinor),
  currency: codec.nullable(codec.text),
});
export type PassportFact = Decoded<typeof passportFact>;

/**
 * Whose word the purchase rests on. `verified` = mandate, consent and passport were all verified here;
 * a single value taken from a request body makes it `caller_asserted`.
 */
export const authorityFacts = codec.record({
  source: codec.oneOf('verified', 'caller_asserted'),
  mandates: codec.list(mandateFact),
  consent: codec.nullable(consentFact),
  passport: codec.nullable(passportFact),
});
export type AuthorityFacts = Decoded<typeof authorityFacts>;

/** The verifier's first finding about one signed artifact, in the order of decisions 3.1. */
export const ARTIFACT_VERDICTS = [
  'valid',
  'artifact_missing_or_invalid',
  'artifact_scope_mismatch',
  'issuer_key_untrusted',
  'issuer_key_inactive',
  'signature_algorithm_unsupported',
  'signature_missing_or_placeholder',
  'detached_jws_verification_failed',
  'payload_hash_mismatch',
] as const;
export type ArtifactVerdict = (typeof ARTIFACT_VERDICTS)[number];

export const artifactFact = codec.record({
  id: codec.text,
  type: codec.oneOf(...ARTIFACT_TYPES),
  verdict: codec.oneOf(...ARTIFACT_VERDICTS),
  payloadHash: codec.nullable(codec.text),
  issuedAtMs: codec.nullable(codec.instant),
  notBeforeAtMs: codec.nullable(codec.instant),
  expiresAtMs: codec.nullable(codec.instant),
  sourceObservedAtMs: codec.nullable(codec.instant),
  status: statusFact,
  /** What of the payload the rules read; null members where the type has no such thing. */
  productId: codec.nullable(codec.text),
  variantId: codec.nullable(codec.text),
  productRefs: codec.nullable(codec.list(codec.text)),
  unitPrice: codec.nullable(codec.money),
  quantityAvailable: codec.nullable(codec.integer),
  staleInventoryRefusal: codec.flag,
});
export type ArtifactFact = Decoded<typeof artifactFact>;

export const cartLine = codec.record({
  productId: codec.text,
  variantId: codec.text,
  quantity: codec.integer,
  unitPriceMinor: codec.amountMinor,
});
export type CartLine = Decoded<typeof cartLine>;

/** All amounts in `currency`. `hash` binds an allow to this very cart (facts/arbiter.md J3); `coreHash` is what a buyer's cart mandate names (decisions 3.8). */
export const cartFacts = codec.record({
  currency: codec.text,
  lines: codec.list(cartLine),
  subtotalMinor: codec.amountMinor,
  discountMinor: codec.amountMinor,
  taxMinor: codec.amountMinor,
  shippingMinor: codec.amountMinor,
  totalMinor: codec.amountMinor,
  hash: codec.text,
  coreHash: codec.text,
});
export type CartFacts = Decoded<typeof cartFacts>;

export const merchantLimits = codec.record({
  version: codec.integer,
  currencies: codec.list(
    codec.record({
      currency: codec.text,
      orderMaxMinor: codec.amountMinor,
      dailyMaxMinor: codec.nullable(codec.amountMinor),
    }),
  ),
  itemsMax: codec.integer,
  notPresent: codec.nullable(
    codec.record({
      currency: codec.text,
      orderMaxMinor: codec.amountMinor,
      itemsMax: codec.integer,
      dailyMaxMinor: codec.nullable(codec.amountMinor),
    }),
  ),
});
export type MerchantLimits = Decoded<typeof merchantLimits>;

export const purchaseFacts = codec.record({
  flow: codec.oneOf(...PURCHASE_FLOWS),
  world: codec.oneOf(...WORLDS),
  /** The tenant's switch for caller-asserted authority; never true in the live world (mission F4, F5). */
  callerAssertedAllowed: codec.flag,
  merchantId: codec.text,
  agentId: codec.nullable(codec.text),
  cart: cartFacts,
  authority: authorityFacts,
  /** `unavailable`: evidence of presence was named but could not be looked up in time. */
  presenceEvidence: codec.oneOf('resolved', 'unavailable'),
  artifacts: codec.list(artifactFact),
  limits: codec.nullable(merchantLimits),
  rbi: rbiFacts,
});
export type PurchaseFacts = Decoded<typeof purchaseFacts>;

/** Pieces of one variant that nobody holds yet. */
const variantStock = codec.record({
  variantId: codec.text,
  quantityAvailable: codec.integer,
});

/** Sums read under the tenant's lock, all amounts in the cart's currency. */
export const purchaseCounters = codec.record({
  passportSpentMinor: codec.amountMinor,
  /** Of several intents the one most drawn on. */
  intentSpentMinor: codec.amountMinor,
  merchantDayMinor: codec.amountMinor,
  notPresentDayMinor: codec.amountMinor,
  /** Each intent's own sum. Empty in entries of before this was noted: {@link intentSpentMinor} stood for each of them. */
  intentsSpent: codec.added(
    codec.list(codec.record({ ref: codec.text, spentMinor: codec.amountMinor })),
    [],
  ),
  /** Variants of the cart whose stock the merchant keeps here; of the others only the signed fact counts (decisions 3.6). */
  stock: codec.added(codec.list(variantStock), []),
  /** Of the cart and payment mandates named, those that a used allow rested on: each is good for one payment. */
  usedMandateRefs: codec.added(codec.list(codec.text), []),
});
export type PurchaseCounters = Decoded<typeof purchaseCounters>;

/**
 * What a case may name beside its facts: the ruleset that judges it; the one in force where it names none. Only a replay
 * names another, that of the entry.
 */
interface RuledCase {
  readonly ruleset?: Ruleset;
}

export const rulesetOf = ({ ruleset }: RuledCase): Ruleset => ruleset ?? RULESET_VERSION;

/**
 * One purchase as judged: `atMs` is the instant of the decision or of the use, read under the lock (decisions 2.3).
 * `freshAtMs`: the instant at which the age of facts and of the buyer's presence is judged; only the use of an allow
 * names another one than `atMs`, that of its decision (decisions 3.4).
 */
export interface PurchaseCase extends RuledCase {
  readonly facts: PurchaseFacts;
  readonly counters: PurchaseCounters;
  readonly atMs: number;
  readonly freshAtMs?: number;
}

export const freshAtMsOf = ({ atMs, freshAtMs }: PurchaseCase): number => freshAtMs ?? atMs;

export const refundFacts = codec.record({
  merchantId: codec.text,
  orderId: codec.text,
  amountMinor: codec.amountMinor,
  currency: codec.text,
});
export type RefundFacts = Decoded<typeof refundFacts>;

/** What the order's money did so far; null = nothing was ever captured. Refunds of unknown outcome count as done. */
export const refundCounters = codec.record({
  order: codec.nullable(
    codec.record({
      currency: codec.text,
      capturedMinor: codec.amountMinor,
      refundedMinor: codec.amountMinor,
    }),
  ),
});
export type RefundCounters = Decoded<typeof refundCounters>;

export interface RefundCase extends RuledCase {
  readonly facts: RefundFacts;
  readonly counters: RefundCounters;
  readonly atMs: number;
}
