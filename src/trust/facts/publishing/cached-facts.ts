import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Principal,
  type Problem,
  problem,
  type ReasonOf,
  type Result,
} from '../../../core/kernel/index.js';
import {
  type ArtifactFact,
  artifactFault,
  type StatusFact,
  worstStatus,
} from '../../../core/rules/index.js';
import { cell, type OutsideLock, readPage } from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import {
  mayTouchMerchant,
  merchants,
  noSuchMerchant,
  type Page,
  type PageRequest,
} from '../../../base/tenants/index.js';
import { withinDeadline } from '../../peers/index.js';
import type { StatusChecker } from '../../status/index.js';
import { findCurrentArtifacts, type StoredArtifact } from '../artifacts.store.js';
import type { StoredArtifactResolver } from '../resolve-artifacts.js';
import type { FactRenewals } from './fact-renewals.js';
import { lineageOf } from '../lineage-of.js';
import { subjectOf, tenantIssuer } from './envelope.js';
import { factLineages, type LineageRow, type PublishedType } from './lineages.ledger.js';
import { findStandingFacts, glanceAtCatalog } from './published.store.js';
import { type FactPlace, needOf, sourceOf, sourceReads, stateOf } from './sources.js';

export const CACHED_FACTS = Symbol('CachedFacts');

/** How long a reader waits for a fact that has to be published first: as long as a decision would. */
export const CACHED_FACT_BUDGET_MS = 3_000;

/**
 * The fact of one subject, with what the rules would say about it: null = it counts. `fault` is also what the status of
 * the catalogue entry of its product comes to, for a price or a count; `fact` has the status of the fact alone.
 */
export interface CachedFact {
  readonly stored: StoredArtifact;
  readonly fact: ArtifactFact;
  readonly fault: ReasonOf<'facts_valid'> | null;
}

/** A published fact as it stands, with what is known of its slot. */
export interface ListedFact {
  readonly lineage: LineageRow;
  readonly status: StatusFact;
}

export interface ListedFactsRequest extends PageRequest<FactPlace> {
  readonly merchantId: string;
  readonly type: PublishedType | null;
  readonly subject: string | null;
}

export interface CachedFactsDependencies {
  readonly database: Queryable;
  readonly outsideLock: OutsideLock;
  readonly renewals: FactRenewals;
  readonly statuses: StatusChecker;
  readonly resolver: Pick<StoredArtifactResolver, 'factsOf'>;
}

/** Facts for readers outside a purchase. Judged like those of a purchase, status included, at every read. */
export class CachedFacts {
  constructor(private readonly dependencies: CachedFactsDependencies) {}

  /**
   * The newest fact of a subject. One that is published from the catalogue is renewed by being read: before it is
   * answered where it is missing, over, or counts other pieces than there are; behind the answer past half its life.
   * Price and stock of a product whose catalogue entry is withdrawn are withdrawn with it, as in a purchase; one that was
   * never published withdraws nothing.
   * Problem: not_found (no such merchant, one this key may not touch, no fact of this subject).
   */
  async read(
    reader: Pick<Principal, 'tenantId' | 'merchantIds'>,
    { merchantId, ...place }: FactPlace & { readonly merchantId: string },
  ): Promise<Result<CachedFact, Problem>> {
    if (!mayTouchMerchant(reader, merchantId))
      return err(noSuchMerchant(merchantId, '{merchant_id}'));
    const { tenantId } = reader;
    const deadline = AbortSignal.timeout(CACHED_FACT_BUDGET_MS);
    const known = await this.#renewed(tenantId, { merchantId, place, deadline });
    if (!known) return err(noSuchMerchant(merchantId, '{merchant_id}'));
    const [stored, product] = await Promise.all([
      this.#find(tenantId, merchantId, place),
      this.#findProduct(tenantId, merchantId, place),
    ]);
    if (stored === undefined) return err(noSuchFact(place));
    const atMs = await this.#now(tenantId);
    const judging = { tenantId, merchantId, agentId: null, atMs, deadline };
    const together = product === undefined ? [stored] : [stored, product];
    const facts = await this.dependencies.resolver.factsOf(judging, together);
    const [fact] = facts;
    const status = worstStatus(facts.map((one) => one.status));
    invariant(fact !== undefined && status !== null, 'every stored artifact becomes a fact');
    return ok({ stored, fact, fault: artifactFault({ ...fact, status }, atMs) });
  }

  /**
   * What is published of a merchant, by type and subject, withdrawn and ended facts included; nothing is renewed.
   * Problem: not_found (a merchant this key may not touch).
   */
  async list(
    reader: Pick<Principal, 'tenantId' | 'merchantIds'>,
    { merchantId, type, subject, after, size }: ListedFactsRequest,
  ): Promise<Result<Page<ListedFact, FactPlace>, Problem>> {
    if (!mayTouchMerchant(reader, merchantId))
      return err(noSuchMerchant(merchantId, '?merchant_id'));
    const { tenantId } = reader;
    const { rows, next } = await readPage(this.dependencies.database, factLineages, {
      tenantId,
      where: {
        merchantId,
        ...(type === null ? {} : { artifactType: type }),
        ...(subject === null ? {} : { subject }),
      },
      order: 'key',
      after: after === null ? null : [merchantId, after.type, after.subject],
      limit: size,
    });
    const questions = rows.map((row) => ({
      ...{ uri: row.listUri, index: row.slotIndex, issuer: tenantIssuer(tenantId) },
      lineage: lineageOf(subjectOf(merchantId, { ...row, type: row.artifactType })),
    }));
    const atMs = await this.#now(tenantId);
    const statuses = await this.dependencies.statuses.check(tenantId, questions, { atMs });
    const items = rows.flatMap((lineage, index) => {
      const status = statuses[index];
      return status === undefined ? [] : [{ lineage, status }];
    });
    const last = rows.at(-1);
    const isMore = next !== null && last !== undefined;
    return ok({ items, next: isMore ? { type: last.artifactType, subject: last.subject } : null });
  }

  /** False = there is no such merchant. */
  async #renewed(
    tenantId: Principal['tenantId'],
    {
      merchantId,
      place,
      deadline,
    }: { merchantId: string; place: FactPlace; deadline: AbortSignal },
  ): Promise<boolean> {
    const lineageKey = [merchantId, place.type, place.subject] as const;
    const reads = [
      cell(merchants, merchantId),
      cell(factLineages, ...lineageKey),
      ...sourceReads(merchantId, place),
    ];
    const glance = await this.dependencies.outsideLock(tenantId, reads);
    if (glance?.view.get(merchants, [merchantId]) === undefined) return false;
    const { view, moment } = glance;
    const source = sourceOf(view, merchantId, place);
    const standing = view.get(factLineages, lineageKey);
    // Policies and protocol of a merchant who never published anything are not made up by being asked for.
    const isMadeUp = standing === undefined && isOfMerchant(place) && source?.revision === 0;
    if (source === null || isMadeUp) return true;
    const need = needOf(stateOf(source), standing, moment.atMs);
    const isOff = standing?.quantity !== stateOf(source).quantity;
    if (need === 'no' && !isOff) return true;
    const renewing = this.dependencies.renewals.renew(tenantId, {
      merchantId,
      places: [place],
      isExact: true,
    });
    if (need !== 'later' || isOff) await withinDeadline(deadline, () => renewing);
    return true;
  }

  /** What is published of the subject; else what an issuer registered of it last. */
  async #find(
    tenantId: Principal['tenantId'],
    merchantId: string,
    place: FactPlace,
  ): Promise<StoredArtifact | undefined> {
    const { database } = this.dependencies;
    const [published] = await findStandingFacts(database, tenantId, {
      merchantId,
      places: [place],
    });
    if (published !== undefined) return published.stored;
    const isOfVariant = isVariantPlace(place);
    if (!isOfVariant && place.subject !== merchantId) return undefined;
    const variantId = isOfVariant ? place.subject : '';
    const [registered] = await findCurrentArtifacts(database, tenantId, {
      merchantId,
      places: [{ type: place.type, variantId }],
    });
    return registered;
  }

  /**
   * The catalogue entry that stands for the product of a variant's place. One of an earlier revision than the product
   * says nothing any more: the merchant has set the product again since.
   */
  async #findProduct(
    tenantId: Principal['tenantId'],
    merchantId: string,
    place: FactPlace,
  ): Promise<StoredArtifact | undefined> {
    if (!isVariantPlace(place)) return undefined;
    const { database } = this.dependencies;
    const variantIds = [place.subject];
    // INVARIANT: the catalogue is read before the entry, so that a newer entry is never taken for an earlier one.
    const [glance] = await glanceAtCatalog(database, tenantId, { merchantId, variantIds });
    if (glance === undefined) return undefined;
    const places = [{ type: 'catalog_snapshot', subject: glance.productId } as const];
    const [entry] = await findStandingFacts(database, tenantId, { merchantId, places });
    const isCurrent =
      entry !== undefined && entry.lineage.revision >= (glance.productRevision ?? 0);
    return isCurrent ? entry.stored : undefined;
  }

  async #now(tenantId: Principal['tenantId']): Promise<InstantMs> {
    const glance = await this.dependencies.outsideLock(tenantId, []);
    invariant(glance !== null, 'an authenticated caller has a tenant');
    return glance.moment.atMs;
  }
}

const isVariantPlace = ({ type }: FactPlace): boolean => type === 'price' || type === 'inventory';

const isOfMerchant = ({ type }: FactPlace): boolean =>
  type === 'policy' || type === 'protocol_adapter';

const noSuchFact = ({ type, subject }: FactPlace): Problem =>
  problem('not_found', `This merchant has no ${type} fact of ${subject}.`, {
    fix: 'Set it with the routes of /v1/catalog, or register a signed artifact with POST /v1/artifacts.',
    field: '{subject}',
  });
