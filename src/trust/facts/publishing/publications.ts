import { err, ok, type Principal, type Problem, type Result } from '../../../core/kernel/index.js';
import { type CommandContext, readRow } from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import { mayTouchMerchant, merchants, noSuchMerchant } from '../../../base/tenants/index.js';
import type { FactPublisher, PublicationCounts } from './fact-publisher.js';
import { FACTS_PER_ENTRY_MAX, PUBLISHED_TYPES, type PublishedType } from './lineages.ledger.js';
import { countSubjects, listSubjects } from './published.store.js';
import type { FactPlace } from './sources.js';

export const PUBLICATIONS = Symbol('Publications');

export interface PublicationWish {
  readonly merchantId: string;
  /** Null = every type. */
  readonly type: PublishedType | null;
  /** Null = every subject; given only with a type. */
  readonly subject: string | null;
  /** Where an earlier request ended; null = from the beginning. */
  readonly after: FactPlace | null;
}

export interface PublicationPage extends PublicationCounts {
  /** Subjects of all pages together. */
  readonly total: number;
  /** Null = this was the last page. */
  readonly next: FactPlace | null;
}

/** Publishing on request: before anybody reads, so that the first reader need not wait. */
export class Publications {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly publisher: FactPublisher;
    },
  ) {}

  /**
   * Publishes what is due of one page of subjects, at most {@link FACTS_PER_ENTRY_MAX}; what serves stays as it is, so a
   * repeat publishes nothing. Problems, in order: not_found `/merchant_id`, those of {@link FactPublisher.publish}.
   */
  async publish(
    context: CommandContext,
    scope: Pick<Principal, 'merchantIds'>,
    wish: PublicationWish,
  ): Promise<Result<PublicationPage, Problem>> {
    const { database, publisher } = this.dependencies;
    const { tenantId } = context;
    const { merchantId } = wish;
    const merchant = mayTouchMerchant(scope, merchantId)
      ? await readRow(database, merchants, { tenantId, key: [merchantId] })
      : undefined;
    if (merchant === undefined) return err(noSuchMerchant(merchantId, '/merchant_id'));
    const { places, next, total } = await this.#page(context, wish);
    const published = await publisher.publish(context, { merchantId, places, isExact: true });
    return published.ok ? ok({ ...published.value, total, next }) : published;
  }

  async #page(
    { tenantId }: CommandContext,
    { merchantId, type, subject, after }: PublicationWish,
  ): Promise<Pick<PublicationPage, 'next' | 'total'> & { readonly places: readonly FactPlace[] }> {
    if (type !== null && subject !== null)
      return { places: [{ type, subject }], next: null, total: 1 };
    const { database } = this.dependencies;
    const types = type === null ? PUBLISHED_TYPES : [type];
    const total = await countSubjects(database, tenantId, { merchantId, types });
    const places: FactPlace[] = [];
    for (const one of types.slice(after === null ? 0 : types.indexOf(after.type))) {
      const limit = FACTS_PER_ENTRY_MAX + 1 - places.length;
      if (limit === 0) break;
      const from = after?.type === one ? after.subject : null;
      const page = { merchantId, type: one, after: from, limit };
      const subjects = await listSubjects(database, tenantId, page);
      places.push(...subjects.map((found) => ({ type: one, subject: found })));
    }
    const kept = places.slice(0, FACTS_PER_ENTRY_MAX);
    const last = kept.at(-1);
    const next = places.length > FACTS_PER_ENTRY_MAX && last !== undefined ? last : null;
    return { places: kept, next, total };
  }
}
