import type { AgentId, TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import type { Agent } from './agents.commands.js';
import { type Page, pageOf, type PageRequest } from './page.js';

interface AgentColumns {
  agent_id: AgentId;
  name: string;
  suspended: boolean;
  created_at_ms: string;
}

const agentOf = (row: AgentColumns): Agent => ({
  agentId: row.agent_id,
  name: row.name,
  suspended: row.suspended,
  createdAtMs: Number(row.created_at_ms),
});

export async function findAgent(
  database: Queryable,
  tenantId: TenantId,
  agentId: string,
): Promise<Agent | null> {
  const { rows } = await database.query<AgentColumns>(
    `SELECT agent_id, name, suspended, created_at_ms FROM agents
      WHERE tenant_id = $1 AND agent_id = $2`,
    [tenantId, agentId],
  );
  return rows[0] === undefined ? null : agentOf(rows[0]);
}

export async function listAgents(
  database: Queryable,
  tenantId: TenantId,
  { after, size }: PageRequest<string>,
): Promise<Page<Agent, string>> {
  const { rows } = await database.query<AgentColumns>(
    `SELECT agent_id, name, suspended, created_at_ms FROM agents
      WHERE tenant_id = $1 AND ($2::text IS NULL OR agent_id > $2)
      ORDER BY agent_id LIMIT $3`,
    [tenantId, after, size + 1],
  );
  return pageOf(rows.map(agentOf), size, ({ agentId }) => agentId);
}
