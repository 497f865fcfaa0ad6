import type { TenantId } from '../../core/kernel/index.js';

/** Tenants remembered at once; the one suspected longest ago is forgotten first. */
export const SUSPECTS_MAX = 1_000;

/**
 * Tenants that lately broke a batch or whose head somebody else held too long. Each is served in batches of its own for
 * a while, so that what goes wrong for it again goes wrong for it alone.
 */
export class Suspects {
  readonly #untilMs = new Map<TenantId, number>();

  /** `nowMs` never steps back. */
  constructor(
    private readonly quarantineMs: number,
    private readonly nowMs: () => number,
  ) {}

  add(tenantIds: readonly TenantId[]): void {
    for (const tenantId of tenantIds) {
      this.#untilMs.delete(tenantId);
      this.#untilMs.set(tenantId, this.nowMs() + this.quarantineMs);
    }
    for (const tenantId of this.#untilMs.keys()) {
      if (this.#untilMs.size <= SUSPECTS_MAX) break;
      this.#untilMs.delete(tenantId);
    }
  }

  has(tenantId: TenantId): boolean {
    const untilMs = this.#untilMs.get(tenantId);
    if (untilMs === undefined) return false;
    if (untilMs > this.nowMs()) return true;
    this.#untilMs.delete(tenantId);
    return false;
  }
}
