import {
  type DynamicModule,
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { TenantId } from '../../core/kernel/index.js';
import {
  CONFIG,
  type Config,
  DATABASE,
  HEALTH,
  type HealthRegistry,
  type Pool,
} from '../platform/index.js';
import { type CellRef, WRITER } from './command.js';
import { DUE_WORKS, DueWorks } from './due-works.js';
import { sweepIdempotency } from './idempotency.store.js';
import { IdempotencySweeper } from './idempotency-sweeper.js';
import { cellsOutsideLock, type OutsideLock } from './outside-lock.store.js';
import type { AnyProjection } from './projection.js';
import { withoutRepeats } from './repeated-errors.js';
import { sessionOpener } from './session.store.js';
import { LedgerWriter } from './writer.js';
import { writerCheck } from './writer-check.js';

/** Injection token of the {@link OutsideLock} reader. */
export const OUTSIDE_LOCK = Symbol('OutsideLock');

/**
 * Wiring: the one writer of this process, on connections of its own, its health check, and the sweep of old idempotency
 * records. `projections` are those of every room.
 */
@Global()
@Module({})
export class LedgerModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeper: IdempotencySweeper;

  constructor(
    @Inject(WRITER) private readonly writer: LedgerWriter,
    @Inject(HEALTH) health: HealthRegistry,
    @Inject(DATABASE) pool: Pool,
  ) {
    health.add(writerCheck(writer));
    this.sweeper = new IdempotencySweeper({
      sweep: (limit) => sweepIdempotency(pool, limit),
      log: new Logger('ledger'),
    });
  }

  static register({ projections }: { projections: readonly AnyProjection[] }): DynamicModule {
    return {
      module: LedgerModule,
      global: true,
      providers: [
        {
          provide: WRITER,
          inject: [CONFIG, DATABASE],
          useFactory: (config: Config, pool: Pool) =>
            new LedgerWriter({
              projections,
              openSession: sessionOpener({ connectionString: pool.options.connectionString }),
              masterSecret: config.ledgerHmacMaster,
              log: new Logger('ledger'),
            }),
        },
        {
          provide: OUTSIDE_LOCK,
          inject: [DATABASE],
          useFactory:
            (pool: Pool): OutsideLock =>
            (tenantId: TenantId, reads: readonly CellRef[]) =>
              cellsOutsideLock(pool, tenantId, reads),
        },
        {
          provide: DUE_WORKS,
          useFactory: () => new DueWorks(withoutRepeats(new Logger('due-work'), Date.now)),
        },
      ],
      exports: [WRITER, OUTSIDE_LOCK, DUE_WORKS],
    };
  }

  onApplicationBootstrap(): void {
    this.sweeper.start();
  }

  /** After the HTTP server has stopped: what was accepted is answered, then the connections close. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweeper.stop(), this.writer.close()]);
  }
}
