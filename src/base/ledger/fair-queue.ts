import type { TenantId } from '../../core/kernel/index.js';

/** What one batch may hold. */
export interface BatchBounds {
  readonly tenantsMax: number;
  readonly itemsMax: number;
  /** Tenants that share no batch. */
  readonly isAlone: (tenantId: TenantId) => boolean;
  /** False while enough flushers work for tenants that share no batch. */
  readonly mayServeAlone: boolean;
}

export interface Batch<Item> {
  readonly tenantIds: readonly TenantId[];
  readonly items: readonly Item[];
  readonly isAlone: boolean;
}

/**
 * One queue per tenant, served in turn. A tenant whose commands were taken waits until it is released, so no two
 * batches of this process work on one tenant and commands of a tenant keep their order.
 */
export class FairQueue<Item> {
  /** Tenants with waiting commands that are in no batch; the one served longest ago comes first. */
  readonly #ready = new Map<TenantId, Item[]>();
  /** Tenants in a batch, with what arrived for them meanwhile. */
  readonly #busy = new Map<TenantId, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  get isIdle(): boolean {
    return this.#size === 0 && this.#busy.size === 0;
  }

  push(tenantId: TenantId, item: Item): void {
    this.#size += 1;
    const waiting = this.#busy.get(tenantId) ?? this.#ready.get(tenantId);
    if (waiting === undefined) this.#ready.set(tenantId, [item]);
    else waiting.push(item);
  }

  /**
   * Takes at most `itemsMax` commands of at most `tenantsMax` tenants: first an equal share for each, so that a tenant
   * with a long queue cannot crowd out the others, then the room that is left. Nothing, when every tenant that waits
   * shares no batch and none of them may be served now.
   */
  take(bounds: BatchBounds): Batch<Item> {
    const { itemsMax } = bounds;
    const { chosen, isAlone } = this.choose(bounds);
    const share = Math.floor(itemsMax / Math.max(chosen.length, 1));
    const counts = chosen.map(([, waiting]) => Math.min(waiting.length, share));
    let room = itemsMax - counts.reduce((sum, count) => sum + count, 0);
    const items = chosen.flatMap(([tenantId, waiting], index) => {
      const more = Math.min(room, waiting.length - (counts[index] ?? 0));
      room -= more;
      const taken = waiting.splice(0, (counts[index] ?? 0) + more);
      this.#ready.delete(tenantId);
      this.#busy.set(tenantId, waiting);
      return taken;
    });
    this.#size -= items.length;
    return { tenantIds: chosen.map(([tenantId]) => tenantId), items, isAlone };
  }

  /** The tenants whose turn it is: the first alone, or as many as may share a batch. */
  private choose({ tenantsMax, itemsMax, isAlone, mayServeAlone }: BatchBounds) {
    const ready = [...this.#ready];
    const [first] = ready;
    if (first !== undefined && mayServeAlone && isAlone(first[0]))
      return { chosen: [first], isAlone: true };
    const sharing = ready.filter(([tenantId]) => !isAlone(tenantId));
    return { chosen: sharing.slice(0, Math.min(tenantsMax, itemsMax)), isAlone: false };
  }

  /** Ends the tenants' batch; those with commands left go to the end of the line. */
  release(tenantIds: readonly TenantId[]): void {
    for (const tenantId of tenantIds) {
      const waiting = this.#busy.get(tenantId) ?? [];
      this.#busy.delete(tenantId);
      if (waiting.length > 0) this.#ready.set(tenantId, waiting);
    }
  }
}
