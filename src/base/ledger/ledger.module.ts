import {
  type DynamicModule,
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { TenantId } from '../../core/kernel/index.js';
import { CONFIG, type Config, DATABASE, type Pool } from '../platform/index.js';
import { type CellRef, WRITER } from './command.js';
import { cellsOutsideLock, type OutsideLock } from './outside-lock.store.js';
import type { AnyProjection } from './projection.js';
import { sessionOpener } from './session.store.js';
import { LedgerWriter } from './writer.js';

/** Injection token of the {@link OutsideLock} reader. */
export const OUTSIDE_LOCK = Symbol('OutsideLock');

/** Wiring: the one writer of this process, on connections of its own. `projections` are those of every room. */
@Global()
@Module({})
export class LedgerModule implements OnApplicationShutdown {
  constructor(@Inject(WRITER) private readonly writer: LedgerWriter) {}

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
      ],
      exports: [WRITER, OUTSIDE_LOCK],
    };
  }

  /** After the HTTP server has stopped: what was accepted is answered, then the connections close. */
  async onApplicationShutdown(): Promise<void> {
    await this.writer.close();
  }
}
