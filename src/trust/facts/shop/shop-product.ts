import type { InstantMs, Money } from '../../../core/kernel/index.js';

/** A signed fact that counts now; a decision may name it. */
export interface ShopFact {
  readonly artifactId: string;
  readonly type: 'catalog_snapshot' | 'price' | 'inventory';
  readonly validUntilMs: InstantMs;
  readonly documentSha256: string;
  /** The signed envelope as it stands, only where one product was asked for. */
  readonly envelopeText: string | null;
}

/** `unknown`: no stock is kept here, or what is said of it was withdrawn or cannot be verified. */
export type Availability = 'in_stock' | 'out_of_stock' | 'unknown';

export interface ShopVariant {
  readonly variantId: string;
  /** As the merchant wrote it: not signed, not escaped. */
  readonly title: string | null;
  /** What the signed fact says. */
  readonly price: Money;
  readonly availability: Availability;
  /** The price; the stock where a fact of it counts. */
  readonly facts: readonly ShopFact[];
  /** Of the price. */
  readonly validUntilMs: InstantMs;
}

export interface ShopProduct {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly productId: string;
  readonly slug: string;
  /** As the merchant wrote it: not signed, not escaped. */
  readonly title: string;
  readonly imageUrl: string | null;
  /** At least one; those without a price that counts are left out. */
  readonly variants: readonly ShopVariant[];
  /** The catalogue entry. */
  readonly fact: ShopFact;
  /** The earliest end of what is said of it. */
  readonly validUntilMs: InstantMs;
}
