import {
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DUE_WORKS, type DueWorks, withoutRepeats } from '../../base/ledger/index.js';
import {
  codeOf,
  CONFIG,
  type Config,
  DATABASE,
  HEALTH,
  type HealthRegistry,
  messageOf,
  type Pool,
  StartRefused,
} from '../../base/platform/index.js';
import { QUEUE_SCHEMA } from './queue-pool.store.js';
import { queueOpener, type QueueStore } from './queue.js';
import { Ticker } from './ticker.js';

const NOT_ALLOWED = '42501';

const TICKER = Symbol('Ticker');

/** Null = JOBS is off here. */
const tickerOf = (config: Config, pool: Pool, dueWorks: DueWorks): Ticker | null =>
  config.jobs
    ? new Ticker({
        openQueue: queueOpener(storeOf(config, pool)),
        sweep: () => dueWorks.sweep(null),
        log: withoutRepeats(new Logger('jobs'), Date.now),
        monotonicMs: () => performance.now(),
      })
    : null;

/** Wiring: the tick that lets every room do what is due (decisions 3.16), unless JOBS is off. */
@Module({
  providers: [{ provide: TICKER, inject: [CONFIG, DATABASE, DUE_WORKS], useFactory: tickerOf }],
})
export class JobsModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(TICKER) private readonly ticker: Ticker | null,
    @Inject(DUE_WORKS) private readonly dueWorks: DueWorks,
    @Inject(HEALTH) health: HealthRegistry,
  ) {
    if (ticker === null) return;
    // A deployment whose jobs stand still still answers: nothing is allowed that they would have to forbid.
    health.add({ name: 'jobs', decidesReadiness: false, check: () => ticker.health() });
  }

  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.ticker?.start();
    } catch (error) {
      throw new StartRefused(explain(error), { cause: error });
    }
  }

  /** First of all that closes: a sweep needs the writer and the pool. */
  async onModuleDestroy(): Promise<void> {
    this.dueWorks.stop();
    await this.ticker?.stop();
  }
}

const storeOf = ({ redisUrl }: Config, { options }: Pool): QueueStore =>
  redisUrl === null
    ? { kind: 'postgres', connectionString: options.connectionString ?? '' }
    : { kind: 'redis', url: redisUrl };

const explain = (error: unknown): string =>
  codeOf(error) === NOT_ALLOWED
    ? `JOBS is on, but the user of DATABASE_URL may not create the schema ${QUEUE_SCHEMA}: GRANT CREATE ON DATABASE ... TO ` +
      'it, make it the owner of the database, or set JOBS to off where another process runs the jobs.'
    : `JOBS is on, but the queue of jobs cannot be opened: ${messageOf(error)}.`;
