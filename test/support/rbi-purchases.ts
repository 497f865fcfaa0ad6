import { parseInstant } from '../../src/core/kernel/index.js';
import type { PurchaseCase } from '../../src/core/rules/facts.js';
import {
  type AfaEvidenceFact,
  type DebitMandateFact,
  type DelegationFact,
  type PreDebitNoticeFact,
  type RbiFacts,
  rbiFactsOf,
} from '../../src/core/rules/rbi/facts.js';

/** Purchases as rule 8 sees them: each builder gives one that passes; a test changes what it is about. */

export const PAYEE = 'payee-1';
export const MANDATE_REF = 'umn-1';
const HOUR_MS = 3_600_000;

export function atIst(text: string): number {
  const atMs = parseInstant(`${text}+05:30`);
  if (atMs === null) throw new Error(`no instant: ${text}`);
  return atMs;
}

/** Off-peak, and inside every dated row that is still in force. */
export const MORNING_MS = atIst('2026-11-30T09:40:00');

export interface CaseOptions {
  readonly amountMinor?: bigint;
  readonly currency?: string;
  readonly atMs?: number;
  readonly world?: 'test' | 'live';
}

export function purchaseWith(rbi: RbiFacts, options: CaseOptions = {}): PurchaseCase {
  const { amountMinor = 1_499_900n, currency = 'INR', atMs = MORNING_MS, world = 'test' } = options;
  return {
    atMs,
    counters: {
      passportSpentMinor: 0n,
      intentSpentMinor: 0n,
      intentsSpent: [],
      merchantDayMinor: 0n,
      notPresentDayMinor: 0n,
      stock: [],
      usedMandateRefs: [],
    },
    facts: {
      flow: 'agent_payment',
      world,
      callerAssertedAllowed: false,
      merchantId: 'shop',
      agentId: null,
      cart: {
        currency,
        lines: [],
        subtotalMinor: amountMinor,
        discountMinor: 0n,
        taxMinor: 0n,
        shippingMinor: 0n,
        totalMinor: amountMinor,
        hash: 'h',
        coreHash: 'c',
      },
      authority: { source: 'verified', mandates: [], consent: null, passport: null },
      presenceEvidence: 'resolved',
      artifacts: [],
      limits: null,
      rbi,
    },
  };
}

export const mandateOf = (changes: Partial<DebitMandateFact> = {}): DebitMandateFact => ({
  ref: MANDATE_REF,
  status: 'live',
  kind: 'variable',
  limitMinor: 20_000_000n,
  currency: 'INR',
  payeeId: PAYEE,
  frequency: 'monthly',
  debitDay: null,
  validFromAtMs: atIst('2019-01-01T00:00:00'),
  validToAtMs: atIst('2036-01-01T00:00:00'),
  registeredAtMs: atIst('2019-01-01T00:00:00'),
  registrationAfaRef: 'afa-registration',
  termsChangedSinceAfa: false,
  lastSeq: 3,
  lastDebitedAtMs: atIst('2019-01-15T09:00:00'),
  blockedMinor: null,
  debitedMinor: null,
  reservedMinor: null,
  ...changes,
});

export const noticeOf = (
  amountMinor: bigint,
  atMs: number,
  changes: Partial<PreDebitNoticeFact> = {},
): PreDebitNoticeFact => ({
  mandateRef: MANDATE_REF,
  seq: 4,
  amountMinor,
  currency: 'INR',
  payeeId: PAYEE,
  payeeNamed: true,
  reasonGiven: true,
  scheduledForAtMs: atMs,
  sentAtMs: atMs - 30 * HOUR_MS,
  deliveredAtMs: atMs - 30 * HOUR_MS,
  optedOutAtMs: null,
  ref: null,
  ...changes,
});

export const evidenceOf = (
  amountMinor: bigint,
  atMs: number,
  changes: Partial<AfaEvidenceFact> = {},
): AfaEvidenceFact => ({
  reference: 'afa-1',
  claimedBefore: false,
  method: 'upi_pin',
  factors: [
    { class: 'knows', dynamic: false },
    { class: 'has', dynamic: true },
  ],
  assertedBy: 'psp',
  verification: 'signature',
  performedAtMs: atMs - 60_000,
  expiresAtMs: null,
  amountBoundMinor: amountMinor,
  currencyBound: 'INR',
  payeeBound: PAYEE,
  mandateRefBound: MANDATE_REF,
  payerRefBound: null,
  cartBound: null,
  ...changes,
});

export const delegationOf = (changes: Partial<DelegationFact> = {}): DelegationFact => ({
  primaryRef: 'primary',
  secondary: 'software',
  registrationAfaRef: 'afa-delegation',
  linkedAtMs: MORNING_MS - 48 * HOUR_MS,
  monthSpentMinor: 0n,
  firstDaySpentMinor: 0n,
  ...changes,
});

type Rbi = Partial<RbiFacts>;
const indian = (changes: Rbi): RbiFacts => ({
  ...rbiFactsOf('in-rbi-2026-04'),
  issuerCountry: 'IN',
  payeeId: PAYEE,
  ...(changes.rail ? { switchedOnRails: [changes.rail] } : {}),
  ...changes,
});

/** A later UPI AutoPay debit of the general category, with everything in order but evidence of its own. */
export function autopay(
  options: CaseOptions & { rbi?: Rbi; mandate?: Partial<DebitMandateFact> } = {},
): PurchaseCase {
  const { amountMinor = 1_499_900n, atMs = MORNING_MS, rbi = {}, mandate = {} } = options;
  const notice = noticeOf(amountMinor, rbi.executionAtMs ?? atMs);
  return purchaseWith(
    indian({
      rail: 'upi_autopay',
      event: 'subsequent_debit',
      category: 'general',
      cycleSeq: 4,
      mandate: mandateOf(mandate),
      preDebitNotice: notice,
      ...rbi,
    }),
    { amountMinor, ...options },
  );
}

/** A payment of one of the other rails, switched on, with exactly the members given. */
export const onRail = (rbi: Rbi, options: CaseOptions = {}): PurchaseCase =>
  purchaseWith(indian(rbi), options);

/** The same purchase with another rail fact. */
export const withRbi = (purchase: PurchaseCase, changes: Rbi): PurchaseCase => ({
  ...purchase,
  facts: { ...purchase.facts, rbi: { ...purchase.facts.rbi, ...changes } },
});
