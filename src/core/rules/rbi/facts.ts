import { codec, type Decoded } from '../../kernel/index.js';

/**
 * What rule 8 reads beside the cart: the payment rail, the buyer's mandate there, notices, and proof that the bank
 * authenticated the buyer (facts/payments.md 1.8). All of it comes from verified objects or from routes signed by a
 * payment provider's key (decisions 3.7), never from the caller's body. Thresholds are no facts: they stand dated in
 * `thresholds.ts`. Names of payers, devices and references are commitments (decisions 1.8).
 */

/** `in-rbi-2026-04` = the dated Indian tables; `none` = a merchant outside India. */
export const RBI_PROFILES = ['in-rbi-2026-04', 'none'] as const;

export const AFA_RAILS = [
  'upi_autopay',
  'upi_otm',
  'upi_reserve_pay',
  'upi_circle_full',
  'upi_circle_partial',
  'upi_lite',
  'upi_once',
  'card_emandate',
  'ppi_emandate',
  'card_once',
  'card_once_xborder',
  'netbanking',
  'other',
] as const;
export type AfaRail = (typeof AFA_RAILS)[number];

/** Rails on which rule 8 is switched on when a tenant chooses the Indian profile and says no more (mission: UPI AutoPay). */
export const DEFAULT_SWITCHED_ON_RAILS: readonly AfaRail[] = ['upi_autopay'];

export const AFA_EVENTS = [
  'register',
  'first_debit',
  'subsequent_debit',
  'auto_topup',
  'modify',
  'withdraw',
  'one_time',
  'block_create',
  'block_debit',
] as const;
export type AfaEvent = (typeof AFA_EVENTS)[number];

export const AFA_CATEGORIES = [
  'general',
  'mutual_fund',
  'insurance',
  'card_bill',
  'fastag',
  'ncmc',
] as const;

export const DEBIT_FREQUENCIES = [
  'one_time',
  'daily',
  'weekly',
  'fortnightly',
  'monthly',
  'bimonthly',
  'quarterly',
  'half_yearly',
  'yearly',
  'as_presented',
] as const;
export type DebitFrequency = (typeof DEBIT_FREQUENCIES)[number];

/** How the bank authenticated the payer (facts/payments.md 1.9). `other` proves nothing. */
export const AFA_METHODS = [
  'upi_pin',
  'upi_device_biometric',
  'aadhaar_face',
  'sms_otp',
  'app_push_approve',
  'threeds_challenge',
  'threeds_frictionless',
  'passkey_webauthn',
  'static_password',
  'circle_passcode',
  'agent_assertion',
  'other',
] as const;
export type AfaMethod = (typeof AFA_METHODS)[number];

export const debitMandateFact = codec.record({
  ref: codec.text,
  status: codec.oneOf('initiated', 'live', 'rejected', 'paused', 'revoked', 'completed', 'unknown'),
  /** `fixed`: every debit is exactly `limitMinor`; `variable`: at most. */
  kind: codec.oneOf('fixed', 'variable'),
  limitMinor: codec.nullable(codec.amountMinor),
  currency: codec.nullable(codec.text),
  payeeId: codec.nullable(codec.text),
  frequency: codec.nullable(codec.oneOf(...DEBIT_FREQUENCIES)),
  /** On, before or after this day of the month (1 to 31) or of the week (1 = Monday). Null: any day. */
  debitDay: codec.nullable(
    codec.record({ rule: codec.oneOf('on', 'before', 'after'), day: codec.integer }),
  ),
  validFromAtMs: codec.nullable(codec.instant),
  /** Exclusive, as the end of every foreign validity (decisions 1.5). */
  validToAtMs: codec.nullable(codec.instant),
  registeredAtMs: codec.nullable(codec.instant),
  /** The authentication under which the mandate or block was made; null when none is on file. */
  registrationAfaRef: codec.nullable(codec.text),
  termsChangedSinceAfa: codec.flag,
  /** Sequence number and time of the last debit that ran; null when none did. */
  lastSeq: codec.nullable(codec.integer),
  lastDebitedAtMs: codec.nullable(codec.instant),
  /** Blocks only: what was set aside, and taken. */
  blockedMinor: codec.nullable(codec.amountMinor),
  debitedMinor: codec.nullable(codec.amountMinor),
  /** Promised to debits in flight: those a provider reported of a block, and those that were started here since its report. */
  reservedMinor: codec.nullable(codec.amountMinor),
});
export type DebitMandateFact = Decoded<typeof debitMandateFact>;

/** UPI Circle: the primary user lets a secondary (a person, or software such as an agent) pay from the account. */
export const delegationFact = codec.record({
  primaryRef: codec.text,
  secondary: codec.oneOf('person', 'software'),
  registrationAfaRef: codec.nullable(codec.text),
  linkedAtMs: codec.nullable(codec.instant),
  /** Debited and reserved together, in the calendar month and since the link was made. */
  monthSpentMinor: codec.amountMinor,
  firstDaySpentMinor: codec.amountMinor,
});
export type DelegationFact = Decoded<typeof delegationFact>;

export const preDebitNoticeFact = codec.record({
  mandateRef: codec.nullable(codec.text),
  seq: codec.nullable(codec.integer),
  amountMinor: codec.nullable(codec.amountMinor),
  currency: codec.nullable(codec.text),
  payeeId: codec.nullable(codec.text),
  payeeNamed: codec.flag,
  reasonGiven: codec.flag,
  scheduledForAtMs: codec.nullable(codec.instant),
  sentAtMs: codec.nullable(codec.instant),
  deliveredAtMs: codec.nullable(codec.instant),
  optedOutAtMs: codec.nullable(codec.instant),
  /** The provider's name of the notice, under which a newer report of it is found; null: not known. */
  ref: codec.added(codec.nullable(codec.text), null),
});
export type PreDebitNoticeFact = Decoded<typeof preDebitNoticeFact>;

export const afaEvidenceFact = codec.record({
  /** Commitment of the provider's reference; claimed for one cart at consumption (decisions 3.7). */
  reference: codec.text,
  /** Another cart or decision claimed this reference already. */
  claimedBefore: codec.flag,
  method: codec.oneOf(...AFA_METHODS),
  factors: codec.list(
    codec.record({ class: codec.oneOf('knows', 'has', 'is'), dynamic: codec.flag }),
  ),
  assertedBy: codec.oneOf('issuer', 'network', 'psp', 'agent', 'merchant'),
  /** How we know that they said it; `none` when nothing proved it. */
  verification: codec.oneOf('signature', 'webhook', 'api_lookup', 'none'),
  performedAtMs: codec.nullable(codec.instant),
  expiresAtMs: codec.nullable(codec.instant),
  amountBoundMinor: codec.nullable(codec.amountMinor),
  currencyBound: codec.nullable(codec.text),
  payeeBound: codec.nullable(codec.text),
  mandateRefBound: codec.nullable(codec.text),
  payerRefBound: codec.nullable(codec.text),
  /** Core hash of the one cart it was made for; null: it names none. */
  cartBound: codec.added(codec.nullable(codec.text), null),
});
export type AfaEvidenceFact = Decoded<typeof afaEvidenceFact>;

export const rbiFacts = codec.record({
  /** Null: the tenant has chosen none. In a live tenant every payment then needs AFA evidence. */
  profile: codec.nullable(codec.oneOf(...RBI_PROFILES)),
  switchedOnRails: codec.list(codec.oneOf(...AFA_RAILS)),
  /** ISO 3166 alpha-2 of the issuer of account or card. */
  issuerCountry: codec.nullable(codec.text),
  /** Read from the verified payment mandate (facts/arbiter.md H1). Null, and `other` alike: no rail that we know is named. */
  rail: codec.nullable(codec.oneOf(...AFA_RAILS)),
  event: codec.nullable(codec.oneOf(...AFA_EVENTS)),
  category: codec.nullable(codec.oneOf(...AFA_CATEGORIES)),
  mcc: codec.nullable(codec.text),
  /** The purpose declared when the mandate was made; proves a category only by naming it. */
  purposeCode: codec.nullable(codec.text),
  /** The merchant as the payment rail knows it. */
  payeeId: codec.nullable(codec.text),
  sameStepAsRegistration: codec.flag,
  /** Cross-border cards: whether merchant or acquirer asked the issuer to authenticate. */
  afaAskedByMerchant: codec.nullable(codec.flag),
  /** When the provider will debit; null = at once. */
  executionAtMs: codec.nullable(codec.instant),
  cycleSeq: codec.nullable(codec.integer),
  /** Executions tried in this cycle before this one, whatever came of them. */
  attemptsThisCycle: codec.integer,
  /** Paise debited or reserved for this payee in this cycle, under any mandate of this payer; 0 without a cycle. */
  payeeDebitedThisCycleMinor: codec.amountMinor,
  /** The amount in paise when the cart is not in INR; null when no rate is known. */
  inrValueMinor: codec.nullable(codec.amountMinor),
  liteBalanceMinor: codec.nullable(codec.amountMinor),
  mandate: codec.nullable(debitMandateFact),
  delegation: codec.nullable(delegationFact),
  preDebitNotice: codec.nullable(preDebitNoticeFact),
  evidence: codec.nullable(afaEvidenceFact),
});
export type RbiFacts = Decoded<typeof rbiFacts>;

/** What rule 8 sees when a tenant's profile is all that is known. */
export const rbiFactsOf = (
  profile: RbiFacts['profile'],
  switchedOnRails: readonly AfaRail[] = DEFAULT_SWITCHED_ON_RAILS,
): RbiFacts => ({
  profile,
  switchedOnRails,
  issuerCountry: null,
  rail: null,
  event: null,
  category: null,
  mcc: null,
  purposeCode: null,
  payeeId: null,
  sameStepAsRegistration: false,
  afaAskedByMerchant: null,
  executionAtMs: null,
  cycleSeq: null,
  attemptsThisCycle: 0,
  payeeDebitedThisCycleMinor: 0n,
  inrValueMinor: null,
  liteBalanceMinor: null,
  mandate: null,
  delegation: null,
  preDebitNotice: null,
  evidence: null,
});
