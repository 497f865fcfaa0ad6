import { invariant } from '../kernel/index.js';
import type { AuthorityFacts, ConsentFact, MandateFact, PassportFact } from '../rules/index.js';

/**
 * Whose word a purchase rests on (facts/arbiter.md F1). The two forms cannot be confused: `verified` is a class whose
 * constructor is private and whose maker, {@link makeVerifiedAuthority}, is imported by trust/buyer-authority alone
 * (a lint rule says so); a look-alike object does not have the private member and does not type-check.
 */
export type BuyerAuthority = VerifiedAuthority | CallerAssertedAuthority;

let construct: (
  mandates: readonly MandateFact[],
  consent: ConsentFact,
  passport: PassportFact,
) => VerifiedAuthority;

/** Mandates, consent and passport as our own verifier found them. All three kinds are there and speak of one buyer. */
export class VerifiedAuthority {
  readonly source = 'verified';
  readonly #madeByVerifier = true;

  private constructor(
    readonly mandates: readonly MandateFact[],
    readonly consent: ConsentFact,
    readonly passport: PassportFact,
  ) {}

  /** Whether a value really is one: structural copies are not. */
  static is(value: unknown): value is VerifiedAuthority {
    return typeof value === 'object' && value !== null && #madeByVerifier in value;
  }

  static {
    construct = (mandates, consent, passport) => new VerifiedAuthority(mandates, consent, passport);
  }
}

/** Whatever is not wholly verified: values of a body, or a set of tokens that is incomplete or does not belong together. */
export interface CallerAssertedAuthority {
  readonly source: 'caller_asserted';
  readonly mandates: readonly MandateFact[];
  readonly consent: ConsentFact | null;
  readonly passport: PassportFact | null;
}

export interface FoundAuthority {
  readonly mandates: readonly MandateFact[];
  readonly consent: ConsentFact | null;
  readonly passport: PassportFact | null;
  /** The consent that the passport says it rests on; null when there is no verified passport. */
  readonly passportConsentRef: string | null;
}

/**
 * The `verified` form if, and only if, at least one mandate, the consent and the passport are there, each with a
 * signature our verifier found valid, all of one buyer, and the passport rests on that very consent; null otherwise.
 * Not judged here: times, status, merchant, agent, amounts. Rules 1 to 3 do that at the instant of the decision.
 */
export function makeVerifiedAuthority(found: FoundAuthority): VerifiedAuthority | null {
  const { mandates, consent, passport, passportConsentRef } = found;
  if (mandates.length === 0 || consent === null || passport === null) return null;
  const all = [...mandates, consent, passport];
  if (!all.every((one) => one.source === 'verified' && one.signature === 'valid')) return null;
  const buyer = consent.buyerCommitment;
  if (buyer === null || !all.every((one) => one.buyerCommitment === buyer)) return null;
  if (passportConsentRef !== consent.ref) return null;
  return construct(mandates, consent, passport);
}

/** Everything else, explicitly. */
export const callerAsserted = ({
  mandates,
  consent,
  passport,
}: Omit<FoundAuthority, 'passportConsentRef'>): CallerAssertedAuthority => ({
  source: 'caller_asserted',
  mandates,
  consent,
  passport,
});

/** The plain record that rules read and the decision entry keeps. */
export function authorityFactsOf(authority: BuyerAuthority): AuthorityFacts {
  invariant(
    authority.source === 'caller_asserted' || VerifiedAuthority.is(authority),
    'verified authority is made by the verifier',
  );
  const { source, mandates, consent, passport } = authority;
  return { source, mandates, consent, passport };
}
