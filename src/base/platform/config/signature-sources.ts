import { readFileSync } from 'node:fs';
import { readPublicJwk } from '../../../core/httpsig/index.js';
import { messageOf, StartRefused } from '../start-refused.js';

/** A key directory or UCP profile that the operator names. */
export interface NamedDirectory {
  /** Canonical; where a directory is named by its origin alone, that origin. */
  readonly url: string;
  /** Its keys (JWKs) as the operator's file holds them: it is never fetched. Null: it may be fetched. */
  readonly keys: readonly unknown[] | null;
}

/** Where keys of agents may come from. */
export interface SignatureSources {
  /** `allowlist`: only named directories; `open`: any that a request names. */
  readonly directories: 'open' | 'allowlist';
  readonly named: readonly NamedDirectory[];
  /** JWKs of Visa TAP agents; no request ever names another source for them. */
  readonly tapKeys: readonly unknown[];
  /** Whether keys whose private halves are published count, for test tenants. */
  readonly allowTestKeys: boolean;
}

interface SourceSettings {
  readonly SIGNATURE_DIRECTORIES: 'open' | 'allowlist';
  readonly SIGNATURE_PINNED_DIRECTORIES?: ReadonlyMap<string, string | null> | undefined;
  readonly SIGNATURE_TAP_KEYS?: readonly string[] | undefined;
  readonly SIGNATURE_ALLOW_TEST_KEYS: boolean;
}

/**
 * Reads the key files that the settings name. Throws StartRefused, one line: a file that cannot be read, that is no JWK Set
 * (or UCP profile), or that holds no usable key.
 */
export function signatureSourcesOf(settings: SourceSettings): SignatureSources {
  const { SIGNATURE_ALLOW_TEST_KEYS: allowTestKeys } = settings;
  const keysIn = (setting: string, path: string) => keysOfFile(path, { setting, allowTestKeys });
  return {
    directories: settings.SIGNATURE_DIRECTORIES,
    named: [...(settings.SIGNATURE_PINNED_DIRECTORIES ?? [])].map(([url, path]) => ({
      url,
      keys: path === null ? null : keysIn('SIGNATURE_PINNED_DIRECTORIES', path),
    })),
    tapKeys: (settings.SIGNATURE_TAP_KEYS ?? []).flatMap((path) =>
      keysIn('SIGNATURE_TAP_KEYS', path),
    ),
    allowTestKeys,
  };
}

function keysOfFile(
  path: string,
  { setting, allowTestKeys }: { readonly setting: string; readonly allowTestKeys: boolean },
): readonly unknown[] {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StartRefused(
      `${setting}: ${path} cannot be read (${messageOf(error)}): give the path of a JWK Set.`,
    );
  }
  const { keys, signing_keys: signingKeys } = (document ?? {}) as Record<string, unknown>;
  const listed = keys ?? signingKeys;
  if (!Array.isArray(listed)) {
    throw new StartRefused(
      `${setting}: ${path} is no JWK Set: give a JSON object with the member keys (or signing_keys of a UCP profile).`,
    );
  }
  const faults = listed.map((jwk) => readPublicJwk(jwk, { allowTestKeys }));
  if (faults.some(({ ok }) => ok)) return listed;
  const why = faults.map((read, index) => `key ${index}: ${read.ok ? '' : read.error}`).slice(0, 4);
  throw new StartRefused(
    `${setting}: ${path} holds no usable key (${why.join(', ') || 'it is empty'}): give public keys, Ed25519, P-256, P-384 or RSA of 2048 to 4096 bits.`,
  );
}
