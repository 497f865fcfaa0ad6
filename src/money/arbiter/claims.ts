import type {
  AssertedAuthority,
  AuthorityEvidence,
  AuthorityRequest,
  AuthorityResolver,
  ResolvedAuthority,
} from '../../trust/buyer-authority/index.js';

/**
 * Resolves what was named; where nobody registered a reference but the caller claimed values for it, the claim counts
 * instead, as `caller_asserted`. So a forged body is told that nobody vouches for it (rule 4), and a registered
 * credential is never replaced or widened by a claim (facts/arbiter.md F3).
 */
export async function authorityWithClaims(
  resolver: AuthorityResolver,
  named: { readonly evidence: AuthorityEvidence; readonly asserted: AssertedAuthority | null },
  common: Omit<AuthorityRequest, 'evidence' | 'asserted'>,
): Promise<ResolvedAuthority> {
  const resolved = await resolver.resolveAuthority({ ...common, ...named });
  if (named.asserted === null) return resolved;
  const unknown = new Set(
    resolved.unresolved.filter(({ why }) => why === 'unknown').map(({ ref }) => ref),
  );
  const claimed = dropUnknown(named.evidence, named.asserted, unknown);
  if (claimed === null) return resolved;
  return resolver.resolveAuthority({ ...common, ...claimed });
}

/** The same request with the unknown references as claims; null when no unknown reference has claimed values. */
function dropUnknown(
  evidence: AuthorityEvidence,
  asserted: AssertedAuthority,
  unknown: ReadonlySet<string>,
): { evidence: AuthorityEvidence; asserted: AssertedAuthority } | null {
  const { mandates, consent, passport } = evidence;
  const [mandate] = mandates;
  const moves = {
    mandate:
      asserted.mandateExpiresAtMs !== null && mandates.every((ref) => unknown.has(ref))
        ? mandate
        : undefined,
    consent:
      consent !== null &&
      unknown.has(consent) &&
      (asserted.consentState !== null || asserted.consentExpiresAtMs !== null)
        ? consent
        : undefined,
    passport:
      passport !== null && unknown.has(passport) && asserted.passportMaxAmountMinor !== null
        ? passport
        : undefined,
  };
  if (Object.values(moves).every((ref) => ref === undefined)) return null;
  return {
    evidence: {
      mandates: moves.mandate === undefined ? mandates : [],
      foreign: evidence.foreign,
      consent: moves.consent === undefined ? consent : null,
      passport: moves.passport === undefined ? passport : null,
    },
    asserted: {
      ...asserted,
      mandateRef: moves.mandate ?? asserted.mandateRef,
      consentRef: moves.consent ?? asserted.consentRef,
      passportRef: moves.passport ?? asserted.passportRef,
    },
  };
}
