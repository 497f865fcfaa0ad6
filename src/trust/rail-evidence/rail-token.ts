import { createHash } from 'node:crypto';
import { err, ok, type Result } from '../../core/kernel/index.js';
import {
  fault,
  parseAfaEvidenceClaims,
  parsePaymentMandateClaims,
  parsePreDebitNoticeClaims,
  parseToken,
  type ProofFault,
  RAIL_TYPS,
  type RailClaimsOf,
  type RailKind,
  type UncheckedJws,
} from '../../core/proofs/index.js';
import { audienceFault, issuerFault, type TokenTrust } from '../buyer-authority/index.js';
import { issuerKeyIdOf, type IssuerKeyRole } from '../peers/index.js';

/** The role of the keys that vouch for what happened on a payment rail (decisions 3.10). */
export const RAIL_ROLE: IssuerKeyRole = 'psp_evidence';

/** A report of which form and claims were read; nothing is verified yet. */
export interface ReadRailToken<Kind extends RailKind> {
  readonly kind: Kind;
  readonly compact: string;
  readonly documentSha256: string;
  readonly claims: RailClaimsOf[Kind];
  readonly kid: string;
  readonly issuerKeyId: string;
  readonly jws: UncheckedJws;
}

const CLAIMS_OF: {
  readonly [Kind in RailKind]: (
    claims: Readonly<Record<string, unknown>>,
  ) => Result<RailClaimsOf[Kind], ProofFault>;
} = {
  afa_evidence: parseAfaEvidenceClaims,
  pre_debit_notice: parsePreDebitNoticeClaims,
  payment_mandate: parsePaymentMandateClaims,
};

/** Reads one compact token. Faults, in order: those of parseToken (a missing kid counts as shape), of the claims of its kind. */
export function readRailToken<Kind extends RailKind>(
  kind: Kind,
  compact: string,
): Result<ReadRailToken<Kind>, ProofFault> {
  const jws = parseToken(compact, RAIL_TYPS[kind]);
  if (!jws.ok) return jws;
  const { kid } = jws.value.header;
  if (kid === null) return err(fault('shape', 'header.kid', 'a token names the key of its issuer'));
  const claims = CLAIMS_OF[kind](jws.value.claims);
  if (!claims.ok) return claims;
  return ok({
    kind,
    compact,
    documentSha256: createHash('sha256').update(compact, 'utf8').digest('hex'),
    claims: claims.value,
    kid,
    issuerKeyId: issuerKeyIdOf(claims.value.issuer, kid),
    jws: jws.value,
  });
}

/**
 * Verifies one report that was read; null = a provider that the tenant believes said this, to us. Faults, in order:
 * issuer_key (unknown or of another role), issuer_key_state, algorithm, signature, binding (audience, tenant).
 * Not judged here: times, and whether a newer report is known.
 */
export async function verifyRailToken(
  { jws, claims }: ReadRailToken<RailKind>,
  trust: TokenTrust,
): Promise<ProofFault | null> {
  const issuer = await issuerFault({ jws, claims, role: RAIL_ROLE }, trust);
  return issuer ?? audienceFault(claims, trust.tenantId);
}
