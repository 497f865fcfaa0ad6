import { createHash, randomUUID } from 'node:crypto';
import { err, ok, type Problem, type Result, type TenantId } from '../../core/kernel/index.js';
import type { CommandContext } from '../../base/ledger/index.js';
import type { IssuerKeyRole, IssuerKeys } from '../peers/index.js';
import { type AuthorityHttp, unavailable, unreadable } from './authority-http.js';
import { authorityAnswer, jwksAnswer } from './wire.js';

/** The published keys are looked at again after this long, so a key that was taken away there stops counting here. */
export const PUBLISHED_KEYS_KNOWN_MS = 10 * 60_000;
/** An unknown kid makes us look again, but no more often than this: whoever invents kids makes no traffic. */
export const UNKNOWN_KID_PAUSE_MS = 30_000;

/** What a key of the authority may vouch for, by the purpose it is published with; other purposes are not taken. */
const ROLE_OF_PURPOSE: Readonly<Record<string, IssuerKeyRole>> = {
  status_list: 'status_list',
  revocation: 'revocation',
  credential: 'credential_issuer',
  consent: 'consent',
  passport: 'passport',
  countersign: 'countersign',
};

interface PublishedKeys {
  readonly keys: readonly {
    readonly kid: string;
    readonly role: IssuerKeyRole;
    readonly jwk: unknown;
  }[];
  /** Tells one set from another. */
  readonly fingerprint: string;
  readonly fetchedAtMs: number;
}

export interface AuthorityKeysParts {
  readonly origin: string;
  readonly http: AuthorityHttp;
  readonly issuerKeys: Pick<IssuerKeys, 'follow'>;
  /** Real time: the keys are published by a process outside, whose clock no test clock moves. */
  readonly nowMs: () => number;
}

/**
 * The authority's published keys, entered among the issuer keys of each tenant that needs them. From there on they are
 * keys like any other: looked up under the lock, retired or called compromised by the tenant's administrators.
 */
export class AuthorityKeys {
  #published: PublishedKeys | null = null;
  #loading: Promise<Result<PublishedKeys, Problem>> | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  readonly #followed = new Map<TenantId, string>();

  constructor(private readonly parts: AuthorityKeysParts) {}

  /**
   * The tenant knows what is published. While the authority does not answer, what was known before goes on counting.
   * Problem: unavailable.
   */
  async ensure(tenantId: TenantId): Promise<Result<null, Problem>> {
    const known = this.#published;
    const isFresh =
      known !== null && this.parts.nowMs() - known.fetchedAtMs < PUBLISHED_KEYS_KNOWN_MS;
    if (isFresh) return this.#follow(tenantId, known);
    // A failed look is not repeated for every request: the old set stands in for it meanwhile.
    if (known !== null && this.#askedJustNow) return this.#follow(tenantId, known);
    const loaded = await this.#load();
    if (loaded.ok) return this.#follow(tenantId, loaded.value);
    return known === null ? loaded : this.#follow(tenantId, known);
  }

  /** After an unknown kid: looks again, at most every {@link UNKNOWN_KID_PAUSE_MS}. Problem: unavailable. */
  async refresh(tenantId: TenantId): Promise<Result<null, Problem>> {
    if (this.#askedJustNow && this.#loading === null) return this.ensure(tenantId);
    const loaded = await this.#load();
    return loaded.ok ? this.#follow(tenantId, loaded.value) : loaded;
  }

  get #askedJustNow(): boolean {
    return this.parts.nowMs() - this.#askedAtMs < UNKNOWN_KID_PAUSE_MS;
  }

  #load(): Promise<Result<PublishedKeys, Problem>> {
    this.#loading ??= this.#fetch().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #fetch(): Promise<Result<PublishedKeys, Problem>> {
    const { http, origin, nowMs } = this.parts;
    const fetchedAtMs = nowMs();
    this.#askedAtMs = fetchedAtMs;
    const [named, answered] = await Promise.all([
      http.call({
        ...{ method: 'GET', path: '/.well-known/arbiter-authority', asService: false },
        answer: authorityAnswer,
      }),
      http.call({
        ...{ method: 'GET', path: '/.well-known/jwks.json', asService: false },
        answer: jwksAnswer,
      }),
    ]);
    if (!named.ok) return named;
    if (!answered.ok) return answered;
    if (named.value.origin !== origin)
      return err(unavailable('another authority answers at its address', 60));
    const keys = answered.value.keys.flatMap(({ kid, purpose = '', ...members }) => {
      const role = Object.hasOwn(ROLE_OF_PURPOSE, purpose) ? ROLE_OF_PURPOSE[purpose] : undefined;
      return role === undefined ? [] : [{ kid, role, jwk: { kid, ...members } }];
    });
    // INVARIANT: half a key set is no key set, because a key that is missing from it is retired for good.
    const roles = new Set(keys.map(({ role }) => role));
    if (roles.size < Object.keys(ROLE_OF_PURPOSE).length) return err(unreadable);
    const names = keys.map(({ kid, role }) => `${role} ${kid}`).sort();
    const fingerprint = createHash('sha256').update(names.join('\n'), 'utf8').digest('hex');
    this.#published = { keys, fingerprint, fetchedAtMs };
    return ok(this.#published);
  }

  async #follow(
    tenantId: TenantId,
    { keys, fingerprint }: PublishedKeys,
  ): Promise<Result<null, Problem>> {
    if (this.#followed.get(tenantId) === fingerprint) return ok(null);
    const followed = await this.parts.issuerKeys.follow(systemContext(tenantId), {
      issuer: this.parts.origin,
      keys,
    });
    if (followed.ok) this.#followed.set(tenantId, fingerprint);
    return followed;
  }
}

const systemContext = (tenantId: TenantId): CommandContext => ({
  tenantId,
  actor: { role: 'system', id: 'trust-authority' },
  requestId: `authority-keys-${randomUUID()}`,
  idempotency: null,
});
