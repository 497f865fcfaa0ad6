import {
  err,
  formatInstant,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import {
  type CommandContext,
  moveClock,
  type OutsideLock,
  switchSealing,
  type Writer,
} from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import { findLedgerHead, type LedgerHead } from './ledger-head.store.js';
import { rotateSealingKey, type SealingKeyInForce, sealWithNewestKey } from './sealing.commands.js';
import { noSuchTenant } from './tenants.commands.js';

/** What a tenant's administrator sets about its ledger: sealing, and in the test world the clock. */
export class LedgerSettings {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly writer: Writer;
      readonly outsideLock: OutsideLock;
    },
  ) {}

  /** Problem: not_found. */
  async head(tenantId: TenantId): Promise<Result<LedgerHead, Problem>> {
    const head = await findLedgerHead(this.dependencies.database, tenantId);
    return head === null ? err(noSuchTenant) : ok(head);
  }

  /**
   * Nothing is sealed backwards; what is sealed from now on is under the newest key. What is so already is answered as
   * success. Problem: not_found.
   */
  async switchSealing(context: CommandContext, on: boolean): Promise<Result<LedgerHead, Problem>> {
    const command = on ? sealWithNewestKey(context) : switchSealing(context, null);
    const switched = await this.dependencies.writer.execute<unknown>(command);
    const settled = switched.ok || switched.error.code === 'conflict';
    return settled ? this.head(context.tenantId) : switched;
  }

  /** Seals with the next key from now on: k2 after k1. Problems: not_found, conflict (sealing is off). */
  rotateSealingKey(context: CommandContext): Promise<Result<SealingKeyInForce, Problem>> {
    return this.dependencies.writer.execute(rotateSealingKey(context));
  }

  /** Commerce time of a test tenant (decisions 2.4). Problems, in order: not_found, forbidden (live world). */
  async readClock(tenantId: TenantId): Promise<Result<TestClock, Problem>> {
    const head = await findLedgerHead(this.dependencies.database, tenantId);
    const glance = await this.dependencies.outsideLock(tenantId, []);
    if (head === null || glance === null) return err(noSuchTenant);
    if (head.world !== 'test') return err(noClockInLive);
    return ok({ nowMs: glance.moment.atMs, frozen: head.testClockAtMs !== null });
  }

  /**
   * Moves the clock forward to an instant, where it stands still. Only commerce time: request signatures, keys and
   * rate limits stay on real time. Problems, in order: validation_failed (beyond {@link TEST_CLOCK_AT_MS_MAX}),
   * not_found, forbidden (live world), validation_failed (back).
   */
  async moveClock(context: CommandContext, nowMs: InstantMs): Promise<Result<TestClock, Problem>> {
    if (nowMs > TEST_CLOCK_AT_MS_MAX) return err(clockTooFar);
    const moved = await this.dependencies.writer.execute(moveClock(context, nowMs));
    if (moved.ok) return ok({ nowMs: moved.value.toMs, frozen: true });
    const { error } = moved;
    return err(error.code === 'validation_failed' ? { ...error, field: '/now' } : error);
  }
}

export interface TestClock {
  readonly nowMs: InstantMs;
  /** False until it was moved for the first time: then it runs with real time. */
  readonly frozen: boolean;
}

/** A clock never moves back, and from its last instant on every end that is computed still has a year of four digits. */
export const TEST_CLOCK_AT_MS_MAX: InstantMs = Date.UTC(9000, 0, 1);

const clockTooFar = problem('validation_failed', 'A test clock does not go that far.', {
  fix: `Name an instant up to ${formatInstant(TEST_CLOCK_AT_MS_MAX)}.`,
  field: '/now',
});

const noClockInLive = problem('forbidden', 'Only tenants of the test world have a test clock.', {
  fix: 'Use a tenant of the test world.',
});
