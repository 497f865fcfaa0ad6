import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { Agent } from '../../../base/tenants/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { instantOutput } from '../wire.js';
import { agentId, label, pageOf, pageQuery } from './pieces.js';

const agentParams = z.strictObject({ agent_id: agentId });

const agentView = z.strictObject({
  agent_id: z.string(),
  name: z.string(),
  state: z.enum(['active', 'suspended']),
  created_at: instantOutput,
});

export const printAgent = (agent: Agent): z.input<typeof agentView> => ({
  agent_id: agent.agentId,
  name: agent.name,
  state: agent.suspended ? 'suspended' : 'active',
  created_at: formatInstant(agent.createdAtMs),
});

export const createAgent = route({
  method: 'POST',
  path: '/v1/agents',
  summary: 'Register an agent',
  description:
    'A stable identity; its credentials (API keys and others) come and go, blocks, budgets and history stay with it.',
  tag: 'agents',
  access: ['tenant_admin', 'operator'],
  idempotency: 'optional',
  body: z.strictObject({ name: label }),
  examples: { agent: { name: 'My agent' } },
  success: { status: 201, body: agentView },
  problems: ['not_found'],
});

export const listAgents = route({
  method: 'GET',
  path: '/v1/agents',
  summary: 'Agents, by id',
  tag: 'agents',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  query: pageQuery,
  success: { status: 200, body: pageOf(agentView) },
  problems: [],
});

export const readAgent = route({
  method: 'GET',
  path: '/v1/agents/{agent_id}',
  summary: 'One agent',
  tag: 'agents',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  params: agentParams,
  success: { status: 200, body: agentView },
  problems: ['not_found'],
});

export const suspendAgent = route({
  method: 'POST',
  path: '/v1/agents/{agent_id}/suspend',
  summary: 'Suspend an agent: all its keys stop working',
  tag: 'agents',
  access: ['tenant_admin', 'operator'],
  idempotency: 'optional',
  params: agentParams,
  success: { status: 200, body: agentView },
  problems: ['not_found'],
});

export const resumeAgent = route({
  method: 'POST',
  path: '/v1/agents/{agent_id}/resume',
  summary: 'Let a suspended agent work again',
  tag: 'agents',
  access: ['tenant_admin', 'operator'],
  idempotency: 'optional',
  params: agentParams,
  success: { status: 200, body: agentView },
  problems: ['not_found'],
});
