import {
  err,
  formatInstant,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
  type World,
} from '../../core/kernel/index.js';
import {
  type CommandContext,
  event,
  moveClock,
  openLedger,
  readRow,
  type Writer,
} from '../../base/ledger/index.js';
import type { CallerContext, Queryable } from '../../base/platform/index.js';
import {
  authorities,
  authorityOpened,
  authorityTenants,
  tenantRegistered,
} from '../ledger/index.js';
import { serviceOf } from '../service-principal.js';
import { commerceTime, isClockRunning } from './clock.store.js';

/** The authority's own tenant: its ledger holds the authority's name and keys. */
export const SYSTEM_TENANT: TenantId = 'tnt_authority';
/** Every ledger of the authority is sealed, from its first entry. */
const SEALING_KID = 'k1';

/** A tenant that this service may speak for. */
export interface ServedTenant {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly service: string;
  readonly context: CommandContext;
}

export interface Registration {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly testClockAtMs: InstantMs | null;
}

export interface RegisteredTenant {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly nowMs: InstantMs;
  readonly isNew: boolean;
}

type Known = Pick<ServedTenant, 'world' | 'service'>;

/** Tenants of arbiters, by the service that registered them. */
export class AuthorityTenants {
  /** INVARIANT: world and service of a tenant never change, so what was read once stays true. */
  readonly #known = new Map<TenantId, Known>();

  constructor(private readonly parts: { readonly database: Queryable; readonly writer: Writer }) {}

  /**
   * Opens the ledger of a tenant; the same again answers the same. Problems, in order: validation_failed (a test clock
   * in the live world), conflict (another world, or another service has it), unavailable.
   */
  async register(
    caller: CallerContext,
    { tenantId, world, testClockAtMs }: Registration,
  ): Promise<Result<RegisteredTenant, Problem>> {
    if (world !== 'test' && testClockAtMs !== null) return err(clockInLive);
    const service = serviceOf(caller.principal);
    let isNew = false;
    if ((await this.#find(tenantId)) === null) {
      const opened = await this.parts.writer.open({
        ...contextOf(caller, tenantId),
        name: 'authority.register_tenant',
        reads: [],
        decide: () =>
          ok({
            events: [
              openLedger({ world, sealingKid: SEALING_KID, testClockAtMs }),
              event(tenantRegistered, { world, service }),
            ],
          }),
        answer: () => null,
      });
      // conflict = somebody else's registration came first, or it is our own tenant: both are looked at below.
      if (!opened.ok && opened.error.code !== 'conflict') return opened;
      isNew = opened.ok;
    }
    const known = await this.#find(tenantId);
    if (known?.service !== service || known.world !== world) return err(registeredOtherwise);
    return ok({ tenantId, world, nowMs: await this.now(tenantId), isNew });
  }

  /** The tenant, if this caller's service registered it. Problem: not_found. */
  async of(caller: CallerContext, tenantId: TenantId): Promise<Result<ServedTenant, Problem>> {
    const known = await this.#find(tenantId);
    if (known?.service !== serviceOf(caller.principal)) return err(noSuchTenant);
    return ok({ tenantId, ...known, context: contextOf(caller, tenantId) });
  }

  /** The tenant for a route that anybody may call, with the context of the program itself; null = not here. */
  async publicly(tenantId: TenantId, requestId: string): Promise<ServedTenant | null> {
    const known = await this.#find(tenantId);
    if (known === null) return null;
    const actor = { role: 'system', id: 'public' } as const;
    return { tenantId, ...known, context: { tenantId, actor, requestId, idempotency: null } };
  }

  /** Commerce time of a tenant that is there. */
  async now(tenantId: TenantId): Promise<InstantMs> {
    const nowMs = await commerceTime(this.parts.database, tenantId);
    invariant(nowMs !== null, 'a registered tenant has a ledger');
    return nowMs;
  }

  /**
   * Moves the test clock forward and answers with the time that is then; an instant that is not after the present moves
   * nothing, but stops a clock that still runs: the arbiter stopped its own a moment ago. Problems, in order: not_found,
   * forbidden (live world), unavailable.
   */
  async forwardClock(tenant: ServedTenant, toMs: InstantMs): Promise<Result<InstantMs, Problem>> {
    if (tenant.world !== 'test') return err(noClockInLive);
    const { tenantId, context } = tenant;
    const { database, writer } = this.parts;
    if (toMs > (await this.now(tenantId)) || (await isClockRunning(database, tenantId))) {
      const moved = await writer.execute({
        ...moveClock(context, toMs),
        // Somebody may have moved it further meanwhile, and a running one moves by itself.
        decide: (view, moment) =>
          moveClock(context, Math.max(toMs, moment.atMs)).decide(view, moment),
      });
      if (!moved.ok) return moved;
    }
    return ok(await this.now(tenantId));
  }

  /** Opens the authority's own ledger, or finds that it is another authority's: then the line for the operator. */
  async establish(origin: string): Promise<string | null> {
    const opened = await this.parts.writer.open({
      tenantId: SYSTEM_TENANT,
      actor: { role: 'system', id: 'start' },
      requestId: 'first-start',
      idempotency: null,
      name: 'authority.open',
      reads: [],
      decide: () =>
        ok({
          events: [
            openLedger({ world: 'live', sealingKid: SEALING_KID }),
            event(authorityOpened, { origin }),
          ],
        }),
      answer: () => null,
    });
    if (opened.ok) return null;
    if (opened.error.code !== 'conflict')
      return `The authority cannot start: ${opened.error.detail}`;
    const row = await readRow(this.parts.database, authorities, {
      tenantId: SYSTEM_TENANT,
      key: [],
    });
    return row?.origin === origin
      ? null
      : `The database is that of the authority ${row?.origin ?? 'of another program'}, and this one is ${origin}: give AUTHORITY_ORIGIN its first value, or take another database.`;
  }

  async #find(tenantId: TenantId): Promise<Known | null> {
    const known = this.#known.get(tenantId);
    if (known !== undefined) return known;
    const row = await readRow(this.parts.database, authorityTenants, { tenantId, key: [] });
    if (row === undefined) return null;
    const found: Known = { world: row.world === 'test' ? 'test' : 'live', service: row.service };
    if (this.#known.size >= KNOWN_TENANTS_MAX) this.#known.clear();
    this.#known.set(tenantId, found);
    return found;
  }
}

/** Tenants remembered by this process: about 200 bytes each. */
const KNOWN_TENANTS_MAX = 50_000;

const contextOf = (caller: CallerContext, tenantId: TenantId): CommandContext => ({
  tenantId,
  actor: { role: caller.principal.role, id: serviceOf(caller.principal) },
  requestId: caller.requestId,
  idempotency: null,
});

const noSuchTenant = problem('not_found', 'This service has registered no such tenant.', {
  fix: 'Register it with POST /v1/tenants.',
});

const clockInLive = problem('validation_failed', 'A live tenant has no test clock.', {
  fix: 'Leave it null, or register a tenant of the test world.',
  field: '/test_clock_at',
});

const noClockInLive = problem('forbidden', 'A live tenant has no test clock.', {
  fix: 'Use a tenant of the test world.',
});

const registeredOtherwise = problem('conflict', 'The tenant id is taken by another registration.', {
  fix: 'Use the world and the service that it was registered with first, or another tenant id.',
  field: '/tenant_id',
});

export const printNow = (nowMs: InstantMs): { now: string } => ({ now: formatInstant(nowMs) });
