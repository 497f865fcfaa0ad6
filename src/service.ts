import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { QUEUE_SCHEMA } from './background/jobs/index.js';
import {
  bindSecrets,
  codeOf,
  type Config,
  createHttpApplication,
  type Database,
  HEALTH,
  type HealthRegistry,
  loadConfig,
  type LogStream,
  messageOf,
  migrate,
  openDatabase,
  STARTUP_NOTES,
  StartRefused,
  type StartupNotes,
} from './base/platform/index.js';
import { refusePublishedKeys } from './demo/published-keys.js';
import type { MoreRails } from './money/rails/index.js';

/** How long requests in flight are waited for when the service stops, in milliseconds. */
export const DRAIN_MS_MAX = 10_000;

const IDLE_SWEEP_MS = 50;

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
  /** Resolves, with a line for the operator, when the data was deleted under the service: only {@link stop} is left. */
  readonly gone: Promise<string>;
  /** Lines for the operator: what rooms want to say after the start. */
  notes(): Promise<readonly string[]>;
  /**
   * Not ready, no new connections, requests in flight answered (at most {@link DRAIN_MS_MAX}), writer drained,
   * connections closed, embedded database stopped. True when nothing had to be cut off. Repeated calls are one.
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
  try {
    const { connectionString } = database;
    const schemasToMake = config.jobs && config.redisUrl === null ? [QUEUE_SCHEMA] : [];
    await migrate({ connectionString, schemasToMake });
    await bindSecrets(database.pool, {
      KEY_ENCRYPTION_KEY: config.keyEncryptionKey,
      LEDGER_HMAC_MASTER: config.ledgerHmacMaster,
    });
    await refusePublishedKeys(database.pool, config);
    const parts = { config, database: database.pool, rails: overrides.rails };
    app = await createHttpApplication(AppModule.register(parts), {
      logLevel: config.logLevel,
      logStream: overrides.logStream ?? process.stderr,
      rateLimits: {
        perKeyMax: config.rateLimitPerMinute,
        perAddressMax: config.rateLimitPerMinute,
      },
      trustedProxies: [],
    });
    return runningService({ app, config, database, baseUrl: await listen(app, config) });
  } catch (error) {
    await app?.close().catch(() => undefined);
    await database.close();
    throw error;
  }
}

interface Parts {
  readonly app: NestFastifyApplication;
  readonly config: Config;
  readonly database: Database;
  readonly baseUrl: string;
}

function runningService({ app, config, database, baseUrl }: Parts): RunningService {
  let stopped: Promise<boolean> | null = null;
  return {
    baseUrl,
    config,
    app,
    gone: database.gone,
    notes: () => app.get<StartupNotes>(STARTUP_NOTES).lines(config.publicBaseUrl ?? baseUrl),
    stop: () => (stopped ??= stopService(app, database)),
  };
}

async function stopService(app: NestFastifyApplication, database: Database): Promise<boolean> {
  app.get<HealthRegistry>(HEALTH).stop();
  const server = app.getHttpServer();
  let drained = true;
  // A connection whose last request was answered meanwhile is idle only now.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const deadline = setTimeout(() => {
    drained = false;
    server.closeAllConnections();
  }, DRAIN_MS_MAX);
  try {
    // Stops accepting, waits for requests in flight, then lets the writer answer what it has taken.
    const closed = app.close().then(() => true);
    const late = sleep(2 * DRAIN_MS_MAX, false, { ref: false });
    return (await Promise.race([closed, late])) && drained;
  } finally {
    clearTimeout(deadline);
    clearInterval(idle);
    await database.close();
  }
}

async function listen(app: NestFastifyApplication, { port, host }: Config): Promise<string> {
  try {
    // WHY: Fastify's own listen, because Nest's logs a refusal that main prints as the one line.
    await app.getHttpAdapter().getInstance().listen({ port, host });
  } catch (error) {
    throw new StartRefused(explainListen(error, port, host), { cause: error });
  }
  const address = app.getHttpServer().address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${reachable(host)}:${boundPort}`;
}

/** A host name that this machine reaches the service under. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function explainListen(error: unknown, port: number, host: string): string {
  switch (codeOf(error) ?? '') {
    case 'EADDRINUSE':
      return `PORT ${port} on ${host} is taken: stop the program that listens there, or give another PORT (0 takes a free one).`;
    case 'EACCES':
      return `PORT ${port} may not be opened by this user: give a PORT of 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is no address of this machine: give 127.0.0.1, or 0.0.0.0 for every network.`;
    default:
      return `PORT ${port} on ${host} cannot be opened: ${messageOf(error)}.`;
  }
}
