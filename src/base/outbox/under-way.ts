import type { TenantId } from '../../core/kernel/index.js';
import type { LedgerLog } from '../ledger/index.js';

/** Tries under way in one process, and of one tenant. */
export const UNDER_WAY_MAX = 32;
export const UNDER_WAY_PER_TENANT_MAX = 8;
/** How long a stop waits for tries under way; what is cut off is tried again when its lease ends. */
export const STOP_MS_MAX = 3_000;

/** Tries that were begun and not waited for: what is due stands in tables, this is all a sender keeps. */
export class UnderWay {
  readonly #tries = new Map<Promise<void>, TenantId>();
  #isStopped = false;

  /** `what` begins the line that tells of a try that broke; its lease ends, and it is made again. */
  constructor(
    private readonly log: LedgerLog,
    private readonly what: string,
  ) {}

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** How many of `wanted` may begin now. */
  room(wanted: number): number {
    return this.#isStopped ? 0 : Math.max(0, Math.min(wanted, UNDER_WAY_MAX - this.#tries.size));
  }

  /** Tenants of which enough is under way here. */
  busyTenantIds(): readonly TenantId[] {
    const counts = new Map<TenantId, number>();
    for (const tenantId of this.#tries.values())
      counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    return [...counts].flatMap(([id, count]) => (count >= UNDER_WAY_PER_TENANT_MAX ? [id] : []));
  }

  start(tenantId: TenantId, attempt: Promise<void>): void {
    const guarded = attempt.catch((error: unknown) => {
      this.log.error(`${this.what} broke`, {
        tenant_id: tenantId,
        error: (error as Error).message,
      });
    });
    this.#tries.set(guarded, tenantId);
    void guarded.then(() => this.#tries.delete(guarded));
  }

  /** Resolves when no try is under way. */
  async idle(): Promise<void> {
    while (this.#tries.size > 0) await Promise.all(this.#tries.keys());
  }

  /** Begins nothing more; waits for tries under way, at most {@link STOP_MS_MAX}. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_MS_MAX)));
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
  }
}
