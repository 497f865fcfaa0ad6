import { randomBytes, randomUUID } from 'node:crypto';
import { KeyWrapping, SigningKeys } from '../../src/base/keys/index.js';
import {
  cellsOutsideLock,
  type CommandContext,
  LedgerWriter,
  sessionOpener,
  type WriterLimits,
} from '../../src/base/ledger/index.js';
import { SESSION_LIMITS, type SessionLimits } from '../../src/base/ledger/session.store.js';
import type { Queryable } from '../../src/base/platform/index.js';
import {
  type ApiKeyGrant,
  type TenantDraft,
  type TenantsRoom,
  tenantsRoom,
} from '../../src/base/tenants/index.js';
import type {
  AgentId,
  InstantMs,
  Principal,
  Problem,
  Result,
  TenantId,
  World,
} from '../../src/core/kernel/index.js';
import type { LimitsDraft } from '../../src/core/rules/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { closeAfterFile } from './closing.js';
import { type TestDatabase, testDatabase } from './database.js';

/** The rooms of base/ on one test database, as two service processes would each have them. */
export interface TestHouse {
  readonly database: Queryable;
  readonly connectionString: string;
  readonly writer: LedgerWriter;
  readonly rooms: TenantsRoom;
  readonly signingKeys: SigningKeys;
  /** Real time as the rooms see it; a test may move it. */
  readonly clock: { nowMs: InstantMs };
  readonly platformAdminKey: string;
}

export interface TestTenant {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly adminApiKey: string;
  readonly admin: Principal;
  /** A fresh context of its administrator; give `idempotency` to claim a key. */
  context(idempotency?: CommandContext['idempotency']): CommandContext;
}

/** Errors of the writer that a test expects may be collected; others fail loudly in the log. */
export interface TestHouseOptions {
  readonly database?: TestDatabase;
  readonly keyEncryptionKey?: Buffer;
  readonly publicBaseUrl?: string | null;
  readonly quiet?: boolean;
  readonly limits?: Partial<WriterLimits>;
  readonly session?: Partial<SessionLimits>;
}

/** Those of `startTestService`: what one house wrapped or sealed in the shared database another reads. */
const TEST_KEY_ENCRYPTION_KEY = Buffer.alloc(32, 0x11);
export const TEST_MASTER_SECRET = Buffer.alloc(32, 0x22);

export function testHouse(options: TestHouseOptions = {}): TestHouse {
  const { pool, connectionString } = options.database ?? testDatabase();
  const clock = { nowMs: Date.now() };
  const nowMs = () => clock.nowMs;
  const say = (line: string, details?: unknown) => {
    if (options.quiet !== true) console.error(line, details);
  };
  const writer = new LedgerWriter({
    openSession: sessionOpener({ connectionString }, { ...SESSION_LIMITS, ...options.session }),
    projections: PROJECTIONS,
    masterSecret: TEST_MASTER_SECRET,
    log: { error: say },
    limits: options.limits ?? {},
  });
  closeAfterFile(() => writer.close());
  const platformAdminKey = `ak_platform_${randomBytes(24).toString('hex')}`;
  const rooms = tenantsRoom({
    config: {
      platformAdminKey,
      ledgerSealingDefault: false,
      publicBaseUrl: options.publicBaseUrl ?? null,
    },
    database: pool,
    writer,
    outsideLock: (tenantId, reads) => cellsOutsideLock(pool, tenantId, reads),
    nowMs,
  });
  const signingKeys = new SigningKeys({
    database: pool,
    writer,
    wrapping: new KeyWrapping(options.keyEncryptionKey ?? TEST_KEY_ENCRYPTION_KEY),
    nowMs,
  });
  return {
    database: pool,
    connectionString,
    writer,
    rooms,
    signingKeys,
    clock,
    platformAdminKey,
  };
}

/** The value, or a failure that prints the problem. */
export function valueOf<Value>(result: Result<Value, Problem>): Value {
  if (!result.ok) throw new Error(`expected a value, got ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The problem, or a failure that prints the value. */
export function problemOf(result: Result<unknown, Problem>): Problem {
  if (result.ok) throw new Error(`expected a problem, got ${JSON.stringify(result.value)}`);
  return result.error;
}

const platformAdministrator = { role: 'platform_admin', id: 'key_platform' } as const;

export async function createTestTenant(
  house: TestHouse,
  draft: Partial<TenantDraft> = {},
): Promise<TestTenant> {
  const created = valueOf(
    await house.rooms.tenants.create(
      { actor: platformAdministrator, requestId: randomUUID() },
      {
        world: 'test',
        name: 'a test tenant',
        siblingTenantId: null,
        callerAssertedAllowed: false,
        ...draft,
      },
    ),
  );
  const { tenantId, world } = created.tenant;
  const { apiKeyId, apiKey } = created.adminKey;
  if (apiKey === null) throw new Error('a new tenant shows its key');
  return {
    tenantId,
    world,
    adminApiKey: apiKey,
    admin: {
      tenantId,
      world,
      role: 'tenant_admin',
      apiKeyId,
      agentId: null,
      merchantIds: null,
      scopes: null,
    },
    context: (idempotency = null) => ({
      tenantId,
      actor: { role: 'tenant_admin', id: apiKeyId },
      requestId: randomUUID(),
      idempotency,
    }),
  };
}

/** A merchant in India without limits; answers with its id. */
export async function createTestMerchant(
  house: TestHouse,
  tenant: TestTenant,
  draft: {
    merchantId?: string;
    country?: string;
    rbiProfile?: 'in-rbi-2026-04' | 'none' | null;
  } = {},
): Promise<string> {
  const { merchantId = 'shop-1', country = 'IN', rbiProfile = 'in-rbi-2026-04' } = draft;
  valueOf(
    await house.rooms.merchants.create(tenant.context(), {
      merchantId,
      name: 'A shop',
      country,
      rbiProfile,
      rbiRails: null,
    }),
  );
  return merchantId;
}

/** INR 50,000 an order, 200,000 a day, 20 items; 10,000 and 5 items with the buyer away. */
export const TEST_LIMITS: LimitsDraft = {
  currencies: [{ currency: 'INR', orderMaxMinor: 5_000_000n, dailyMaxMinor: 20_000_000n }],
  itemsMax: 20,
  notPresent: {
    currency: 'INR',
    orderMaxMinor: 1_000_000n,
    itemsMax: 5,
    dailyMaxMinor: 3_000_000n,
  },
};

/** The next version of a merchant's limits; answers with its number. */
export async function setTestLimits(
  house: TestHouse,
  tenant: TestTenant,
  { merchantId, limits = TEST_LIMITS }: { merchantId: string; limits?: LimitsDraft },
): Promise<number> {
  const set = await house.rooms.merchants.setLimits(tenant.context(), tenant.admin, {
    merchantId,
    limits,
  });
  return valueOf(set).limits.version;
}

/** An API key of the tenant; for tests through HTTP. */
export async function createTestApiKey(
  house: TestHouse,
  tenant: TestTenant,
  grant: Partial<ApiKeyGrant> & Pick<ApiKeyGrant, 'role'>,
): Promise<string> {
  const created = await house.rooms.apiKeys.create(tenant.context(), {
    name: grant.role,
    scopes: null,
    merchantIds: null,
    agentId: null,
    expiresAtMs: null,
    ...grant,
  });
  const { apiKey } = valueOf(created);
  if (apiKey === null) throw new Error('a new key is shown');
  return apiKey;
}

/** An agent and a key with which it speaks. */
export async function createTestAgent(
  house: TestHouse,
  tenant: TestTenant,
): Promise<{ agentId: AgentId; apiKey: string }> {
  const { agentId } = valueOf(await house.rooms.agents.create(tenant.context(), 'an agent'));
  const apiKey = await createTestApiKey(house, tenant, { role: 'agent', agentId });
  return { agentId, apiKey };
}
