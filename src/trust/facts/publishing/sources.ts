import type { InstantMs } from '../../../core/kernel/index.js';
import { cell, type CellRef, type CellView } from '../../../base/ledger/index.js';
import {
  catalogPolicies,
  catalogPrices,
  catalogProducts,
  catalogVariants,
  policiesOf,
} from '../catalog/catalog.ledger.js';
import { availableOf } from '../stock-holds.js';
import { stock } from '../stock.ledger.js';
import { FACT_LIFE_MS, type FactSource, POLICIES_NOT_STATED } from './envelope.js';
import type { LineageRow, PublishedType } from './lineages.ledger.js';

/**
 * What a fact is published of. `subject`: a product for catalog_snapshot, a variant for price and inventory, the
 * merchant itself for policy and protocol_adapter.
 */
export interface FactPlace {
  readonly type: PublishedType;
  readonly subject: string;
}

/** The cells that {@link sourceOf} reads. */
export function sourceReads(merchantId: string, { type, subject }: FactPlace): readonly CellRef[] {
  switch (type) {
    case 'catalog_snapshot':
      return [cell(catalogProducts, merchantId, subject)];
    case 'price':
      return [cell(catalogVariants, merchantId, subject), cell(catalogPrices, merchantId, subject)];
    case 'inventory':
      return [cell(catalogVariants, merchantId, subject), cell(stock, merchantId, subject)];
    case 'policy':
    case 'protocol_adapter':
      return [cell(catalogPolicies, merchantId)];
  }
}

/**
 * What the merchant's record says about a subject; null = nothing that could be published: no such product, one that is
 * not listed, a variant without a price or without stock kept here. Policies that were never set are published as that.
 */
export function sourceOf(
  view: CellView,
  merchantId: string,
  { type, subject }: FactPlace,
): FactSource | null {
  switch (type) {
    case 'catalog_snapshot': {
      const product = view.get(catalogProducts, [merchantId, subject]);
      if (product?.isListed !== true) return null;
      return { subject, revision: product.revision, content: { type, productId: subject } };
    }
    case 'price': {
      const variant = view.get(catalogVariants, [merchantId, subject]);
      const price = view.get(catalogPrices, [merchantId, subject]);
      if (variant === undefined || price === undefined) return null;
      const { productId } = variant;
      const { amountMinor, currency, revision } = price;
      const content = { type, productId, variantId: subject, amountMinor, currency } as const;
      return { subject, revision, content };
    }
    case 'inventory': {
      const variant = view.get(catalogVariants, [merchantId, subject]);
      const kept = view.get(stock, [merchantId, subject]);
      if (variant === undefined || kept === undefined) return null;
      const { productId, revision } = variant;
      const quantity = availableOf(kept);
      return { subject, revision, content: { type, productId, variantId: subject, quantity } };
    }
    case 'policy':
    case 'protocol_adapter': {
      if (subject !== merchantId) return null;
      const row = view.get(catalogPolicies, [merchantId]);
      const revision = row?.revision ?? 0;
      if (type === 'protocol_adapter') return { subject, revision, content: { type } };
      const policies = row === undefined ? POLICIES_NOT_STATED : policiesOf(row);
      return { subject, revision, content: { type, policies } };
    }
  }
}

/** What of a source decides whether its fact still serves. */
export interface SourceState {
  readonly revision: number;
  /** Null for what is no stock. */
  readonly quantity: number | null;
}

export const stateOf = ({ revision, content }: FactSource): SourceState => ({
  revision,
  quantity: content.type === 'inventory' ? content.quantity : null,
});

/**
 * open   there is no fact of this source revision: it needs a slot of its own
 * now    the fact is over, or vouches for fewer pieces than there are: a buyer would be refused for nothing
 * later  half its life is over: it serves, and should be renewed
 * no     it serves. One that vouches for more pieces than are left does: rule 5 sees the lower of fact and stock.
 */
export type FactNeed = 'open' | 'now' | 'later' | 'no';

export function needOf(
  { revision, quantity }: SourceState,
  standing: LineageRow | undefined,
  atMs: InstantMs,
): FactNeed {
  if (standing === undefined || standing.revision < revision) return 'open';
  if (standing.expiresAtMs <= atMs) return 'now';
  if (quantity !== null && (standing.quantity ?? 0) < quantity) return 'now';
  const lifeMs = FACT_LIFE_MS[standing.artifactType];
  return atMs - standing.issuedAtMs >= lifeMs / 2 ? 'later' : 'no';
}
