import { err, ok, type Result } from '../core/kernel/index.js';
import { type FoundKey, readKey, readKeyFile } from './key-file.js';

/** What the options said, and below them the environment. */
export interface ConnectionWish {
  readonly url?: string;
  readonly key?: string;
  readonly keyFile?: string;
}

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly warnings: readonly string[];
}

const URL_DEFAULT = 'http://127.0.0.1:8080';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Where to and as whom. An option goes before the environment; two keys in one place are refused, because one of them
 * is not meant. Failures, in order: the address, two keys, no key, a key that cannot be read. No failure repeats a key.
 */
export function connectionOf(
  options: ConnectionWish,
  environment: {
    readonly url: string | null;
    readonly apiKey: string | null;
    readonly keyFile: string | null;
  },
): Result<Connection, string> {
  const baseUrl = readUrl(options.url ?? environment.url ?? URL_DEFAULT);
  if (!baseUrl.ok) return baseUrl;
  const key = keyOf(
    options.key === undefined && options.keyFile === undefined
      ? { ...named('ARBITER_API_KEY', 'ARBITER_KEY_FILE'), ...textsOf(environment) }
      : { ...named('--key', '--key-file'), key: options.key, keyFile: options.keyFile },
  );
  if (!key.ok) return key;
  const { hostname, protocol } = new URL(baseUrl.value);
  const isOpen = protocol === 'http:' && !LOOPBACK.test(hostname);
  const warnings = [
    ...(key.value.warning === null ? [] : [key.value.warning]),
    ...(isOpen ? [`${baseUrl.value} is plain http: the key can be read on its way.`] : []),
  ];
  return ok({ baseUrl: baseUrl.value, apiKey: key.value.apiKey, warnings });
}

const named = (keyName: string, fileName: string) => ({ keyName, fileName });

const textsOf = ({
  apiKey,
  keyFile,
}: {
  readonly apiKey: string | null;
  readonly keyFile: string | null;
}) => ({ key: apiKey ?? undefined, keyFile: keyFile ?? undefined });

function keyOf({
  keyName,
  fileName,
  key,
  keyFile,
}: {
  readonly keyName: string;
  readonly fileName: string;
  readonly key: string | undefined;
  readonly keyFile: string | undefined;
}): Result<FoundKey, string> {
  if (key !== undefined && keyFile !== undefined)
    return err(`${keyName} and ${fileName} are both given: give one of them.`);
  if (keyFile !== undefined) {
    const found = readKeyFile(keyFile);
    return found.ok ? found : err(`${fileName}: ${found.error}`);
  }
  if (key === undefined)
    return err('No API key: give --key-file, ARBITER_KEY_FILE or ARBITER_API_KEY.');
  const found = readKey(key);
  return found.ok ? found : err(`${keyName} ${found.error}`);
}

function readUrl(text: string): Result<string, string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  // The text is not repeated: an address may hold a password.
  return isPlain
    ? ok(url.href.replace(/\/+$/, ''))
    : err('--url or ARBITER_URL is no address: give http://127.0.0.1:8080 or the like.');
}
