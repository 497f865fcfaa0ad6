import { err, ok, type Problem, type Result, type TenantId } from '../../core/kernel/index.js';
import type { CommandContext, Writer } from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import { type Agent, createAgent, noSuchAgent, switchAgent } from './agents.commands.js';
import { findAgent, listAgents } from './agents.store.js';
import { drawId } from './ids.js';
import type { Page, PageRequest } from './page.js';

/** Agents of a tenant. Their credentials are API keys here and signature keys elsewhere; blocks belong to the agent. */
export class Agents {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly writer: Writer;
      /** Keys of a suspended agent stop working in this process at once. */
      readonly forgetKnownKeys: () => void;
    },
  ) {}

  create(context: CommandContext, name: string): Promise<Result<Agent, Problem>> {
    return this.dependencies.writer.execute(createAgent(context, { drawnId: drawId('agt'), name }));
  }

  /** Problem: not_found. */
  async get(tenantId: TenantId, agentId: string): Promise<Result<Agent, Problem>> {
    const agent = await findAgent(this.dependencies.database, tenantId, agentId);
    return agent === null ? err(noSuchAgent(agentId)) : ok(agent);
  }

  list(tenantId: TenantId, page: PageRequest<string>): Promise<Page<Agent, string>> {
    return listAgents(this.dependencies.database, tenantId, page);
  }

  /** Idempotent. Problem: not_found. */
  async switch(
    context: CommandContext,
    change: { agentId: string; suspended: boolean },
  ): Promise<Result<Agent, Problem>> {
    const { writer, forgetKnownKeys } = this.dependencies;
    const switched = await writer.execute(switchAgent(context, change));
    forgetKnownKeys();
    return switched.ok ? this.get(context.tenantId, change.agentId) : switched;
  }
}
