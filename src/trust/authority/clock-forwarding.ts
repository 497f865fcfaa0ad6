import type { DueScope, DueWork } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import { findClocksBehind, type TenantClock } from './authority-clocks.store.js';
import type { AuthorityPort } from './contract.js';

/**
 * Tells the authority of clocks of the test world that were moved: what it signs for a tenant is signed at the tenant's
 * commerce time. The route that moves a clock waits for it; the tick repeats what failed. Until the authority knows, its
 * lists look too old, and what depends on them is refused.
 */
export class ClockForwarding implements DueWork {
  readonly name = 'authority.clocks';
  readonly #underWay = new Set<TenantId>();

  constructor(
    private readonly parts: {
      readonly database: Queryable;
      readonly authority: Pick<AuthorityPort, 'forwardClock'>;
    },
  ) {}

  /** With a tenant it waits for the authority, and fails when it does not answer; else it only begins. */
  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    const behind = await findClocksBehind(this.parts.database, { tenantId, limit });
    if (tenantId !== null) {
      for (const clock of behind) await this.#forward(clock);
      return 0;
    }
    for (const clock of behind.filter((one) => !this.#underWay.has(one.tenantId))) {
      this.#underWay.add(clock.tenantId);
      void this.#forward(clock)
        .catch(() => undefined)
        .finally(() => this.#underWay.delete(clock.tenantId));
    }
    return 0;
  }

  async #forward({ tenantId, nowMs }: TenantClock): Promise<void> {
    const forwarded = await this.parts.authority.forwardClock(tenantId, nowMs);
    if (!forwarded.ok) throw new Error(forwarded.error.detail);
  }
}
