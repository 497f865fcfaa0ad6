/**
 * What the house itself promises about a ledger's history.
 * chain_continues    each sealed entry names the link of the one before
 * tree_is_whole      the kept tree is the one over the ledger's links
 * tree_extends_checkpoint   the tree goes on from the newest checkpoint that was signed
 */
export type OwnInvariant = 'chain_continues' | 'tree_is_whole' | 'tree_extends_checkpoint';

/** In the order in which they are told. */
export const OWN_INVARIANTS: readonly OwnInvariant[] = [
  'chain_continues',
  'tree_is_whole',
  'tree_extends_checkpoint',
];

/** An own invariant is broken: somebody changed what never changes, or a fault of ours did. */
export class HistoryBroken extends Error {
  constructor(
    readonly invariant: OwnInvariant,
    detail: string,
  ) {
    super(detail);
  }
}
