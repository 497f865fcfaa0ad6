import {
  err,
  type InstantMs,
  type Money,
  ok,
  parseMinorUnits,
  type Result,
} from '../kernel/index.js';
import {
  AFA_METHODS,
  AFA_RAILS,
  type AfaEvidenceFact,
  type AfaMethod,
  type AfaRail,
  DEBIT_FREQUENCIES,
  type DebitFrequency,
  type DebitMandateFact,
} from '../rules/index.js';
import type { ProofFault } from './fault.js';
import type { TypPolicy } from './jws.js';
import { MemberReader } from './members.js';

/** What `typ` each kind of report of a payment provider carries (docs/tokens.md). */
export const RAIL_TYPS = {
  afa_evidence: ['afa-evidence+jwt'],
  pre_debit_notice: ['pre-debit-notice+jwt'],
  payment_mandate: ['payment-mandate-state+jwt'],
} as const satisfies Readonly<Record<string, TypPolicy>>;
export type RailKind = keyof typeof RAIL_TYPS;

/** Factors that one authentication may name. */
export const AFA_FACTORS_MAX = 8;
/** Longest life that evidence may claim, `exp - iat`, in seconds: that of a card's authentication link. */
export const AFA_EVIDENCE_LIFE_SECONDS_MAX = 259_200;

interface CommonRailClaims {
  readonly id: string;
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly tenantId: string;
  readonly issuedAtMs: InstantMs;
  /** The payee: the merchant of the tenant that is paid. */
  readonly merchantId: string;
  /** Name of the debit mandate: `umn` of the buyer's payment mandate, or its `jti` when it says none. */
  readonly mandateRef: string;
  /** Personal data, as every `...Ref` below that the provider made up: a commitment before it is written (decisions 1.8). */
  readonly payerRef: string | null;
}

/** The bank authenticated the buyer for one payment (facts/payments.md 1.8 `afa`; facts/arbiter.md H4). */
export interface AfaEvidenceClaims extends CommonRailClaims {
  readonly expiresAtMs: InstantMs;
  readonly amount: Money;
  /** Core hash of the one cart it is for; null: any cart of this payee and amount. */
  readonly cartHash: string | null;
  readonly method: AfaMethod;
  readonly factors: AfaEvidenceFact['factors'];
  readonly assertedBy: 'issuer' | 'network' | 'psp';
  readonly performedAtMs: InstantMs;
  /** The provider's own name of the authentication, such as an RRN. One authentication serves once under whatever `jti`. */
  readonly providerRef: string;
  readonly deviceRef: string | null;
}

/** The buyer was told before a debit (facts/payments.md 1.8 `pdn`). A later report has a higher `version`. */
export interface PreDebitNoticeClaims extends CommonRailClaims {
  readonly noticeRef: string;
  readonly version: number;
  readonly cycleSeq: number | null;
  readonly amount: Money;
  readonly scheduledForAtMs: InstantMs | null;
  readonly payeeName: string | null;
  readonly reason: string | null;
  readonly delivery: 'sent' | 'delivered' | 'failed';
  readonly sentAtMs: InstantMs;
  readonly deliveredAtMs: InstantMs | null;
  readonly optedOutAtMs: InstantMs | null;
}

export const PAYMENT_MANDATE_STATUSES = [
  'initiated',
  'live',
  'rejected',
  'paused',
  'revoked',
  'completed',
] as const;
export type PaymentMandateStatus = (typeof PAYMENT_MANDATE_STATUSES)[number];

/** How a debit mandate or block stands at the bank (facts/payments.md 1.8 `mandate`). A later report has a higher `version`. */
export interface PaymentMandateClaims extends CommonRailClaims {
  readonly version: number;
  readonly rail: AfaRail;
  readonly status: PaymentMandateStatus;
  readonly kind: DebitMandateFact['kind'];
  readonly limit: Money;
  readonly frequency: DebitFrequency;
  readonly debitDay: DebitMandateFact['debitDay'];
  readonly validFromAtMs: InstantMs | null;
  readonly validToAtMs: InstantMs | null;
  readonly registeredAtMs: InstantMs | null;
  readonly registrationAfaRef: string | null;
  readonly termsChangedSinceAfa: boolean;
  readonly lastSeq: number | null;
  readonly lastDebitedAtMs: InstantMs | null;
  /** Executions tried in the cycle after `lastSeq`, and what was debited for this payee in the running cycle. */
  readonly attemptsThisCycle: number;
  readonly payeeDebitedThisCycleMinor: bigint;
  readonly block: {
    readonly blockedMinor: bigint;
    readonly debitedMinor: bigint;
    readonly reservedMinor: bigint;
  } | null;
}

export interface RailClaimsOf {
  readonly afa_evidence: AfaEvidenceClaims;
  readonly pre_debit_notice: PreDebitNoticeClaims;
  readonly payment_mandate: PaymentMandateClaims;
}

const COMMON_MEMBERS = [
  'iss',
  'aud',
  'jti',
  'iat',
  'tenant_id',
  'merchant_id',
  'mandate_ref',
  'payer_ref',
];
const EVIDENCE_MEMBERS: ReadonlySet<string> = new Set([
  ...COMMON_MEMBERS,
  'exp',
  'amount',
  'cart_hash',
  'method',
  'factors',
  'asserted_by',
  'performed_at',
  'provider_ref',
  'device_ref',
]);
const NOTICE_MEMBERS: ReadonlySet<string> = new Set([
  ...COMMON_MEMBERS,
  'notice_ref',
  'version',
  'seq',
  'amount',
  'scheduled_for',
  'payee_name',
  'reason',
  'delivery',
  'sent_at',
  'delivered_at',
  'opted_out_at',
]);
const MANDATE_MEMBERS: ReadonlySet<string> = new Set([
  ...COMMON_MEMBERS,
  'version',
  'rail',
  'status',
  'kind',
  'limit',
  'frequency',
  'debit_day',
  'valid_from',
  'valid_to',
  'registered_at',
  'registration_afa_ref',
  'terms_changed_since_afa',
  'last_seq',
  'last_debited_at',
  'cycle',
  'block',
]);
const FACTOR_MEMBERS: ReadonlySet<string> = new Set(['class', 'dynamic']);
const DAY_MEMBERS: ReadonlySet<string> = new Set(['rule', 'day']);
const CYCLE_MEMBERS: ReadonlySet<string> = new Set(['attempts', 'payee_debited']);
const BLOCK_MEMBERS: ReadonlySet<string> = new Set(['blocked', 'debited', 'reserved']);
const CART_HASH = /^[0-9a-f]{64}$/;

type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads the claims of an `afa-evidence+jwt` (docs/tokens.md). Faults: `shape`, at the first claim that does not fit.
 * Not checked here: signature, audience, tenant, times against a clock, and whether it suffices; that is rule 8's.
 */
export function parseAfaEvidenceClaims(claims: Claims): Result<AfaEvidenceClaims, ProofFault> {
  const read = new MemberReader(claims);
  read.only(EVIDENCE_MEMBERS);
  const common = commonClaims(read);
  const expiresAtMs = read.seconds('exp');
  const lifeMs = expiresAtMs - common.issuedAtMs;
  if (lifeMs <= 0) read.fail('exp', 'evidence ends after it was issued');
  if (lifeMs > AFA_EVIDENCE_LIFE_SECONDS_MAX * 1_000)
    read.fail('exp', `evidence lives at most ${AFA_EVIDENCE_LIFE_SECONDS_MAX} s`);
  const cartHash = read.optionalText('cart_hash');
  if (cartHash !== null && !CART_HASH.test(cartHash))
    read.fail('cart_hash', 'the hash of a cart is 64 lower-case hex digits');
  const evidence: AfaEvidenceClaims = {
    ...common,
    expiresAtMs,
    cartHash,
    amount: read.money('amount'),
    method: read.oneOf('method', AFA_METHODS),
    factors: factorsOf(read),
    assertedBy: read.oneOf('asserted_by', ['issuer', 'network', 'psp']),
    performedAtMs: read.seconds('performed_at'),
    providerRef: read.text('provider_ref'),
    deviceRef: read.optionalText('device_ref'),
  };
  return read.fault === null ? ok(evidence) : err(read.fault);
}

/** Reads the claims of a `pre-debit-notice+jwt`. Faults and what is not checked: as {@link parseAfaEvidenceClaims}. */
export function parsePreDebitNoticeClaims(
  claims: Claims,
): Result<PreDebitNoticeClaims, ProofFault> {
  const read = new MemberReader(claims);
  read.only(NOTICE_MEMBERS);
  const notice: PreDebitNoticeClaims = {
    ...commonClaims(read),
    noticeRef: read.id('notice_ref'),
    version: read.count('version'),
    cycleSeq: optionalCount(read, 'seq'),
    amount: read.money('amount'),
    scheduledForAtMs: optionalSeconds(read, 'scheduled_for'),
    payeeName: read.optionalText('payee_name'),
    reason: read.optionalText('reason'),
    delivery: read.oneOf('delivery', ['sent', 'delivered', 'failed']),
    sentAtMs: read.seconds('sent_at'),
    deliveredAtMs: optionalSeconds(read, 'delivered_at'),
    optedOutAtMs: optionalSeconds(read, 'opted_out_at'),
  };
  const { delivery, sentAtMs, deliveredAtMs } = notice;
  if ((delivery === 'delivered') !== (deliveredAtMs !== null))
    read.fail('delivered_at', 'a delivered notice says when, and no other does');
  if (deliveredAtMs !== null && deliveredAtMs < sentAtMs)
    read.fail('delivered_at', 'a notice is delivered after it was sent');
  return read.fault === null ? ok(notice) : err(read.fault);
}

/** Reads the claims of a `payment-mandate-state+jwt`. Faults and what is not checked: as {@link parseAfaEvidenceClaims}. */
export function parsePaymentMandateClaims(
  claims: Claims,
): Result<PaymentMandateClaims, ProofFault> {
  const read = new MemberReader(claims);
  read.only(MANDATE_MEMBERS);
  const mandate: PaymentMandateClaims = {
    ...commonClaims(read),
    version: read.count('version'),
    rail: read.oneOf('rail', AFA_RAILS),
    status: read.oneOf('status', PAYMENT_MANDATE_STATUSES),
    kind: read.oneOf('kind', ['fixed', 'variable']),
    limit: read.money('limit'),
    frequency: read.oneOf('frequency', DEBIT_FREQUENCIES),
    debitDay: debitDayOf(read),
    validFromAtMs: optionalSeconds(read, 'valid_from'),
    validToAtMs: optionalSeconds(read, 'valid_to'),
    registeredAtMs: optionalSeconds(read, 'registered_at'),
    registrationAfaRef: read.optionalText('registration_afa_ref'),
    termsChangedSinceAfa: read.flag('terms_changed_since_afa'),
    lastSeq: optionalCount(read, 'last_seq'),
    lastDebitedAtMs: optionalSeconds(read, 'last_debited_at'),
    ...cycleOf(read),
    block: blockOf(read),
  };
  return read.fault === null ? ok(mandate) : err(read.fault);
}

const commonClaims = (read: MemberReader): CommonRailClaims => ({
  id: read.id('jti'),
  issuer: read.text('iss'),
  audiences: typeof read.raw('aud') === 'string' ? [read.text('aud')] : read.texts('aud'),
  tenantId: read.id('tenant_id'),
  issuedAtMs: read.seconds('iat'),
  merchantId: read.id('merchant_id'),
  mandateRef: read.id('mandate_ref'),
  payerRef: read.optionalText('payer_ref'),
});

const optionalSeconds = (read: MemberReader, member: string): InstantMs | null =>
  read.has(member) ? read.seconds(member) : null;

const optionalCount = (read: MemberReader, member: string): number | null =>
  read.has(member) ? read.count(member) : null;

function factorsOf(read: MemberReader): AfaEvidenceFact['factors'] {
  const listed = read.raw('factors');
  if (!Array.isArray(listed) || listed.length > AFA_FACTORS_MAX) {
    read.fail('factors', `a list of at most ${AFA_FACTORS_MAX} factors is needed`);
    return [];
  }
  return listed.map((factor: unknown, index) => {
    const outer = new MemberReader({ [index]: factor }, 'factors.');
    const inner = outer.object(String(index));
    read.adopt(outer);
    inner.only(FACTOR_MEMBERS);
    const value = {
      class: inner.oneOf('class', ['knows', 'has', 'is']),
      dynamic: inner.flag('dynamic'),
    };
    read.adopt(inner);
    return value;
  });
}

function debitDayOf(read: MemberReader): DebitMandateFact['debitDay'] {
  if (!read.has('debit_day')) return null;
  const inner = read.object('debit_day');
  inner.only(DAY_MEMBERS);
  const value = { rule: inner.oneOf('rule', ['on', 'before', 'after']), day: inner.count('day') };
  if (value.day < 1 || value.day > 31) inner.fail('day', 'a day from 1 to 31 is needed');
  read.adopt(inner);
  return value;
}

function cycleOf(
  read: MemberReader,
): Pick<PaymentMandateClaims, 'attemptsThisCycle' | 'payeeDebitedThisCycleMinor'> {
  if (!read.has('cycle')) return { attemptsThisCycle: 0, payeeDebitedThisCycleMinor: 0n };
  const inner = read.object('cycle');
  inner.only(CYCLE_MEMBERS);
  const value = {
    attemptsThisCycle: inner.count('attempts'),
    payeeDebitedThisCycleMinor: minorUnits(inner, 'payee_debited'),
  };
  read.adopt(inner);
  return value;
}

function blockOf(read: MemberReader): PaymentMandateClaims['block'] {
  if (!read.has('block')) return null;
  const inner = read.object('block');
  inner.only(BLOCK_MEMBERS);
  const value = {
    blockedMinor: minorUnits(inner, 'blocked'),
    debitedMinor: minorUnits(inner, 'debited'),
    reservedMinor: minorUnits(inner, 'reserved'),
  };
  read.adopt(inner);
  return value;
}

/** An amount in the currency of the mandate's limit. */
function minorUnits(read: MemberReader, member: string): bigint {
  const amountMinor = parseMinorUnits(read.text(member));
  if (amountMinor === null) read.fail(member, 'minor units as a decimal string are needed');
  return amountMinor ?? 0n;
}
