import { documentWrite, type SideWrite } from '../../base/ledger/index.js';
import {
  authorityFactsOf,
  type BuyerAuthority,
  callerAsserted,
  makeVerifiedAuthority,
  type ProofFault,
  type TokenKind,
} from '../../core/proofs/index.js';
import { invariant } from '../../core/kernel/index.js';
import type { ConsentFact, MandateFact, PassportFact, StatusFact } from '../../core/rules/index.js';
import { withinDeadline } from '../peers/index.js';
import { type SlotQuestion, type StatusChecker, unavailableStatus } from '../status/index.js';
import { commitBuyers, type CommittedBuyer } from './buyers.store.js';
import type {
  AuthorityRequest,
  AuthorityResolver,
  RailClaims,
  ResolvedAuthority,
} from './contract.js';
import {
  assertedConsent,
  assertedMandate,
  assertedPassport,
  missingMandate,
  type Rejected,
  rejectedConsent,
  rejectedMandate,
  rejectedPassport,
  type Verified,
  verifiedConsent,
  verifiedMandate,
  verifiedPassport,
} from './credential-facts.js';
import {
  type Checked,
  type EvidenceSources,
  type Gathered,
  gatherEvidence,
  type Named,
} from './gather-evidence.js';
import { type MandateChain, parentStatusOf, walkChain } from './mandate-chain.js';

export interface AuthorityVerifierDependencies extends EvidenceSources {
  readonly statuses: StatusChecker;
}

/** A token of an issuer the tenant believes, and for a mandate the chain above it. */
interface Good {
  readonly token: Checked<TokenKind>;
  readonly chain: MandateChain | null;
}

/** Verifies mandates, consent and passport of one purchase and makes the one {@link BuyerAuthority} out of them. */
export class AuthorityVerifier implements AuthorityResolver {
  constructor(private readonly dependencies: AuthorityVerifierDependencies) {}

  async resolveAuthority(request: AuthorityRequest): Promise<ResolvedAuthority> {
    const gathered = await gatherEvidence(this.dependencies, request);
    const chains = chainsOf(gathered);
    const lookup = await this.#lookUp(request, gathered, chains);
    const authority = authorityOf(request, { gathered, chains, lookup });
    const unresolved = unresolvedOf(gathered);
    return {
      facts: authorityFactsOf(authority),
      presenceEvidence: gathered.mandates.some(({ state }) => state === 'unavailable')
        ? 'unavailable'
        : 'resolved',
      railClaims: railClaimsOf(chains),
      sideWrites: inlineWrites(request, { gathered, chains, lookup }),
      unresolved,
    };
  }

  /** Status of every token and of all ancestors in one question, and the commitments of the buyers. */
  async #lookUp(
    { tenantId, atMs, deadline }: AuthorityRequest,
    gathered: Gathered,
    chains: Chains,
  ): Promise<Lookup> {
    const goods = goodOnes(gathered, chains);
    const refs = goods.flatMap(({ token, chain }) => [
      token.read.slot,
      ...(chain?.ancestors ?? []),
    ]);
    const { statuses, database } = this.dependencies;
    const subjects = goods.map(({ token }) => token.read.claims.subject);
    const [answers, buyers] = await Promise.all([
      withinDeadline(deadline, () => statuses.check(tenantId, refs, atMs)),
      withinDeadline(deadline, () => commitBuyers(database, tenantId, subjects)),
    ]);
    const byName = new Map(refs.map((ref, index) => [nameOf(ref), answers?.[index]]));
    return {
      statusOf: (ref) => byName.get(nameOf(ref)) ?? unavailableStatus(ref),
      buyerOf: (buyerRef) => buyers?.get(buyerRef) ?? null,
    };
  }
}

type Chains = ReadonlyMap<Checked<'mandate'>, MandateChain>;

interface Lookup {
  readonly statusOf: (slot: SlotQuestion) => StatusFact;
  /** Null: the look-up was not done in time. */
  readonly buyerOf: (buyerRef: string) => CommittedBuyer | null;
}

interface Found {
  readonly gathered: Gathered;
  readonly chains: Chains;
  readonly lookup: Lookup;
}

const nameOf = ({ uri, index, lineage }: SlotQuestion): string => `${index} ${uri} ${lineage}`;

function chainsOf({ mandates, ancestors }: Gathered): Chains {
  const verified = mandates.flatMap((one) =>
    one.state === 'checked' && one.token.fault === null ? [one.token] : [],
  );
  return new Map(verified.map((token) => [token, walkChain(token, ancestors)]));
}

function goodOnes({ consent, passport }: Gathered, chains: Chains): readonly Good[] {
  const others = [consent, passport].flatMap((one) =>
    one?.state === 'checked' && one.token.fault === null ? [{ token: one.token, chain: null }] : [],
  );
  const mandates = [...chains].flatMap(([token, chain]) =>
    chain.fault === null ? [{ token, chain }] : [],
  );
  return [...mandates, ...others];
}

function authorityOf(request: AuthorityRequest, found: Found): BuyerAuthority {
  const { gathered } = found;
  const mandates = gathered.mandates.map((one) => mandateFactOf(one, found));
  const consent = consentFactOf(gathered.consent, found);
  const passport = passportFactOf(gathered.passport, found);
  const verified = makeVerifiedAuthority({
    mandates,
    consent,
    passport,
    passportConsentRef: consentRefOf(gathered.passport),
  });
  return verified ?? callerAsserted(withClaims(request, { mandates, consent, passport }));
}

const consentRefOf = (passport: Named<'passport'> | null): string | null =>
  passport?.state === 'checked' ? passport.token.read.claims.consentId : null;

/**
 * Fills what nobody gave evidence for with what the body claims. INVARIANT: a value of the body never stands where
 * evidence was named, good or bad (facts/arbiter.md F3).
 */
function withClaims(
  { asserted, evidence, merchantId, agentId, world, atMs }: AuthorityRequest,
  verified: {
    mandates: readonly MandateFact[];
    consent: ConsentFact | null;
    passport: PassportFact | null;
  },
) {
  if (asserted === null) return verified;
  const { mandates, consent, passport } = verified;
  const buyers = [...mandates, consent, passport].map((one) => one?.buyerCommitment ?? null);
  const buyer = buyers.find((one) => one !== null) ?? 'asserted';
  const purchase = { merchantId, agentId, world, atMs, buyerCommitment: buyer };
  const mandate = evidence.mandates.length === 0 ? assertedMandate(asserted, purchase) : null;
  return {
    mandates: mandate === null ? mandates : [mandate],
    consent: evidence.consent === null ? assertedConsent(asserted, purchase) : consent,
    passport: evidence.passport === null ? assertedPassport(asserted, purchase) : passport,
  };
}

const wordOf = ({ check }: ProofFault): Rejected['signature'] =>
  check === 'issuer_key' || check === 'issuer_key_state' ? 'issuer_untrusted' : 'invalid';

/** The token when it verified, the rejection when it did not, null when there is none to speak of. */
function judged<Kind extends TokenKind>(
  one: Named<Kind> | null,
): { readonly good: Checked<Kind> } | { readonly bad: Rejected } | null {
  if (one === null) return null;
  if ('token' in one) {
    const { read, fault } = one.token;
    return fault === null
      ? { good: one.token }
      : { bad: { compact: read.compact, signature: wordOf(fault) } };
  }
  return 'compact' in one ? { bad: { compact: one.compact, signature: wordOf(one.fault) } } : null;
}

const verifiedParts = (
  { claims, slot }: { claims: { subject: string }; slot: SlotQuestion },
  { statusOf, buyerOf }: Lookup,
): Verified => ({
  buyerCommitment: buyerOf(claims.subject)?.commitment ?? null,
  status: statusOf(slot),
});

function mandateFactOf(one: Named<'mandate'>, { chains, lookup }: Found): MandateFact {
  if (one.state === 'unknown' || one.state === 'unavailable') return missingMandate(one.ref);
  const outcome = judged(one);
  invariant(outcome !== null, 'a mandate that was found was read, well or badly');
  if ('bad' in outcome) return rejectedMandate(outcome.bad);
  const { read } = outcome.good;
  const chain = chains.get(outcome.good);
  const chainFault = chain?.fault ?? null;
  if (chainFault !== null)
    return rejectedMandate({ compact: read.compact, signature: wordOf(chainFault) });
  const ancestors = chain?.ancestors ?? [];
  return verifiedMandate(read.claims, {
    ...verifiedParts(read, lookup),
    buyerKeyBound: read.keyBinding !== null,
    intentRefs: chain?.intentIds ?? [],
    parentStatus: parentStatusOf(ancestors.map(lookup.statusOf), chain?.hasUnknownParent ?? false),
    ancestorSlots: ancestors.map(({ uri, index, lineage }) => ({ listUri: uri, index, lineage })),
  });
}

function consentFactOf(one: Named<'consent'> | null, { lookup }: Found): ConsentFact | null {
  const outcome = judged(one);
  if (outcome === null) return null;
  if ('bad' in outcome) return rejectedConsent(outcome.bad);
  const { read } = outcome.good;
  return verifiedConsent(read.claims, verifiedParts(read, lookup));
}

function passportFactOf(one: Named<'passport'> | null, { lookup }: Found): PassportFact | null {
  const outcome = judged(one);
  if (outcome === null) return null;
  if ('bad' in outcome) return rejectedPassport(outcome.bad);
  const { read } = outcome.good;
  return verifiedPassport(read.claims, verifiedParts(read, lookup));
}

/** INVARIANT: two payment mandates name no rail, whatever they say: the order of arrival never chooses what rule 8 reads. */
function railClaimsOf(chains: Chains): RailClaims | null {
  const payments = [...chains].flatMap(([{ read }, { fault }]) =>
    fault === null && read.claims.kind === 'payment' ? [read.claims] : [],
  );
  const [only, second] = payments;
  if (only === undefined || second !== undefined || only.payment === null) return null;
  return { mandateRef: only.id, ...only.payment };
}

function unresolvedOf({ mandates, consent, passport }: Gathered): ResolvedAuthority['unresolved'] {
  return [...mandates, consent, passport].flatMap((one) =>
    one?.state === 'unknown' || one?.state === 'unavailable'
      ? [{ ref: one.ref, why: one.state }]
      : [],
  );
}

/** Bytes and buyers of verified tokens that came with the request; registered ones are held already, or were erased. */
function inlineWrites(
  { tenantId }: AuthorityRequest,
  { gathered, chains, lookup }: Found,
): readonly SideWrite[] {
  const inline = goodOnes(gathered, chains).filter(({ token }) => token.knownSinceMs === null);
  const buyers = new Set<SideWrite>();
  const documents = inline.flatMap(({ token }) => {
    const { compact, claims } = token.read;
    const buyer = lookup.buyerOf(claims.subject);
    // INVARIANT: no bytes that name a buyer are kept without the commitment by which they can be erased.
    if (buyer === null) return [];
    if (buyer.write !== null) buyers.add(buyer.write);
    const bytes = Buffer.from(compact, 'utf8');
    const document = { mediaType: 'application/jwt', bytes, erasable: true };
    return documentWrite(tenantId, { ...document, buyerCommitment: buyer.commitment }).write;
  });
  return [...documents, ...buyers];
}
