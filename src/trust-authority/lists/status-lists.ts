import { createHash, randomBytes } from 'node:crypto';
import {
  canonicalize,
  err,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import {
  deflateStatusList,
  setStatusValue,
  STATUS_LIST_TYP,
  statusListBytes,
} from '../../core/proofs/index.js';
import type { SigningKeys } from '../../base/keys/index.js';
import type { Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type ServedTenant, SYSTEM_TENANT } from '../tenants/index.js';
import { LIST_CAPACITY, listUriOf } from './list-uri.js';
import {
  type ListSnapshot,
  newestListNumber,
  readListHead,
  readListSnapshot,
} from './lists.store.js';
import { LIST_CHANGED, type Place, reserveSlots } from './reserve-slots.js';

/** How long a copy counts, in seconds; and how long the token is good whatever was read. */
export const LIST_TTL_SECONDS = 60;
export const LIST_LIFE_SECONDS = 3_600;
/** A signed copy that is older than this is signed again when somebody asks. */
export const RESIGN_AFTER_MS = 30_000;
const LIST_BITS = 2;
/** Signed lists held in memory: a few kilobytes each. */
const SIGNED_LISTS_MAX = 2_000;
/** How often a reservation looks again when the newest list was filled meanwhile. */
const LOOKS_MAX = 5;
const DEFLATE_LEVEL = 9;

/** A signed list as it is handed out. */
export interface SignedList {
  readonly token: string;
  /** Strong entity tag of exactly these bytes. */
  readonly etag: string;
  readonly version: number;
  readonly issuedAtMs: InstantMs;
  /** What is left of its time to live now, in seconds. */
  readonly maxAgeSeconds: number;
}

type Kept = Omit<SignedList, 'maxAgeSeconds'>;

export interface StatusListsParts {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly signingKeys: Pick<SigningKeys, 'signJws'>;
  readonly origin: string;
}

/** The status lists of tenants: places on them, and the lists as they are signed and served. */
export class StatusLists {
  readonly #kept = new Map<string, Kept>();
  readonly #signing = new Map<string, Promise<Result<Kept, Problem>>>();

  constructor(private readonly parts: StatusListsParts) {}

  /** Takes `count` places that nobody had before. Problems: unavailable, outcome_unknown. */
  async reserve(tenant: ServedTenant, count: number): Promise<Result<readonly Place[], Problem>> {
    const { database, writer } = this.parts;
    for (let look = 0; ; look += 1) {
      const newest = await newestListNumber(database, tenant.tenantId);
      const spread = randomBytes(16).toString('hex');
      const taken = await writer.execute(reserveSlots(tenant.context, { count, newest, spread }));
      if (taken.ok || taken.error !== LIST_CHANGED) return taken;
      if (look === LOOKS_MAX) return err(busy);
    }
  }

  /** The uri of a place, as objects name it. */
  uriOf(tenantId: TenantId, listNumber: number): string {
    return listUriOf(this.parts.origin, tenantId, listNumber);
  }

  /** The signed list as it is now. Problems, in order: not_found, unavailable. */
  async signed(tenantId: TenantId, listNumber: number): Promise<Result<SignedList, Problem>> {
    const head = await readListHead(this.parts.database, tenantId, listNumber);
    if (head === null) return err(noSuchList);
    const name = `${tenantId}/${listNumber}`;
    const kept = this.#kept.get(name);
    const isFresh =
      kept !== undefined &&
      kept.version >= head.version &&
      head.nowMs - kept.issuedAtMs < RESIGN_AFTER_MS;
    if (isFresh) return ok(served(kept, head.nowMs));
    const signed = await this.#signOnce(name, { tenantId, listNumber });
    if (!signed.ok) return signed;
    // A signing that began before this reader's look may be older than what it saw.
    if (signed.value.version < head.version) return this.signed(tenantId, listNumber);
    return ok(served(signed.value, head.nowMs));
  }

  #signOnce(
    name: string,
    list: { readonly tenantId: TenantId; readonly listNumber: number },
  ): Promise<Result<Kept, Problem>> {
    const running = this.#signing.get(name);
    if (running !== undefined) return running;
    const signing = this.#sign(name, list).finally(() => this.#signing.delete(name));
    this.#signing.set(name, signing);
    return signing;
  }

  async #sign(
    name: string,
    { tenantId, listNumber }: { readonly tenantId: TenantId; readonly listNumber: number },
  ): Promise<Result<Kept, Problem>> {
    const snapshot = await readListSnapshot(this.parts.database, tenantId, listNumber);
    if (snapshot === null) return err(noSuchList);
    const claims = claimsOf(this.parts.origin, this.uriOf(tenantId, listNumber), snapshot);
    const token = await this.parts.signingKeys.signJws(SYSTEM_TENANT, 'status_list', {
      header: { typ: STATUS_LIST_TYP },
      payload: Buffer.from(canonicalize(claims), 'utf8'),
    });
    if (!token.ok) return token;
    const kept: Kept = {
      token: token.value,
      etag: `"${createHash('sha256').update(token.value).digest('base64url')}"`,
      version: snapshot.version,
      issuedAtMs: claims.iat * 1_000,
    };
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > SIGNED_LISTS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return ok(kept);
  }
}

function claimsOf(origin: string, uri: string, { version, nowMs, places }: ListSnapshot) {
  const bytes = new Uint8Array(statusListBytes(LIST_CAPACITY, LIST_BITS));
  for (const place of places) setStatusValue(bytes, LIST_BITS, place);
  const iat = Math.floor(nowMs / 1_000);
  return {
    iss: origin,
    sub: uri,
    iat,
    exp: iat + LIST_LIFE_SECONDS,
    ttl: LIST_TTL_SECONDS,
    version,
    status_list: { bits: LIST_BITS, lst: deflateStatusList(bytes, DEFLATE_LEVEL) },
  };
}

function served(kept: Kept, nowMs: InstantMs): SignedList {
  const ageSeconds = Math.max(0, Math.ceil((nowMs - kept.issuedAtMs) / 1_000));
  return { ...kept, maxAgeSeconds: Math.max(0, LIST_TTL_SECONDS - ageSeconds) };
}

const noSuchList = problem('not_found', 'There is no such status list.', {
  fix: 'Follow the uri of a signed object as it stands there.',
});

const busy = problem(
  'unavailable',
  'The lists of this tenant change too fast; nothing was taken.',
  {
    fix: 'Repeat the request after the pause.',
    retryAfterSeconds: 1,
  },
);
