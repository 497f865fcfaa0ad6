import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package-root.js';
import { StartRefused } from '../start-refused.js';
import { dataFolder } from './data-folder.js';
import { parseSettings, type Environment } from './parse-settings.js';
import { SecretFiles } from './secrets.js';
import { SECRET_SETTINGS, settingsSchema, type LOG_LEVELS, type Settings } from './settings.js';

/** What the service was told, complete and frozen. Read once at the start and handed to whoever needs it. */
export interface Config {
  /** 0 = any free port. */
  readonly port: number;
  readonly host: string;
  /** A PostgreSQL of the operator's; null = the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Absolute; holds the embedded database and the secrets this installation made. */
  readonly dataDir: string;
  /** Origin under which the world reaches this service; null = this machine only. */
  readonly publicBaseUrl: string | null;
  /** Whether the ledger of a new tenant starts sealed. */
  readonly ledgerSealingDefault: boolean;
  /** The deployment's switch of agent-executed payment; each tenant has its own beside it. */
  readonly agentExecutedPaymentEnabled: boolean;
  readonly seedDemo: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Requests per minute and caller. */
  readonly rateLimitPerMinute: number;
  readonly allowLoopbackPeers: boolean;
  /** 32 bytes; wraps the private keys of tenants. */
  readonly keyEncryptionKey: Buffer;
  /** 32 bytes; the ledger's MAC keys are derived from it by tenant and kid. */
  readonly ledgerHmacMaster: Buffer;
  /** Credential of the platform administrator. */
  readonly platformAdminKey: string;
}

export interface ConfigSources {
  readonly environment?: Environment;
  readonly packageRoot?: string;
  /** Receives one line about a default that was not taken. */
  readonly report?: (line: string) => void;
}

/**
 * Reads the environment and the secret files. Throws StartRefused: one line for each setting that is wrong.
 * Creates the data folder and the secrets that were not given. Does not check that the database answers.
 */
export function loadConfig(sources: ConfigSources = {}): Config {
  const parsed = parseSettings(sources.environment ?? process.env);
  if (!parsed.ok) throw new StartRefused(parsed.error.join('\n'));
  const settings = parsed.value;
  const dataDir = dataFolder({
    given: settings.DATA_DIR ?? null,
    packageRoot: sources.packageRoot ?? PACKAGE_ROOT,
    holdsDatabase: settings.DATABASE_URL === undefined,
    report: sources.report ?? (() => undefined),
  });
  const secrets = secretsOf(settings, dataDir);
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST,
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir,
    publicBaseUrl: settings.PUBLIC_BASE_URL ?? null,
    ledgerSealingDefault: settings.LEDGER_SEALING_DEFAULT,
    agentExecutedPaymentEnabled: settings.AGENT_EXECUTED_PAYMENT_ENABLED,
    seedDemo: settings.SEED_DEMO ?? settings.PUBLIC_BASE_URL === undefined,
    logLevel: settings.LOG_LEVEL,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    allowLoopbackPeers: settings.ALLOW_LOOPBACK_PEERS,
    ...secrets,
  });
}

type SecretName = (typeof SECRET_SETTINGS)[number];

/** Without these two, what stands in a database cannot be read or verified any more. */
const BOUND_TO_THE_DATA: readonly SecretName[] = ['KEY_ENCRYPTION_KEY', 'LEDGER_HMAC_MASTER'];

function secretsOf(
  settings: Settings,
  dataDir: string,
): Pick<Config, 'keyEncryptionKey' | 'ledgerHmacMaster' | 'platformAdminKey'> {
  const files = new SecretFiles(join(dataDir, 'secrets'));
  const hasData = settings.DATABASE_URL === undefined && existsSync(join(dataDir, 'postgres'));
  const fromFile = <Name extends SecretName>(name: Name): NonNullable<Settings[Name]> => {
    if (hasData && BOUND_TO_THE_DATA.includes(name) && files.read(name) === null) {
      throw new StartRefused(
        `${name} is not given and ${join(dataDir, 'secrets', name)} is missing, but the database there was made with one: restore the file, or give the value.`,
      );
    }
    const parsed = settingsSchema.shape[name].safeParse(files.readOrMake(name));
    if (parsed.success && parsed.data !== undefined)
      return parsed.data as NonNullable<Settings[Name]>;
    throw new StartRefused(
      `The secret ${join(dataDir, 'secrets', name)} is damaged: restore it from a copy.`,
    );
  };
  return {
    keyEncryptionKey: settings.KEY_ENCRYPTION_KEY ?? fromFile('KEY_ENCRYPTION_KEY'),
    ledgerHmacMaster: settings.LEDGER_HMAC_MASTER ?? fromFile('LEDGER_HMAC_MASTER'),
    platformAdminKey: settings.PLATFORM_ADMIN_KEY ?? fromFile('PLATFORM_ADMIN_KEY'),
  };
}
