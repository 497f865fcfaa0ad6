import {
  type AgentId,
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
} from '../../core/kernel/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  event,
  type EventType,
  type RecordedEntry,
} from '../ledger/index.js';
import { agentCreated, agentResumed, agents, agentSuspended } from './agents.ledger.js';
import { idAt } from './ids.js';

export interface Agent {
  readonly agentId: AgentId;
  readonly name: string;
  readonly suspended: boolean;
  readonly createdAtMs: InstantMs;
}

/** A new agent. `drawnId` is used unless the tenant has reproducible ids. */
export function createAgent(
  context: CommandContext,
  { drawnId, name }: { drawnId: AgentId; name: string },
): Command<Agent> {
  return {
    ...context,
    name: 'agent.create',
    reads: [],
    decide: (_view, moment) =>
      ok({ events: [event(agentCreated, { agentId: idAt('agt', drawnId, moment), name })] }),
    answer([entry]) {
      invariant(entry !== undefined, 'creating an agent is one entry');
      const data = entry.data as { agentId: AgentId; name: string };
      return { ...data, suspended: false, createdAtMs: entry.atMs };
    },
  };
}

/**
 * Suspends or resumes an agent; what is so already is answered as success without an entry. A suspended agent's keys
 * stop working, all of them. Problem: not_found.
 */
export function switchAgent(
  context: CommandContext,
  { agentId, suspended }: { agentId: string; suspended: boolean },
): Command<null> {
  const eventType: EventType<{ readonly agentId: string }> = suspended
    ? agentSuspended
    : agentResumed;
  return {
    ...context,
    name: suspended ? 'agent.suspend' : 'agent.resume',
    reads: [cell(agents, agentId)],
    decide(view) {
      const row = view.get(agents, [agentId]);
      if (row === undefined) return err(noSuchAgent(agentId));
      return ok({ events: row.suspended === suspended ? [] : [event(eventType, { agentId })] });
    },
    answer: (_entries: readonly RecordedEntry[]) => null,
  };
}

export const noSuchAgent = (agentId: string, field: string | null = null): Problem =>
  problem('not_found', `There is no agent ${agentId} here.`, {
    fix: 'Name an id that GET /v1/agents lists.',
    field,
  });
