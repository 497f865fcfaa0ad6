import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import {
  API_KEY_OVERLAP_SECONDS_DEFAULT,
  API_KEY_OVERLAP_SECONDS_MAX,
  API_KEY_ROLES,
  type ApiKey,
  SCOPES,
  type ShownApiKey,
} from '../../../base/tenants/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { chosenId, instantInput, instantOutput, printInstant } from '../wire.js';
import { agentId, apiKeyId, label, pageOf, pageQuery } from './pieces.js';

/** Merchants one key may be bound to. */
const BOUND_MERCHANTS_MAX = 200;

const apiKeyParams = z.strictObject({ api_key_id: apiKeyId });

const unique = (names: readonly string[]): boolean => new Set(names).size === names.length;

export const shownApiKey = z.strictObject({
  api_key_id: z.string(),
  api_key: z
    .string()
    .nullable()
    .meta({ description: 'Shown once. Null when this answer repeats an earlier one.' }),
});

export const printShownApiKey = (key: ShownApiKey): z.input<typeof shownApiKey> => ({
  api_key_id: key.apiKeyId,
  api_key: key.apiKey,
});

const apiKeyView = z.strictObject({
  api_key_id: z.string(),
  name: z.string(),
  role: z.enum(API_KEY_ROLES),
  scopes: z.array(z.string()).nullable(),
  merchant_ids: z.array(z.string()).nullable(),
  agent_id: z.string().nullable(),
  created_at: instantOutput,
  expires_at: instantOutput.nullable(),
  revoked_at: instantOutput.nullable(),
  replaced_by: z.string().nullable(),
});

export const printApiKey = (key: ApiKey): z.input<typeof apiKeyView> => ({
  api_key_id: key.apiKeyId,
  name: key.name,
  role: key.role,
  scopes: key.scopes === null ? null : [...key.scopes],
  merchant_ids: key.merchantIds === null ? null : [...key.merchantIds],
  agent_id: key.agentId,
  created_at: formatInstant(key.createdAtMs),
  expires_at: printInstant(key.expiresAtMs),
  revoked_at: printInstant(key.revokedAtMs),
  replaced_by: key.replacedBy,
});

export const createApiKey = route({
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Create an API key',
  description:
    'The key is shown this once; only its SHA-256 is kept. scopes narrow it to routes with these tags, merchant_ids to these ' +
    'merchants. A key of the role agent names its agent. Its times are real time, whatever the test clock says. A key ' +
    'with scopes gives no others, here and when it rotates a key.',
  tag: 'api-keys',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({
    name: label,
    role: z.enum(API_KEY_ROLES),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(SCOPES.length)
      .refine(unique, 'Each scope once.')
      .nullable()
      .default(null),
    merchant_ids: z
      .array(chosenId)
      .min(1)
      .max(BOUND_MERCHANTS_MAX)
      .refine(unique, 'Each merchant once.')
      .nullable()
      .default(null),
    agent_id: agentId.nullable().default(null),
    expires_at: instantInput.nullable().default(null),
  }),
  examples: {
    merchant_system: { name: 'shop', role: 'merchant_system', merchant_ids: ['my-shop'] },
    agent: { name: 'agent', role: 'agent', agent_id: 'agt_0190' },
  },
  success: { status: 201, body: shownApiKey },
  problems: ['not_found'],
});

export const listApiKeys = route({
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'API keys, without what could prove them',
  tag: 'api-keys',
  access: ['tenant_admin', 'auditor'],
  idempotency: 'none',
  query: pageQuery,
  success: { status: 200, body: pageOf(apiKeyView) },
  problems: [],
});

export const readApiKey = route({
  method: 'GET',
  path: '/v1/api-keys/{api_key_id}',
  summary: 'One API key',
  tag: 'api-keys',
  access: ['tenant_admin', 'auditor'],
  idempotency: 'none',
  params: apiKeyParams,
  success: { status: 200, body: apiKeyView },
  problems: ['not_found'],
});

export const rotateApiKey = route({
  method: 'POST',
  path: '/v1/api-keys/{api_key_id}/rotate',
  summary: 'Replace an API key, with an overlap',
  description:
    'The new key works at once with the same rights; the old one until the overlap is over, 0 ends it at once. Without ' +
    'expires_at the new key ends when the old one would have.',
  tag: 'api-keys',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: apiKeyParams,
  body: z.strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(API_KEY_OVERLAP_SECONDS_MAX)
      .default(API_KEY_OVERLAP_SECONDS_DEFAULT),
    expires_at: instantInput.nullable().optional(),
  }),
  success: { status: 201, body: shownApiKey },
  problems: ['not_found', 'conflict'],
});

export const revokeApiKey = route({
  method: 'DELETE',
  path: '/v1/api-keys/{api_key_id}',
  summary: 'Revoke an API key',
  description:
    'At once in the process that answers, within one second in others. The last key that can administer the tenant stays.',
  tag: 'api-keys',
  access: ['tenant_admin'],
  idempotency: 'optional',
  params: apiKeyParams,
  success: { status: 204, body: null },
  problems: ['not_found', 'conflict'],
});
