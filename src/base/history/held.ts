import { formatInstant } from '../../core/kernel/index.js';
import { OWN_INVARIANTS, type OwnInvariant } from './broken.js';

/**
 * When this process last found each own invariant to hold, and over how many entries: an answer that nothing is broken is worth what
 * was looked at. No tenant is named.
 */
export class HeldInvariants {
  readonly #last = new Map<OwnInvariant, { readonly atMs: number; readonly entryCount: number }>();
  readonly #entryCounts = new Map<OwnInvariant, number>();

  /** Real time. */
  constructor(private readonly nowMs: () => number) {}

  /** `entryCount`: those of one ledger that were looked at now. */
  held(invariant: OwnInvariant, entryCount: number): void {
    this.#last.set(invariant, { atMs: this.nowMs(), entryCount });
    this.#entryCounts.set(invariant, (this.#entryCounts.get(invariant) ?? 0) + entryCount);
  }

  /** For operators. */
  text(): string {
    return OWN_INVARIANTS.map((invariant) => {
      const last = this.#last.get(invariant);
      if (last === undefined) return `${invariant}: not verified since this process started`;
      const { atMs, entryCount } = last;
      const all = this.#entryCounts.get(invariant) ?? 0;
      return `${invariant}: last verified ${formatInstant(atMs)} over ${entryCount} entries, ${all} since this process started`;
    }).join('; ');
  }
}
