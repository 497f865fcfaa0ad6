/** An entry that says how the ledger is sealed: the first, or one that switches. `kid` null = no longer. */
export interface SealingChange {
  readonly seq: number;
  readonly kid: string | null;
}

/** Entries behind each other that one key sealed, or that none did (`kid` null); both ends belong to it. */
export interface SealingSpan {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly kid: string | null;
}

/** How the entries 0 to `throughSeq` are sealed: what an export's header says of them, without reading them. */
export interface SealingStory {
  readonly spans: readonly SealingSpan[];
  /** Seq of the entry that switched sealing on last; null = it is off behind the last entry. */
  readonly sinceSeq: number | null;
  readonly lastSealedSeq: number | null;
  readonly kids: readonly string[];
  readonly counts: { readonly sealed: number; readonly unsealed: number };
}

/**
 * Follows the changes, which come in their order. The entry that switches on is the first sealed one, under the key it
 * names; the one that switches off is the last, under the key before (decisions 2.5). A change of keys is no switch.
 */
export function sealingStory(changes: readonly SealingChange[], throughSeq: number): SealingStory {
  const spans: SealingSpan[] = [];
  let [firstSeq, current] = [0, null as string | null];
  let sinceSeq: number | null = null;
  const endBefore = (seq: number, kid: string | null): void => {
    if (seq > firstSeq) spans.push({ firstSeq, lastSeq: seq - 1, kid: current });
    [firstSeq, current] = [seq, kid];
  };
  for (const { seq, kid } of changes) {
    if (kid === null) sinceSeq = null;
    else if (current === null) sinceSeq = seq;
    endBefore(kid === null ? seq + 1 : seq, kid);
  }
  endBefore(throughSeq + 1, null);
  const sealedSpans = spans.filter(({ kid }) => kid !== null);
  const sealed = sealedSpans.reduce((sum, span) => sum + span.lastSeq - span.firstSeq + 1, 0);
  return {
    spans,
    sinceSeq,
    lastSealedSeq: sealedSpans.at(-1)?.lastSeq ?? null,
    kids: [...new Set(sealedSpans.flatMap(({ kid }) => kid ?? []))].sort(),
    counts: { sealed, unsealed: throughSeq + 1 - sealed },
  };
}
