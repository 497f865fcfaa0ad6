import {
  err,
  mapOk,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { CommandContext, Writer } from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import { parseHost } from './origin-form.js';
import { addOrigin, originTaken, retireOrigin } from './origins.commands.js';
import { hostOfOrigin } from './origins.ledger.js';
import { findOriginOfHost, listOrigins, type TenantOrigin } from './origins.store.js';

/** Whose surface answers, and under which address. */
export interface Site {
  readonly tenantId: TenantId;
  readonly origin: string;
}

/** Under which hosts which tenant's merchant surfaces answer (decisions 5.2). */
export class Origins {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly writer: Writer;
      /** True without PUBLIC_BASE_URL: then loopback names may belong to a test tenant, whatever the port. */
      readonly loopbackAllowed: boolean;
    },
  ) {}

  /** Problems, in order: conflict (another tenant has it), not_found, validation_failed (see parseOrigin). */
  async add(
    context: CommandContext,
    { origin, primary }: { origin: string; primary: boolean },
  ): Promise<Result<readonly TenantOrigin[], Problem>> {
    const { writer, loopbackAllowed } = this.dependencies;
    const { tenantId } = context;
    if (await this.#isTaken(origin, tenantId)) return err(originTaken);
    const added = await writer.execute(addOrigin(context, { origin, primary, loopbackAllowed }));
    if (added.ok) return ok(await this.list(tenantId));
    // Another tenant took it between the look and the write: then the unique index refused ours.
    const overtaken = added.error.code === 'internal' && (await this.#isTaken(origin, tenantId));
    return overtaken ? err(originTaken) : added;
  }

  /** Problems, in order: not_found, conflict (the primary, while there are others). */
  async retire(context: CommandContext, origin: string): Promise<Result<null, Problem>> {
    const { database, writer } = this.dependencies;
    const live = await listOrigins(database, context.tenantId);
    const otherOrigins = live.map((one) => one.origin).filter((name) => name !== origin);
    return writer.execute(retireOrigin(context, { origin, otherOrigins }));
  }

  list(tenantId: TenantId): Promise<readonly TenantOrigin[]> {
    return listOrigins(this.dependencies.database, tenantId);
  }

  /**
   * The tenant whose surfaces answer under a Host header. Without a public URL a loopback host finds the tenant that
   * owns the bare name, whatever the port. Problem: misdirected_request.
   */
  async tenantByHost(hostHeader: string | undefined): Promise<Result<TenantId, Problem>> {
    return mapOk(await this.siteByHost(hostHeader), ({ tenantId }) => tenantId);
  }

  /**
   * As {@link tenantByHost}, with the origin that was asked: absolute addresses of a shop begin with it. Of a loopback host that is
   * http and the host as it was asked, with its port.
   */
  async siteByHost(hostHeader: string | undefined): Promise<Result<Site, Problem>> {
    const parsed = parseHost(hostHeader ?? '');
    if (parsed === null) return err(nobodyHere);
    const { database, loopbackAllowed } = this.dependencies;
    if (parsed.loopback !== null && !loopbackAllowed) return err(nobodyHere);
    const exact = await findOriginOfHost(database, parsed.host);
    if (exact !== null) return ok(exact);
    const bare =
      parsed.loopback === null ? null : await findOriginOfHost(database, parsed.loopback);
    if (bare === null) return err(nobodyHere);
    return ok({ tenantId: bare.tenantId, origin: `http://${parsed.host}` });
  }

  async #isTaken(origin: string, tenantId: TenantId): Promise<boolean> {
    const owner = await findOriginOfHost(this.dependencies.database, hostOfOrigin(origin));
    return owner !== null && owner.tenantId !== tenantId;
  }
}

const nobodyHere = problem('misdirected_request', 'No tenant answers under this host name.', {
  fix: 'Use the origin of the shop; its administrators list it with GET /v1/origins.',
  field: ':host',
});
