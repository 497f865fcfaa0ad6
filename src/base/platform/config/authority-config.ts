import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../package-root.js';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';
import { dataFolder } from './data-folder.js';
import { parseWith } from './parse-settings.js';
import { SecretFiles } from './secrets.js';
import { LOG_LEVELS, settingForms } from './settings.js';
import type { ConfigSources } from './config.js';

/** What the process of the trust authority was told, complete and frozen. */
export interface AuthorityConfig {
  /** 0 = any free port. */
  readonly port: number;
  readonly host: string;
  /** A PostgreSQL of the operator's; null = an embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Absolute; the authority's own: its secrets, its name, and the embedded database. */
  readonly dataDir: string;
  /** Permanent name: `iss` of everything it signs, and the beginning of every list's uri. */
  readonly origin: string;
  /** Whether it is a child of the arbiter it serves: then one party holds both. */
  readonly isEmbedded: boolean;
  /** Names of services by their tokens. */
  readonly services: ReadonlyMap<string, string>;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Requests per minute of one address on the public routes. */
  readonly rateLimitPerMinute: number;
  readonly keyEncryptionKey: Buffer;
  readonly ledgerHmacMaster: Buffer;
}

const { parsed, integer, trueFalse, databaseUrl, authorityOrigin, host, secretKey, folder } =
  settingForms;

const SERVICE_TOKEN = /^([a-z0-9][a-z0-9_-]{0,31})=([A-Za-z0-9_-]{32,200})$/;

const serviceTokens = parsed((text) => {
  const services = new Map<string, string>();
  for (const part of text.split(',')) {
    const [, name, token] = SERVICE_TOKEN.exec(part.trim()) ?? [];
    if (name === undefined || token === undefined || services.has(token)) return undefined;
    services.set(token, name);
  }
  return services;
}, 'give name=token for each service, separated by commas: a name of lower-case letters and digits, a token of 32 to 200 characters of A-Z a-z 0-9 _ - that no other service has');

/** Values that are never repeated in a message. */
const SECRETS = [
  'AUTHORITY_SERVICE_TOKENS',
  'AUTHORITY_KEY_ENCRYPTION_KEY',
  'AUTHORITY_LEDGER_HMAC_MASTER',
];

/** Every setting of the authority's process. `docs/settings.md` lists them. */
export const authoritySettings = z.object({
  AUTHORITY_PORT: integer(0, 65_535).prefault('8090'),
  HOST: host.prefault('127.0.0.1'),
  DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: folder.optional(),
  AUTHORITY_ORIGIN: authorityOrigin.optional(),
  // Left out is as wrong as empty: without services the authority serves nobody.
  AUTHORITY_SERVICE_TOKENS: serviceTokens.prefault(''),
  AUTHORITY_EMBEDDED: trueFalse.prefault('false'),
  LOG_LEVEL: z.enum(LOG_LEVELS).prefault('info'),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).prefault('6000'),
  AUTHORITY_KEY_ENCRYPTION_KEY: secretKey.optional(),
  AUTHORITY_LEDGER_HMAC_MASTER: secretKey.optional(),
});

/**
 * Reads the environment, the secrets and the name of the authority; makes those that are missing in
 * `DATA_DIR/authority`. Throws StartRefused: one line for each setting that is wrong. Does not check that the database
 * answers, nor that the name is the one that the database knows.
 */
export function loadAuthorityConfig(sources: ConfigSources = {}): AuthorityConfig {
  const {
    environment = process.env,
    packageRoot = PACKAGE_ROOT,
    report = () => undefined,
  } = sources;
  const settings = parseWith(authoritySettings, { environment, secrets: SECRETS });
  if (!settings.ok) throw new StartRefused(settings.error.join('\n'));
  const given = settings.value;
  const parent = dataFolder({
    given: given.DATA_DIR ?? null,
    packageRoot,
    holdsDatabase: given.DATABASE_URL === undefined,
    report,
  });
  const dataDir = join(parent, 'authority');
  makeFolder(dataDir);
  const files = new SecretFiles(join(dataDir, 'secrets'));
  const secret = (name: string, value: Buffer | undefined): Buffer =>
    value ?? secretIn(files.readOrMake(name), join(dataDir, 'secrets', name));
  return Object.freeze({
    port: given.AUTHORITY_PORT,
    host: given.HOST,
    databaseUrl: given.DATABASE_URL ?? null,
    dataDir,
    origin: given.AUTHORITY_ORIGIN ?? originIn(dataDir),
    isEmbedded: given.AUTHORITY_EMBEDDED,
    services: given.AUTHORITY_SERVICE_TOKENS,
    logLevel: given.LOG_LEVEL,
    rateLimitPerMinute: given.RATE_LIMIT_PER_MINUTE,
    keyEncryptionKey: secret('KEY_ENCRYPTION_KEY', given.AUTHORITY_KEY_ENCRYPTION_KEY),
    ledgerHmacMaster: secret('LEDGER_HMAC_MASTER', given.AUTHORITY_LEDGER_HMAC_MASTER),
  });
}

function secretIn(text: string, path: string): Buffer {
  const read = secretKey.safeParse(text);
  if (read.success) return read.data;
  throw new StartRefused(`The secret ${path} is damaged: restore it from a copy.`);
}

/** The name drawn at the first start. INVARIANT: it is drawn once, whichever of two processes comes first. */
function originIn(dataDir: string): string {
  const path = join(dataDir, 'origin');
  const known = readIfThere(path);
  if (known !== null) return originOf(known, path);
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `https://${randomBytes(8).toString('hex')}.authority.internal\n`, {
      flush: true,
    });
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
  return originOf(readIfThere(path) ?? '', path);
}

function originOf(text: string, path: string): string {
  const read = authorityOrigin.safeParse(text.trim());
  if (read.success) return read.data;
  throw new StartRefused(
    `The name of the authority in ${path} is damaged: restore it from a copy, or give AUTHORITY_ORIGIN.`,
  );
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw unusable(path, error);
  }
}

function makeFolder(path: string): void {
  try {
    // As the data folder itself: the database's user enters it, and what is secret has a folder of its own.
    mkdirSync(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown): StartRefused =>
  new StartRefused(`${path} cannot be used (${messageOf(error)}): make it writable for this user.`);
