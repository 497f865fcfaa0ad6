import type { TenantId } from '../../core/kernel/index.js';
import type { LedgerLog } from '../ledger/index.js';
import type { HealthCheck, Queryable } from '../platform/index.js';
import {
  type BrokenCount,
  countBrokenTrees,
  countDisagreements,
  insertAlarm,
} from './alarms.store.js';
import type { HistoryBroken } from './broken.js';
import type { HeldInvariants } from './held.js';
import { markBroken } from './tree/trees.store.js';

export interface AlarmParts {
  readonly database: Queryable;
  readonly log: LedgerLog;
  readonly nowMs: () => number;
}

/** Raises alarms: a row that stays, a line of the log, and what readiness says. */
export class Alarms {
  constructor(private readonly parts: AlarmParts) {}

  /** An own invariant is broken: nothing more is signed for the tenant until a check finds it whole, and readiness ends. */
  async raiseOwn(tenantId: TenantId, { invariant, message }: HistoryBroken): Promise<void> {
    await markBroken(this.parts.database, tenantId, invariant);
    await this.raise(tenantId, { invariant, witnessName: null, detail: message });
  }

  async raise(
    tenantId: TenantId,
    alarm: { invariant: string; witnessName: string | null; detail: string },
  ): Promise<void> {
    const { database, log, nowMs } = this.parts;
    const isNew = await insertAlarm(database, tenantId, { ...alarm, raisedAtMs: nowMs() });
    if (!isNew) return;
    log.error('An invariant of the history is broken', {
      tenant_id: tenantId,
      invariant: alarm.invariant,
      witness: alarm.witnessName,
      detail: alarm.detail,
    });
  }
}

/**
 * Without it no process gets requests: what the house itself promises about a ledger does not hold. Its detail says when each
 * promise was last verified and over how many entries: healthy is no more than that nothing was found by then.
 */
export const historyCheck = (database: Queryable, held: HeldInvariants): HealthCheck => ({
  name: 'history',
  check: async () => {
    const finding = findingOf(await countBrokenTrees(database));
    const verified = held.text();
    return finding.healthy
      ? { healthy: true, detail: verified }
      : { healthy: false, detail: `${finding.detail}; ${verified}` };
  },
});

/** Told, and keeps no requests away: a witness that disagrees, or lies, never stops commerce. */
export const witnessCheck = (database: Queryable): HealthCheck => ({
  name: 'witness',
  decidesReadiness: false,
  check: async () => findingOf(await countDisagreements(database)),
});

/** No tenant is named: readiness is public. */
const findingOf = (broken: readonly BrokenCount[]) =>
  broken.length === 0
    ? ({ healthy: true } as const)
    : ({
        healthy: false,
        detail: broken
          .map(({ invariant, tenantCount }) => `${invariant} is broken: ledgers ${tenantCount}`)
          .join('; '),
      } as const);
