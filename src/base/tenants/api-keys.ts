import {
  type ApiKeyId,
  err,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { CommandContext } from '../ledger/index.js';
import {
  API_KEY_OVERLAP_SECONDS_DEFAULT,
  API_KEY_OVERLAP_SECONDS_MAX,
  type ApiKeyGrant,
  createApiKey,
  drawApiKey,
  noSuchApiKey,
  replaceApiKey,
  requireNoWider,
  revokeApiKey,
  type ShownApiKey,
} from './api-keys.commands.js';
import { type ApiKey, findApiKey, listAdminKeyIds, listApiKeys } from './api-keys.store.js';
import type { Page, PageRequest } from './page.js';
import { noSuchTenant } from './tenants.commands.js';
import { findTenant } from './tenants.store.js';
import type { TenantsDependencies } from './tenants.js';

/** Administrators' keys looked at to find one that remains; a tenant has a few. */
const OTHER_ADMINS_MAX = 20;

/** API keys of a tenant: made, listed, rotated and revoked by its administrators. */
export class ApiKeys {
  constructor(
    private readonly dependencies: TenantsDependencies & {
      /** A key that was revoked or shortened stops working in this process at once. */
      readonly forgetKnownKeys: () => void;
    },
  ) {}

  /**
   * The key is in this answer and never again, not even in a repeat of it under the same idempotency key.
   * `grantorScopes` are those of the key that asks; null = not narrowed.
   * Problems, in order: forbidden (see requireNoWider), not_found (tenant), validation_failed, not_found (agent,
   * merchants).
   */
  async create(
    context: CommandContext,
    grant: ApiKeyGrant,
    grantorScopes: readonly string[] | null = null,
  ): Promise<Result<ShownApiKey, Problem>> {
    const { database, writer, nowMs } = this.dependencies;
    const allowed = requireNoWider(grantorScopes, grant.scopes);
    if (!allowed.ok) return allowed;
    const tenant = await findTenant(database, context.tenantId);
    if (tenant === null) return err(noSuchTenant);
    return writer.execute(createApiKey(context, drawApiKey(tenant.world, grant, nowMs())));
  }

  /**
   * A new key with the same rights works at once, the old one until the overlap is over (its end is exclusive).
   * `expiresAtMs` of the new key; left out, the new key ends when the old one would have.
   * Problems, in order: validation_failed (overlap), not_found, forbidden (see requireNoWider), validation_failed (an
   * end that is past), conflict.
   */
  async rotate(
    context: CommandContext,
    rotation: {
      apiKeyId: ApiKeyId;
      overlapSeconds?: number;
      expiresAtMs?: InstantMs | null;
      grantorScopes?: readonly string[] | null;
    },
  ): Promise<Result<ShownApiKey, Problem>> {
    const { database, writer, nowMs, forgetKnownKeys } = this.dependencies;
    const { apiKeyId, overlapSeconds = API_KEY_OVERLAP_SECONDS_DEFAULT } = rotation;
    if (overlapSeconds < 0 || overlapSeconds > API_KEY_OVERLAP_SECONDS_MAX) return err(badOverlap);
    const [tenant, old] = await Promise.all([
      findTenant(database, context.tenantId),
      findApiKey(database, context.tenantId, apiKeyId),
    ]);
    if (tenant === null || old === null) return err(noSuchApiKey(apiKeyId));
    const allowed = requireNoWider(rotation.grantorScopes ?? null, old.scopes);
    if (!allowed.ok) return allowed;
    const { expiresAtMs = old.expiresAtMs } = rotation;
    const named = rotation.expiresAtMs ?? null;
    if (named !== null && named <= nowMs()) return err(endIsPast);
    const successor = drawApiKey(tenant.world, { ...grantOf(old), expiresAtMs }, nowMs());
    const replaced = await writer.execute(
      replaceApiKey(context, { apiKeyId, successor, overlapSeconds }),
    );
    forgetKnownKeys();
    return replaced;
  }

  /** At once in this process, within KNOWN_KEY_MS in others. Idempotent. Problems, in order: not_found, conflict. */
  async revoke(context: CommandContext, apiKeyId: ApiKeyId): Promise<Result<null, Problem>> {
    const { database, writer, nowMs, forgetKnownKeys } = this.dependencies;
    const adminIds = await listAdminKeyIds(database, context.tenantId, OTHER_ADMINS_MAX);
    const otherAdminIds = adminIds.filter((id) => id !== apiKeyId);
    const revoked = await writer.execute(
      revokeApiKey(context, { apiKeyId, otherAdminIds, atMs: nowMs() }),
    );
    forgetKnownKeys();
    return revoked;
  }

  /** Problem: not_found. */
  async get(tenantId: TenantId, apiKeyId: string): Promise<Result<ApiKey, Problem>> {
    const key = await findApiKey(this.dependencies.database, tenantId, apiKeyId);
    return key === null ? err(noSuchApiKey(apiKeyId)) : ok(key);
  }

  list(tenantId: TenantId, page: PageRequest<string>): Promise<Page<ApiKey, string>> {
    return listApiKeys(this.dependencies.database, tenantId, page);
  }
}

const grantOf = ({ name, role, scopes, merchantIds, agentId }: ApiKey) => ({
  name,
  role,
  scopes,
  merchantIds,
  agentId,
});

const badOverlap = problem(
  'validation_failed',
  `An overlap is 0 to ${API_KEY_OVERLAP_SECONDS_MAX} seconds.`,
  { fix: 'Choose how long the old key still works; 0 ends it at once.', field: '/overlap_seconds' },
);

const endIsPast = problem('validation_failed', 'The new key would have ended already.', {
  fix: 'Name an instant to come, or null for a key without an end.',
  field: '/expires_at',
});
