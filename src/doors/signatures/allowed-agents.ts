import type { SignatureCandidate } from '../../core/httpsig/index.js';

/** Stands in a list of agents for those whose keys the operator pinned: Visa TAP names no agent. */
export const TAP_AGENTS = 'tap';

/** Whether a tenant's list names this agent: by the URL it gives, without query and fragment, or as one of TAP's. */
export const isAllowedAgent = (
  { agent, keySource }: Pick<SignatureCandidate, 'agent' | 'keySource'>,
  allowed: readonly string[],
): boolean =>
  keySource.kind === 'pinned'
    ? allowed.includes(TAP_AGENTS)
    : agent !== null && allowed.includes(agent);
