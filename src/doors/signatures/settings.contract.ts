import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { SIGNATURE_MODES } from '../../base/tenants/index.js';
import { TAP_AGENTS } from './allowed-agents.js';

const AGENTS_MAX = 200;
const AGENT_CHARACTERS_MAX = 512;

const agentText = z
  .string()
  .min(1)
  .max(AGENT_CHARACTERS_MAX)
  .meta({
    description: `URL under which the agent publishes its key, without query, an origin without its slash; or \`${TAP_AGENTS}\` for the agents whose keys the operator pinned.`,
    example: 'https://agent.example',
  });

const settings = z.strictObject({
  mode: z
    .enum(SIGNATURE_MODES)
    .nullable()
    .meta({ description: 'null: what the deployment says (COMMERCE_AGENT_SIGNATURE_MODE).' }),
  allowed_agents: z
    .array(agentText)
    .max(AGENTS_MAX)
    .nullable()
    .meta({ description: 'null: any agent whose key is found. An empty list takes none.' }),
});

export const readSignatureSettings = route({
  method: 'GET',
  path: '/v1/signatures/settings',
  summary: 'What the tenant says about request signatures',
  description: '`mode_in_force` is what holds: the tenant’s word, else the deployment’s.',
  tag: 'signatures',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  success: {
    status: 200,
    body: z.strictObject({ ...settings.shape, mode_in_force: z.enum(SIGNATURE_MODES) }),
  },
  problems: [],
});

export const changeSignatureSettings = route({
  method: 'PUT',
  path: '/v1/signatures/settings',
  summary: 'Set what holds for request signatures',
  description:
    'All of it at once; an entry of the ledger. `enforce` refuses requests to catalog JSON, product JSON and A2A that are not signed ' +
    'well; public pages, `/v1` and checkouts are never refused for a signature. Other processes follow within a second.',
  tag: 'signatures',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: settings,
  examples: {
    'enforce, any agent': { mode: 'enforce', allowed_agents: null },
    'log, one agent': { mode: 'log', allowed_agents: ['https://agent.example'] },
  },
  success: {
    status: 200,
    body: z.strictObject({ ...settings.shape, mode_in_force: z.enum(SIGNATURE_MODES) }),
  },
  problems: [],
});
