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
import { type Ap2Sources, type FoundAp2, gatherAp2, type VerifiedAp2 } from './ap2-evidence.js';
import { ap2Facts } from './ap2-facts.js';
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

export interface AuthorityVerifierDependencies extends EvidenceSources, Ap2Sources {
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
    const [gathered, foreign] = await Promise.all([
      gatherEvidence(this.dependencies, request),
      gatherAp2(this.dependencies, request.evidence.foreign, request),
    ]);
    const chains = chainsOf(gathered);
    const named = { gathered, foreign, chains };
    const found = { ...named, lookup: await this.#lookUp(request, named) };
    const mandates = [...gathered.mandates, ...foreign];
    return {
      facts: authorityFactsOf(authorityOf(request, found)),
      presenceEvidence: mandates.some(({ state }) => state === 'unavailable')
        ? 'unavailable'
        : 'resolved',
      railClaims: railClaimsOf(found),
      sideWrites: inlineWrites(request, found),
      unresolved: unresolvedOf(found),
    };
  }

  /** Status of every token and of all ancestors in one question, and the commitments of the buyers. */
  async #lookUp(
    { tenantId, atMs, deadline }: AuthorityRequest,
    { gathered, foreign, chains }: Omit<Found, 'lookup'>,
  ): Promise<Lookup> {
    const goods = goodOnes(gathered, chains);
    const objects = verifiedAp2(foreign);
    const refs = [
      ...goods.flatMap(({ token, chain }) => [token.read.slot, ...(chain?.ancestors ?? [])]),
      ...objects.flatMap(({ slot, ancestors }) => [slot, ...ancestors]),
    ];
    const { statuses, database } = this.dependencies;
    const subjects = [
      ...goods.map(({ token }) => token.read.claims.subject),
      ...objects.flatMap(({ subject }) => subject ?? []),
    ];
    const [answers, buyers] = await Promise.all([
      statuses.check(tenantId, refs, { atMs, deadline }),
      withinDeadline(deadline, () => commitBuyers(database, tenantId, subjects)),
    ]);
    const byName = new Map(refs.map((ref, index) => [nameOf(ref), answers[index]]));
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
  readonly foreign: readonly FoundAp2[];
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
  const { gathered, foreign } = found;
  const mandates = [
    ...gathered.mandates.map((one) => mandateFactOf(one, found)),
    ...foreign.flatMap((one) => foreignFactsOf(one, found)),
  ];
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
  const isNamed = evidence.mandates.length + evidence.foreign.length > 0;
  const mandate = isNamed ? null : assertedMandate(asserted, purchase);
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

const verifiedAp2 = (foreign: readonly FoundAp2[]): readonly VerifiedAp2[] =>
  foreign.flatMap((one) => (one.state === 'verified' ? [one.ap2] : []));

function foreignFactsOf(one: FoundAp2, { lookup }: Found): readonly MandateFact[] {
  switch (one.state) {
    case 'unknown':
    case 'unavailable':
      return [missingMandate(one.ref)];
    case 'rejected':
      return [rejectedMandate({ compact: one.text, signature: wordOf(one.fault) })];
    case 'verified':
      return ap2Facts(one.ap2, {
        statusOf: lookup.statusOf,
        commitmentOf: (subject) => lookup.buyerOf(subject)?.commitment ?? null,
      });
  }
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
function railClaimsOf({ chains, foreign }: Found): RailClaims | null {
  // AP2 names an instrument and no rail; beside a native payment mandate nobody knows which of the two is charged.
  if (verifiedAp2(foreign).some(({ judged }) => judged.mandates.some(isPayment))) return null;
  const payments = [...chains].flatMap(([{ read }, { fault }]) =>
    fault === null && read.claims.kind === 'payment' ? [read.claims] : [],
  );
  const [only, second] = payments;
  if (only === undefined || second !== undefined || only.payment === null) return null;
  return { mandateRef: only.id, ...only.payment };
}

const isPayment = ({ kind }: { readonly kind: string }): boolean => kind === 'payment';

function unresolvedOf({ gathered, foreign }: Found): ResolvedAuthority['unresolved'] {
  const { mandates, consent, passport } = gathered;
  return [...mandates, ...foreign, consent, passport].flatMap((one) =>
    one?.state === 'unknown' || one?.state === 'unavailable'
      ? [{ ref: one.ref, why: one.state }]
      : [],
  );
}

/** Bytes and buyers of verified tokens that came with the request; registered ones are held already, or were erased. */
function inlineWrites(
  { tenantId }: AuthorityRequest,
  { gathered, foreign, chains, lookup }: Found,
): readonly SideWrite[] {
  const tokens = goodOnes(gathered, chains)
    .filter(({ token }) => token.knownSinceMs === null)
    .map(({ token }) => ({ text: token.read.compact, subject: token.read.claims.subject }));
  const objects = verifiedAp2(foreign).flatMap(({ inline, subject }) =>
    inline.flatMap((text) => (subject === null ? [] : [{ text, subject }])),
  );
  const buyers = new Set<SideWrite>();
  const documents = [...tokens, ...objects].flatMap(({ text, subject }) => {
    const buyer = lookup.buyerOf(subject);
    // INVARIANT: no bytes that name a buyer are kept without the commitment by which they can be erased.
    if (buyer === null) return [];
    if (buyer.write !== null) buyers.add(buyer.write);
    const bytes = Buffer.from(text, 'utf8');
    const document = { mediaType: 'application/jwt', bytes, erasable: true };
    return documentWrite(tenantId, { ...document, buyerCommitment: buyer.commitment }).write;
  });
  return [...documents, ...buyers];
}
