import type { StatusRef } from '../../../src/core/proofs/index.js';
import {
  type ArtifactFact,
  type ArtifactType,
  type AuthorityFacts,
  type MandateFact,
  REQUIRED_ARTIFACT_TYPES,
  type StatusFact,
} from '../../../src/core/rules/index.js';
import type { FactSources } from '../../../src/money/arbiter/resolve.js';
import type { AuthorityRequest, RailClaims } from '../../../src/trust/buyer-authority/index.js';
import type { ArtifactRequest } from '../../../src/trust/facts/index.js';
import type { StatusChecker } from '../../../src/trust/status/index.js';
import { NO_RAIL } from '../../../src/trust/rail-evidence/index.js';

/** What everything costs, a piece, and how many the merchant's signed facts say there are. */
export const UNIT_MINOR = 100n;
export const VARIANTS = { INR: 'cup', USD: 'mug' } as const;
export type Currency = keyof typeof VARIANTS;

/** As long as a count of stock may be good. What is looked up before a clock moves on by more refuses, for its age. */
export const FACTS_LIFE_MS = 60_000;
const LONG_MS = 40 * 86_400_000;
const BUYER = 'b'.repeat(64);

/** Passports and intents, with what each covers. The child draws on its parent as well. */
export interface Caps {
  readonly passport: Readonly<Record<'passport-a' | 'passport-b', bigint>>;
  readonly intent: Readonly<Record<'intent-parent' | 'intent-child', bigint>>;
}
export type PassportName = keyof Caps['passport'];
export type IntentName = keyof Caps['intent'];

/**
 * Every fact is found, signed and fresh whatever the clock says: money is what is looked at here, and a shop whose clock
 * moves over days would else sign all its facts again at every step. The port is the arbiter's own.
 */
export class FreshFacts implements FactSources {
  /** Core hash of the cart that a cart mandate names. */
  readonly cartHashes = new Map<string, string>();

  constructor(
    private readonly slot: StatusRef,
    private readonly caps: Caps,
  ) {}

  readonly authority = {
    resolveAuthority: (request: AuthorityRequest) => {
      const { evidence, atMs } = request;
      const payment = evidence.mandates.find((ref) => ref.startsWith('payment-')) ?? '';
      const mandates = evidence.mandates.map((ref) => this.mandate(ref, request));
      const facts: AuthorityFacts = {
        source: 'verified',
        mandates,
        consent: {
          ...this.credential(String(evidence.consent), request),
          merchantId: request.merchantId,
          state: 'granted',
        },
        passport: {
          ...this.credential(String(evidence.passport), request),
          expiresAtMs: atMs + 600_000,
          merchantId: request.merchantId,
          world: 'test',
          issuedAtMs: atMs,
          passportType: 'checkout',
          scopes: ['commerce:checkout.create', 'commerce:payment.initiate'],
          capMinor: this.caps.passport[evidence.passport as PassportName],
          currency: 'INR',
        },
      };
      return Promise.resolve({
        facts,
        presenceEvidence: 'resolved' as const,
        railClaims: railClaims(payment),
        sideWrites: [],
        unresolved: [],
      });
    },
  };

  readonly artifacts = {
    resolveArtifacts: (request: ArtifactRequest) =>
      Promise.resolve({
        artifacts: REQUIRED_ARTIFACT_TYPES.map((type) => this.artifact(type, request)),
        sideWrites: [],
      }),
  };

  readonly rail = { resolveRail: () => Promise.resolve(NO_RAIL) };

  readonly statuses: StatusChecker = {
    check: (_tenantId, questions, { atMs }) =>
      Promise.resolve(questions.map(() => this.status(atMs))),
  };

  commitBuyer(): never {
    throw new Error('no buyer is named here');
  }

  private mandate(ref: string, request: AuthorityRequest): MandateFact {
    const kind = ref.startsWith('intent-')
      ? 'intent'
      : ref.startsWith('cart-')
        ? 'cart'
        : 'payment';
    return {
      ...this.credential(ref, request),
      mandateKind: kind,
      issuedAtMs: request.atMs,
      merchantIds: [request.merchantId],
      cartHash: this.cartHashes.get(ref) ?? null,
      buyerKeyBound: kind === 'cart',
      capMinor: kind === 'intent' ? this.caps.intent[ref as IntentName] : 1_000_000n,
      currency: 'INR',
      intentRefs: kind !== 'intent' ? [] : ref === 'intent-child' ? [ref, 'intent-parent'] : [ref],
      parentStatus: null,
      ancestorSlots: [],
      constraints: 'met',
    };
  }

  private credential(ref: string, { agentId, atMs }: AuthorityRequest) {
    return {
      ref,
      source: 'verified' as const,
      signature: 'valid' as const,
      agentId,
      buyerCommitment: BUYER,
      notBeforeAtMs: atMs,
      expiresAtMs: atMs + LONG_MS,
      status: this.status(atMs),
    };
  }

  private status(atMs: number): StatusFact {
    const { uri: listUri, index } = this.slot;
    return {
      verdict: 'valid',
      listUri,
      index,
      listIssuedAtMs: atMs,
      listVersion: null,
      fault: null,
    };
  }

  private artifact(type: ArtifactType, { lines, atMs }: ArtifactRequest): ArtifactFact {
    const [line] = lines;
    const ofLine = type === 'price' || type === 'inventory';
    const currency = line?.variantId === VARIANTS.USD ? 'USD' : 'INR';
    return {
      id: `fact-${type}`,
      type,
      verdict: 'valid',
      payloadHash: 'f'.repeat(64),
      issuedAtMs: atMs,
      notBeforeAtMs: atMs,
      expiresAtMs: atMs + FACTS_LIFE_MS,
      sourceObservedAtMs: atMs,
      status: this.status(atMs),
      productId: ofLine ? (line?.productId ?? null) : null,
      variantId: ofLine ? (line?.variantId ?? null) : null,
      productRefs: type === 'catalog_snapshot' ? lines.map(({ productId }) => productId) : null,
      unitPrice: type === 'price' ? { amountMinor: UNIT_MINOR, currency } : null,
      quantityAvailable: type === 'inventory' ? 100 : null,
      staleInventoryRefusal: false,
    };
  }
}

const railClaims = (mandateRef: string): RailClaims => ({
  mandateRef,
  rail: 'card_once',
  event: 'one_time',
  category: null,
  mcc: null,
  purposeCode: null,
  umn: null,
  country: 'IN',
});
