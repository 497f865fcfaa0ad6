import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NonceClaim } from '../../../core/httpsig/index.js';
import type { InstantMs } from '../../../core/kernel/index.js';
import type { DueScope, DueWork } from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import { claimNonces, type StoredClaim, sweepNonces } from './signature-nonces.store.js';

/** Longest wait for the database, in milliseconds. */
export const NONCE_CLAIM_MS_MAX = 2_000;
/** Words claimed in one statement. */
export const NONCE_FLUSH_MAX = 256;
/** Statements under way at once; a third would only wait for a connection. */
export const NONCE_FLUSHES_MAX = 2;
/** Claims that wait; one more is told that the state is unavailable. */
export const NONCES_WAITING_MAX = 4_096;
/** Furthest end of a word, from now: windows of signatures last a day at most. */
export const NONCE_LIFE_MS_MAX = 48 * 60 * 60 * 1_000;
/** A word is kept so much longer than it says: a signature is judged a moment before its word is claimed. */
export const NONCE_GRACE_MS = 60_000;
/** Swept so much later: another process may have a clock that is behind. */
export const NONCE_SWEEP_DELAY_MS = 10 * 60_000;

/** Only `claimed` says that nobody used the word before. */
export type ClaimOutcome = 'claimed' | 'replayed' | 'unavailable';

interface Waiting extends StoredClaim {
  readonly settle: (outcome: ClaimOutcome) => void;
  isOver: boolean;
}

export interface NonceOptions {
  readonly database: Queryable;
  /** Real time (decisions 2.4). */
  readonly nowMs: () => InstantMs;
  readonly claimMsMax?: number;
}

/**
 * The one-time words of request signatures, shared by every process on the database (facts/signatures.md 1.10). A word
 * belongs to (profile, key source, key id): two agents may choose the same. Claims that come together go in one statement.
 * Not checked: the signature. Claim after it verified, once a request; nothing else burns a word.
 */
export class SignatureNonces implements DueWork {
  readonly name = 'peers.signature_nonces';
  readonly #waiting: Waiting[] = [];
  #flushes = 0;

  constructor(private readonly options: NonceOptions) {}

  /**
   * Never rejects, and answers within {@link NONCE_CLAIM_MS_MAX}. `unavailable`: the database did not say, too many wait, or
   * the word would have to be kept longer than {@link NONCE_LIFE_MS_MAX} or not at all. A word whose claim ended so may be
   * burned: the agent signs again.
   */
  claim(claim: NonceClaim): Promise<ClaimOutcome> {
    const lifeMs = claim.expiresAtMs - this.options.nowMs();
    // Written so that no number at all is refused as well.
    const canBeKept = lifeMs > 0 && lifeMs <= NONCE_LIFE_MS_MAX;
    if (!canBeKept || this.#waiting.length >= NONCES_WAITING_MAX)
      return Promise.resolve('unavailable');
    return new Promise((resolve) => {
      const waiting: Waiting = {
        claimSha256: digestOf(claim),
        keptUntilMs: Math.ceil(claim.expiresAtMs) + NONCE_GRACE_MS,
        isOver: false,
        settle: (outcome) => {
          clearTimeout(timer);
          waiting.isOver = true;
          resolve(outcome);
        },
      };
      const timer = setTimeout(
        () => waiting.settle('unavailable'),
        this.options.claimMsMax ?? NONCE_CLAIM_MS_MAX,
      );
      this.#waiting.push(waiting);
      void this.#flushAll();
    });
  }

  /** Words are of no tenant and live on real time: a moved test clock makes none of them due. */
  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    if (tenantId !== null) return 0;
    const endedBeforeMs = this.options.nowMs() - NONCE_SWEEP_DELAY_MS;
    return sweepNonces(this.options.database, { endedBeforeMs, limit });
  }

  async #flushAll(): Promise<void> {
    if (this.#flushes >= NONCE_FLUSHES_MAX) return;
    this.#flushes += 1;
    // The other requests of this turn come along.
    await nextTurn();
    while (this.#waiting.length > 0) await this.#flush(this.#waiting.splice(0, NONCE_FLUSH_MAX));
    this.#flushes -= 1;
  }

  async #flush(batch: readonly Waiting[]): Promise<void> {
    // Who was told `unavailable` meanwhile does not burn a word; who waits with a twin is told after the first.
    const open = batch.filter(({ isOver }) => !isOver);
    const first = new Map<string, Waiting>();
    for (const one of open) if (!first.has(one.claimSha256)) first.set(one.claimSha256, one);
    if (first.size === 0) return;
    try {
      const { database, nowMs } = this.options;
      const claimed = await claimNonces(database, [...first.values()], nowMs());
      for (const one of open) {
        const isFirst = first.get(one.claimSha256) === one;
        one.settle(isFirst && claimed.has(one.claimSha256) ? 'claimed' : 'replayed');
      }
    } catch {
      for (const one of open) one.settle('unavailable');
    }
  }
}

/** INVARIANT: no two different claims have one digest: JSON keeps the parts apart. */
const digestOf = ({ profile, source, keyId, nonceHash }: NonceClaim): string =>
  createHash('sha256')
    .update(JSON.stringify([profile, source, keyId, nonceHash]))
    .digest('hex');
