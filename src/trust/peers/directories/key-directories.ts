import { Remembered, type World } from '../../../core/kernel/index.js';
import type { KeySource } from '../../../core/httpsig/index.js';
import { DirectoryAsker } from './directory-asker.js';
import {
  type DirectoryPlace,
  directoryPlace,
  identityOf,
  namedHrefs,
  namingOf,
  type RemoteSource,
} from './directory-place.js';
import { DirectorySlot, DirectorySlots } from './directory-slots.js';
import { saysNothing } from './fetch-directory.js';
import { KeySet, type PublishedKey } from './key-set.js';
import type {
  DirectoryFetch,
  DirectoryNotes,
  KeyDirectoryOptions,
  ResolvedKey,
  ResolveOptions,
  UnresolvedReason,
} from './ports.js';

/** How long a request waits for a directory, in milliseconds, by the mode of its tenant (decisions 6.2). */
export const SIGNATURE_WAIT_MS = { log: 300, enforce: 2_500 } as const;
/** An unknown key id makes us ask again at most so often. */
export const UNKNOWN_KEY_INTERVAL_MS = 60_000;

const PINNED: DirectoryNotes = {
  proof: 'absent',
  isExactMediaType: true,
  isStale: false,
  isPinned: true,
};

const none = (reason: UnresolvedReason): ResolvedKey => ({ kind: 'none', reason });

interface Wanted {
  readonly place: DirectoryPlace;
  readonly keyId: string;
  readonly options: ResolveOptions;
}

/**
 * Finds keys of agents by (key source, key id), never by the key id alone: in the operator's files first, then in copies of
 * directories and UCP profiles, which are fetched when they are needed (facts/signatures.md 5.3). Kept in this process.
 * Not checked: the signature, `nbf` and `exp` of the key, and whether the signature deserves a fetch: ask only for those
 * that passed every check without a key.
 */
export class KeyDirectories {
  readonly #tap: KeySet;
  /** By URL; keys null: on the operator's list, and fetched. */
  readonly #named = new Map<string, { readonly keys: KeySet | null; readonly identity: string }>();
  /** Bounded, because strangers choose the URLs; each is at most 512 characters long. */
  readonly #places = new Remembered<DirectoryPlace>({ texts: 1_000, characters: 600 });
  readonly #slots = new DirectorySlots();
  readonly #asker: DirectoryAsker;

  constructor(private readonly options: KeyDirectoryOptions) {
    const { sources } = options;
    this.#asker = new DirectoryAsker(options);
    this.#tap = new KeySet(sources.tapKeys, { kidIsThumbprint: false });
    for (const { url, keys } of sources.named) {
      const set = keys === null ? null : new KeySet(keys, { kidIsThumbprint: false });
      for (const href of namedHrefs(url))
        this.#named.set(href, { keys: set, identity: identityOf(href) });
    }
  }

  /** The listener is told about every asking that ended. */
  observe(listener: (fetch: DirectoryFetch) => void): void {
    this.#asker.observe(listener);
  }

  /**
   * Reasons, in order: agent_url_refused, key_source_not_allowed, busy (a budget or the queue is used up), key_pending (no
   * answer within `waitMs`), key_source_unavailable (it could not be asked, or its answer is none), key_not_found,
   * test_key. Never rejects for what a peer did.
   */
  async resolve(source: KeySource, keyId: string, options: ResolveOptions): Promise<ResolvedKey> {
    if (source.kind === 'pinned') {
      const found = this.#tap.find(keyId, namingOf(source));
      return this.#answer(found, options.world, { url: null, notes: PINNED });
    }
    const named = this.#nameOf(source);
    if (named !== undefined && named.keys !== null) {
      const found = named.keys.find(keyId, namingOf(source));
      return this.#answer(found, options.world, { url: named.identity, notes: PINNED });
    }
    const allowsLoopback = options.world === 'test' && this.options.outbound.loopback !== null;
    const place = this.#placeOf(source, allowsLoopback);
    if (place === null) return none('agent_url_refused');
    if (this.options.sources.directories === 'allowlist' && !this.#named.has(place.href))
      return none('key_source_not_allowed');
    return this.#fetched({ place, keyId, options });
  }

  #nameOf({ url }: RemoteSource) {
    if (this.#named.size === 0) return undefined;
    // Mostly it is written as it is kept, and reading a URL takes longer than finding it.
    return (
      this.#named.get(url) ?? (URL.canParse(url) ? this.#named.get(new URL(url).href) : undefined)
    );
  }

  /** Says what {@link directoryPlace} says; what it said last of so many sources is remembered. */
  #placeOf(source: RemoteSource, allowsLoopback: boolean): DirectoryPlace | null {
    const name = `${allowsLoopback} ${source.kind} ${source.url}`;
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = directoryPlace(source, allowsLoopback);
    return place === null ? null : this.#places.keep(name, place);
  }

  async #fetched(wanted: Wanted): Promise<ResolvedKey> {
    const { place, options } = wanted;
    const slot = this.#slots.use(place.name) ?? new DirectorySlot();
    if (!this.#mustAsk(slot, wanted)) {
      // The copies of agents that come often never end: they are asked for again behind a request.
      if (this.#isDue(slot)) void this.#ask(slot, wanted)?.catch(() => undefined);
      return this.#read(slot, wanted);
    }
    const asking = slot.pending ?? this.#ask(slot, wanted);
    if (asking === null) {
      const copied = this.#read(slot, wanted);
      return copied.kind === 'found' ? copied : none('busy');
    }
    const isOver = await endsWithin(asking, options.waitMs);
    return isOver ? this.#read(slot, wanted) : none('key_pending');
  }

  #ask(slot: DirectorySlot, { place, options }: Wanted): Promise<void> | null {
    const asking = this.#asker.ask(slot, place, options.clientAddress);
    if (asking === null) return null;
    const keep = () => this.#slots.keep(place.name, slot);
    // Only what may be asked is remembered: names that are turned away drive nothing out.
    keep();
    return asking.then(keep);
  }

  #mustAsk(slot: DirectorySlot, { keyId, place }: Wanted): boolean {
    const now = this.options.clock.monotonicMs();
    const { copy, pending, askedAtMs, askAgainFromMs } = slot;
    if (copy === null || now >= copy.freshUntilMs) return now >= askAgainFromMs;
    if (copy.keys.find(keyId, place.naming) !== null) return false;
    return pending !== null || askedAtMs === null || now - askedAtMs >= UNKNOWN_KEY_INTERVAL_MS;
  }

  #isDue({ copy, pending, askAgainFromMs }: DirectorySlot): boolean {
    const now = this.options.clock.monotonicMs();
    return copy !== null && pending === null && now >= copy.refreshFromMs && now >= askAgainFromMs;
  }

  /** What the slot says now, without asking anybody. */
  #read({ copy, fault }: DirectorySlot, { place, keyId, options }: Wanted): ResolvedKey {
    const now = this.options.clock.monotonicMs();
    if (copy === null || now >= copy.keptUntilMs) return none('key_source_unavailable');
    const isStale = now >= copy.freshUntilMs;
    if (isStale && fault !== null && !saysNothing(fault)) return none('key_source_unavailable');
    if (place.isWellKnown && options.isStrict && !copy.isExactMediaType)
      return none('key_source_unavailable');
    const found = copy.keys.find(keyId, place.naming);
    // A directory that could not be asked may have published the key meanwhile.
    if (found === null && (fault !== null || isStale)) return none('key_source_unavailable');
    const { proof, isExactMediaType } = copy;
    const notes = { proof, isExactMediaType, isStale, isPinned: false };
    return this.#answer(found, options.world, { url: place.identity, notes });
  }

  #answer(
    published: PublishedKey | null,
    world: World,
    of: { readonly url: string | null; readonly notes: DirectoryNotes },
  ): ResolvedKey {
    if (published === null) return none('key_not_found');
    const { allowTestKeys } = this.options.sources;
    if (published.isTestKey && !(allowTestKeys && world === 'test')) return none('test_key');
    return { kind: 'found', key: published.key, ...of };
  }
}

/** Whether it ended in time; nobody stops it. */
async function endsWithin(asking: Promise<void>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), waitMs);
  });
  try {
    return await Promise.race([asking.then(() => true), over]);
  } finally {
    clearTimeout(timer);
  }
}
