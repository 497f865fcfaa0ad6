import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type ApiKeyId,
  err,
  type InstantMs,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import type { Authenticator } from '../platform/index.js';
import { NO_TENANT, PLATFORM_ADMIN_ID } from './access.js';
import { apiKeyDigest, parseApiKey } from './api-key-form.js';
import { isLive } from './api-keys.commands.js';
import type { ApiKeyCandidate } from './api-keys.store.js';

/**
 * How long this process believes a key without asking the database again. Threat: a key that was revoked, or whose
 * agent was suspended, in another process goes on working here for as long. In this process both take effect at once.
 */
export const KNOWN_KEY_MS = 1_000;

/** Keys believed at once: about 1 KiB each. The oldest is forgotten first; forgetting costs one look-up. */
export const KNOWN_KEYS_MAX = 10_000;

export interface AuthenticatorDependencies {
  /** Rows with this id, digests included; rejects when the database does not answer. */
  readonly findCandidates: (apiKeyId: ApiKeyId) => Promise<readonly ApiKeyCandidate[]>;
  /** PLATFORM_ADMIN_KEY. */
  readonly platformAdminKey: string;
  /** Real time (decisions 2.4). */
  readonly nowMs: () => InstantMs;
}

interface Known {
  readonly askedAtMs: InstantMs;
  readonly key: Promise<ApiKeyCandidate | null>;
}

/**
 * Proves API keys. What is remembered is only ever a key that was found and whose digest fitted: unknown keys cost a
 * look-up each and leave nothing behind.
 */
export class ApiKeyAuthenticator implements Authenticator {
  readonly #known = new Map<string, Known>();
  readonly #platformAdminDigest: Buffer;

  constructor(private readonly dependencies: AuthenticatorDependencies) {
    this.#platformAdminDigest = apiKeyDigest(dependencies.platformAdminKey);
  }

  /**
   * Problems: unauthenticated (malformed, unknown, of the other world, revoked, expired, or of a suspended agent; not
   * told apart, so that a finder of half a key learns nothing), unavailable (the database did not answer).
   */
  async authenticate(apiKey: string): Promise<Result<Principal, Problem>> {
    const digest = apiKeyDigest(apiKey);
    if (timingSafeEqual(digest, this.#platformAdminDigest)) return ok(platformAdministrator);
    const parsed = parseApiKey(apiKey);
    if (parsed === null) return err(refused);
    try {
      const key = await this.#find(parsed.apiKeyId, digest);
      const works =
        key !== null &&
        key.world === parsed.world &&
        !key.agentSuspended &&
        isLive(key, this.dependencies.nowMs());
      return works ? ok(principalOf(key)) : err(refused);
    } catch {
      return err(storeSilent);
    }
  }

  /** Forgets every known key: called after each change of a key or an agent in this process. */
  forget(): void {
    // A look-up under way answers its own caller but is no longer found here, so nobody after us believes it.
    this.#known.clear();
  }

  #find(apiKeyId: ApiKeyId, digest: Buffer): Promise<ApiKeyCandidate | null> {
    // Named by another digest than the stored one, so that neither helps to find the other.
    const name = createHash('sha256').update(digest).digest('hex');
    const askedAtMs = this.dependencies.nowMs();
    const known = this.#known.get(name);
    if (known !== undefined) {
      const ageMs = askedAtMs - known.askedAtMs;
      // A clock that steps back must not lengthen a belief.
      if (ageMs >= 0 && ageMs < KNOWN_KEY_MS) return known.key;
    }
    const key = this.#lookUp(apiKeyId, digest);
    this.#remember(name, { askedAtMs, key });
    return key;
  }

  async #lookUp(apiKeyId: ApiKeyId, digest: Buffer): Promise<ApiKeyCandidate | null> {
    const candidates = await this.dependencies.findCandidates(apiKeyId);
    // An unknown id is compared as well, with a digest nothing has: found or not, the work is the same.
    const compared = candidates.length === 0 ? [{ digest: NO_DIGEST }] : candidates;
    const matches = compared.map((candidate) => timingSafeEqual(candidate.digest, digest));
    return candidates[matches.indexOf(true)] ?? null;
  }

  #remember(name: string, known: Known): void {
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_KEYS_MAX && oldest !== undefined) this.#known.delete(oldest);
    const drop = () => {
      if (this.#known.get(name) === known) this.#known.delete(name);
    };
    known.key.then((key) => (key === null ? drop() : undefined), drop);
  }
}

const NO_DIGEST = Buffer.alloc(32);

const principalOf = (key: ApiKeyCandidate): Principal => ({
  tenantId: key.tenantId,
  world: key.world,
  role: key.role,
  apiKeyId: key.apiKeyId,
  agentId: key.agentId,
  merchantIds: key.merchantIds,
  scopes: key.scopes,
});

const platformAdministrator: Principal = {
  tenantId: NO_TENANT,
  // The deployment itself belongs to the world in which nothing is a rehearsal.
  world: 'live',
  role: 'platform_admin',
  apiKeyId: PLATFORM_ADMIN_ID,
  agentId: null,
  merchantIds: null,
  scopes: null,
};

const refused = problem('unauthenticated', 'This API key does not work here.', {
  fix: 'Use a key of this deployment that was neither revoked nor replaced and has not expired. An API key begins with ak_.',
  field: ':authorization',
});

const storeSilent = problem('unavailable', 'The API key could not be looked up.', {
  fix: 'Repeat the request.',
  retryAfterSeconds: 1,
});
