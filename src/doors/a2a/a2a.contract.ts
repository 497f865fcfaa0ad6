import { z } from 'zod';
import { A2A_JSON_CONTENT_TYPE, JSON_CONTENT_TYPE, route } from '../../base/platform/index.js';
import { SIGNATURE_PROBLEMS } from '../../core/kernel/index.js';
import { restProblem, rpcProblem } from './answer.js';
import { CARD_PATH, REST_PATH, RPC_PATH } from './card.js';

const anyObject = z.looseObject({}).meta({
  description: 'As the A2A protocol (a2a-protocol.org) says for this method.',
});

const version = {
  'A2A-Version': z.string().optional().meta({
    description:
      'For clients that cannot send the header A2A-Version: 1.0 or 0.3; without either 0.3.',
  }),
};

const common = {
  tag: 'a2a',
  access: 'optional',
  keyRoles: ['agent', 'merchant_system', 'tenant_admin'],
  idempotency: 'none',
  problems: ['misdirected_request', 'unauthenticated', ...SIGNATURE_PROBLEMS],
} as const;

const rest = {
  ...common,
  json: [A2A_JSON_CONTENT_TYPE, JSON_CONTENT_TYPE],
  problemAs: restProblem,
  success: { status: 200, body: anyObject, mediaType: A2A_JSON_CONTENT_TYPE },
} as const;

const query = z.looseObject(version);
const taskId = z.string().meta({ description: 'Of a task that the caller’s message made.' });
const task = z.strictObject({ task_id: taskId });
const config = z.strictObject({ task_id: taskId, config_id: z.string() });
const body = z.unknown().meta({ description: 'As the A2A protocol says for this method.' });

export const readCard = route({
  method: 'GET',
  path: CARD_PATH,
  summary: 'Agent card of the shop under this host, signed',
  description:
    'For versions 1.0 and 0.3 of A2A in one. Its signatures are by the tenant’s card key, which stands in ' +
    '/.well-known/jwks.json of the same host.',
  tag: 'well-known',
  access: 'public',
  idempotency: 'none',
  query,
  success: { status: 200, body: anyObject },
  problems: ['misdirected_request'],
});

export const callRpc = route({
  ...common,
  method: 'POST',
  path: RPC_PATH,
  summary: 'A2A over JSON-RPC, versions 1.0 and 0.3',
  description:
    'Every method of the protocol but streaming. Questions about products need no key; everything else answers 401 without one.',
  query,
  body,
  problemAs: rpcProblem,
  success: { status: 200, body: anyObject },
});

export const sendMessage = route({
  ...rest,
  method: 'POST',
  path: `${REST_PATH}/message:send`,
  summary: 'Ask the shop’s agent (A2A SendMessage)',
  description:
    'A question about products is answered with a message. A data part with the body of POST /v1/decisions is decided, once ' +
    'per messageId: an allow completes the task, a refusal rejects it.',
  query,
  body,
});

export const streamMessage = route({
  ...rest,
  method: 'POST',
  path: `${REST_PATH}/message:stream`,
  summary: 'Not offered: this agent does not stream',
  query,
  body,
  bodyOptional: true,
});

export const getTask = route({
  ...rest,
  method: 'GET',
  path: `${REST_PATH}/tasks/{task_id}`,
  summary: 'State of one of the caller’s tasks (A2A GetTask)',
  params: task,
  query: z.looseObject({ ...version, historyLength: z.string().optional() }),
});

export const listTasks = route({
  ...rest,
  method: 'GET',
  path: `${REST_PATH}/tasks`,
  summary: 'The caller’s tasks, the latest first (A2A ListTasks)',
  query: z.looseObject({
    ...version,
    contextId: z.string().optional(),
    status: z.string().optional(),
    pageSize: z.string().optional(),
    pageToken: z.string().optional(),
    historyLength: z.string().optional(),
    statusTimestampAfter: z.string().optional(),
    includeArtifacts: z.string().optional(),
  }),
});

export const cancelTask = route({
  ...rest,
  method: 'POST',
  path: `${REST_PATH}/tasks/{task_id}:cancel`,
  summary: 'Never possible: every task has ended (A2A CancelTask)',
  params: task,
  query,
  body,
  bodyOptional: true,
});

const subscribe = {
  ...rest,
  path: `${REST_PATH}/tasks/{task_id}:subscribe`,
  summary: 'Not offered: this agent does not stream',
  params: task,
  query,
} as const;

/** The protocol’s proto file says GET, its prose POST. */
export const getSubscription = route({ ...subscribe, method: 'GET' });
export const postSubscription = route({
  ...subscribe,
  method: 'POST',
  body,
  bodyOptional: true,
});

const CONFIGS = `${REST_PATH}/tasks/{task_id}/pushNotificationConfigs` as const;

export const createPushConfig = route({
  ...rest,
  method: 'POST',
  path: CONFIGS,
  summary: 'Tell the end of a task to an address',
  description:
    'The task has ended, so the message is due at once. It is signed (Standard Webhooks, v1a) by the tenant’s webhook key ' +
    'and tried again for about a day. Token and credentials are kept wrapped and shown to nobody.',
  params: task,
  query,
  body,
});

export const listPushConfigs = route({
  ...rest,
  method: 'GET',
  path: CONFIGS,
  summary: 'Where the end of a task is told',
  params: task,
  query,
});

export const getPushConfig = route({
  ...rest,
  method: 'GET',
  path: `${CONFIGS}/{config_id}`,
  summary: 'One address where the end of a task is told',
  params: config,
  query,
});

export const deletePushConfig = route({
  ...rest,
  method: 'DELETE',
  path: `${CONFIGS}/{config_id}`,
  summary: 'Tell the end of a task there no more',
  params: config,
  query,
});

const extended = {
  ...rest,
  method: 'GET',
  summary: 'Not offered: the public card is the whole card',
  query,
} as const;

export const getExtendedCard = route({ ...extended, path: `${REST_PATH}/extendedAgentCard` });
/** As version 0.3 names it. */
export const getLegacyCard = route({ ...extended, path: `${REST_PATH}/card` });
