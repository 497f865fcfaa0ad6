import type { TenantId } from '../../core/kernel/index.js';
import { originOf } from './list-origin.js';
import type { CopyClock, ListKey, ListTrust } from './ports.js';

/** Time between two questions for new keys to one origin on behalf of one tenant, in milliseconds. */
export const KEY_REFETCH_COOLDOWN_MS = 30_000;
/** Questions for keys that are remembered at once. */
const REFETCHES_REMEMBERED_MAX = 10_000;

interface ListPlace {
  readonly tenantId: TenantId;
  readonly uri: string;
}

/** The keys of lists. Unknown key ids, which anybody can make up, ask an origin at most once in a while. */
export class ListKeys {
  readonly #refetches = new Map<string, { readonly atMonoMs: number; done: Promise<void> }>();

  constructor(
    private readonly trust: ListTrust,
    private readonly clock: CopyClock,
  ) {}

  get ownOrigin(): string {
    return this.trust.ownOrigin;
  }

  isTrusted({ tenantId, uri }: ListPlace): Promise<boolean> {
    return this.trust.isTrusted(tenantId, uri);
  }

  keyOf({ tenantId, uri }: ListPlace, kid: string): Promise<ListKey | null> {
    return this.trust.keyOf(tenantId, uri, kid);
  }

  /** The same after the origin was asked for its keys, or after it was asked less than the cooldown ago. */
  async keyOfAgain(place: ListPlace, kid: string): Promise<ListKey | null> {
    await this.#refetch(place);
    return this.keyOf(place, kid);
  }

  #refetch({ tenantId, uri }: ListPlace): Promise<void> {
    const name = `${tenantId} ${originOf(uri)}`;
    const nowMonoMs = this.clock.monotonicMs();
    const last = this.#refetches.get(name);
    if (last !== undefined && nowMonoMs - last.atMonoMs < KEY_REFETCH_COOLDOWN_MS) return last.done;
    if (this.#refetches.size >= REFETCHES_REMEMBERED_MAX) this.#refetches.clear();
    const done = this.trust.refetchKeys(tenantId, uri).catch(() => undefined);
    this.#refetches.set(name, { atMonoMs: nowMonoMs, done });
    return done;
  }
}
