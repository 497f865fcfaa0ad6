import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../../core/kernel/index.js';
import type { StatusRef } from '../../../core/proofs/index.js';
import type { StatusFact } from '../../../core/rules/index.js';
import type { Signer, SigningKeys } from '../../../base/keys/index.js';
import {
  cell,
  type CellView,
  type CommandContext,
  type OutsideLock,
  type Writer,
} from '../../../base/ledger/index.js';
import { drawId } from '../../../base/tenants/index.js';
import type { AuthorityPort } from '../../authority/index.js';
import type { IssuerKeys } from '../../peers/index.js';
import type { StatusChecker, StatusSlots } from '../../status/index.js';
import { type FactSource, lineageOfSource, signFact, tenantIssuer } from './envelope.js';
import { FACTS_PER_ENTRY_MAX, factLineages, type LineageRow } from './lineages.ledger.js';
import { type PreparedFact, publishFacts, type PublishedBatch } from './publish-facts.js';
import { ReservedSlots } from './reserved-slots.js';
import { type FactPlace, needOf, sourceOf, sourceReads, stateOf } from './sources.js';

export interface FactPublisherDependencies {
  readonly writer: Writer;
  readonly outsideLock: OutsideLock;
  readonly signingKeys: SigningKeys;
  readonly issuerKeys: IssuerKeys;
  readonly slots: StatusSlots;
  readonly statuses: StatusChecker;
  readonly authority: Pick<AuthorityPort, 'bindObjects'>;
}

export interface PublicationRequest {
  readonly merchantId: string;
  /** At most {@link FACTS_PER_ENTRY_MAX}. */
  readonly places: readonly FactPlace[];
  /** A count that is too high is renewed too: for readers who are shown the fact alone. */
  readonly isExact: boolean;
}

/** What became of each subject that was asked for. */
export interface PublicationCounts {
  readonly published: number;
  readonly renewed: number;
  /** Their facts serve as they are, or somebody else published them at the same moment. */
  readonly unchanged: number;
  /** Their facts are withdrawn, or nobody can tell: never renewed. */
  readonly withheld: number;
  /** The catalogue has nothing that could be published of them. */
  readonly absent: number;
}

/** One subject that needs a fact, as it was seen before the lock. */
interface Wanted {
  readonly source: FactSource;
  readonly standing: LineageRow | undefined;
  /** Of a fact that stands: where it lives and what was said about it. Null = it needs a slot. */
  readonly renews: { readonly slot: StatusRef; readonly looked: StatusFact } | null;
}

/**
 * Publishes and renews facts from the catalogue in two steps (decisions 4.4): reserve slots, sign, and then publish in
 * one entry per batch. Superseded facts of an earlier price are not withdrawn: nobody is given them any more, and each
 * ends by itself within the life of its type ({@link FACT_LIFE_MS}; a price after 300 s at most). Who cannot wait revokes.
 */
export class FactPublisher {
  /** Slots of lineages whose publication did not come to its end: the next try takes them, so that failing costs none. */
  readonly #reserved = new ReservedSlots();
  readonly #registeredKids = new Map<TenantId, string>();

  constructor(private readonly dependencies: FactPublisherDependencies) {}

  /**
   * Brings the facts of these subjects up to date. Whatever fails leaves every fact as it was.
   * Problems, in order: not_found (no such tenant), unavailable (no database, no authority, no usable key), those of
   * reserving slots and of binding them at the authority, those of {@link publishFacts}.
   */
  async publish(
    context: CommandContext,
    { merchantId, places, isExact }: PublicationRequest,
  ): Promise<Result<PublicationCounts, Problem>> {
    invariant(places.length <= FACTS_PER_ENTRY_MAX, 'a publication fits into one entry');
    const { tenantId } = context;
    const reads = places.flatMap((place) => [
      ...sourceReads(merchantId, place),
      cell(factLineages, merchantId, place.type, place.subject),
    ]);
    const glance = await this.dependencies.outsideLock(tenantId, reads);
    if (glance === null) return err(NO_SUCH_TENANT);
    const { atMs } = glance.moment;
    const due = dueIn(glance.view, { merchantId, places, isExact, atMs });
    const { wanted, withheld } = await this.#looked(tenantId, { merchantId, due: due.due, atMs });
    const { absent } = due;
    const unchanged = places.length - absent - withheld - wanted.length;
    if (wanted.length === 0) return ok({ published: 0, renewed: 0, unchanged, withheld, absent });
    const batch = await this.#write(context, { merchantId, wanted, atMs });
    if (!batch.ok) return batch;
    const { published, renewed } = batch.value;
    const lost = wanted.length - published - renewed;
    return ok({ published, renewed, unchanged: unchanged + lost, withheld, absent });
  }

  /** Asks for the status of the facts that stand; those that are not valid are not renewed. */
  async #looked(
    tenantId: TenantId,
    { merchantId, due, atMs }: { merchantId: string; due: readonly Due[]; atMs: InstantMs },
  ): Promise<{ readonly wanted: readonly Wanted[]; readonly withheld: number }> {
    const renewals = due.flatMap(({ source, standing, isOpen }) =>
      isOpen || standing === undefined
        ? []
        : [{ source, standing, slot: { uri: standing.listUri, index: standing.slotIndex } }],
    );
    const opened = due.filter(({ isOpen }) => isOpen);
    const questions = renewals.map(({ source, slot }) => ({
      ...slot,
      lineage: lineageOfSource(merchantId, source),
      issuer: tenantIssuer(tenantId),
    }));
    const statuses = await this.dependencies.statuses.check(tenantId, questions, { atMs });
    const renewed = renewals.flatMap(({ source, standing, slot }, index) => {
      const looked = statuses[index];
      return looked?.verdict === 'valid' ? [{ source, standing, renews: { slot, looked } }] : [];
    });
    const wanted = [
      ...opened.map(({ source, standing }) => ({ source, standing, renews: null })),
      ...renewed,
    ];
    return { wanted, withheld: renewals.length - renewed.length };
  }

  async #write(
    context: CommandContext,
    {
      merchantId,
      wanted,
      atMs,
    }: { merchantId: string; wanted: readonly Wanted[]; atMs: InstantMs },
  ): Promise<Result<PublishedBatch, Problem>> {
    const { tenantId } = context;
    const signer = await this.#signer(tenantId);
    if (!signer.ok) return signer;
    const opened = wanted.filter(({ renews }) => renews === null);
    const lineages = opened.map(({ source }) => lineageOfSource(merchantId, source));
    const reserved = await this.#reserve(tenantId, lineages);
    if (!reserved.ok) return reserved;
    const facts = wanted.map(({ source, renews }): PreparedFact => {
      const slot = renews?.slot ?? reserved.value.get(lineageOfSource(merchantId, source));
      invariant(slot !== undefined, 'a slot was reserved for every new fact');
      const artifactId = drawId('art');
      const fact = { tenantId, merchantId, source, artifactId, slot, issuedAtMs: atMs };
      const signed = signFact(fact, signer.value);
      return { source, artifactId, slot, issuedAtMs: atMs, signed, looked: renews?.looked ?? null };
    });
    const bound = await this.#bind(tenantId, merchantId, facts);
    if (!bound.ok) {
      // Of slots that the authority does not take others are drawn; where nobody knows, these are tried again.
      if (bound.error.code !== 'unavailable') this.#reserved.forget(tenantId, lineages);
      return bound;
    }
    const { kid: issuerKid } = signer.value;
    const written = await this.dependencies.writer.execute(
      publishFacts(context, { merchantId, issuerKid, facts }),
    );
    if (written.ok) this.#reserved.forget(tenantId, lineages);
    return written;
  }

  /** The tenant's fact key, which its issuer keys know: it is believed like that of any other issuer. */
  async #signer(tenantId: TenantId): Promise<Result<Signer, Problem>> {
    const { signingKeys, issuerKeys } = this.dependencies;
    const signer = await signingKeys.signer(tenantId, 'fact');
    if (!signer.ok || this.#registeredKids.get(tenantId) === signer.value.kid) return signer;
    const keys = await signingKeys.list(tenantId);
    // Other processes may sign with a replaced key for a moment longer: it counts as long as it verifies outside.
    const published = keys.filter(({ purpose, state }) => purpose === 'fact' && state !== 'ended');
    const followed = await issuerKeys.follow(publisherContext(tenantId), {
      issuer: tenantIssuer(tenantId),
      keys: published.map(({ jwk }) => ({ kid: jwk.kid, role: 'fact_issuer' as const, jwk })),
    });
    if (!followed.ok) return followed;
    this.#registeredKids.set(tenantId, signer.value.kid);
    return signer;
  }

  async #reserve(
    tenantId: TenantId,
    lineages: readonly string[],
  ): Promise<Result<ReadonlyMap<string, StatusRef>, Problem>> {
    const missing = lineages.filter((lineage) => !this.#reserved.has(tenantId, lineage));
    if (missing.length > 0) {
      const { slots } = this.dependencies;
      const reserved = await slots.reserve(publisherContext(tenantId), missing.length);
      if (!reserved.ok) return reserved;
      this.#reserved.keep(tenantId, missing, reserved.value);
    }
    return ok(this.#reserved.of(tenantId, lineages));
  }

  async #bind(
    tenantId: TenantId,
    merchantId: string,
    facts: readonly PreparedFact[],
  ): Promise<Result<null, Problem>> {
    const opened = facts.filter(({ looked }) => looked === null);
    if (opened.length === 0) return ok(null);
    // Renewals live on a slot that the authority knows: it is the lineage that is withdrawn, not the artifact.
    return this.dependencies.authority.bindObjects(
      tenantId,
      opened.map(({ artifactId, source, slot, signed }) => ({
        kind: 'artifact',
        objectId: artifactId,
        sha256: signed.documentSha256,
        lineage: lineageOfSource(merchantId, source),
        merchantIds: [merchantId],
        slot,
        artifactType: source.content.type,
        mandate: null,
      })),
    );
  }
}

/** One subject whose fact is due, from one look at the catalogue. */
interface Due {
  readonly source: FactSource;
  readonly standing: LineageRow | undefined;
  readonly isOpen: boolean;
}

function dueIn(
  view: CellView,
  { merchantId, places, isExact, atMs }: PublicationRequest & { readonly atMs: InstantMs },
): { readonly due: readonly Due[]; readonly absent: number } {
  const due: Due[] = [];
  let absent = 0;
  for (const place of places) {
    const source = sourceOf(view, merchantId, place);
    const standing = view.get(factLineages, [merchantId, place.type, place.subject]);
    if (source === null) {
      absent += 1;
      continue;
    }
    const need = needOf(stateOf(source), standing, atMs);
    const isOff = isExact && standing?.quantity !== stateOf(source).quantity;
    if (need !== 'no' || isOff) due.push({ source, standing, isOpen: need === 'open' });
  }
  return { due, absent };
}

/** Who reserves slots and believes keys when facts are published, whoever asked for it. */
export const publisherContext = (tenantId: TenantId): CommandContext => ({
  tenantId,
  actor: { role: 'system', id: 'facts' },
  requestId: 'publish-facts',
  idempotency: null,
});

const NO_SUCH_TENANT = problem('not_found', 'There is no tenant with this id.', {
  fix: 'Check the tenant id.',
});
