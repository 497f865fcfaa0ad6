import { err, type InstantMs, ok, type Result, type TenantId } from '../../core/kernel/index.js';
import {
  COMMERCE_AUDIENCE,
  type ConsentClaims,
  fault,
  type MandateClaims,
  parseConsentClaims,
  parseKeyBinding,
  parseMandateClaims,
  parsePassportClaims,
  parseToken,
  type PassportClaims,
  type ProofFault,
  splitMandate,
  TOKEN_TYPS,
  type TokenKind,
  type UncheckedJws,
  type UncheckedKeyBinding,
  type VerificationKey,
} from '../../core/proofs/index.js';
import { ISSUED_AHEAD_MS_MAX } from '../../core/rules/index.js';
import {
  type IssuerKey,
  issuerKeyIdOf,
  type IssuerKeyRole,
  keyStateFault,
  type SignatureChecker,
} from '../peers/index.js';
import type { SlotQuestion } from '../status/index.js';

export interface ClaimsOf {
  readonly mandate: MandateClaims;
  readonly consent: ConsentClaims;
  readonly passport: PassportClaims;
}

/** Which role a key needs to vouch for each kind of token. */
const ROLE_OF: Readonly<Record<TokenKind, IssuerKeyRole>> = {
  mandate: 'credential_issuer',
  consent: 'consent',
  passport: 'passport',
};

const CLAIMS_OF: {
  readonly [Kind in TokenKind]: (
    claims: Readonly<Record<string, unknown>>,
  ) => Result<ClaimsOf[Kind], ProofFault>;
} = {
  mandate: parseMandateClaims,
  consent: parseConsentClaims,
  passport: parsePassportClaims,
};

/** A token of which form and claims were read; nothing is verified yet. */
export interface ReadToken<Kind extends TokenKind> {
  readonly kind: Kind;
  readonly compact: string;
  readonly claims: ClaimsOf[Kind];
  readonly kid: string;
  readonly issuerKeyId: string;
  readonly jws: UncheckedJws;
  readonly keyBinding: UncheckedKeyBinding | null;
  /** Where its status stands, asked for as this very token. */
  readonly slot: SlotQuestion;
}

/** The name under which a token takes its slot. */
export const tokenLineage = (kind: TokenKind, id: string): string => `${kind}|${id}`;

/**
 * Reads one compact token. Faults, in order: those of parseToken (a missing kid counts as shape), of the claims of its
 * kind, of the key binding behind a mandate.
 */
export function readToken<Kind extends TokenKind>(
  kind: Kind,
  compact: string,
): Result<ReadToken<Kind>, ProofFault> {
  const parts = kind === 'mandate' ? splitMandate(compact) : ok({ token: compact, binding: null });
  if (!parts.ok) return parts;
  const { token, binding } = parts.value;
  const jws = parseToken(token, TOKEN_TYPS[kind]);
  if (!jws.ok) return jws;
  const { kid } = jws.value.header;
  if (kid === null) return err(fault('shape', 'header.kid', 'a token names the key of its issuer'));
  const claims = CLAIMS_OF[kind](jws.value.claims);
  if (!claims.ok) return claims;
  const keyBinding = binding === null ? ok(null) : parseKeyBinding(binding, token);
  if (!keyBinding.ok) return keyBinding;
  const issuerKeyId = issuerKeyIdOf(claims.value.issuer, kid);
  return ok({
    kind,
    compact,
    claims: claims.value,
    kid,
    issuerKeyId,
    jws: jws.value,
    keyBinding: keyBinding.value,
    slot: {
      ...claims.value.status,
      lineage: tokenLineage(kind, claims.value.id),
      issuer: claims.value.issuer,
    },
  });
}

export interface TokenTrust {
  readonly tenantId: TenantId;
  /** The key that the token names, as the tenant believes it; undefined = it does not. */
  readonly issuerKey: IssuerKey | undefined;
  readonly checker: SignatureChecker;
  /** When exactly this token was registered here; null = it comes with the request. */
  readonly knownSinceMs: InstantMs | null;
  readonly atMs: InstantMs;
}

/**
 * Verifies one token that was read; null = its issuer said this, to us. Faults, in order: those of
 * {@link issuerFault}, signature (the buyer's key binding), those of {@link audienceFault}.
 * Not judged here: times, status, merchant, agent, amounts, and whether a mandate stays within its parent.
 */
export async function verifyToken<Kind extends TokenKind>(
  read: ReadToken<Kind>,
  trust: TokenTrust,
): Promise<ProofFault | null> {
  const { jws, claims } = read;
  const issuer = await issuerFault({ jws, claims, role: ROLE_OF[read.kind] }, trust);
  if (issuer !== null) return issuer;
  const bound = await keyBindingFault(read, trust);
  return bound ?? audienceFault(claims, trust.tenantId);
}

/** Faults, in order: issuer_key (unknown or of another role), issuer_key_state, algorithm (another one than the key's), signature. */
export async function issuerFault(
  {
    jws,
    claims,
    role,
  }: {
    readonly jws: UncheckedJws;
    readonly claims: { readonly issuedAtMs: InstantMs };
    readonly role: IssuerKeyRole;
  },
  trust: TokenTrust,
): Promise<ProofFault | null> {
  const { issuerKey, knownSinceMs, atMs } = trust;
  if (issuerKey === undefined)
    return fault('issuer_key', 'header.kid', 'the tenant has no such issuer key');
  if (issuerKey.role !== role)
    return fault('issuer_key', 'header.kid', `the key has the role ${issuerKey.role}`);
  const { issuedAtMs } = claims;
  const state = keyStateFault(issuerKey, { issuedAtMs, knownSinceMs, atMs });
  return state ?? signatureFault(jws, issuerKey.key, trust);
}

/** Fault: binding (the token is for somebody else, or of another tenant). */
export function audienceFault(
  claims: { readonly audiences: readonly string[]; readonly tenantId: string },
  tenantId: TenantId,
): ProofFault | null {
  if (!isForUs(claims.audiences, tenantId))
    return fault('binding', 'aud', `the audience is ${COMMERCE_AUDIENCE} or the tenant's id`);
  return claims.tenantId === tenantId
    ? null
    : fault('binding', 'tenant_id', 'the token is of another tenant');
}

/** A key whose state is judged later, under the lock: at first only whether the signature is its. */
export const inWhateverState = (key: IssuerKey): IssuerKey => ({
  ...key,
  notBeforeAtMs: Number.MIN_SAFE_INTEGER,
  retiredAtMs: null,
  compromisedSinceAtMs: null,
});

const isForUs = (audiences: readonly string[], tenantId: TenantId): boolean =>
  audiences.includes(COMMERCE_AUDIENCE) || audiences.includes(tenantId);

/** Faults, in order: algorithm (another one than the key's), signature. */
export async function signatureFault(
  jws: UncheckedJws,
  key: VerificationKey,
  { tenantId, checker }: Pick<TokenTrust, 'tenantId' | 'checker'>,
): Promise<ProofFault | null> {
  if (jws.header.alg !== key.alg)
    return fault('algorithm', 'header.alg', `this key signs with ${key.alg}`);
  const { signingInput, signature } = jws;
  return (await checker.isValid({ tenantId, key, signingInput, signature }))
    ? null
    : fault('signature', null, 'the signature is not of this key over these bytes');
}

/** The buyer says to have signed later than now, or null. */
export const keyBindingAhead = (
  keyBinding: UncheckedKeyBinding | null,
  atMs: InstantMs,
): ProofFault | null =>
  keyBinding !== null && keyBinding.issuedAtMs > atMs + ISSUED_AHEAD_MS_MAX
    ? fault('not_before', 'key_binding.iat', 'the key binding says that it was made in the future')
    : null;

/** INVARIANT: a key binding that does not hold spoils the mandate; it is never just left out. */
async function keyBindingFault(
  { kind, claims, keyBinding }: ReadToken<TokenKind>,
  trust: TokenTrust,
): Promise<ProofFault | null> {
  if (keyBinding === null || kind !== 'mandate') return null;
  const { buyerKey, issuedAtMs } = claims as MandateClaims;
  if (buyerKey === null)
    return fault('signature', 'cnf', 'a key binding needs the buyer key that cnf.jwk names');
  const signature = await signatureFault(keyBinding.jws, buyerKey, trust);
  if (signature !== null) return { ...signature, member: 'key_binding' };
  if (keyBinding.issuedAtMs < issuedAtMs)
    return fault('signature', 'key_binding.iat', 'the buyer signed before the mandate was issued');
  const ahead = keyBindingAhead(keyBinding, trust.atMs);
  if (ahead !== null) return ahead;
  return isForUs(keyBinding.audiences, trust.tenantId)
    ? null
    : fault('binding', 'key_binding.aud', 'the key binding is for somebody else');
}
