import type { Money } from '../../kernel/index.js';
import { type AfaEvidenceFact, type AfaMethod, type AfaRail, AFA_RAILS } from './facts.js';
import { deny, note, type AfaNote, type Remark, stepUp } from './remark.js';
import { BIOMETRIC_FOR_PIN, inForce } from './thresholds.js';

/** Life of an authentication of one payment (no rule of RBI is known; facts/payments.md 1.8). Inclusive. */
export const AFA_ONE_TIME_TTL_MS = 600_000;
/** Life of an authentication of a debit under a card mandate, which the buyer gives on a link. Inclusive. */
export const AFA_CARD_MANDATE_TTL_MS = 259_200_000;
/** How far the provider's clock may run ahead of ours. Inclusive. */
export const AFA_SKEW_MS = 30_000;

/** What the evidence must show for this payment. */
export interface EvidenceSpec {
  /** Null: not known; then the method of any rail fits. */
  readonly rail: AfaRail | null;
  readonly amount: Money;
  readonly coreHash: string;
  /** `exact` for a debit; `covers` where the buyer authenticated a cap (rows 1 and 3). */
  readonly amountBinding: 'exact' | 'covers';
  readonly payeeId: string | null;
  readonly mandateRef: string | null;
  /** UPI Circle: the primary user must have authenticated, not the secondary. Null: no such demand. */
  readonly payerRef: string | null;
  readonly ttlMs: number;
  /** The note that explains a pass. */
  readonly passes: AfaNote;
}

const UPI: readonly AfaRail[] = [
  'upi_autopay',
  'upi_otm',
  'upi_reserve_pay',
  'upi_circle_full',
  'upi_circle_partial',
  'upi_lite',
  'upi_once',
];
const CARDS: readonly AfaRail[] = ['card_emandate', 'card_once', 'card_once_xborder'];

/**
 * The rails on which a method shows factors at all (facts/payments.md 1.9). Frictionless 3-D Secure, a face check, a
 * static password, a Circle passcode and an agent's word never suffice, whatever factors are claimed beside them.
 */
const RAILS_OF_METHOD: Record<AfaMethod, readonly AfaRail[]> = {
  upi_pin: UPI,
  upi_device_biometric: UPI,
  aadhaar_face: [],
  sms_otp: [...CARDS, 'ppi_emandate', 'netbanking'],
  app_push_approve: [...CARDS, 'netbanking'],
  threeds_challenge: CARDS,
  threeds_frictionless: [],
  passkey_webauthn: AFA_RAILS,
  static_password: [],
  circle_passcode: [],
  agent_assertion: [],
  other: [],
};

const TRUSTED_SOURCES: readonly AfaEvidenceFact['assertedBy'][] = ['issuer', 'network', 'psp'];

/**
 * Checks E1 to E10 on evidence that is required. Absent members fail: evidence bound to nothing proves nothing.
 * Fresh evidence heals each of them except a reused reference, which is a replay and is denied.
 * Not checked here: whether the reference is claimed meanwhile; consumption claims it once more under the lock.
 */
export function checkEvidence(
  evidence: AfaEvidenceFact | null,
  spec: EvidenceSpec,
  atMs: number,
): readonly Remark[] {
  if (evidence === null) return [stepUp('afa_evidence_missing')];
  const remarks = [
    ...checkSource(evidence, spec),
    ...checkFactors(evidence, spec),
    ...checkAge(evidence, spec, atMs),
    ...checkBinding(evidence, spec),
    ...(evidence.claimedBefore ? [deny('afa_reference_reused')] : []),
    ...checkBiometricLimit(evidence, spec, atMs),
  ];
  return remarks.length === 0 ? [note(spec.passes)] : remarks;
}

/** E2. An OTP that went through the agent is the agent's word (note N5). */
function checkSource(evidence: AfaEvidenceFact, { payerRef }: EvidenceSpec): readonly Remark[] {
  const trusted =
    TRUSTED_SOURCES.includes(evidence.assertedBy) &&
    evidence.verification !== 'none' &&
    evidence.method !== 'agent_assertion' &&
    (payerRef === null || evidence.payerRefBound === payerRef);
  return trusted ? [] : [stepUp('afa_evidence_unverified')];
}

/** E3 and E4. Two factors of one class count as two only when one of them is dynamic: a card and its one-time code. */
function checkFactors(
  { method, factors }: AfaEvidenceFact,
  { rail }: EvidenceSpec,
): readonly Remark[] {
  const rails = RAILS_OF_METHOD[method];
  const shown = (rail === null ? rails.length > 0 : rails.includes(rail)) ? factors : [];
  const distinct = new Set(shown.map((factor) => `${factor.class}:${String(factor.dynamic)}`));
  return [
    ...(distinct.size < 2 ? [stepUp('afa_factors_insufficient')] : []),
    ...(shown.some((factor) => factor.dynamic) ? [] : [stepUp('afa_not_dynamic')]),
  ];
}

/** E5. */
function checkAge(
  { performedAtMs, expiresAtMs }: AfaEvidenceFact,
  { ttlMs }: EvidenceSpec,
  atMs: number,
): readonly Remark[] {
  if (performedAtMs !== null && performedAtMs > atMs + AFA_SKEW_MS) {
    return [stepUp('afa_in_future')];
  }
  const stale =
    performedAtMs === null ||
    atMs - performedAtMs > ttlMs ||
    (expiresAtMs !== null && atMs >= expiresAtMs);
  return stale ? [stepUp('afa_evidence_expired')] : [];
}

/** E6 to E8, and the cart, which evidence may name. Evidence counts only for the mandate it names (facts/arbiter.md H4), and with none named only for none. */
function checkBinding(evidence: AfaEvidenceFact, spec: EvidenceSpec): readonly Remark[] {
  const bound = evidence.amountBoundMinor;
  const { amountMinor, currency } = spec.amount;
  const amountFits =
    bound !== null &&
    (spec.amountBinding === 'exact' ? bound === amountMinor : bound >= amountMinor);
  return [
    ...(amountFits ? [] : [stepUp('afa_evidence_amount_mismatch')]),
    ...(evidence.currencyBound === currency ? [] : [stepUp('afa_currency_mismatch')]),
    ...(spec.payeeId !== null && evidence.payeeBound === spec.payeeId
      ? []
      : [stepUp('afa_payee_mismatch')]),
    ...(evidence.cartBound === null || evidence.cartBound === spec.coreHash
      ? []
      : [stepUp('afa_cart_mismatch')]),
    ...(evidence.mandateRefBound === spec.mandateRef
      ? []
      : [stepUp('afa_evidence_mandate_mismatch')]),
  ];
}

/** E10. Before the day on which banks might take a biometric for the PIN, none was taken. */
function checkBiometricLimit(
  { method }: AfaEvidenceFact,
  { amount }: EvidenceSpec,
  atMs: number,
): readonly Remark[] {
  if (method !== 'upi_device_biometric') return [];
  const limit = inForce(BIOMETRIC_FOR_PIN, atMs);
  return limit !== null && amount.amountMinor <= limit.limitMinor
    ? []
    : [stepUp('afa_biometric_limit')];
}
