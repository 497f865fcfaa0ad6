import type { SideWrite } from '../../base/ledger/index.js';
import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { ArtifactFact, AuthorityFacts, PurchaseFacts } from '../../core/rules/index.js';
import type {
  AuthorityRequest,
  AuthorityResolver,
  CommittedBuyer,
  RailClaims,
  ResolvedAuthority,
} from '../../trust/buyer-authority/index.js';
import type { ArtifactResolver, ResolvedArtifacts } from '../../trust/facts/index.js';
import {
  NO_RAIL,
  RAIL_UNAVAILABLE,
  type RailResolver,
  type ResolvedRail,
} from '../../trust/rail-evidence/index.js';
import type { PurchaseAsk } from './ask.js';
import type { CheckedCart } from './cart.js';
import { authorityWithClaims } from './claims.js';
import { railOf } from './rail.js';

/** Time for finding facts, one budget for all of them (facts/arbiter.md E4). What is missing at its end refuses. */
export const FACTS_BUDGET_MS = 3_000;

/** What was found out about a purchase before the tenant's lock was taken. */
export interface ResolvedPurchase {
  readonly authority: AuthorityFacts;
  readonly presenceEvidence: PurchaseFacts['presenceEvidence'];
  readonly railClaims: RailClaims | null;
  readonly rail: ResolvedRail;
  readonly artifacts: readonly ArtifactFact[];
  readonly buyerCommitment: string | null;
  readonly sideWrites: readonly SideWrite[];
}

export interface FactSources {
  readonly authority: AuthorityResolver;
  readonly artifacts: ArtifactResolver;
  readonly rail: RailResolver;
  commitBuyer(tenantId: TenantId, buyerReference: string): Promise<CommittedBuyer>;
}

/**
 * Looks up mandates, consent, passport and artifacts in parallel, then what payment providers reported about the payment
 * mandate, all within {@link FACTS_BUDGET_MS}. What could not be found
 * or was not there in time is data that the rules refuse. The merchant's limits, switch and profile are
 * not looked up here: they are read under the lock.
 */
export async function resolvePurchase(
  sources: FactSources,
  ask: PurchaseAsk,
  { tenantId, atMs }: { readonly tenantId: TenantId; readonly atMs: InstantMs },
): Promise<ResolvedPurchase> {
  const deadline = AbortSignal.timeout(FACTS_BUDGET_MS);
  const common = { tenantId, merchantId: ask.merchantId, agentId: ask.agentId, atMs, deadline };
  const [{ authority, rail }, artifacts] = await Promise.all([
    authorityAndRail(sources, ask, common),
    byDeadline(
      sources.artifacts.resolveArtifacts({
        ...common,
        lines: ask.cart.lines,
        named: ask.artifacts,
      }),
      deadline,
      NO_ARTIFACTS,
    ),
  ]);
  const certified = buyerOf(authority.facts);
  // INVARIANT: a name of the body that binds nothing is not kept.
  const named =
    ask.buyerReference === null || certified !== null
      ? null
      : await sources.commitBuyer(tenantId, ask.buyerReference);
  return {
    authority: authority.facts,
    presenceEvidence: authority.presenceEvidence,
    railClaims: authority.railClaims,
    rail,
    artifacts: artifacts.artifacts.map((artifact) => withinCart(artifact, ask.cart)),
    buyerCommitment: certified ?? named?.commitment ?? null,
    sideWrites: [
      ...authority.sideWrites,
      ...artifacts.sideWrites,
      ...(named === null || named.write === null ? [] : [named.write]),
    ],
  };
}

/** Which payment mandate a provider's reports have to be about is known only when the mandate has been verified. */
async function authorityAndRail(
  sources: Pick<FactSources, 'authority' | 'rail'>,
  { authority: named, world }: PurchaseAsk,
  common: Omit<AuthorityRequest, 'evidence' | 'asserted' | 'world'>,
): Promise<{ readonly authority: ResolvedAuthority; readonly rail: ResolvedRail }> {
  if (named === null) return { authority: NO_AUTHORITY, rail: NO_RAIL };
  const { deadline } = common;
  const authority = await byDeadline(
    authorityWithClaims(sources.authority, named, { ...common, world }),
    deadline,
    AUTHORITY_UNAVAILABLE,
  );
  const rail = await byDeadline(
    railOf(sources.rail, { named: named.rail, claims: authority.railClaims }, common),
    deadline,
    RAIL_UNAVAILABLE,
  );
  return { authority, rail };
}

/** No mandate, consent or passport: in a handoff nobody looks for one. */
const NO_AUTHORITY: ResolvedAuthority = {
  facts: { source: 'caller_asserted', mandates: [], consent: null, passport: null },
  presenceEvidence: 'resolved',
  railClaims: null,
  sideWrites: [],
  unresolved: [],
};
const AUTHORITY_UNAVAILABLE: ResolvedAuthority = {
  ...NO_AUTHORITY,
  presenceEvidence: 'unavailable',
};
const NO_ARTIFACTS: ResolvedArtifacts = { artifacts: [], sideWrites: [] };

/** INVARIANT: a source that overruns the budget decides nothing; the fallback refuses. */
async function byDeadline<Found>(
  search: Promise<Found>,
  deadline: AbortSignal,
  fallback: Found,
): Promise<Found> {
  const overrun = new Promise<Found>((resolve) => {
    deadline.addEventListener('abort', () => setImmediate(resolve, fallback), { once: true });
  });
  return Promise.race([search, overrun]);
}

/** A catalogue may name thousands of products; the rules look for those of the cart, so only those become facts. */
function withinCart(artifact: ArtifactFact, { lines }: CheckedCart): ArtifactFact {
  if (artifact.productRefs === null) return artifact;
  const wanted = new Set(lines.flatMap(({ productId, variantId }) => [productId, variantId]));
  return { ...artifact, productRefs: artifact.productRefs.filter((ref) => wanted.has(ref)) };
}

/** The buyer an allow is bound to: who the credentials say, never replaced by who the body says. */
const buyerOf = (authority: AuthorityFacts): string | null => buyersOf(authority)[0] ?? null;

/** Every buyer the credentials name, the passport's first; of good ones there is only one. */
export const buyersOf = ({ passport, consent, mandates }: AuthorityFacts): readonly string[] =>
  [passport, consent, ...mandates].flatMap((one) => one?.buyerCommitment ?? []);

/** Whom the decision will speak of, in commitments; erased ones void what was found out. */
export const commitmentsOf = ({
  authority,
  buyerCommitment,
}: Pick<ResolvedPurchase, 'authority' | 'buyerCommitment'>): readonly string[] => [
  ...new Set([...buyersOf(authority), ...(buyerCommitment === null ? [] : [buyerCommitment])]),
];
