import { readRow } from '../base/ledger/index.js';
import { type Config, type Queryable, StartRefused } from '../base/platform/index.js';
import { apiKeys } from '../base/tenants/index.js';
import { DEMO_TENANTS } from './demo-tenants.js';
import { DEMO_ROLES, demoApiKey } from './demo-world.js';

/**
 * Throws StartRefused, one line, when others can reach the service and a demo key works in its migrated database,
 * unless SEED_DEMO=on was said: the keys are published, and a first start without settings makes them.
 */
export async function refusePublishedKeys(
  database: Queryable,
  { openToOthers, seedDemo, publicBaseUrl, host }: OpenTo,
): Promise<void> {
  // INVARIANT: a service that is open to others seeds only when it was told to (base/platform/config).
  if (!openToOthers || seedDemo || !(await holdsDemoKey(database))) return;
  const opening = publicBaseUrl === null ? `HOST ${host}` : `PUBLIC_BASE_URL ${publicBaseUrl}`;
  throw new StartRefused(
    `This database holds the demo tenants, whose administrator keys are published, and ${opening} opens it to others: take another database (DATA_DIR or DATABASE_URL), or say SEED_DEMO=on to leave the demo open to everybody.`,
  );
}

type OpenTo = Pick<Config, 'openToOthers' | 'seedDemo' | 'publicBaseUrl' | 'host'>;

/** Whether any published key is there and works: a rotated one does until its overlap ends. */
async function holdsDemoKey(database: Queryable): Promise<boolean> {
  const keys = DEMO_TENANTS.flatMap(({ tenantId }) =>
    DEMO_ROLES.map((role) => ({ tenantId, key: [demoApiKey(tenantId, role).apiKeyId] })),
  );
  const rows = await Promise.all(keys.map((key) => readRow(database, apiKeys, key)));
  const nowMs = Date.now();
  return rows.some((row) => row !== undefined && (row.revokedAtMs ?? Infinity) > nowMs);
}
