import type { InstantMs, TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import { withinDeadline } from '../../peers/index.js';
import type { FactRenewals } from './fact-renewals.js';
import {
  type CatalogGlance,
  findStandingFacts,
  glanceAtCatalog,
  type StandingFact,
} from './published.store.js';
import { type FactNeed, type FactPlace, needOf, type SourceState } from './sources.js';

export interface CartReading {
  readonly tenantId: TenantId;
  readonly merchantId: string;
  readonly variantIds: readonly string[];
  readonly atMs: InstantMs;
  readonly deadline: AbortSignal;
}

/** A subject of a cart as the catalogue has it. */
interface CartPlace extends FactPlace {
  readonly state: SourceState;
}

/** Reads what is published from the catalogue, and lets it be renewed by being read. */
export class PublishedFacts {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly renewals: FactRenewals;
    },
  ) {}

  /**
   * The facts that stand for a cart: of each variant in the catalogue price, stock and the catalogue entry of its
   * product, and of the merchant policy and protocol; none if no variant is in the catalogue. What is missing or over is
   * published first, as far as the deadline allows; what is past half its life serves and is renewed behind the answer.
   * A withdrawn fact is answered as it stands, one of an earlier source revision never: another price was set since.
   * Failures are absent facts.
   */
  async ofCart(reading: CartReading): Promise<readonly StandingFact[]> {
    const { database, renewals } = this.dependencies;
    const { tenantId, merchantId, variantIds, atMs, deadline } = reading;
    const glances = await withinDeadline(deadline, () =>
      glanceAtCatalog(database, tenantId, { merchantId, variantIds }),
    );
    const places = placesOf(merchantId, glances ?? []);
    if (places.length === 0) return [];
    const find = () =>
      withinDeadline(deadline, () => findStandingFacts(database, tenantId, { merchantId, places }));
    const standing = currentOf(places, (await find()) ?? []);
    const needs = needsOf(places, standing, atMs);
    const later = places.filter((_place, index) => needs[index] === 'later');
    const urgent = places.filter(
      (_place, index) => needs[index] === 'open' || needs[index] === 'now',
    );
    if (later.length + urgent.length === 0) return standing;
    // INVARIANT: nobody waits for a fact that still serves.
    const renewing = renewals.renew(tenantId, {
      merchantId,
      places: [...urgent, ...later],
      isExact: false,
    });
    if (urgent.length === 0) return standing;
    await withinDeadline(deadline, () => renewing);
    return currentOf(places, (await find()) ?? standing);
  }
}

function placesOf(merchantId: string, glances: readonly CatalogGlance[]): readonly CartPlace[] {
  const [first] = glances;
  if (first === undefined) return [];
  const products = new Map<string, CartPlace>();
  const places: CartPlace[] = [];
  const add = (type: CartPlace['type'], subject: string, state: SourceState) =>
    places.push({ type, subject, state });
  for (const glance of glances) {
    const { variantId, productId, available } = glance;
    if (glance.productRevision !== null)
      products.set(productId, {
        type: 'catalog_snapshot',
        subject: productId,
        state: { revision: glance.productRevision, quantity: null },
      });
    if (glance.priceRevision !== null)
      add('price', variantId, { revision: glance.priceRevision, quantity: null });
    if (available !== null)
      add('inventory', variantId, { revision: glance.variantRevision, quantity: available });
  }
  const ofMerchant = { revision: first.policiesRevision, quantity: null };
  add('policy', merchantId, ofMerchant);
  add('protocol_adapter', merchantId, ofMerchant);
  return [...products.values(), ...places];
}

const nameOf = (type: string, subject: string): string => `${type} ${subject}`;

/** The facts of the revision that the catalogue has. */
function currentOf(
  places: readonly CartPlace[],
  standing: readonly StandingFact[],
): readonly StandingFact[] {
  const revisions = new Map(
    places.map(({ type, subject, state }) => [nameOf(type, subject), state.revision]),
  );
  return standing.filter(
    ({ lineage }) =>
      lineage.revision >= (revisions.get(nameOf(lineage.artifactType, lineage.subject)) ?? 0),
  );
}

function needsOf(
  places: readonly CartPlace[],
  standing: readonly StandingFact[],
  atMs: InstantMs,
): readonly FactNeed[] {
  const lineages = new Map(
    standing.map(({ lineage }) => [nameOf(lineage.artifactType, lineage.subject), lineage]),
  );
  return places.map(({ type, subject, state }) =>
    needOf(state, lineages.get(nameOf(type, subject)), atMs),
  );
}
