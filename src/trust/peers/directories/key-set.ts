import { err, ok, type Result } from '../../../core/kernel/index.js';
import { type PublicSigningKey, readPublicJwk } from '../../../core/httpsig/index.js';
import { PUBLISHED_KEY_THUMBPRINTS } from '../published-keys.js';

/** Keys that one directory may list, unusable ones included. */
export const DIRECTORY_KEYS_MAX = 32;

export interface PublishedKey {
  readonly key: PublicSigningKey;
  /** Its private half is published: it counts in test tenants only, and there only by a setting. */
  readonly isTestKey: boolean;
}

/**
 * `thumbprint`: key ids are thumbprints. `kid`: they are names that the publisher chose; a key of no such name is found by
 * its thumbprint.
 */
export type KeyNaming = 'thumbprint' | 'kid';

/** The usable keys of one directory. */
export class KeySet {
  readonly #byThumbprint = new Map<string, PublishedKey>();
  /** Null: two different keys have this name, so it names none. */
  readonly #byKid = new Map<string, PublishedKey | null>();

  /** One bad key does not spoil the set. With `kidIsThumbprint` a key whose `kid` says something else is a bad key. */
  constructor(jwks: readonly unknown[], { kidIsThumbprint }: { kidIsThumbprint: boolean }) {
    for (const jwk of jwks) {
      const published = publishedKeyOf(jwk);
      if (published === null) continue;
      const { kid, thumbprint } = published.key;
      if (kidIsThumbprint && kid !== null && kid !== thumbprint) continue;
      if (!this.#byThumbprint.has(thumbprint)) this.#byThumbprint.set(thumbprint, published);
      if (kid === null) continue;
      const namesake = this.#byKid.get(kid);
      const isOther = namesake === null || (namesake && namesake.key.thumbprint !== thumbprint);
      this.#byKid.set(kid, isOther === true ? null : (namesake ?? published));
    }
  }

  find(keyId: string, naming: KeyNaming): PublishedKey | null {
    const named = naming === 'kid' ? this.#byKid.get(keyId) : undefined;
    return named === undefined ? (this.#byThumbprint.get(keyId) ?? null) : named;
  }

  get size(): number {
    return this.#byThumbprint.size;
  }
}

function publishedKeyOf(jwk: unknown): PublishedKey | null {
  const read = readPublicJwk(jwk, { allowTestKeys: false });
  if (read.ok) {
    return { key: read.value, isTestKey: PUBLISHED_KEY_THUMBPRINTS.has(read.value.thumbprint) };
  }
  if (read.error !== 'test_key') return null;
  const readAsTest = readPublicJwk(jwk, { allowTestKeys: true });
  return readAsTest.ok ? { key: readAsTest.value, isTestKey: true } : null;
}

export type KeyDocumentFault = 'malformed' | 'too_many_keys';

/**
 * Reads what a directory or profile answered: one JSON object in UTF-8 whose member `list` is an array of at most
 * {@link DIRECTORY_KEYS_MAX} JWKs. Faults, in order: malformed, too_many_keys. Not checked: any key.
 */
export function readKeyDocument(
  body: Uint8Array,
  list: 'keys' | 'signing_keys',
): Result<readonly unknown[], KeyDocumentFault> {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return err('malformed');
  }
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, list))
    return err('malformed');
  const jwks = (document as Readonly<Record<string, unknown>>)[list];
  if (!Array.isArray(jwks)) return err('malformed');
  return jwks.length > DIRECTORY_KEYS_MAX ? err('too_many_keys') : ok(jwks);
}
