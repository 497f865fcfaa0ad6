import type { KeyObject } from 'node:crypto';
import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { CommandContext, Writer } from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import { compactJws, compactSigningInput, type ProtectedHeader } from './jws.js';
import {
  generateKeyMaterial,
  type KeyMaterial,
  passportKid,
  privateKeyFrom,
  signBytes,
} from './key-material.js';
import type { KeyWrapping } from './key-wrapping.js';
import {
  type PublicJwk,
  publicJwk,
  publicKey,
  PURPOSE_ALGORITHMS,
  SIGNING_PURPOSES,
  type SigningAlgorithm,
  type SigningPurpose,
} from './purposes.js';
import { createSigningKey, type NewSigningKey, retireSigningKey } from './signing-keys.commands.js';
import { findCurrentKey, findForeignKekId, listSigningKeys } from './signing-keys.store.js';

/** A replaced key goes on verifying at least this long: what was signed with it is still on its way. */
export const OVERLAP_SECONDS_MIN = 7 * 24 * 3600;
export const OVERLAP_SECONDS_MAX = 90 * 24 * 3600;

/**
 * How long this process signs with a key without looking again. Another process may have rotated meanwhile; what is
 * signed in between stays good, because a replaced key verifies for days.
 */
export const SIGNING_KEY_CACHE_MS = 30_000;

/** Opened private keys held at once in this process: about 2 KiB each. */
export const SIGNING_KEYS_CACHED_MAX = 10_000;

export interface Signature {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly signature: Buffer;
}

/** A key as its owner sees it. `endsAtMs` null = it signs, or nothing has replaced it. */
export interface SigningKey {
  readonly jwk: PublicJwk;
  readonly purpose: SigningPurpose;
  readonly createdAtMs: InstantMs;
  readonly endsAtMs: InstantMs | null;
  readonly state: 'signing' | 'verifying' | 'ended';
}

/** The key that signs for a purpose, for callers that write its kid into what they sign. */
export interface Signer {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  sign(bytes: Uint8Array): Buffer;
}

interface OpenKey {
  readonly kid: string;
  readonly key: KeyObject;
}

export interface SigningKeysDependencies {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly wrapping: KeyWrapping;
  /** Real time: what keys promise, they promise to verifiers outside, whose clocks no test clock moves. */
  readonly nowMs: () => InstantMs;
}

/** Signing keys by tenant and purpose (decisions 5.1). */
export class SigningKeys {
  readonly #cache = new Map<
    string,
    { loadedAtMs: InstantMs; key: Promise<Result<OpenKey, Problem>> }
  >();

  constructor(private readonly dependencies: SigningKeysDependencies) {}

  /**
   * Signs bytes as they are with the tenant's current key of this purpose; the first use of a purpose creates its key.
   * Problems, in order: not_found (no such tenant), unavailable (no database, or the stored key does not open).
   */
  async sign(
    tenantId: TenantId,
    purpose: SigningPurpose,
    bytes: Uint8Array,
  ): Promise<Result<Signature, Problem>> {
    const opened = await this.#current(tenantId, purpose);
    if (!opened.ok) return opened;
    const algorithm = PURPOSE_ALGORITHMS[purpose];
    const { kid, key } = opened.value;
    return ok({ kid, algorithm, signature: signBytes(algorithm, key, bytes) });
  }

  /** The current key of a purpose, opened. Use it at once: it may be replaced. Problems as {@link sign}. */
  async signer(tenantId: TenantId, purpose: SigningPurpose): Promise<Result<Signer, Problem>> {
    const opened = await this.#current(tenantId, purpose);
    if (!opened.ok) return opened;
    const algorithm = PURPOSE_ALGORITHMS[purpose];
    const { kid, key } = opened.value;
    return ok({ kid, algorithm, sign: (bytes) => signBytes(algorithm, key, bytes) });
  }

  /**
   * A compact JWS (RFC 7515), detached on request (appendix F). The protected header is the caller's with `alg` and
   * `kid` of the key. Problems as {@link sign}.
   */
  async signJws(
    tenantId: TenantId,
    purpose: SigningPurpose,
    jws: { header: ProtectedHeader; payload: Uint8Array; detached?: boolean },
  ): Promise<Result<string, Problem>> {
    const opened = await this.#current(tenantId, purpose);
    if (!opened.ok) return opened;
    const alg = PURPOSE_ALGORITHMS[purpose];
    const { kid, key } = opened.value;
    const input = compactSigningInput({ ...jws.header, alg, kid }, jws.payload);
    const signature = signBytes(alg, key, Buffer.from(input));
    return ok(compactJws(input, { signature, detached: jws.detached ?? false }));
  }

  /** Every key of the tenant, ended ones included. */
  async list(tenantId: TenantId): Promise<readonly SigningKey[]> {
    const nowMs = this.dependencies.nowMs();
    const stored = await listSigningKeys(this.dependencies.database, tenantId);
    return stored.map(({ kid, purpose: name, publicKeyText, createdAtMs, endsAtMs, signs }) => {
      const purpose = SIGNING_PURPOSES.find((known) => known === name);
      invariant(purpose !== undefined, 'a signing key has a purpose of the closed list');
      const key = publicKey.decode(JSON.parse(publicKeyText), 'signing_keys.public_key');
      const ended = endsAtMs !== null && endsAtMs <= nowMs;
      return {
        jwk: publicJwk({ kid, algorithm: PURPOSE_ALGORITHMS[purpose], key }),
        purpose,
        createdAtMs,
        endsAtMs,
        state: signs ? 'signing' : ended ? 'ended' : 'verifying',
      };
    });
  }

  /** The JWK Set (RFC 7517 section 5) that verifiers fetch: keys that sign and keys within their overlap. */
  async jwks(tenantId: TenantId): Promise<{ readonly keys: readonly PublicJwk[] }> {
    const keys = await this.list(tenantId);
    return { keys: keys.filter(({ state }) => state !== 'ended').map(({ jwk }) => jwk) };
  }

  /**
   * A new key signs at once; the one before verifies for `overlapSeconds` more. Answers with the new kid.
   * Problems, in order: validation_failed (overlap outside its bounds), not_found (no such tenant), conflict (another
   * rotation won), unavailable.
   */
  async rotate(
    context: CommandContext,
    { purpose, overlapSeconds }: { purpose: SigningPurpose; overlapSeconds: number },
  ): Promise<Result<string, Problem>> {
    if (overlapSeconds < OVERLAP_SECONDS_MIN || overlapSeconds > OVERLAP_SECONDS_MAX) {
      return err(overlapOutOfBounds);
    }
    const current = await findCurrentKey(this.dependencies.database, context.tenantId, purpose);
    const endsAtMs = this.dependencies.nowMs() + overlapSeconds * 1000;
    const replaces = current === null ? null : { kid: current.kid, endsAtMs };
    return this.#create(context, { purpose, replaces });
  }

  /** Ends a replaced key at once. Problems, in order: not_found, conflict, unavailable. */
  async retire(
    context: CommandContext,
    { purpose, kid }: { purpose: SigningPurpose; kid: string },
  ): Promise<Result<string, Problem>> {
    const atMs = this.dependencies.nowMs();
    return this.dependencies.writer.execute(retireSigningKey(context, { purpose, kid, atMs }));
  }

  /**
   * For the start of the process: null, or one line that says why the stored keys will not open with the configured
   * key-encryption key. Looks at every key's label, opens none.
   */
  async startFault(): Promise<string | null> {
    const { database, wrapping } = this.dependencies;
    const foreign = await findForeignKekId(database, wrapping.kekId);
    return foreign === null
      ? null
      : `The signing keys in this database are wrapped under key-encryption key ${foreign}, not under the configured ` +
          `${wrapping.kekId}: restore the key file or KEY_ENCRYPTION_KEY that belongs to this database.`;
  }

  #current(tenantId: TenantId, purpose: SigningPurpose): Promise<Result<OpenKey, Problem>> {
    const name = `${tenantId}/${purpose}`;
    const nowMs = this.dependencies.nowMs();
    const cached = this.#cache.get(name);
    if (cached !== undefined && nowMs - cached.loadedAtMs < SIGNING_KEY_CACHE_MS) return cached.key;
    const key = this.#open(tenantId, purpose);
    this.#cache.delete(name);
    this.#cache.set(name, { loadedAtMs: nowMs, key });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > SIGNING_KEYS_CACHED_MAX && oldest !== undefined)
      this.#cache.delete(oldest);
    const forget = () => {
      if (this.#cache.get(name)?.key === key) this.#cache.delete(name);
    };
    // Only success is remembered: the next call tries again.
    key.then((opened) => (opened.ok ? undefined : forget()), forget);
    return key;
  }

  async #open(tenantId: TenantId, purpose: SigningPurpose): Promise<Result<OpenKey, Problem>> {
    const { database, wrapping } = this.dependencies;
    let current = await findCurrentKey(database, tenantId, purpose);
    if (current === null) {
      const created = await this.#create(firstUse(tenantId, purpose), {
        purpose,
        replaces: null,
      });
      // conflict = somebody else's first use won; theirs is as good as ours.
      if (!created.ok && created.error.code !== 'conflict') return created;
      current = await findCurrentKey(database, tenantId, purpose);
    }
    const { kid, secret } = current ?? { kid: '', secret: null };
    if (secret === null) return err(keyUnavailable(purpose));
    const der = wrapping.unwrap(secret, { tenantId, purpose, kid });
    // INVARIANT: a key that does not open is never replaced silently; only an administrator rotates.
    return der.ok ? ok({ kid, key: privateKeyFrom(der.value) }) : err(keyUnavailable(purpose));
  }

  async #create(
    context: CommandContext,
    { purpose, replaces }: Pick<NewSigningKey, 'purpose' | 'replaces'>,
  ): Promise<Result<string, Problem>> {
    const { tenantId } = context;
    const { writer, wrapping, nowMs } = this.dependencies;
    const createdAtMs = nowMs();
    const material = newKey(purpose, createdAtMs);
    const wrapped = wrapping.wrap(material.privateKeyDer, { tenantId, purpose, kid: material.kid });
    const created = await writer.execute(
      createSigningKey(context, { purpose, material, wrapped, createdAtMs, replaces }),
    );
    this.#cache.delete(`${tenantId}/${purpose}`);
    return created;
  }
}

function newKey(purpose: SigningPurpose, createdAtMs: InstantMs): KeyMaterial {
  const material = generateKeyMaterial(PURPOSE_ALGORITHMS[purpose]);
  return purpose === 'passport'
    ? { ...material, kid: passportKid(material.publicKey, createdAtMs) }
    : material;
}

const firstUse = (tenantId: TenantId, purpose: SigningPurpose): CommandContext => ({
  tenantId,
  actor: { role: 'system', id: 'keys' },
  requestId: `first-use-${purpose}`,
  idempotency: null,
});

const overlapOutOfBounds = problem(
  'validation_failed',
  `A replaced signing key verifies between ${OVERLAP_SECONDS_MIN} and ${OVERLAP_SECONDS_MAX} seconds more.`,
  { fix: 'Give an overlap within these bounds.', field: '/overlap_seconds' },
);

const keyUnavailable = (purpose: SigningPurpose): Problem =>
  problem('unavailable', `The ${purpose} signing key is stored but does not open here.`, {
    fix: 'The operator restores the key-encryption key of this database, or rotates the purpose.',
    retryAfterSeconds: 30,
  });
