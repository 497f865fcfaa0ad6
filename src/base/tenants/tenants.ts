import {
  err,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
  type World,
} from '../../core/kernel/index.js';
import type { CommandContext, Writer } from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import { drawApiKey, type NewApiKey, type ShownApiKey } from './api-keys.commands.js';
import { drawId } from './ids.js';
import { changeTenant, createTenant, noSuchTenant, type TenantChange } from './tenants.commands.js';
import { findTenant, type Tenant } from './tenants.store.js';

/** What every use case of this room works with. */
export interface TenantsDependencies {
  readonly database: Queryable;
  readonly writer: Writer;
  /** Real time: what keys live by (decisions 2.4). */
  readonly nowMs: () => InstantMs;
}

export interface TenantDraft {
  readonly world: World;
  readonly name: string;
  readonly siblingTenantId: TenantId | null;
  readonly callerAssertedAllowed: boolean;
  /** For the seeding of demo tenants and for tests: a chosen id, a frozen clock, reproducible ids, sealing on. */
  readonly tenantId?: TenantId;
  readonly testClockAtMs?: InstantMs;
  readonly idSeed?: string;
  readonly sealing?: boolean;
  /** A published key instead of a drawn one: demo tenants only. */
  readonly adminKey?: NewApiKey;
}

export interface CreatedTenant {
  readonly tenant: Tenant;
  /** Shown once. */
  readonly adminKey: ShownApiKey;
}

/** Tenants: created by the platform administrator, changed by their own. */
export class Tenants {
  constructor(
    private readonly dependencies: TenantsDependencies,
    private readonly sealing: { readonly kid: string; readonly byDefault: boolean },
  ) {}

  /**
   * A new tenant with its ledger and its first administrator's key.
   * Problems, in order: validation_failed (unknown sibling, or one of the same world; see createTenant), conflict
   * (the chosen id is taken), unavailable.
   */
  async create(
    by: Pick<CommandContext, 'actor' | 'requestId' | 'signature'>,
    draft: TenantDraft,
  ): Promise<Result<CreatedTenant, Problem>> {
    const { database, writer, nowMs } = this.dependencies;
    const { world, name, siblingTenantId, callerAssertedAllowed } = draft;
    if (siblingTenantId !== null) {
      const sibling = await findTenant(database, siblingTenantId);
      if (sibling === null || sibling.world === world) return err(noSibling);
    }
    const tenantId = draft.tenantId ?? drawId('tnt');
    const grant = {
      name: 'first administrator',
      role: 'tenant_admin',
      scopes: null,
      merchantIds: null,
      agentId: null,
      expiresAtMs: null,
    } as const;
    const created = await writer.open(
      createTenant(
        { ...by, tenantId, idempotency: null },
        {
          world,
          name,
          siblingTenantId,
          callerAssertedAllowed,
          sealingKid: (draft.sealing ?? this.sealing.byDefault) ? this.sealing.kid : null,
          testClockAtMs: draft.testClockAtMs ?? null,
          idSeed: draft.idSeed ?? null,
          adminKey: draft.adminKey ?? drawApiKey(world, grant, nowMs()),
        },
      ),
    );
    if (!created.ok) return created;
    const tenant = { tenantId, world, name, siblingTenantId, callerAssertedAllowed };
    return ok({ tenant: { ...tenant, primaryOrigin: null }, adminKey: created.value.adminKey });
  }

  /** Problem: not_found. */
  async get(tenantId: TenantId): Promise<Result<Tenant, Problem>> {
    const tenant = await findTenant(this.dependencies.database, tenantId);
    return tenant === null ? err(noSuchTenant) : ok(tenant);
  }

  /** Problems, in order: not_found, validation_failed (caller-asserted authority in the live world). */
  async change(context: CommandContext, change: TenantChange): Promise<Result<Tenant, Problem>> {
    const changed = await this.dependencies.writer.execute(changeTenant(context, change));
    return changed.ok ? this.get(context.tenantId) : changed;
  }
}

const noSibling = problem(
  'validation_failed',
  'A sibling is an existing tenant of the other world.',
  {
    fix: 'Name the test tenant of a live one or the other way round, or leave it out.',
    field: '/sibling_tenant_id',
  },
);
