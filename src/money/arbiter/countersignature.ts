import { err, ok, type ReasonOf, type Result, type TenantId } from '../../core/kernel/index.js';
import {
  COUNTERSIGNATURE_TYPS,
  type CountersignatureClaims,
  type CountersignedAllow,
  countersignatureFault,
  fault,
  hasCountersignatureEnded,
  keyStateFor,
  parseCountersignatureClaims,
  parseToken,
  type ProofFault,
  type UncheckedToken,
  type VerificationKey,
} from '../../core/proofs/index.js';
import { ISSUED_AHEAD_MS_MAX } from '../../core/rules/index.js';
import { cell, type CellRef, type CellView } from '../../base/ledger/index.js';
import {
  issuerKeyIdOf,
  type IssuerKeys,
  issuerKeys,
  keyStateFault,
  type SignatureChecker,
} from '../../trust/peers/index.js';
import type { AllowRow } from './allow.events.js';

/** Whose countersignatures count: issuers with a key of this role among the tenant's, the trust authority among them. */
export interface CountersignatureTrust {
  readonly issuerKeys: Pick<IssuerKeys, 'find'>;
  readonly checker: SignatureChecker;
}

/** A countersignature that was verified, with its exact bytes. */
export interface VerifiedCountersignature {
  readonly jws: string;
  readonly kid: string;
  readonly claims: CountersignatureClaims;
}

/**
 * Verifies one countersignature against the allow it came for (facts/arbiter.md J6). Faults, in order: those of
 * parseToken (`none`, `jku`, `x5u` and the like among them), shape (no kid, claims), issuer_key (unknown, or of another
 * role), algorithm (not the key's), issuer_key_state, signature, those of {@link countersignatureFault}.
 */
export async function verifyCountersignature(
  trust: CountersignatureTrust,
  {
    jws,
    allow,
    atMs,
  }: { jws: string; allow: CountersignedAllow & { tenantId: TenantId }; atMs: number },
): Promise<Result<VerifiedCountersignature, ProofFault>> {
  const token = parseToken(jws, COUNTERSIGNATURE_TYPS);
  if (!token.ok) return token;
  const { kid } = token.value.header;
  if (kid === null) return err(fault('shape', 'header.kid', 'it names no key'));
  const claims = parseCountersignatureClaims(token.value.claims);
  if (!claims.ok) return claims;
  const { tenantId } = allow;
  const key = await keyFor(trust, { tenantId, kid, claims: claims.value, atMs });
  if (!key.ok) return key;
  const wrong =
    (await signatureFault(trust, { tenantId, key: key.value, token: token.value })) ??
    countersignatureFault(claims.value, allow, { atMs, aheadMsMax: ISSUED_AHEAD_MS_MAX });
  return wrong === null ? ok({ jws, kid, claims: claims.value }) : err(wrong);
}

async function keyFor(
  { issuerKeys: known }: CountersignatureTrust,
  asked: { tenantId: TenantId; kid: string; claims: CountersignatureClaims; atMs: number },
): Promise<Result<VerificationKey, ProofFault>> {
  const { tenantId, kid, claims, atMs } = asked;
  const unknown = err(fault('issuer_key', 'kid', 'no key of this issuer may countersign here'));
  const keyId = issuerKeyIdOf(claims.issuer, kid);
  const found = (await known.find(tenantId, [keyId])).get(keyId);
  if (found?.role !== 'countersign') return unknown;
  const { issuedAtMs } = claims;
  const state = keyStateFault(found, { issuedAtMs, knownSinceMs: null, atMs });
  return state === null ? ok(found.key) : err(state);
}

async function signatureFault(
  { checker }: CountersignatureTrust,
  { tenantId, key, token }: { tenantId: TenantId; key: VerificationKey; token: UncheckedToken },
): Promise<ProofFault | null> {
  if (token.header.alg !== key.alg)
    return fault('algorithm', 'header.alg', 'it is not the algorithm of this key');
  const { signingInput, signature } = token;
  const valid = await checker.isValid({ tenantId, key, signingInput, signature });
  return valid ? null : fault('signature', 'signature', 'it is not the signature of this key');
}

/** The cells by which {@link useFaultOfCountersignature} sees whether its key still counts. */
export function countersignatureCells({
  countersignatureIssuer: issuer,
  countersignatureKid: kid,
}: AllowRow): readonly CellRef[] {
  if (issuer === null || kid === null) return [];
  return [cell(issuerKeys, issuerKeyIdOf(issuer, kid))];
}

/**
 * Whether the countersignature lets an allow be used now, under the lock; its bytes and claims were verified when it was
 * attached. Null = it does, or none is needed (test world, facts/arbiter.md J8). One that is there counts in every world.
 */
export function useFaultOfCountersignature(
  allow: AllowRow,
  { view, atMs, isLive }: UseInstant,
): ReasonOf<'allow_use'> | null {
  const { countersignatureIssuer: issuer, countersignatureKid: kid } = allow;
  const { countersignatureExpiresAtMs: expiresAtMs, countersignatureIssuedAtMs: issuedAtMs } =
    allow;
  if (issuer === null || kid === null || expiresAtMs === null || issuedAtMs === null)
    return isLive ? 'grantex_countersignature_missing' : null;
  const { countersignedAtMs: knownSinceMs } = allow;
  const times = { issuedAtMs, knownSinceMs, atMs };
  const keyCounts = issuerKeyCounts(view, issuerKeyIdOf(issuer, kid), times);
  return keyCounts && !hasCountersignatureEnded(expiresAtMs, allow.expiresAtMs, atMs)
    ? null
    : 'grantex_countersignature_invalid';
}

export interface UseInstant {
  readonly view: CellView;
  readonly atMs: number;
  readonly isLive: boolean;
}

function issuerKeyCounts(
  view: CellView,
  issuerKeyId: string,
  times: Parameters<typeof keyStateFor>[1],
): boolean {
  const row = view.get(issuerKeys, [issuerKeyId]);
  return row?.role === 'countersign' && keyStateFor(row, times) === 'usable';
}
