import { codec, type Decoded, problem, type Problem } from '../../core/kernel/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  type Clash,
  column,
  defineEvent,
  defineProjection,
  when,
} from '../../base/ledger/index.js';
import { BUYER_HELD_ALREADY } from './buyers.store.js';

/**
 * From here on nobody can tell whom the commitment stands for. Which documents went follows from the documents
 * themselves: each keeps the commitment and names this entry.
 */
export const buyerErased = defineEvent('buyer.erased', codec.record({ commitment: codec.text }));
export type BuyerErased = Decoded<typeof buyerErased.data>;

/** Documents went later than their buyer: they were linked to the buyer at the very instant of the erasure. */
export const buyerRestErased = defineEvent(
  'buyer.rest_erased',
  codec.record({ commitment: codec.text }),
);

export interface ErasedBuyerRow {
  readonly commitment: string;
  readonly erasedAtMs: number;
}

export const erasedBuyers = defineProjection<ErasedBuyerRow>({
  table: 'erased_buyers',
  mode: 'append',
  key: ['commitment'],
  columns: { commitment: column.text, erasedAtMs: column.integer },
  on: [
    when(buyerErased, {
      keys: ({ commitment }) => [[commitment]],
      evolve: (_row, { commitment }, { entry }) => ({ commitment, erasedAtMs: entry.atMs }),
    }),
  ],
});

export const erasedBuyerCells = (commitments: readonly string[]): readonly CellRef[] =>
  commitments.map((commitment) => cell(erasedBuyers, commitment));

/**
 * INVARIANT: what was found out about a buyer before the lock is worth nothing once the buyer was erased: a command that
 * writes a buyer, a document that names one or a decision about one asks this under the lock, and looks again if so.
 */
export const anyErased = (view: CellView, commitments: readonly string[]): boolean =>
  commitments.some((commitment) => view.get(erasedBuyers, [commitment]) !== undefined);

/** A buyer was named for the first time, or erased, by somebody else at the same instant: nothing was written; look again. */
export const BUYER_CHANGED: Problem = problem(
  'unavailable',
  'This buyer was registered or erased at the same instant.',
  { fix: 'Send the request again.' },
);

export const buyerClash = (meaning: Problem): Clash => ({
  constraint: BUYER_HELD_ALREADY,
  problem: meaning,
});
