import {
  err,
  formatInstant,
  ok,
  parseInstant,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { findTenantClock, keepTold, type TenantClock } from './authority-clocks.store.js';
import type { AuthorityHttp } from './authority-http.js';
import { tenantAnswer } from './wire.js';

export interface AuthorityTenantsParts {
  readonly http: AuthorityHttp;
  readonly database: Queryable;
  /** Live tenants are registered at all: the authority is another party's, or the operator said so. */
  readonly servesLive: boolean;
}

/** Which tenants this process knows to be registered at the authority. */
export class AuthorityTenants {
  readonly #known = new Map<TenantId, Promise<Result<null, Problem>>>();

  constructor(private readonly parts: AuthorityTenantsParts) {}

  /** Problems, in order: not_found, forbidden (live and embedded), unavailable. */
  ensure(tenantId: TenantId): Promise<Result<null, Problem>> {
    const known = this.#known.get(tenantId);
    if (known !== undefined) return known;
    const registering = this.#register(tenantId);
    this.#known.set(tenantId, registering);
    const forget = () => this.forget(tenantId);
    // Only success is remembered: the next call tries again.
    registering.then((registered) => (registered.ok ? undefined : forget()), forget);
    return registering;
  }

  /** The authority does not know the tenant any more: the next call registers it again. */
  forget(tenantId: TenantId): void {
    this.#known.delete(tenantId);
  }

  async #register(tenantId: TenantId): Promise<Result<null, Problem>> {
    const { database, servesLive } = this.parts;
    const clock = await findTenantClock(database, tenantId).catch(() => 'away' as const);
    if (clock === 'away') return err(noDatabase);
    if (clock === null) return err(noSuchTenant);
    if (clock.world !== 'test' && !servesLive) return err(notForLive);
    const registered = await this.#send(clock);
    if (!registered.ok) return registered;
    // What was registered before keeps its clock: whoever looks for clocks that are behind tells it of a later move.
    const there = parseInstant(registered.value.now) ?? 0;
    const isThere = !clock.isMoved || there === clock.nowMs;
    const toldMs = isThere ? clock.nowMs : Math.min(there, clock.nowMs - 1);
    return keepTold(database, { tenantId, nowMs: toldMs }).then(
      () => ok(null),
      () => err(noDatabase),
    );
  }

  #send({ tenantId, world, nowMs, isMoved }: TenantClock) {
    return this.parts.http.call({
      method: 'POST',
      path: '/v1/tenants',
      body: {
        tenant_id: tenantId,
        world,
        test_clock_at: isMoved ? formatInstant(nowMs) : null,
      },
      answer: tenantAnswer,
      asService: true,
    });
  }
}

const noSuchTenant = problem('not_found', 'There is no such tenant here.', {
  fix: 'Name a tenant of this deployment.',
});

const noDatabase = problem('unavailable', 'The tenant could not be looked up.', {
  fix: 'Repeat the request after the pause.',
  retryAfterSeconds: 1,
});

export const notForLive = problem(
  'forbidden',
  'The embedded trust authority does not serve live tenants: one party would hold both halves.',
  {
    fix: 'The operator gives an authority of its own (AUTHORITY_URL), or sets UNSAFE_EMBEDDED_AUTHORITY_FOR_LIVE_TENANTS=true.',
  },
);
