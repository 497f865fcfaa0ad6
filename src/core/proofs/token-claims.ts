import {
  codec,
  type Decoded,
  err,
  ok,
  type InstantMs,
  type Money,
  type Result,
  type World,
  worldOf,
} from '../kernel/index.js';
import { ANY_MERCHANT } from '../rules/index.js';
import { fault, type ProofFault } from './fault.js';
import { parsePublicJwk, type VerificationKey } from './jwk.js';
import type { TypPolicy } from './jws.js';
import { MemberReader, type StatusRef } from './members.js';

/** The audience of the mission's commerce tokens; a tenant's own id is accepted beside it. */
export const COMMERCE_AUDIENCE = 'grantex-commerce';

/** What `typ` each kind of token carries. A commerce passport may come without one: its form is older than ours. */
export const TOKEN_TYPS = {
  mandate: ['mandate+jwt'],
  consent: ['consent+jwt'],
  passport: ['passport+jwt', 'jwt', null],
} as const satisfies Readonly<Record<string, TypPolicy>>;
export type TokenKind = keyof typeof TOKEN_TYPS;

/** Longest life of a commerce passport, `exp - iat`, in seconds; both inclusive (facts/arbiter.md 3.6). */
export const PASSPORT_LIFE_SECONDS_MAX = { browse: 3_600, checkout: 600 } as const;
/** Longest life of a mandate or consent, in seconds: ten years, the longest UPI AutoPay mandate banks offer by default. */
export const TOKEN_LIFE_SECONDS_MAX = 10 * 366 * 86_400;

/** Merchants one mandate may name. */
export const MANDATE_MERCHANTS_MAX = 64;

interface CommonClaims {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly tenantId: string;
  readonly agentId: string;
  readonly issuedAtMs: InstantMs;
  readonly notBeforeAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
  readonly status: StatusRef;
}

/** What a payment mandate says of its rail; words of `facts/payments.md` 1.8, judged by rule 8. */
export const paymentTerms = codec.record({
  rail: codec.text,
  event: codec.nullable(codec.text),
  category: codec.nullable(codec.text),
  mcc: codec.nullable(codec.text),
  purposeCode: codec.nullable(codec.text),
  umn: codec.nullable(codec.text),
  country: codec.nullable(codec.text),
});
export type PaymentTerms = Decoded<typeof paymentTerms>;

export const MANDATE_KINDS = ['intent', 'cart', 'payment'] as const;
export type MandateKind = (typeof MANDATE_KINDS)[number];

export interface MandateClaims extends CommonClaims {
  readonly kind: MandateKind;
  readonly parentId: string | null;
  readonly merchantIds: readonly string[];
  readonly cartHash: string | null;
  readonly cap: Money;
  readonly payment: PaymentTerms | null;
  /** `cnf.jwk`: the key with which the buyer may sign a key binding. */
  readonly buyerKey: VerificationKey | null;
}

export interface ConsentClaims extends CommonClaims {
  readonly merchantId: string;
  readonly state: 'granted' | 'denied';
  readonly scopes: readonly string[];
}

export interface PassportClaims extends CommonClaims {
  readonly merchantId: string;
  readonly passportType: 'browse' | 'checkout';
  readonly consentId: string;
  readonly scopes: readonly string[];
  readonly capMinor: bigint | null;
  readonly currency: string | null;
  readonly world: World;
}

const COMMON_MEMBERS = [
  'iss',
  'sub',
  'aud',
  'jti',
  'iat',
  'nbf',
  'exp',
  'tenant_id',
  'agent_id',
  'status',
];
const MANDATE_MEMBERS: ReadonlySet<string> = new Set([
  ...COMMON_MEMBERS,
  'kind',
  'parent',
  'merchant_ids',
  'cart_hash',
  'cap',
  'payment',
  'cnf',
]);
const CONSENT_MEMBERS: ReadonlySet<string> = new Set([
  ...COMMON_MEMBERS,
  'merchant_id',
  'state',
  'scopes',
  'consent_text_version',
]);
const PASSPORT_MEMBERS: ReadonlySet<string> = new Set([
  ...COMMON_MEMBERS,
  'merchant_id',
  'passport_type',
  'consent_record_id',
  'scopes',
  'max_amount',
  'currency',
  'policy_version',
  'env',
  'ver',
]);
const PAYMENT_MEMBERS: ReadonlySet<string> = new Set([
  'rail',
  'event',
  'category',
  'mcc',
  'purpose_code',
  'umn',
  'country',
]);
const CART_HASH = /^[0-9a-f]{64}$/;

/**
 * Reads the claims of a `mandate+jwt` (docs/tokens.md). Faults: `shape`, at the first claim that does not fit.
 * Not checked here: signature, audience, tenant, times against a clock, status, and whether it stays within its parent.
 */
export function parseMandateClaims(
  claims: Readonly<Record<string, unknown>>,
): Result<MandateClaims, ProofFault> {
  const read = new MemberReader(claims);
  read.only(MANDATE_MEMBERS);
  const common = commonClaims(read);
  const kind = read.oneOf('kind', MANDATE_KINDS);
  const parentId = read.has('parent') ? read.id('parent') : null;
  if (parentId !== null && parentId === common.id)
    read.fail('parent', 'a mandate is not its own parent');
  const merchantIds = mandateMerchants(read, kind);
  const cartHash = read.optionalText('cart_hash');
  if (cartHash !== null && !CART_HASH.test(cartHash))
    read.fail('cart_hash', 'the hash of a cart is 64 lower-case hex digits');
  if (kind === 'cart' && cartHash === null) read.fail('cart_hash', 'a cart mandate names its cart');
  if (kind === 'intent' && cartHash !== null) read.fail('cart_hash', 'an intent names no cart');
  const cap = read.money('cap');
  const payment = read.has('payment') ? paymentClaims(read) : null;
  if (payment !== null && kind !== 'payment')
    read.fail('payment', 'only a payment mandate has payment terms');
  const buyerKey = read.has('cnf') ? confirmationKey(read) : null;
  return read.fault === null
    ? ok({ ...common, kind, parentId, merchantIds, cartHash, cap, payment, buyerKey })
    : err(read.fault);
}

/** Reads the claims of a `consent+jwt` (docs/tokens.md). Faults and what is not checked: as {@link parseMandateClaims}. */
export function parseConsentClaims(
  claims: Readonly<Record<string, unknown>>,
): Result<ConsentClaims, ProofFault> {
  const read = new MemberReader(claims);
  read.only(CONSENT_MEMBERS);
  const common = commonClaims(read);
  const merchantId = read.id('merchant_id');
  const state = read.oneOf('state', ['granted', 'denied']);
  const scopes = read.has('scopes') ? read.texts('scopes') : [];
  return read.fault === null ? ok({ ...common, merchantId, state, scopes }) : err(read.fault);
}

/**
 * Reads the claims of a commerce passport (facts/arbiter.md 3.6, with `status` added). Faults and what is
 * not checked: as {@link parseMandateClaims}; how long it lives is judged by {@link passportLifeFault}.
 */
export function parsePassportClaims(
  claims: Readonly<Record<string, unknown>>,
): Result<PassportClaims, ProofFault> {
  const read = new MemberReader(claims);
  read.only(PASSPORT_MEMBERS);
  const common = commonClaims(read);
  const merchantId = read.id('merchant_id');
  const passportType = read.oneOf('passport_type', ['browse', 'checkout']);
  const consentId = read.id('consent_record_id');
  const scopes = read.texts('scopes');
  const capMinor = read.has('max_amount') ? BigInt(read.count('max_amount')) : null;
  const currency = read.has('currency') ? read.currency('currency') : null;
  const env = read.oneOf('env', ['sandbox', 'test', 'live']);
  if (read.has('ver') && read.raw('ver') !== '1') read.fail('ver', 'version "1" is the only one');
  if (read.fault !== null) return err(read.fault);
  const world = worldOf(env === 'sandbox' ? 'test' : env);
  return ok({ ...common, merchantId, passportType, consentId, scopes, capMinor, currency, world });
}

/** A passport that lives longer than its type may ({@link PASSPORT_LIFE_SECONDS_MAX}, inclusive, no skew), or null. */
export function passportLifeFault({
  passportType,
  issuedAtMs,
  expiresAtMs,
}: Pick<PassportClaims, 'passportType' | 'issuedAtMs' | 'expiresAtMs'>): ProofFault | null {
  const lifeSecondsMax = PASSPORT_LIFE_SECONDS_MAX[passportType];
  return expiresAtMs - issuedAtMs > lifeSecondsMax * 1_000
    ? fault('expiry', 'exp', `a ${passportType} passport lives at most ${lifeSecondsMax} s`)
    : null;
}

function commonClaims(read: MemberReader): CommonClaims {
  const issuedAtMs = read.seconds('iat');
  const expiresAtMs = read.seconds('exp');
  const notBeforeAtMs = read.has('nbf') ? read.seconds('nbf') : issuedAtMs;
  if (expiresAtMs <= issuedAtMs) read.fail('exp', 'a token ends after it was issued');
  if (expiresAtMs <= notBeforeAtMs) read.fail('exp', 'a token ends after it begins');
  if (expiresAtMs - issuedAtMs > TOKEN_LIFE_SECONDS_MAX * 1_000)
    read.fail('exp', `a token lives at most ${TOKEN_LIFE_SECONDS_MAX} s`);
  return {
    id: read.id('jti'),
    issuer: read.text('iss'),
    subject: read.text('sub'),
    audiences: typeof read.raw('aud') === 'string' ? [read.text('aud')] : read.texts('aud'),
    tenantId: read.id('tenant_id'),
    agentId: read.id('agent_id'),
    issuedAtMs,
    notBeforeAtMs,
    expiresAtMs,
    status: read.status(),
  };
}

function mandateMerchants(read: MemberReader, kind: MandateKind): readonly string[] {
  const merchantIds = read.texts('merchant_ids');
  if (merchantIds.length < 1 || merchantIds.length > MANDATE_MERCHANTS_MAX)
    read.fail('merchant_ids', `1 to ${MANDATE_MERCHANTS_MAX} merchants are named`);
  if (merchantIds.includes(ANY_MERCHANT) && (kind !== 'intent' || merchantIds.length > 1))
    read.fail('merchant_ids', '"*" stands alone, and in an intent only');
  return merchantIds;
}

function paymentClaims(read: MemberReader): PaymentTerms {
  const inner = read.object('payment');
  inner.only(PAYMENT_MEMBERS);
  const terms: PaymentTerms = {
    rail: inner.text('rail'),
    event: inner.optionalText('event'),
    category: inner.optionalText('category'),
    mcc: inner.optionalText('mcc'),
    purposeCode: inner.optionalText('purpose_code'),
    umn: inner.optionalText('umn'),
    country: inner.optionalText('country'),
  };
  read.adopt(inner);
  return terms;
}

/** `cnf: {jwk}` (RFC 7800 section 3.2). */
function confirmationKey(read: MemberReader): VerificationKey | null {
  const parsed = parsePublicJwk(read.object('cnf').raw('jwk'));
  if (parsed.ok) return parsed.value;
  read.fail('cnf.jwk', `this is no usable public key: ${parsed.error}`);
  return null;
}
