import { invariant, type TenantId } from '../../../core/kernel/index.js';
import type { StatusRef } from '../../../core/proofs/index.js';

/** Lineages whose reserved slots this process remembers; the oldest is forgotten, and its slot is never used. */
export const RESERVED_SLOTS_MAX = 10_000;

/** Slots that are reserved for a lineage and not yet published on. */
export class ReservedSlots {
  readonly #slots = new Map<string, StatusRef>();

  has(tenantId: TenantId, lineage: string): boolean {
    return this.#slots.has(nameOf(tenantId, lineage));
  }

  /** As many slots as lineages. */
  keep(tenantId: TenantId, lineages: readonly string[], slots: readonly StatusRef[]): void {
    invariant(lineages.length === slots.length, 'every lineage has a slot of its own');
    for (const [index, lineage] of lineages.entries()) {
      const slot = slots[index];
      if (slot !== undefined) this.#slots.set(nameOf(tenantId, lineage), slot);
    }
    for (const oldest of this.#slots.keys()) {
      if (this.#slots.size <= RESERVED_SLOTS_MAX) return;
      this.#slots.delete(oldest);
    }
  }

  of(tenantId: TenantId, lineages: readonly string[]): ReadonlyMap<string, StatusRef> {
    return new Map(
      lineages.flatMap((lineage) => {
        const slot = this.#slots.get(nameOf(tenantId, lineage));
        return slot === undefined ? [] : [[lineage, slot] as const];
      }),
    );
  }

  forget(tenantId: TenantId, lineages: readonly string[]): void {
    for (const lineage of lineages) this.#slots.delete(nameOf(tenantId, lineage));
  }
}

const nameOf = (tenantId: TenantId, lineage: string): string => `${tenantId} ${lineage}`;
