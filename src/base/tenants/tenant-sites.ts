import type { TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import type { Origins } from './origins.js';
import {
  allowedAgentsOf,
  SIGNATURE_MODES,
  type SignatureMode,
} from './signature-settings.ledger.js';
import { findSite } from './tenant-sites.store.js';

/** How long this process believes what it read of a tenant: so late do other modes, agents and origins take effect. */
export const KNOWN_SITE_MS = 1_000;
/** Tenants and hosts remembered at once, each. */
export const KNOWN_SITES_MAX = 2_000;

/** What a request is judged against before anybody has looked at what it asks. */
export interface TenantSite {
  readonly tenantId: TenantId;
  readonly world: World;
  /** Null: what the deployment says. */
  readonly mode: SignatureMode | null;
  /** Null: any agent. */
  readonly allowedAgents: readonly string[] | null;
  readonly origins: readonly string[];
}

/**
 * Remembers what it is asked for a moment, each question once at a time; neither a failure nor that there is nobody: who
 * came a moment ago must not go unjudged.
 */
class Remembered<Answer extends object | string> {
  readonly #known = new Map<
    string,
    { readonly atMs: number; readonly answer: Promise<Answer | null> }
  >();

  constructor(private readonly nowMs: () => number) {}

  ask(name: string, find: () => Promise<Answer | null>): Promise<Answer | null> {
    const atMs = this.nowMs();
    const known = this.#known.get(name);
    // A clock that steps back must not lengthen a belief.
    if (known !== undefined && atMs >= known.atMs && atMs - known.atMs < KNOWN_SITE_MS)
      return known.answer;
    const answer = find();
    this.#known.delete(name);
    this.#known.set(name, { atMs, answer });
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_SITES_MAX && oldest !== undefined) this.#known.delete(oldest);
    const drop = () => {
      if (this.#known.get(name)?.answer === answer) this.#known.delete(name);
    };
    answer.then((found) => {
      if (found === null) drop();
    }, drop);
    return answer;
  }

  forget(name: string): void {
    this.#known.delete(name);
  }
}

/** Tenants as the guard of request signatures needs them, by id or by the host that was asked. */
export class TenantSites {
  readonly #byTenant: Remembered<TenantSite>;
  readonly #byHost: Remembered<TenantId>;

  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly origins: Pick<Origins, 'tenantByHost'>;
      readonly nowMs: () => number;
    },
  ) {
    this.#byTenant = new Remembered(dependencies.nowMs);
    this.#byHost = new Remembered(dependencies.nowMs);
  }

  /** Null: no such tenant. Rejects when the database does not answer. */
  byTenant(tenantId: TenantId): Promise<TenantSite | null> {
    return this.#byTenant.ask(tenantId, () => this.#find(tenantId));
  }

  /** For the process that has just changed it. */
  forget(tenantId: TenantId): void {
    this.#byTenant.forget(tenantId);
  }

  /** Null: nobody answers under this host. Rejects when the database does not answer. */
  async byHost(host: string): Promise<TenantSite | null> {
    const tenantId = await this.#byHost.ask(host, async () => {
      const found = await this.dependencies.origins.tenantByHost(host);
      return found.ok ? found.value : null;
    });
    return tenantId === null ? null : this.byTenant(tenantId);
  }

  async #find(tenantId: TenantId): Promise<TenantSite | null> {
    const stored = await findSite(this.dependencies.database, tenantId);
    if (stored === null) return null;
    const { world, mode, allowedAgents, origins } = stored;
    return {
      tenantId,
      world,
      origins,
      mode: SIGNATURE_MODES.find((one) => one === mode) ?? null,
      allowedAgents: allowedAgentsOf(allowedAgents),
    };
  }
}
