import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePolicy, type WitnessPolicy } from '../../../core/chain/index.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { messageOf, StartRefused } from '../start-refused.js';
import { dataFolder, type DataFolderWish, existingDataFolder } from './data-folder.js';
import { parseSettings, type Environment } from './parse-settings.js';
import { SecretFiles } from './secrets.js';
import { type SignatureSources, signatureSourcesOf } from './signature-sources.js';
import {
  isLoopbackHost,
  SECRET_SETTINGS,
  settingsSchema,
  type LOG_LEVELS,
  type Settings,
} from './settings.js';

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
  /** Whether others than this machine may reach it: a `publicBaseUrl`, or a `host` that is not loopback. */
  readonly openToOthers: boolean;
  /** Whether the ledger of a new tenant starts sealed. */
  readonly ledgerSealingDefault: boolean;
  /** First part of the origins of new checkpoint logs; null = one that is drawn once for a database. */
  readonly ledgerLogName: string | null;
  /** Which witnesses are asked, and which are enough; null = the trust authority alone. */
  readonly witnessPolicy: WitnessPolicy | null;
  /** Between two rounds with the witnesses of one ledger. */
  readonly witnessingIntervalSeconds: number;
  /** The deployment's switch of agent-executed payment; each tenant has its own beside it. */
  readonly agentExecutedPaymentEnabled: boolean;
  /** The trust authority of another operator; null = the embedded one, a child of this service. */
  readonly authority: GivenAuthority | null;
  /** Lets the embedded authority serve live tenants: then one party holds both halves. */
  readonly embeddedAuthorityForLive: boolean;
  /** Who countersigns allows: nobody, or the authority. */
  readonly countersigner: NonNullable<Settings['COUNTERSIGNER']>;
  /** On when it was said; when nothing was said, only for this machine alone. */
  readonly seedDemo: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Requests per minute and caller. */
  readonly rateLimitPerMinute: number;
  readonly allowLoopbackPeers: boolean;
  /** Whether unsigned requests to the enforceable routes are refused; a tenant's own mode overrides it. */
  readonly agentSignatureMode: 'log' | 'enforce';
  /** Addresses and networks of proxies whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Where keys of agents that sign their requests may come from. */
  readonly signatureSources: SignatureSources;
  /** Whether this process takes part in the work that waits for an instant. */
  readonly jobs: boolean;
  /** Where the tick of the jobs is kept; null = in the database. */
  readonly redisUrl: string | null;
  /** 32 bytes; wraps the private keys of tenants. */
  readonly keyEncryptionKey: Buffer;
  /** 32 bytes; the ledger's MAC keys are derived from it by tenant and kid. */
  readonly ledgerHmacMaster: Buffer;
  /** Credential of the platform administrator. */
  readonly platformAdminKey: string;
}

/** A trust authority that was there before: where it is reached, its permanent name, and what we show it. */
export interface GivenAuthority {
  readonly url: string;
  readonly origin: string;
  readonly serviceToken: string;
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
  const { settings, dataDir } = placeOf(sources, dataFolder);
  const secrets = secretsOf(settings, dataDir);
  const openToOthers = settings.PUBLIC_BASE_URL !== undefined || !isLoopbackHost(settings.HOST);
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST,
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir,
    publicBaseUrl: settings.PUBLIC_BASE_URL ?? null,
    openToOthers,
    ledgerSealingDefault: settings.LEDGER_SEALING_DEFAULT,
    ledgerLogName: settings.LEDGER_LOG_NAME ?? null,
    witnessPolicy: policyIn(settings.WITNESS_POLICY_FILE),
    witnessingIntervalSeconds: settings.WITNESSING_INTERVAL_SECONDS,
    agentExecutedPaymentEnabled: settings.AGENT_EXECUTED_PAYMENT_ENABLED,
    authority: givenAuthority(settings),
    embeddedAuthorityForLive: settings.UNSAFE_EMBEDDED_AUTHORITY_FOR_LIVE_TENANTS,
    countersigner:
      settings.COUNTERSIGNER ?? (settings.AUTHORITY_URL === undefined ? 'off' : 'authority'),
    seedDemo: settings.SEED_DEMO ?? !openToOthers,
    logLevel: settings.LOG_LEVEL,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    allowLoopbackPeers: settings.ALLOW_LOOPBACK_PEERS,
    agentSignatureMode: settings.COMMERCE_AGENT_SIGNATURE_MODE,
    trustedProxies: settings.TRUSTED_PROXIES ?? [],
    signatureSources: signatureSourcesOf(settings),
    jobs: settings.JOBS,
    redisUrl: settings.REDIS_URL ?? null,
    ...secrets,
  });
}

function policyIn(path: string | undefined): WitnessPolicy | null {
  if (path === undefined) return null;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartRefused(
      `WITNESS_POLICY_FILE ${path} cannot be read (${messageOf(error)}): give the path of a policy (C2SP tlog-policy).`,
    );
  }
  const policy = parsePolicy(text);
  if (policy.ok) return policy.value;
  throw new StartRefused(
    `WITNESS_POLICY_FILE ${path} is no policy (C2SP tlog-policy): ${policy.error}.`,
  );
}

function givenAuthority(settings: Settings): GivenAuthority | null {
  const { AUTHORITY_URL: url, AUTHORITY_ORIGIN: origin } = settings;
  const { AUTHORITY_SERVICE_TOKEN: serviceToken } = settings;
  // INVARIANT: all three or none, see parseSettings.
  if (url === undefined || origin === undefined || serviceToken === undefined) return null;
  return { url, origin, serviceToken };
}

/** The settings of a check that only looks: the database, and the secret its seals are verified with. */
export type CheckConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'ledgerHmacMaster'>;

/**
 * Reads what a check of an existing ledger needs, and creates nothing. Throws StartRefused: wrong settings (a line
 * each), no embedded database in the data folder, no LEDGER_HMAC_MASTER.
 */
export function loadCheckConfig(sources: ConfigSources = {}): CheckConfig {
  const { settings, dataDir } = placeOf(sources, existingDataFolder);
  const databaseUrl = settings.DATABASE_URL ?? null;
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new StartRefused(
      `DATA_DIR ${dataDir} holds no ledger: give the folder that the service runs with, or its DATABASE_URL.`,
    );
  }
  const ledgerHmacMaster = settings.LEDGER_HMAC_MASTER ?? masterIn(dataDir);
  return Object.freeze({ databaseUrl, dataDir, ledgerHmacMaster });
}

function masterIn(dataDir: string): Buffer {
  const path = join(dataDir, 'secrets', 'LEDGER_HMAC_MASTER');
  const text = new SecretFiles(join(dataDir, 'secrets')).read('LEDGER_HMAC_MASTER');
  if (text !== null) return secretOf('LEDGER_HMAC_MASTER', text, path);
  throw new StartRefused(
    `LEDGER_HMAC_MASTER is not given and ${path} is missing: give the DATA_DIR that the service runs with, or the value.`,
  );
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
    return secretOf(name, files.readOrMake(name), join(dataDir, 'secrets', name));
  };
  return {
    keyEncryptionKey: settings.KEY_ENCRYPTION_KEY ?? fromFile('KEY_ENCRYPTION_KEY'),
    ledgerHmacMaster: settings.LEDGER_HMAC_MASTER ?? fromFile('LEDGER_HMAC_MASTER'),
    platformAdminKey: settings.PLATFORM_ADMIN_KEY ?? fromFile('PLATFORM_ADMIN_KEY'),
  };
}

function secretOf<Name extends SecretName>(
  name: Name,
  text: string,
  path: string,
): NonNullable<Settings[Name]> {
  const parsed = settingsSchema.shape[name].safeParse(text);
  if (parsed.success && parsed.data !== undefined)
    return parsed.data as NonNullable<Settings[Name]>;
  throw new StartRefused(`The secret ${path} is damaged: restore it from a copy.`);
}

function placeOf(
  sources: ConfigSources,
  folderOf: (wish: DataFolderWish) => string,
): { readonly settings: Settings; readonly dataDir: string } {
  const parsed = parseSettings(sources.environment ?? process.env);
  if (!parsed.ok) throw new StartRefused(parsed.error.join('\n'));
  const dataDir = folderOf({
    given: parsed.value.DATA_DIR ?? null,
    packageRoot: sources.packageRoot ?? PACKAGE_ROOT,
    holdsDatabase: parsed.value.DATABASE_URL === undefined,
    report: sources.report ?? (() => undefined),
  });
  return { settings: parsed.value, dataDir };
}
