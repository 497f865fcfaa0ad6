import { type DirectoryCopy, copyTimes } from './directory-copy.js';
import type { DirectoryPlace } from './directory-place.js';
import { directoryProof } from './directory-proof.js';
import type { DirectorySlot } from './directory-slots.js';
import {
  type DirectoryAnswer,
  type DirectoryFault,
  FETCH_LIMITS,
  fetchDirectory,
} from './fetch-directory.js';
import { FetchQueue } from './fetch-queue.js';
import { KeySet } from './key-set.js';
import type { DirectoryFetch, KeyDirectoryOptions } from './ports.js';
import { SourceBudget } from './source-budget.js';

/** A directory that failed is left alone for a time drawn between these, in milliseconds. */
export const ASK_AGAIN_MS_MIN = 30_000;
export const ASK_AGAIN_MS_MAX = 60_000;
const LOGGED_CHARACTERS_MAX = 200;

/** Asks directories, within the bounds of this process, and keeps what they answer in their slots. */
export class DirectoryAsker {
  readonly #queue = new FetchQueue();
  readonly #budget: SourceBudget;
  readonly #listeners: ((fetch: DirectoryFetch) => void)[] = [];

  constructor(private readonly options: KeyDirectoryOptions) {
    this.#budget = new SourceBudget(() => options.clock.monotonicMs());
  }

  observe(listener: (fetch: DirectoryFetch) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Begins to ask, once for everybody who waits. Never rejects: how it ended stands in the slot. Null = not now: too many
   * wait, or the budget for places without a copy is used up. INVARIANT: nobody asks for this slot already.
   */
  ask(
    slot: DirectorySlot,
    place: DirectoryPlace,
    clientAddress: string | null,
  ): Promise<void> | null {
    const { host } = place;
    if (this.#queue.isFull) return this.#turnedAway('queue_full', host);
    // A host has one well-known directory: strangers who name other places of it do not use up its chances.
    const isOnlyOne = place.isWellKnown && place.href === place.identity;
    const counted = { clientAddress, host: isOnlyOne ? null : host };
    if (slot.copy === null && !this.#budget.take(counted))
      return this.#turnedAway('over_budget', host);
    slot.pending = this.#queue
      .run(host, () => this.#fetch(slot, place))
      .finally(() => {
        slot.pending = null;
      });
    return slot.pending;
  }

  async #fetch(slot: DirectorySlot, place: DirectoryPlace): Promise<void> {
    const { clock, outbound, limits = FETCH_LIMITS } = this.options;
    const client = (place.allowsLoopback ? outbound.loopback : null) ?? outbound.public;
    const askedAtMs = clock.monotonicMs();
    slot.askedAtMs = askedAtMs;
    const request = { place, etag: slot.copy?.etag ?? null, limits };
    const answer = await fetchDirectory(client, request);
    const durationMs = clock.monotonicMs() - askedAtMs;
    if (!answer.ok) {
      this.#failed(slot, place, answer.error);
      return this.#tell({ outcome: answer.error, host: place.host, durationMs });
    }
    slot.copy = await this.#copyOf(answer.value, { place, before: slot.copy, askedAtMs });
    slot.fault = null;
    slot.askAgainFromMs = 0;
    const outcome = answer.value.jwks === null ? 'not_modified' : 'fetched';
    this.#tell({ outcome, host: place.host, durationMs });
  }

  #failed(slot: DirectorySlot, place: DirectoryPlace, fault: DirectoryFault): void {
    const { clock, random, log } = this.options;
    const pauseMs = ASK_AGAIN_MS_MIN + (ASK_AGAIN_MS_MAX - ASK_AGAIN_MS_MIN) * random();
    slot.fault = fault;
    slot.askAgainFromMs = clock.monotonicMs() + pauseMs;
    // A canonical URL is visible ASCII.
    const url = place.href.slice(0, LOGGED_CHARACTERS_MAX);
    log.error('A key directory could not be read', { url, fault });
  }

  /** What was published now takes the place of the copy, even if a key is gone; what is confirmed lives on. */
  async #copyOf(
    answer: DirectoryAnswer,
    { place, before, askedAtMs }: Asked,
  ): Promise<DirectoryCopy> {
    const { random, clock } = this.options;
    const { jwks, lifeMs, etag, isExactMediaType } = answer;
    if (jwks === null && before !== null) {
      return {
        ...before,
        ...copyTimes({ askedAtMs, lifeMs, proofLifeMs: null, random: random() }),
      };
    }
    const keys = new KeySet(jwks ?? [], { kidIsThumbprint: place.isWellKnown });
    const nowSeconds = clock.realMs() / 1_000;
    const { proof, expiresSeconds } = await directoryProof(answer, { place, keys, nowSeconds });
    const proofLifeMs = expiresSeconds === null ? null : (expiresSeconds - nowSeconds) * 1_000;
    const times = copyTimes({ askedAtMs, lifeMs, proofLifeMs, random: random() });
    return { keys, etag, proof, isExactMediaType, ...times };
  }

  #turnedAway(outcome: 'queue_full' | 'over_budget', host: string): null {
    this.#tell({ outcome, host, durationMs: 0 });
    return null;
  }

  #tell(fetch: DirectoryFetch): void {
    for (const listener of this.#listeners) listener(fetch);
  }
}

interface Asked {
  readonly place: DirectoryPlace;
  readonly before: DirectoryCopy | null;
  readonly askedAtMs: number;
}
