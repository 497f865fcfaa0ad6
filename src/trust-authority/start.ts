import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AUTHORITY_PURPOSES, type SigningKeys, SIGNING_KEYS } from '../base/keys/index.js';
import {
  type AuthorityConfig,
  bindSecrets,
  createHttpApplication,
  createPool,
  type Database,
  HEALTH,
  type HealthRegistry,
  listen,
  loadAuthorityConfig,
  type LogStream,
  migrate,
  openDatabase,
  PACKAGE_ROOT,
  type Pool,
  StartRefused,
  stopServing,
} from '../base/platform/index.js';
import { AuthorityModule } from './authority.module.js';
import { type AuthorityTenants, SYSTEM_TENANT } from './tenants/index.js';
import { TENANTS } from './tokens.js';

/** Where the authority's tables stand: apart from an arbiter's in the same database. */
export const AUTHORITY_SCHEMA = 'authority';

/** The tables that any ledger of this program has, and the authority's own. */
export const AUTHORITY_MIGRATIONS: readonly string[] = [
  ...[
    '0001_ledger',
    '0011_signing_keys',
    '0040_idempotency_retention',
    '0041_deployment_secrets',
    '0050_tenant_clocks',
  ].map((name) => join(PACKAGE_ROOT, 'migrations', `${name}.sql`)),
  join(PACKAGE_ROOT, 'migrations-authority', '*.sql'),
];

/** Requests of one service per minute: it is one of ours, and a whole arbiter speaks through it. */
const SERVICE_REQUESTS_PER_MINUTE = 1_000_000;

/** Room for 500 mandates with everything they say, and for 100 whole envelopes. */
const REQUEST_BYTES_MAX = 1024 * 1024;

export interface AuthorityOverrides {
  /** Settings by their names; the process's environment when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Receives one line about a default that was not taken or a connection that was lost. */
  readonly report?: (line: string) => void;
  readonly logStream?: LogStream;
}

export interface RunningAuthority {
  /** Where it listens, without a slash at its end. */
  readonly url: string;
  /** Its permanent name. */
  readonly origin: string;
  readonly config: AuthorityConfig;
  readonly app: NestFastifyApplication;
  /** Resolves, with a line for the operator, when its database was deleted under it. */
  readonly gone: Promise<string>;
  /** Requests in flight answered, writer drained, connections closed. True when nothing was cut off; repeated calls are one. */
  stop(): Promise<boolean>;
}

/**
 * Starts the whole authority in this process: settings, database, migrations, its own ledger and keys, HTTP.
 * `AUTHORITY_PORT` 0 takes a free port. Throws StartRefused with one line when it cannot start; nothing is left then.
 */
export async function startAuthority(
  overrides: AuthorityOverrides = {},
): Promise<RunningAuthority> {
  const report = overrides.report ?? (() => undefined);
  const config = loadAuthorityConfig({ environment: overrides.environment, report });
  const database = await openDatabase(config, report);
  const connectionString = withSearchPath(database.connectionString, AUTHORITY_SCHEMA);
  const pool = createPool({ connectionString, report });
  let app: NestFastifyApplication | null = null;
  try {
    await migrateAuthority(database.connectionString);
    await bindSecrets(pool, {
      KEY_ENCRYPTION_KEY: config.keyEncryptionKey,
      LEDGER_HMAC_MASTER: config.ledgerHmacMaster,
    });
    app = await createHttpApplication(AuthorityModule.register({ config, database: pool }), {
      logLevel: config.logLevel,
      logStream: overrides.logStream ?? process.stderr,
      rateLimits: {
        perKeyMax: SERVICE_REQUESTS_PER_MINUTE,
        perAddressMax: config.rateLimitPerMinute,
      },
      bodyBytesMax: REQUEST_BYTES_MAX,
      trustedProxies: [],
    });
    await establish(app, config);
    const { port, host } = config;
    const url = await listen(app, { port, host, setting: 'AUTHORITY_PORT' });
    return runningAuthority({ app, config, url, pool, database });
  } catch (error) {
    await app?.close().catch(() => undefined);
    await pool.end();
    await database.close();
    throw error;
  }
}

/** Runs the migrations of the authority in its schema, which is made when it is not there. */
export const migrateAuthority = (connectionString: string): Promise<readonly string[]> =>
  migrate({ connectionString, schema: AUTHORITY_SCHEMA }, AUTHORITY_MIGRATIONS);

/** The same database, seen through one schema alone. */
export function withSearchPath(connectionString: string, schema: string): string {
  const [address = '', query = ''] = connectionString.split('?', 2);
  const options = `options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  return `${address}?${query === '' ? '' : `${query}&`}${options}`;
}

/** The authority's own ledger and a key for every purpose, so that the published keys are whole from the first answer. */
async function establish(app: NestFastifyApplication, { origin }: AuthorityConfig): Promise<void> {
  const fault = await app.get<AuthorityTenants>(TENANTS).establish(origin);
  if (fault !== null) throw new StartRefused(fault);
  const signingKeys = app.get<SigningKeys>(SIGNING_KEYS);
  for (const purpose of AUTHORITY_PURPOSES) {
    const signed = await signingKeys.sign(SYSTEM_TENANT, purpose, new Uint8Array());
    if (!signed.ok) throw new StartRefused(`${signed.error.detail} ${signed.error.fix}`);
  }
}

interface Parts {
  readonly app: NestFastifyApplication;
  readonly config: AuthorityConfig;
  readonly url: string;
  readonly pool: Pool;
  readonly database: Database;
}

function runningAuthority({ app, config, url, pool, database }: Parts): RunningAuthority {
  let stopped: Promise<boolean> | null = null;
  const stop = async (): Promise<boolean> => {
    app.get<HealthRegistry>(HEALTH).stop();
    try {
      return await stopServing(app);
    } finally {
      await pool.end();
      await database.close();
    }
  };
  return {
    url,
    origin: config.origin,
    config,
    app,
    gone: database.gone,
    stop: () => (stopped ??= stop()),
  };
}
