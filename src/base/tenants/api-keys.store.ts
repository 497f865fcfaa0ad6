import type { AgentId, ApiKeyId, TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import type { ApiKeyRole } from './access.js';
import { namesOf } from './api-keys.ledger.js';
import { type Page, pageOf, type PageRequest } from './page.js';

/** A key as it is listed: everything but what could prove it. Times are real time. */
export interface ApiKey {
  readonly apiKeyId: ApiKeyId;
  readonly name: string;
  readonly role: ApiKeyRole;
  readonly scopes: readonly string[] | null;
  readonly merchantIds: readonly string[] | null;
  readonly agentId: AgentId | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly replacedBy: string | null;
}

interface ApiKeyColumns {
  api_key_id: ApiKeyId;
  name: string;
  role: ApiKeyRole;
  scopes: string;
  merchant_ids: string;
  agent_id: AgentId | null;
  created_at_ms: string;
  expires_at_ms: string | null;
  revoked_at_ms: string | null;
  replaced_by: string | null;
}

const API_KEY = `k.api_key_id, k.name, k.role, k.scopes, k.merchant_ids, k.agent_id,
  k.created_at_ms, k.expires_at_ms, k.revoked_at_ms, k.replaced_by`;

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
const storedNames = (text: string) => namesOf(JSON.parse(text) as never);

const apiKeyOf = (row: ApiKeyColumns): ApiKey => ({
  apiKeyId: row.api_key_id,
  name: row.name,
  role: row.role,
  scopes: storedNames(row.scopes),
  merchantIds: storedNames(row.merchant_ids),
  agentId: row.agent_id,
  createdAtMs: Number(row.created_at_ms),
  expiresAtMs: numberOf(row.expires_at_ms),
  revokedAtMs: numberOf(row.revoked_at_ms),
  replacedBy: row.replaced_by,
});

export async function findApiKey(
  database: Queryable,
  tenantId: TenantId,
  apiKeyId: string,
): Promise<ApiKey | null> {
  const { rows } = await database.query<ApiKeyColumns>(
    `SELECT ${API_KEY} FROM api_keys k WHERE k.tenant_id = $1 AND k.api_key_id = $2`,
    [tenantId, apiKeyId],
  );
  return rows[0] === undefined ? null : apiKeyOf(rows[0]);
}

export async function listApiKeys(
  database: Queryable,
  tenantId: TenantId,
  { after, size }: PageRequest<string>,
): Promise<Page<ApiKey, string>> {
  const { rows } = await database.query<ApiKeyColumns>(
    `SELECT ${API_KEY} FROM api_keys k
      WHERE k.tenant_id = $1 AND ($2::text IS NULL OR k.api_key_id > $2)
      ORDER BY k.api_key_id LIMIT $3`,
    [tenantId, after, size + 1],
  );
  return pageOf(rows.map(apiKeyOf), size, ({ apiKeyId }) => apiKeyId);
}

/** Ids of administrators' keys that were neither revoked nor replaced, newest first: enough to find one that works. */
export async function listAdminKeyIds(
  database: Queryable,
  tenantId: TenantId,
  countMax: number,
): Promise<readonly ApiKeyId[]> {
  const { rows } = await database.query<{ api_key_id: ApiKeyId }>(
    `SELECT api_key_id FROM api_keys
      WHERE tenant_id = $1 AND role = 'tenant_admin' AND revoked_at_ms IS NULL AND replaced_by IS NULL
      ORDER BY expires_at_ms DESC NULLS FIRST, api_key_id DESC LIMIT $2`,
    [tenantId, countMax],
  );
  return rows.map((row) => row.api_key_id);
}

/** What the authenticator compares and judges. */
export interface ApiKeyCandidate extends ApiKey {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly digest: Buffer;
  readonly agentSuspended: boolean;
}

/** Keys with this id in whatever tenant; ids are drawn, so there is at most one unless somebody copied rows. */
export async function findCandidates(
  database: Queryable,
  apiKeyId: ApiKeyId,
): Promise<readonly ApiKeyCandidate[]> {
  const { rows } = await database.query<
    ApiKeyColumns & {
      tenant_id: TenantId;
      world: World;
      digest: string;
      agent_suspended: boolean | null;
    }
  >(
    `SELECT ${API_KEY}, k.tenant_id, t.world, k.digest, a.suspended AS agent_suspended
       FROM api_keys k
       JOIN tenants t USING (tenant_id)
       LEFT JOIN agents a ON a.tenant_id = k.tenant_id AND a.agent_id = k.agent_id
      WHERE k.api_key_id = $1 LIMIT 2`,
    [apiKeyId],
  );
  return rows.map((row) => ({
    ...apiKeyOf(row),
    tenantId: row.tenant_id,
    world: row.world,
    digest: Buffer.from(row.digest, 'hex'),
    // INVARIANT: a key whose agent is not there does not work.
    agentSuspended: row.agent_id !== null && (row.agent_suspended ?? true),
  }));
}
