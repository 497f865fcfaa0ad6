import { createHash } from 'node:crypto';
import type { SideWrite } from '../../base/ledger/index.js';
import { documentWrite } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type Artifact, parseArtifact, PER_VARIANT_TYPES } from '../../core/proofs/index.js';
import {
  type ArtifactFact,
  type ArtifactVerdict,
  REQUIRED_ARTIFACT_TYPES,
  type StatusFact,
} from '../../core/rules/index.js';
import {
  type IssuerKeys,
  issuerKeyIdOf,
  type SignatureChecker,
  withinDeadline,
} from '../peers/index.js';
import { type StatusChecker, unavailableStatus } from '../status/index.js';
import { artifactFactOf, unreadableFact } from './artifact-fact.js';
import { findArtifacts, findCurrentArtifacts, type StoredArtifact } from './artifacts.store.js';
import {
  type ArtifactRequest,
  type ArtifactResolver,
  NAMED_ARTIFACTS_MAX,
  type ResolvedArtifacts,
} from './contract.js';
import { lineageOf } from './lineage-of.js';
import { ParsedArtifacts } from './parsed-artifacts.js';
import type { CartReading, PublishedFacts } from './publishing/published-facts.js';
import { verifyArtifact } from './verify-artifact.js';

/** One artifact on its way to being a fact: readable, or a fact already that says why not. */
type Candidate =
  | { readonly artifact: Artifact; readonly knownSinceMs: number | null }
  | { readonly unreadable: ArtifactFact };

/** Whose purchase is judged, and when. */
type Judging = Omit<ArtifactRequest, 'lines' | 'named'>;

export interface ArtifactResolverDependencies {
  readonly database: Queryable;
  readonly issuerKeys: IssuerKeys;
  readonly checker: SignatureChecker;
  readonly statuses: StatusChecker;
  readonly published: Pick<PublishedFacts, 'ofCart'>;
}

/** Turns what a purchase names, and what it needs, into facts. Every artifact is verified again from its bytes. */
export class StoredArtifactResolver implements ArtifactResolver {
  readonly #parsed = new ParsedArtifacts();

  constructor(private readonly dependencies: ArtifactResolverDependencies) {}

  async resolveArtifacts(request: ArtifactRequest): Promise<ResolvedArtifacts> {
    const named = await this.#named(request);
    const needed = await this.#needed(request, named);
    const artifacts = await this.#facts(request, [...named, ...needed]);
    return { artifacts, sideWrites: inlineDocuments(request, named) };
  }

  /** Registered artifacts, in their order, as the rules would see them in a purchase of any agent. */
  factsOf(judging: Judging, stored: readonly StoredArtifact[]): Promise<readonly ArtifactFact[]> {
    return this.#facts(
      judging,
      stored.map((one) => this.#stored(one)),
    );
  }

  async #facts(
    judging: Judging,
    candidates: readonly Candidate[],
  ): Promise<readonly ArtifactFact[]> {
    const verdicts = await this.#verdicts(judging, candidates);
    const statuses = await this.#statuses(judging, candidates);
    return candidates.map((candidate, index) =>
      'unreadable' in candidate
        ? candidate.unreadable
        : artifactFactOf(candidate.artifact, {
            verdict: verdicts[index] ?? 'artifact_missing_or_invalid',
            status: statuses[index] ?? unavailableStatus(candidate.artifact.status),
          }),
    );
  }

  async #named({ tenantId, named, deadline }: ArtifactRequest): Promise<readonly Candidate[]> {
    const read = named.slice(0, NAMED_ARTIFACTS_MAX).map((one) => ({
      one,
      inline: typeof one === 'string' ? null : parseArtifact(one),
    }));
    const ids = read.flatMap(({ one, inline }) => {
      if (inline === null) return typeof one === 'string' ? [one] : [];
      return inline.ok ? [inline.value.id] : [];
    });
    const { database } = this.dependencies;
    const stored = await withinDeadline(deadline, () => findArtifacts(database, tenantId, ids));
    return read.map(({ one, inline }) => {
      const unreadable = { unreadable: unreadableFact(one) };
      if (inline === null) {
        const found = typeof one === 'string' ? stored?.get(one) : undefined;
        return found === undefined ? unreadable : this.#stored(found);
      }
      // INVARIANT: an id that is registered names one artifact: no second one escapes what was withdrawn under it.
      return inline.ok && stored !== null && isFreeFor(inline.value, stored.get(inline.value.id))
        ? { artifact: inline.value, knownSinceMs: null }
        : unreadable;
    });
  }

  async #needed(
    request: ArtifactRequest,
    named: readonly Candidate[],
  ): Promise<readonly Candidate[]> {
    const { tenantId, merchantId, lines, deadline, atMs } = request;
    const variants = [...new Set(lines.map(({ variantId }) => variantId))];
    const published = await this.#published(
      { tenantId, merchantId, variantIds: variants, atMs, deadline },
      named,
    );
    const have = new Set([...named, ...published].map(placeOf));
    // Snapshots of single products stand for the whole catalogue only where they name all of the cart.
    if (
      !named.some(isCatalog) &&
      !lines.every(({ productId }) => namesProduct(published, productId))
    )
      have.delete('catalog_snapshot ');
    const places = REQUIRED_ARTIFACT_TYPES.flatMap((type) =>
      (PER_VARIANT_TYPES.has(type) ? variants : ['']).map((variantId) => ({ type, variantId })),
    ).filter(({ type, variantId }) => !have.has(`${type} ${variantId}`));
    const { database } = this.dependencies;
    const found = await withinDeadline(deadline, () =>
      findCurrentArtifacts(database, tenantId, { merchantId, places }),
    );
    return [...published, ...(found ?? []).map((stored) => this.#stored(stored))];
  }

  /** What the catalogue publishes of this cart, but for what the request names itself. */
  async #published(
    reading: CartReading,
    named: readonly Candidate[],
  ): Promise<readonly Candidate[]> {
    const have = new Set(named.filter((one) => !isCatalog(one)).map(placeOf));
    const standing = await this.dependencies.published.ofCart(reading);
    return standing
      .filter(
        ({ lineage }) =>
          lineage.artifactType !== 'catalog_snapshot' || !namesProduct(named, lineage.subject),
      )
      .map(({ stored }) => this.#stored(stored))
      .filter((candidate) => !have.has(placeOf(candidate)));
  }

  #stored({ row, envelopeText }: StoredArtifact): Candidate {
    const artifact = envelopeText === null ? null : this.#parsed.parse(envelopeText);
    return artifact === null
      ? {
          unreadable: unreadableFact({
            artifact_id: row.artifactId,
            artifact_type: row.artifactType,
          }),
        }
      : { artifact, knownSinceMs: row.registeredAtMs };
  }

  async #verdicts(
    request: Judging,
    candidates: readonly Candidate[],
  ): Promise<readonly ArtifactVerdict[]> {
    const { tenantId, merchantId, agentId, atMs, deadline } = request;
    const { issuerKeys, checker } = this.dependencies;
    const keyIds = candidates.flatMap((one) => ('artifact' in one ? [keyIdOf(one.artifact)] : []));
    const keys = await withinDeadline(deadline, () => issuerKeys.find(tenantId, keyIds));
    return Promise.all(
      candidates.map(async (one) => {
        if ('unreadable' in one || keys === null) return 'artifact_missing_or_invalid';
        const finding = await verifyArtifact(one.artifact, {
          scope: { tenantId, purchase: { merchantId, agentId } },
          trust: {
            issuerKey: keys.get(keyIdOf(one.artifact)),
            knownSinceMs: one.knownSinceMs,
            atMs,
          },
          checker,
        });
        return finding?.verdict ?? 'valid';
      }),
    );
  }

  /** In the order of the candidates; unreadable ones have none to ask for. */
  async #statuses(
    { tenantId, atMs, deadline }: Judging,
    candidates: readonly Candidate[],
  ): Promise<readonly (StatusFact | undefined)[]> {
    const refs = candidates.flatMap((one) =>
      'artifact' in one
        ? [
            {
              ...one.artifact.status,
              lineage: lineageOf(one.artifact),
              issuer: one.artifact.issuer,
            },
          ]
        : [],
    );
    const { statuses } = this.dependencies;
    const answers = await statuses.check(tenantId, refs, { atMs, deadline });
    let next = 0;
    return candidates.map((one) => ('artifact' in one ? answers[next++] : undefined));
  }
}

const isFreeFor = ({ envelopeText }: Artifact, held: StoredArtifact | undefined): boolean =>
  held === undefined ||
  held.row.documentSha256 === createHash('sha256').update(envelopeText, 'utf8').digest('hex');

const keyIdOf = ({ issuer, issuerKeyId }: Artifact): string => issuerKeyIdOf(issuer, issuerKeyId);

/** Which required fact a named artifact stands for, even when it turns out to be no good: it was named, so it is judged. */
function placeOf(candidate: Candidate): string {
  const { type, variantId } = 'artifact' in candidate ? candidate.artifact : candidate.unreadable;
  return `${type} ${variantId ?? ''}`;
}

const isCatalog = (candidate: Candidate): boolean =>
  ('artifact' in candidate ? candidate.artifact : candidate.unreadable).type === 'catalog_snapshot';

const namesProduct = (candidates: readonly Candidate[], productId: string): boolean =>
  candidates.some(
    (one) => 'artifact' in one && one.artifact.productRefs?.includes(productId) === true,
  );

/** The bytes of envelopes that came with the request: kept, so that the decision can be judged again. */
const inlineDocuments = (
  { tenantId }: ArtifactRequest,
  named: readonly Candidate[],
): readonly SideWrite[] =>
  named.flatMap((one) => {
    if ('unreadable' in one || one.knownSinceMs !== null) return [];
    const bytes = Buffer.from(one.artifact.envelopeText, 'utf8');
    const document = { mediaType: 'application/json', bytes, erasable: false };
    return [documentWrite(tenantId, document).write];
  });
