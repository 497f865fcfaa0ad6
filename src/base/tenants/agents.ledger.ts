import { codec, invariant } from '../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../ledger/index.js';

/** A stable identity with any number of credentials; blocks, budgets and history belong to it (decisions 1.3). */
export const agentCreated = defineEvent(
  'agent.created',
  codec.record({ agentId: codec.text, name: codec.text }),
);
export const agentSuspended = defineEvent('agent.suspended', codec.record({ agentId: codec.text }));
export const agentResumed = defineEvent('agent.resumed', codec.record({ agentId: codec.text }));

export interface AgentRow {
  readonly agentId: string;
  readonly name: string;
  readonly suspended: boolean;
  readonly createdAtMs: number;
}

function existing(row: AgentRow | undefined): AgentRow {
  invariant(row !== undefined, 'an agent is created before it changes');
  return row;
}

export const agents = defineProjection<AgentRow>({
  table: 'agents',
  mode: 'update',
  key: ['agentId'],
  columns: {
    agentId: column.text,
    name: column.text,
    suspended: column.flag,
    createdAtMs: column.integer,
  },
  on: [
    when(agentCreated, {
      keys: ({ agentId }) => [[agentId]],
      evolve: (_row, data, { entry }) => ({ ...data, suspended: false, createdAtMs: entry.atMs }),
    }),
    when(agentSuspended, {
      keys: ({ agentId }) => [[agentId]],
      evolve: (row) => ({ ...existing(row), suspended: true }),
    }),
    when(agentResumed, {
      keys: ({ agentId }) => [[agentId]],
      evolve: (row) => ({ ...existing(row), suspended: false }),
    }),
  ],
});
