import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { QUEUE_SCHEMA } from './background/jobs/index.js';
import {
  type AuthorityAddress,
  bindSecrets,
  type Config,
  createHttpApplication,
  type Database,
  type GivenAuthority,
  HEALTH,
  type HealthRegistry,
  listen,
  loadConfig,
  type LogStream,
  migrate,
  openDatabase,
  STARTUP_NOTES,
  type StartupNotes,
  stopServing,
} from './base/platform/index.js';
import { type EmbeddedAuthority, startEmbeddedAuthority } from './embedded-authority.js';
import { refusePublishedKeys } from './demo/published-keys.js';
import type { MoreRails } from './money/rails/index.js';

export interface ServiceOverrides {
  /** Settings by their names; the process's environment when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Receives one line about a default that was not taken or a connection that was lost. */
  readonly report?: (line: string) => void;
  readonly logStream?: LogStream;
  /** Rails of providers beside the sandbox. */
  readonly rails?: MoreRails;
}

export interface RunningService {
  /** Where it listens, without a slash at its end. */
  readonly baseUrl: string;
  readonly config: Config;
  readonly app: NestFastifyApplication;
  /** The authority as a child of this process; null = another one was given. */
  readonly embeddedAuthority: EmbeddedAuthority | null;
  /** Resolves, with a line for the operator, when the data was deleted under the service: only {@link stop} is left. */
  readonly gone: Promise<string>;
  /** Lines for the operator: what rooms want to say after the start. */
  notes(): Promise<readonly string[]>;
  /**
   * Not ready, no new connections, requests in flight answered (at most ten seconds), writer drained,
   * authority stopped, connections closed, embedded database stopped. True when nothing had to be cut off. Repeated calls are one.
   */
  stop(): Promise<boolean>;
}

/**
 * Starts the whole service in this process: settings, database, migrations, rooms, HTTP. `PORT` 0 takes a free port.
 * Throws StartRefused with one line for the operator when it cannot start; nothing is left running then.
 */
export async function startService(overrides: ServiceOverrides = {}): Promise<RunningService> {
  const report = overrides.report ?? (() => undefined);
  const config = loadConfig({ environment: overrides.environment ?? undefined, report });
  const database = await openDatabase(config, report);
  let app: NestFastifyApplication | null = null;
  let embedded: EmbeddedAuthority | null = null;
  try {
    const { connectionString } = database;
    const schemasToMake = config.jobs && config.redisUrl === null ? [QUEUE_SCHEMA] : [];
    await migrate({ connectionString, schemasToMake });
    await bindSecrets(database.pool, {
      KEY_ENCRYPTION_KEY: config.keyEncryptionKey,
      LEDGER_HMAC_MASTER: config.ledgerHmacMaster,
    });
    await refusePublishedKeys(database.pool, config);
    embedded =
      config.authority === null
        ? await startEmbeddedAuthority({ config, connectionString, report })
        : null;
    const authority = embedded?.address ?? addressOf(config.authority);
    const parts = { config, database: database.pool, authority, rails: overrides.rails };
    app = await createHttpApplication(AppModule.register(parts), {
      logLevel: config.logLevel,
      logStream: overrides.logStream ?? process.stderr,
      rateLimits: {
        perKeyMax: config.rateLimitPerMinute,
        perAddressMax: config.rateLimitPerMinute,
      },
      trustedProxies: config.trustedProxies,
    });
    return runningService({
      app,
      config,
      database,
      embedded,
      baseUrl: await listen(app, { ...config, setting: 'PORT' }),
    });
  } catch (error) {
    await app?.close().catch(() => undefined);
    await embedded?.stop();
    await database.close();
    throw error;
  }
}

interface Parts {
  readonly app: NestFastifyApplication;
  readonly config: Config;
  readonly database: Database;
  /** Null = the authority is another operator's. */
  readonly embedded: EmbeddedAuthority | null;
  readonly baseUrl: string;
}

/** An authority that was given stays where it is. */
const addressOf = (given: GivenAuthority | null): AuthorityAddress | null =>
  given === null
    ? null
    : {
        origin: given.origin,
        isEmbedded: false,
        serviceToken: given.serviceToken,
        transportOrigin: () => given.url,
      };

function runningService(parts: Parts): RunningService {
  const { app, config, database, embedded, baseUrl } = parts;
  let stopped: Promise<boolean> | null = null;
  return {
    baseUrl,
    config,
    app,
    embeddedAuthority: embedded,
    gone: database.gone,
    notes: () => app.get<StartupNotes>(STARTUP_NOTES).lines(config.publicBaseUrl ?? baseUrl),
    stop: () => (stopped ??= stopService(parts)),
  };
}

/** The authority is asked until the last request is answered, and writes its ledger until it is told to stop. */
async function stopService({ app, embedded, database }: Parts): Promise<boolean> {
  app.get<HealthRegistry>(HEALTH).stop();
  try {
    return await stopServing(app);
  } finally {
    await embedded?.stop();
    await database.close();
  }
}
