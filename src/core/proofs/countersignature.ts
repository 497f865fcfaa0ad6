import {
  AMOUNT_MINOR_MAX,
  err,
  type InstantMs,
  ok,
  parseMinorUnits,
  type Result,
} from '../kernel/index.js';
import { fault, type ProofFault } from './fault.js';
import type { TypPolicy } from './jws.js';
import { MemberReader } from './members.js';

/** A countersignature is a compact JWS of this type, and of no other (facts/arbiter.md J4). */
export const COUNTERSIGNATURE_TYP = 'arbiter-countersignature+jwt';
export const COUNTERSIGNATURE_TYPS: TypPolicy = [COUNTERSIGNATURE_TYP];

const FLOWS = ['handoff', 'agent_payment', 'refund'] as const;

/** The allow that is countersigned; `expiresAtMs` is its last millisecond. A refund names its order and has no cart. */
export interface CountersignedAllow {
  readonly tenantId: string;
  readonly decisionId: string;
  readonly flow: (typeof FLOWS)[number];
  readonly cartHash: string | null;
  readonly orderId: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly expiresAtMs: InstantMs;
}

/** What the authority says. Times are whole seconds, printed in milliseconds. */
export interface CountersignatureClaims extends Omit<CountersignedAllow, 'tenantId'> {
  readonly issuer: string;
  readonly audience: string;
  readonly id: string;
  readonly issuedAtMs: InstantMs;
}

const MEMBERS: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'jti',
  'iat',
  'exp',
  'decision_id',
  'flow',
  'cart_hash',
  'order_id',
  'amount_minor',
  'currency',
]);

/**
 * Reads the claims of a countersignature. Faults: `shape`, at the first claim that does not fit.
 * Not checked here: signature and key, and whether it is about a certain allow: {@link countersignatureFault}.
 */
export function parseCountersignatureClaims(
  claims: Readonly<Record<string, unknown>>,
): Result<CountersignatureClaims, ProofFault> {
  const read = new MemberReader(claims);
  read.only(MEMBERS);
  const amount = parseMinorUnits(read.text('amount_minor'));
  if (amount === null || amount > AMOUNT_MINOR_MAX)
    read.fail('amount_minor', 'a decimal string of minor units is needed');
  const parsed: CountersignatureClaims = {
    issuer: read.text('iss'),
    audience: read.text('aud'),
    id: read.id('jti'),
    issuedAtMs: read.seconds('iat'),
    expiresAtMs: read.seconds('exp'),
    decisionId: read.id('decision_id'),
    flow: read.oneOf('flow', FLOWS),
    cartHash: read.optionalText('cart_hash'),
    orderId: read.optionalText('order_id'),
    amountMinor: amount ?? 0n,
    currency: read.currency('currency'),
  };
  return read.fault === null ? ok(parsed) : err(read.fault);
}

const BOUND = [
  ['decision_id', 'decisionId'],
  ['flow', 'flow'],
  ['cart_hash', 'cartHash'],
  ['order_id', 'orderId'],
  ['amount_minor', 'amountMinor'],
  ['currency', 'currency'],
] as const satisfies readonly (readonly [string, keyof CountersignatureClaims])[];

/**
 * Every claim against the allow it is to stand for (facts/arbiter.md J6); null = it is about exactly this one, now.
 * Faults, in order: binding (`aud`, then every claim of the allow), not_before (issued ahead), expiry (ended, or lives
 * longer than the allow).
 */
export function countersignatureFault(
  claims: CountersignatureClaims,
  allow: CountersignedAllow,
  { atMs, aheadMsMax }: { readonly atMs: InstantMs; readonly aheadMsMax: number },
): ProofFault | null {
  if (claims.audience !== allow.tenantId)
    return fault('binding', 'aud', 'it is for another tenant');
  const other = BOUND.find(([, name]) => claims[name] !== allow[name]);
  if (other !== undefined) return fault('binding', other[0], 'it is about another allow');
  if (claims.issuedAtMs > atMs + aheadMsMax)
    return fault('not_before', 'iat', 'it is issued ahead');
  if (claims.expiresAtMs > allow.expiresAtMs)
    return fault('expiry', 'exp', 'it lives longer than the allow');
  return hasCountersignatureEnded(claims.expiresAtMs, allow.expiresAtMs, atMs)
    ? fault('expiry', 'exp', 'it has ended')
    : null;
}

/**
 * `exp` is exclusive and in whole seconds. One that names the last whole second of its allow ends with the allow, whose
 * own last millisecond is inclusive (facts/arbiter.md J1, J4): an authority cannot say more than that.
 */
export function hasCountersignatureEnded(
  expiresAtMs: InstantMs,
  allowExpiresAtMs: InstantMs,
  atMs: InstantMs,
): boolean {
  const isWholeLife = expiresAtMs === allowExpiresAtMs - (allowExpiresAtMs % 1_000);
  return isWholeLife ? atMs > allowExpiresAtMs : atMs >= expiresAtMs;
}
