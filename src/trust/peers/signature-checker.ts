import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { TenantId } from '../../core/kernel/index.js';
import type { VerificationKey } from '../../core/proofs/index.js';

/** Raised whenever the verifier itself changes, so that no verdict of an older one is reused. */
export const VERIFIER_VERSION = '1';
/** Memory for verdicts in this process, in bytes. */
export const VERDICT_CACHE_BYTES_MAX = 16 * 1024 * 1024;
/** What one remembered verdict costs: two hashes in hex and base64url, a tenant id, and the map's own entry. */
export const VERDICT_BYTES = 320;
/** Imported public keys held at once in this process. */
export const PUBLIC_KEYS_CACHED_MAX = 2_000;

const verifyAsync = promisify(
  (
    algorithm: string | null,
    { data, key, signature }: { data: Buffer; key: KeyObject; signature: Uint8Array },
    done: (error: Error | null, valid: boolean) => void,
  ) => {
    // ES256 signatures in JOSE are r || s (RFC 7518 section 3.4), not DER. Ed25519 names no hash.
    verify(algorithm, data, { key, dsaEncoding: 'ieee-p1363' }, signature, done);
  },
);

export interface SignatureClaim {
  readonly tenantId: TenantId;
  readonly key: VerificationKey;
  readonly signingInput: string;
  readonly signature: Uint8Array;
}

/**
 * Checks signatures off the main thread and remembers the good ones by (tenant, SHA-256 of the exact bytes, key,
 * verifier version) (decisions 3.11): never by a token's id, never across tenants, never a bad one. Everything that can
 * change (times, status, audience, key state, binding) is none of its business and judged every time.
 */
export class SignatureChecker {
  readonly #verdicts = new Set<string>();
  readonly #keys = new Map<string, KeyObject>();

  constructor(private readonly verdictBytesMax = VERDICT_CACHE_BYTES_MAX) {}

  /** Whether the signature is the key's. Never throws for what a caller sent. */
  async isValid({ tenantId, key, signingInput, signature }: SignatureClaim): Promise<boolean> {
    const digest = createHash('sha256').update(signingInput, 'utf8').update('.').update(signature);
    const name = [tenantId, digest.digest('hex'), key.thumbprint, VERIFIER_VERSION].join(' ');
    if (this.#verdicts.delete(name)) {
      this.#verdicts.add(name);
      return true;
    }
    const algorithm = key.alg === 'ES256' ? 'sha256' : null;
    const data = Buffer.from(signingInput, 'utf8');
    const valid = await verifyAsync(algorithm, { data, key: this.#keyObject(key), signature });
    if (valid) this.#remember(name);
    return valid;
  }

  /** How many verdicts are remembered now. */
  get remembered(): number {
    return this.#verdicts.size;
  }

  #remember(name: string): void {
    this.#verdicts.add(name);
    const [oldest] = this.#verdicts;
    if (this.#verdicts.size * VERDICT_BYTES > this.verdictBytesMax && oldest !== undefined)
      this.#verdicts.delete(oldest);
  }

  #keyObject({ thumbprint, jwk }: VerificationKey): KeyObject {
    const cached = this.#keys.get(thumbprint);
    if (cached !== undefined) return cached;
    if (this.#keys.size >= PUBLIC_KEYS_CACHED_MAX) this.#keys.clear();
    const imported = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    this.#keys.set(thumbprint, imported);
    return imported;
  }
}
