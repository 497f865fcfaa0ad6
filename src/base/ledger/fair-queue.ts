import type { TenantId } from '../../core/kernel/index.js';

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
   * with a long queue cannot crowd out the others, then the room that is left.
   */
  take(
    tenantsMax: number,
    itemsMax: number,
  ): { tenantIds: readonly TenantId[]; items: readonly Item[] } {
    const chosen = [...this.#ready].slice(0, Math.min(tenantsMax, itemsMax));
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
    return { tenantIds: chosen.map(([tenantId]) => tenantId), items };
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
