/** A head of a ledger as it was cosigned: the sequence number of its last entry and that entry's link. */
export interface LedgerHead {
  readonly seq: number;
  readonly link: string;
}

/** `new`: to be recorded and signed. `same`: it was cosigned already. The others are refused (facts/arbiter.md L24). */
export type HeadVerdict = 'new' | 'same' | 'lower' | 'other_link';

/**
 * What a witness says to a head, given the highest it cosigned of that ledger. A witness that signs a lower head would
 * vouch for a ledger that was cut; one that signs another link at a known place, for one that was rewritten.
 */
export function judgeHead(known: LedgerHead | undefined, head: LedgerHead): HeadVerdict {
  if (known === undefined || head.seq > known.seq) return 'new';
  if (head.seq < known.seq) return 'lower';
  return head.link === known.link ? 'same' : 'other_link';
}
