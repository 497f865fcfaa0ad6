import { cellsOutsideLock, moveClock, type OutsideLock } from '../../src/base/ledger/index.js';
import type { InstantMs } from '../../src/core/kernel/index.js';
import { type ArtifactFact, artifactFault } from '../../src/core/rules/index.js';
import {
  CachedFacts,
  Catalog,
  type CatalogChange,
  FactPublisher,
  FactRenewals,
  NO_CHANGE,
  Publications,
  PublishedFacts,
  ShopJudge,
  ShopReading,
  StoredArtifactResolver,
} from '../../src/trust/facts/index.js';
import {
  createTestMerchant,
  createTestTenant,
  type TestHouse,
  type TestTenant,
  valueOf,
} from './tenants.js';
import { type TrustRooms, trustRooms } from './trust.js';

/** What publishes the facts of one process. */
export function publishingRooms(house: TestHouse, trust: TrustRooms = trustRooms(house)) {
  const { database, writer, signingKeys } = house;
  const outsideLock: OutsideLock = (tenantId, reads) => cellsOutsideLock(database, tenantId, reads);
  const { issuerKeys, slots, statuses, checker, authorityPort: authority } = trust;
  const publisher = new FactPublisher({
    ...{ writer, outsideLock, signingKeys, issuerKeys, slots, statuses, authority },
  });
  const failures: Readonly<Record<string, unknown>>[] = [];
  const log = {
    error: (_text: string, details: Readonly<Record<string, unknown>>) => failures.push(details),
  };
  const renewals = new FactRenewals(publisher, log);
  const published = new PublishedFacts({ database, renewals });
  const resolver = new StoredArtifactResolver({
    database,
    issuerKeys,
    checker,
    statuses,
    published,
  });
  return {
    trust,
    publisher,
    renewals,
    resolver,
    /** Publications that failed in the background. */
    failures,
    catalog: new Catalog({ database, writer, outsideLock }),
    publications: new Publications({ database, publisher }),
    cached: new CachedFacts({ database, outsideLock, renewals, statuses, resolver }),
    shop: new ShopReading({
      ...{ database, outsideLock, renewals, merchants: house.rooms.merchants },
      judge: new ShopJudge({ database, issuerKeys, checker, statuses }),
    }),
  };
}
export type PublishingRooms = ReturnType<typeof publishingRooms>;

/** A shop with a test clock, whose facts are published from its catalogue. */
export interface PublishingShop {
  readonly house: TestHouse;
  readonly tenant: TestTenant;
  readonly merchantId: string;
  readonly rooms: PublishingRooms;
  atMs: InstantMs;
  /** Moves the clock of the tenant, here and at the authority. */
  move(byMs: number): Promise<void>;
  import(change: Partial<CatalogChange>): Promise<void>;
  /** A row set by hand. */
  set(change: Partial<CatalogChange>): Promise<void>;
  /** What a purchase of these variants would rest on. */
  facts(variantIds: readonly string[], rooms?: PublishingRooms): Promise<readonly ArtifactFact[]>;
  count(table: 'entries' | 'status_slots' | 'artifacts' | 'fact_lineages'): Promise<number>;
  /** How many facts of a type were ever published or renewed. */
  countFacts(type: string): Promise<number>;
}

export const SHOP_OPENS_AT_MS = Date.parse('2026-11-30T00:00:00.000Z');

export async function publishingShop(
  house: TestHouse,
  rooms = publishingRooms(house),
): Promise<PublishingShop> {
  const tenant = await createTestTenant(house, { testClockAtMs: SHOP_OPENS_AT_MS });
  const { tenantId } = tenant;
  const merchantId = await createTestMerchant(house, tenant);
  const shop: PublishingShop = {
    house,
    tenant,
    merchantId,
    rooms,
    atMs: SHOP_OPENS_AT_MS,
    async move(byMs) {
      shop.atMs += byMs;
      valueOf(await house.writer.execute(moveClock(tenant.context(), shop.atMs)));
      valueOf(await rooms.trust.authorityPort.forwardClock(tenantId, shop.atMs));
    },
    async import(change) {
      const all = { ...NO_CHANGE, merchantId, ...change };
      valueOf(await rooms.catalog.import(tenant.context(), tenant.admin, all));
    },
    async set(change) {
      const all = { ...NO_CHANGE, merchantId, ...change };
      valueOf(await rooms.catalog.set(tenant.context(), tenant.admin, all));
    },
    async facts(variantIds, { resolver } = rooms) {
      const { artifacts } = await resolver.resolveArtifacts({
        tenantId,
        merchantId,
        agentId: null,
        lines: variantIds.map((variantId) => ({ productId: variantId, variantId })),
        named: [],
        atMs: shop.atMs,
        deadline: new AbortController().signal,
      });
      return artifacts;
    },
    async count(table) {
      const { rows } = await house.database.query<{ count: string }>(
        `SELECT count(*) FROM ${table} WHERE tenant_id = $1`,
        [tenantId],
      );
      return Number(rows[0]?.count);
    },
    async countFacts(type) {
      const { rows } = await house.database.query<{ count: string }>(
        'SELECT count(*) FROM artifacts WHERE tenant_id = $1 AND artifact_type = $2',
        [tenantId, type],
      );
      return Number(rows[0]?.count);
    },
  };
  return shop;
}

/** Products of one variant each, `tea-0` and so on, at 100 paise and ten pieces. */
export const teas = (count: number, from = 0): Partial<CatalogChange> => {
  const ids = Array.from({ length: count }, (_, index) => `tea-${from + index}`);
  return {
    products: ids.map((productId) => ({ productId, title: 'Tea', imageUrl: null, isListed: true })),
    variants: ids.map((variantId) => ({ variantId, productId: variantId, title: null })),
    prices: ids.map((variantId) => ({ variantId, amountMinor: 100n, currency: 'INR' })),
    counts: ids.map((variantId) => ({ variantId, onHand: 10 })),
  };
};

export const priceOf = (variantId: string, amountMinor: bigint): Partial<CatalogChange> => ({
  prices: [{ variantId, amountMinor, currency: 'INR' }],
});

/** A shop with so many teas in its catalogue. */
export async function openedShop(house: TestHouse, count = 1): Promise<PublishingShop> {
  const shop = await publishingShop(house);
  await shop.import(teas(count));
  return shop;
}

/** By type what rule 5 would say of each fact behind these variants; null = it counts. */
export const faultsOf = async (
  shop: PublishingShop,
  variantIds: readonly string[],
  rooms = shop.rooms,
) =>
  (await shop.facts(variantIds, rooms)).map(
    (fact) => [fact.type, artifactFault(fact, shop.atMs)] as const,
  );

/** What {@link faultsOf} says, sorted, of one variant whose facts all count. */
export const GOOD_FACTS = [
  ['catalog_snapshot', null],
  ['inventory', null],
  ['policy', null],
  ['price', null],
  ['protocol_adapter', null],
];

export const byType = async (shop: PublishingShop, type: string, variantId = 'tea-0') =>
  (await shop.facts([variantId])).find((fact) => fact.type === type);
