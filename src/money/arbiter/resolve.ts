import type { SideWrite } from '../../base/ledger/index.js';
import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { ArtifactFact, AuthorityFacts, PurchaseFacts } from '../../core/rules/index.js';
import type {
  AuthorityResolver,
  RailClaims,
  ResolvedAuthority,
} from '../../trust/buyer-authority/index.js';
import type { ArtifactResolver, ResolvedArtifacts } from '../../trust/facts/index.js';
import type { PurchaseAsk } from './ask.js';
import type { CheckedCart } from './cart.js';
import { authorityWithClaims } from './claims.js';

/** Time for finding facts, one budget for all of them (facts/arbiter.md E4). What is missing at its end refuses. */
export const FACTS_BUDGET_MS = 3_000;

/** What was found out about a purchase before the tenant's lock was taken. */
export interface ResolvedPurchase {
  readonly authority: AuthorityFacts;
  readonly presenceEvidence: PurchaseFacts['presenceEvidence'];
  readonly railClaims: RailClaims | null;
  readonly artifacts: readonly ArtifactFact[];
  readonly buyerCommitment: string | null;
  readonly sideWrites: readonly SideWrite[];
}

/** A buyer's name as it may be written down, and the erasable row that says whose it is (decisions 1.8). */
export interface CommittedBuyer {
  readonly commitment: string;
  readonly write: SideWrite;
}

export interface FactSources {
  readonly authority: AuthorityResolver;
  readonly artifacts: ArtifactResolver;
  commitBuyer(tenantId: TenantId, buyerReference: string): Promise<CommittedBuyer>;
}

/**
 * Looks up mandates, consent, passport and artifacts in parallel within {@link FACTS_BUDGET_MS}. What could not be found
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
  const [authority, artifacts, named] = await Promise.all([
    ask.authority === null
      ? NO_AUTHORITY
      : byDeadline(
          authorityWithClaims(sources.authority, ask.authority, { ...common, world: ask.world }),
          deadline,
          AUTHORITY_UNAVAILABLE,
        ),
    byDeadline(
      sources.artifacts.resolveArtifacts({
        ...common,
        lines: ask.cart.lines,
        named: ask.artifacts,
      }),
      deadline,
      NO_ARTIFACTS,
    ),
    ask.buyerReference === null ? null : sources.commitBuyer(tenantId, ask.buyerReference),
  ]);
  return {
    authority: authority.facts,
    presenceEvidence: authority.presenceEvidence,
    railClaims: authority.railClaims,
    artifacts: artifacts.artifacts.map((artifact) => withinCart(artifact, ask.cart)),
    buyerCommitment: buyerOf(authority.facts) ?? named?.commitment ?? null,
    sideWrites: [
      ...authority.sideWrites,
      ...artifacts.sideWrites,
      ...(named === null ? [] : [named.write]),
    ],
  };
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
const buyerOf = ({ passport, consent, mandates }: AuthorityFacts): string | null =>
  passport?.buyerCommitment ?? consent?.buyerCommitment ?? mandates[0]?.buyerCommitment ?? null;
