import {
  type CanonicalValue,
  codec,
  type Decoded,
  invariant,
  type Money,
} from '../../core/kernel/index.js';

export type CredentialKind = 'consent' | 'mandate' | 'passport' | 'registration';

/** What the authority keeps of every credential it issued, in the `terms` of its object. */
const issued = {
  /** The token, a document: of a registration the object's own digest is that of the foreign bytes. */
  tokenSha256: codec.text,
  /** Salted digest of what was asked for: a repeat under a chosen id is known by it. */
  grant: codec.text,
  issuedAtMs: codec.instant,
};

/** Of mandates and registrations; what they are measured by stands in the object's `mandate`. */
export const treeTerms = codec.record({ ...issued });

/** `buyerKey`: the public key that withdrawal proofs are verified with. `maxAmount` null = the buyer named none. */
export const consentTerms = codec.record({
  ...issued,
  state: codec.oneOf('granted', 'denied'),
  agentId: codec.text,
  subjectCommitment: codec.text,
  scopes: codec.list(codec.text),
  maxAmount: codec.nullable(codec.money),
  buyerKey: codec.nullable(codec.opaque),
});
export type ConsentTerms = Decoded<typeof consentTerms>;

export const passportTerms = codec.record({
  ...issued,
  passportType: codec.oneOf('browse', 'checkout'),
  agentId: codec.text,
  subjectCommitment: codec.text,
  scopes: codec.list(codec.text),
  maxAmount: codec.nullable(codec.money),
});
export type PassportTerms = Decoded<typeof passportTerms>;

/** What {@link issued} says of an object; null = it was registered with its slot, not issued here. */
export function issuedHere(
  terms: CanonicalValue,
): { readonly tokenSha256: string; readonly grant: string; readonly issuedAt: string } | null {
  if (typeof terms !== 'object' || terms === null || Array.isArray(terms)) return null;
  const {
    token_sha256: tokenSha256,
    grant,
    issued_at: issuedAt,
  } = terms as Partial<Readonly<Record<string, CanonicalValue>>>;
  if (typeof tokenSha256 !== 'string') return null;
  invariant(
    typeof grant === 'string' && typeof issuedAt === 'string',
    'what was issued here says when, and what was asked for',
  );
  return { tokenSha256, grant, issuedAt };
}

/** Money as a canonical value, for digests. */
export const moneyText = (money: Money | null): CanonicalValue =>
  money === null ? null : codec.money.encode(money);
