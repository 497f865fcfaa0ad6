import { isIP } from 'node:net';
import { z } from 'zod';
import { LOG_LEVELS } from '../http/request-log.js';

/** Values that are never repeated in a message. */
export const SECRET_SETTINGS = [
  'KEY_ENCRYPTION_KEY',
  'LEDGER_HMAC_MASTER',
  'PLATFORM_ADMIN_KEY',
  'AUTHORITY_SERVICE_TOKEN',
] as const;

export const SECRET_KEY_BYTES = 32;
export const PLATFORM_ADMIN_KEY_MIN_CHARACTERS = 32;
export { LOG_LEVELS };

/** Parses a text or states what is wrong and how to repair it; the name of the setting and its value stand before. */
const parsed = <Value>(parse: (text: string) => Value | undefined, advice: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: advice });
    return z.NEVER;
  });

const integer = (least: number, most: number) =>
  parsed((text) => {
    const value = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  }, `give a whole number from ${least} to ${most}`);

const oneOf = <Word extends string>(...words: Word[]) =>
  parsed((text) => words.find((word) => word === text), `give ${words.join(' or ')}`);

const onOff = oneOf('on', 'off').transform((word) => word === 'on');
const trueFalse = oneOf('true', 'false').transform((word) => word === 'true');

const url = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const databaseUrl = parsed((text) => {
  const protocol = url(text)?.protocol;
  return protocol === 'postgres:' || protocol === 'postgresql:' ? text : undefined;
}, 'give postgres://user:password@host:5432/database, or leave it out for the embedded PostgreSQL');

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine reaches a HOST; a name other than localhost may lead anywhere. */
export const isLoopbackHost = (address: string): boolean =>
  address === 'localhost' || address === '::1' || (isIP(address) === 4 && /^127\./.test(address));

/** An origin alone, https or http to this machine. */
function safeOrigin(text: string): string | undefined {
  const address = url(text);
  if (address === undefined || address.origin !== text.replace(/\/$/, '')) return undefined;
  const safe = address.protocol === 'https:' || LOOPBACK_HOSTS.includes(address.hostname);
  return safe && /^https?:$/.test(address.protocol) ? address.origin : undefined;
}

const publicBaseUrl = parsed(
  safeOrigin,
  'give the origin alone, as https://shop.example (http only for localhost)',
);

const authorityUrl = parsed(
  safeOrigin,
  'give the origin alone, as https://authority.example (http only for localhost)',
);

const authorityOrigin = parsed((text) => {
  const origin = safeOrigin(text);
  return origin === text && origin.startsWith('https://') ? origin : undefined;
}, 'give the permanent name of the authority as it prints it, https://authority.example without a slash at its end');

const serviceToken = parsed(
  (text) => (/^[A-Za-z0-9_-]{32,200}$/.test(text) ? text : undefined),
  'give 32 to 200 characters of A-Z a-z 0-9 _ -, one of the AUTHORITY_SERVICE_TOKENS of the authority',
);

const host = parsed(
  (text) =>
    isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ? text : undefined,
  'give an address of this machine, as 127.0.0.1 or 0.0.0.0',
);

const secretKey = parsed((text) => {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  return Buffer.from(text, 'base64url');
}, `give ${SECRET_KEY_BYTES} random bytes as 64 hexadecimal digits or as base64 (openssl rand -hex 32)`);

const adminKey = parsed(
  (text) => (/^[A-Za-z0-9_-]{32,200}$/.test(text) ? text : undefined),
  `give ${PLATFORM_ADMIN_KEY_MIN_CHARACTERS} to 200 characters of A-Z a-z 0-9 _ - (openssl rand -hex 32)`,
);

const folder = parsed(
  (text) => (text.includes('\0') ? undefined : text),
  'give the path of a folder',
);

const file = parsed((text) => (text.includes('\0') ? undefined : text), 'give the path of a file');

const logName = parsed(
  (text) => (/^[a-z0-9]([a-z0-9./-]{0,126}[a-z0-9])?$/.test(text) ? text : undefined),
  'give a name without a scheme that nobody else uses, as ledger.shop.example: 1 to 128 characters of a-z 0-9 . / -',
);

/** Addresses and networks (CIDR), none twice as long as a person would write. */
const PROXIES_MAX = 64;

const proxies = parsed((text) => {
  const given = text.split(',').map((one) => one.trim());
  return given.length <= PROXIES_MAX && given.every(isNetwork) ? given : undefined;
}, `give addresses or networks as 10.0.0.5,10.1.0.0/16, at most ${PROXIES_MAX} of them`);

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^[1-9]\d?\d?$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

const DIRECTORIES_NAMED_MAX = 1_000;

/** URL -> path of its key file; null = it is fetched. */
const namedDirectories = parsed((text) => {
  const given = text.startsWith('{') ? jsonEntries(text) : listEntries(text);
  if (given === undefined || given.length > DIRECTORIES_NAMED_MAX) return undefined;
  const named = new Map<string, string | null>();
  for (const [address, path] of given) {
    const href = directoryUrl(address);
    if (href === undefined || named.has(href)) return undefined;
    if (path !== null && (typeof path !== 'string' || !isPath(path))) return undefined;
    named.set(href, path);
  }
  return named;
}, `give up to ${DIRECTORIES_NAMED_MAX} addresses, each once, as https://agent.shop=/path/keys.json,https://other.shop (without a file it is fetched), or a JSON object of them with null for no file`);

const isPath = (text: string): boolean => text !== '' && !text.includes('\0');

function jsonEntries(text: string): [string, unknown][] | undefined {
  try {
    return Object.entries(JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}

const listEntries = (text: string): [string, unknown][] =>
  text.split(',').map((one) => {
    const [address = '', ...path] = one.trim().split('=');
    return [address, path.length === 0 ? null : path.join('=')];
  });

function directoryUrl(text: string): string | undefined {
  const address = url(text);
  if (address === undefined || address.hash !== '') return undefined;
  if (address.username !== '' || address.password !== '') return undefined;
  const isSafe =
    address.protocol === 'https:' ||
    (address.protocol === 'http:' && LOOPBACK_HOSTS.includes(address.hostname));
  return isSafe ? address.href : undefined;
}

const keyFiles = parsed((text) => {
  const paths = text.split(',').map((one) => one.trim());
  return paths.every(isPath) ? paths : undefined;
}, 'give the paths of JWK Sets, as /path/keys.json,/path/more.json');

const redisUrl = parsed((text) => {
  const protocol = url(text)?.protocol;
  return protocol === 'redis:' || protocol === 'rediss:' ? text : undefined;
}, 'give redis://user:password@host:6379, or leave it out: then the jobs run on PostgreSQL');

/** The forms that the settings of the authority's process are read by as well. */
export const settingForms = {
  parsed,
  integer,
  trueFalse,
  databaseUrl,
  authorityOrigin,
  host,
  secretKey,
  folder,
};

/** Every setting of the service, by the name of its environment variable. `docs/settings.md` is compared with this. */
export const settingsSchema = z.object({
  PORT: integer(0, 65_535).prefault('8080'),
  HOST: host.prefault('127.0.0.1'),
  DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: folder.optional(),
  PUBLIC_BASE_URL: publicBaseUrl.optional(),
  LEDGER_SEALING_DEFAULT: onOff.prefault('off'),
  LEDGER_LOG_NAME: logName.optional(),
  WITNESS_POLICY_FILE: file.optional(),
  WITNESSING_INTERVAL_SECONDS: integer(1, 86_400).prefault('60'),
  AGENT_EXECUTED_PAYMENT_ENABLED: trueFalse.prefault('false'),
  AUTHORITY_URL: authorityUrl.optional(),
  AUTHORITY_ORIGIN: authorityOrigin.optional(),
  AUTHORITY_SERVICE_TOKEN: serviceToken.optional(),
  UNSAFE_EMBEDDED_AUTHORITY_FOR_LIVE_TENANTS: trueFalse.prefault('false'),
  COUNTERSIGNER: oneOf('off', 'authority').optional(),
  KEY_ENCRYPTION_KEY: secretKey.optional(),
  LEDGER_HMAC_MASTER: secretKey.optional(),
  PLATFORM_ADMIN_KEY: adminKey.optional(),
  SEED_DEMO: onOff.optional(),
  LOG_LEVEL: oneOf(...LOG_LEVELS).prefault('info'),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).prefault('600'),
  ALLOW_LOOPBACK_PEERS: trueFalse.prefault('false'),
  COMMERCE_AGENT_SIGNATURE_MODE: oneOf('log', 'enforce').prefault('log'),
  TRUSTED_PROXIES: proxies.optional(),
  SIGNATURE_DIRECTORIES: oneOf('open', 'allowlist').prefault('open'),
  SIGNATURE_PINNED_DIRECTORIES: namedDirectories.optional(),
  SIGNATURE_TAP_KEYS: keyFiles.optional(),
  SIGNATURE_ALLOW_TEST_KEYS: trueFalse.prefault('false'),
  JOBS: onOff.prefault('on'),
  REDIS_URL: redisUrl.optional(),
});

export type Settings = z.output<typeof settingsSchema>;

export const SETTING_NAMES = Object.keys(settingsSchema.shape) as (keyof Settings)[];
