import type { TenantId } from '../../core/kernel/index.js';
import type { MerchantLimits } from '../../core/rules/index.js';
import type { Queryable } from '../platform/index.js';
import { limitsOf, merchantCreated } from './merchants.ledger.js';
import type { Page, PageRequest } from './page.js';
import { pageOf } from './page.js';
import { profileOf, railsOf, type RbiProfile, type SwitchableRail } from './rbi-settings.js';

/** A merchant: a key inside a tenant (decisions 1.2). */
export interface Merchant {
  readonly merchantId: string;
  readonly name: string;
  readonly country: string;
  readonly rbiProfile: RbiProfile | null;
  readonly rbiRails: readonly SwitchableRail[];
  /** The merchant's own switch; the deployment's is needed as well (facts/arbiter.md O1). */
  readonly agentPaymentEnabled: boolean;
  /** Refusals are copied for people to look at; no decision knows of it (facts/arbiter.md K1). */
  readonly copiesRefusalsToReviewQueue: boolean;
  /** Version of the limits in force; null = none were ever set, and orders are refused. */
  readonly limitsVersion: number | null;
}

interface MerchantColumns {
  merchant_id: string;
  name: string;
  country: string;
  rbi_profile: string | null;
  rbi_rails: string;
  agent_payment_enabled: boolean;
  copies_refusals: boolean;
  limits_version: string | null;
}

const MERCHANT = `m.merchant_id, m.name, m.country, m.rbi_profile, m.rbi_rails, m.agent_payment_enabled,
  m.review_copy_since_seq IS NOT NULL AS copies_refusals, l.version AS limits_version
  FROM merchants m LEFT JOIN merchant_limits_current l USING (tenant_id, merchant_id)`;

const merchantOf = (row: MerchantColumns): Merchant => ({
  merchantId: row.merchant_id,
  name: row.name,
  country: row.country,
  rbiProfile: profileOf(row.rbi_profile),
  rbiRails: railsOf(JSON.parse(row.rbi_rails)),
  agentPaymentEnabled: row.agent_payment_enabled,
  copiesRefusalsToReviewQueue: row.copies_refusals,
  limitsVersion: row.limits_version === null ? null : Number(row.limits_version),
});

export async function findMerchant(
  database: Queryable,
  tenantId: TenantId,
  merchantId: string,
): Promise<Merchant | null> {
  const { rows } = await database.query<MerchantColumns>(
    `SELECT ${MERCHANT} WHERE m.tenant_id = $1 AND m.merchant_id = $2`,
    [tenantId, merchantId],
  );
  return rows[0] === undefined ? null : merchantOf(rows[0]);
}

/** The id of the merchant that the tenant made first, or null. */
export async function findOldestMerchant(
  database: Queryable,
  tenantId: TenantId,
): Promise<string | null> {
  const { rows } = await database.query<{ merchant_id: string }>(
    `SELECT body::jsonb -> 'data' ->> 'merchant_id' AS merchant_id FROM entries
      WHERE tenant_id = $1 AND type = $2 ORDER BY seq LIMIT 1`,
    [tenantId, merchantCreated.type],
  );
  return rows[0]?.merchant_id ?? null;
}

/** Merchants in the order of their ids; `merchantIds` null = all, else those of a key's binding. */
export async function listMerchants(
  database: Queryable,
  tenantId: TenantId,
  { after, size, merchantIds }: PageRequest<string> & { merchantIds: readonly string[] | null },
): Promise<Page<Merchant, string>> {
  const { rows } = await database.query<MerchantColumns>(
    `SELECT ${MERCHANT}
      WHERE m.tenant_id = $1 AND ($2::text IS NULL OR m.merchant_id > $2)
        AND ($3::text[] IS NULL OR m.merchant_id = ANY ($3))
      ORDER BY m.merchant_id LIMIT $4`,
    [tenantId, after, merchantIds, size + 1],
  );
  return pageOf(rows.map(merchantOf), size, ({ merchantId }) => merchantId);
}

/** One version of limits and when it came into force. */
export interface LimitsVersion {
  readonly limits: MerchantLimits;
  readonly setAtMs: number;
}

interface LimitsColumns {
  limits: string;
  set_at_ms: string;
}

const limitsVersionOf = (row: LimitsColumns): LimitsVersion => ({
  limits: limitsOf({ limits: JSON.parse(row.limits) as never }),
  setAtMs: Number(row.set_at_ms),
});

/** The limits in force, outside the lock; a decision reads the cell `currentLimits` instead. */
export async function findCurrentLimits(
  database: Queryable,
  tenantId: TenantId,
  merchantId: string,
): Promise<LimitsVersion | null> {
  const { rows } = await database.query<LimitsColumns>(
    'SELECT limits, set_at_ms FROM merchant_limits_current WHERE tenant_id = $1 AND merchant_id = $2',
    [tenantId, merchantId],
  );
  return rows[0] === undefined ? null : limitsVersionOf(rows[0]);
}

export async function findLimitsVersion(
  database: Queryable,
  tenantId: TenantId,
  { merchantId, version }: { merchantId: string; version: number },
): Promise<LimitsVersion | null> {
  const { rows } = await database.query<LimitsColumns>(
    `SELECT limits, set_at_ms FROM merchant_limits
      WHERE tenant_id = $1 AND merchant_id = $2 AND version = $3`,
    [tenantId, merchantId, version],
  );
  return rows[0] === undefined ? null : limitsVersionOf(rows[0]);
}

/** Versions, newest first; the cursor is a version. */
export async function listLimitsVersions(
  database: Queryable,
  tenantId: TenantId,
  { merchantId, after, size }: PageRequest<number> & { merchantId: string },
): Promise<Page<LimitsVersion, number>> {
  const { rows } = await database.query<LimitsColumns>(
    `SELECT limits, set_at_ms FROM merchant_limits
      WHERE tenant_id = $1 AND merchant_id = $2 AND ($3::bigint IS NULL OR version < $3)
      ORDER BY version DESC LIMIT $4`,
    [tenantId, merchantId, after, size + 1],
  );
  return pageOf(rows.map(limitsVersionOf), size, ({ limits }) => limits.version);
}
