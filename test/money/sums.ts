import type { TenantId } from '../../src/core/kernel/index.js';
import { testDatabase } from '../support/database.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';

/** What every sum has to be, told from the rows of payments, captures and refunds alone. */
const EXPECTED = `
  SELECT 'open ' || merchant_id || ' ' || currency AS name, sum(amount_minor) AS minor
    FROM payments WHERE tenant_id = $1 AND state IN ('issuing', 'open') GROUP BY 1
  UNION ALL
  SELECT 'closed ' || merchant_id || ' ' || currency || ' ' ||
      to_char(to_timestamp(started_at_ms / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), sum(amount_minor)
    FROM payments WHERE tenant_id = $1
      AND (state IN ('lapsed', 'canceled') OR (state = 'failed' AND provider = 'shopify')) GROUP BY 1
  UNION ALL
  SELECT 'held passport ' || passport_ref || ' ' || currency, sum(amount_minor)
    FROM payments WHERE tenant_id = $1 AND passport_ref IS NOT NULL
      AND state NOT IN ('rejected', 'failed', 'paid') GROUP BY 1
  UNION ALL
  SELECT 'captured ' || merchant_id || ' ' || order_id, sum(amount_minor)
    FROM captures WHERE tenant_id = $1 GROUP BY 1
  UNION ALL
  SELECT 'paid ' || payment_id, sum(amount_minor)
    FROM captures WHERE tenant_id = $1 AND payment_id IS NOT NULL GROUP BY 1
  UNION ALL
  SELECT 'confirmed ' || merchant_id || ' ' || currency, sum(amount_minor)
    FROM captures WHERE tenant_id = $1 GROUP BY 1
  UNION ALL
  SELECT 'refunded ' || merchant_id || ' ' || order_id, sum(amount_minor)
    FROM refunds WHERE tenant_id = $1 AND state NOT IN ('failed', 'lapsed') GROUP BY 1
  UNION ALL
  SELECT 'refunded ' || payment_id, sum(amount_minor)
    FROM refunds WHERE tenant_id = $1 AND payment_id IS NOT NULL AND state NOT IN ('failed', 'lapsed') GROUP BY 1`;

const KEPT = `
  SELECT 'open ' || merchant_id || ' ' || currency AS name, open_minor AS minor
    FROM merchant_open_money WHERE tenant_id = $1
  UNION ALL
  SELECT 'closed ' || merchant_id || ' ' || currency || ' ' || day, closed_minor
    FROM merchant_day_money WHERE tenant_id = $1
  UNION ALL
  SELECT 'held passport ' || authority_ref || ' ' || currency, held_minor
    FROM authority_spend WHERE tenant_id = $1 AND authority_kind = 'passport'
  UNION ALL
  SELECT 'captured ' || merchant_id || ' ' || order_id, captured_minor
    FROM order_money WHERE tenant_id = $1
  UNION ALL
  SELECT 'paid ' || payment_id, captured_minor
    FROM payments WHERE tenant_id = $1
  UNION ALL
  SELECT 'confirmed ' || merchant_id || ' ' || currency, sum(confirmed_minor)
    FROM merchant_day_money WHERE tenant_id = $1 GROUP BY 1
  UNION ALL
  SELECT 'refunded ' || merchant_id || ' ' || order_id, refunded_minor
    FROM order_money WHERE tenant_id = $1
  UNION ALL
  SELECT 'refunded ' || payment_id, refunded_minor
    FROM payments WHERE tenant_id = $1`;

/** Sums that are not what their rows come to; empty = every sum is right. */
async function wrongSums(tenantId: TenantId): Promise<readonly object[]> {
  const { rows } = await testDatabase().pool.query<object>(
    `SELECT name, e.minor AS expected, k.minor AS kept
       FROM (${EXPECTED}) e FULL JOIN (${KEPT}) k USING (name)
      WHERE coalesce(e.minor, 0) <> coalesce(k.minor, 0)`,
    [tenantId],
  );
  return rows;
}

/** Goods that are set aside for nobody, or payments that can be paid and have none set aside. */
async function wrongHolds(tenantId: TenantId): Promise<readonly object[]> {
  const { rows } = await testDatabase().pool.query<object>(
    `SELECT merchant_id, variant_id, s.held, p.held AS expected
       FROM stock s FULL JOIN (
         SELECT merchant_id, h->>'variant_id' AS variant_id, sum((h->>'quantity')::bigint) AS held
           FROM payments, jsonb_array_elements(stock_held::jsonb) h
          WHERE tenant_id = $1 AND state IN ('issuing', 'open') GROUP BY 1, 2) p USING (merchant_id, variant_id)
      WHERE (s.tenant_id = $1 OR s.tenant_id IS NULL) AND coalesce(s.held, 0) <> coalesce(p.held, 0)`,
    [tenantId],
  );
  return rows;
}

/** What is wrong with the books of a tenant: its ledger folded again, its sums and the goods set aside. */
export async function faultsOf(tenantId: TenantId) {
  const [ledger, sums, holds] = await Promise.all([
    checkLedger(tenantId),
    wrongSums(tenantId),
    wrongHolds(tenantId),
  ]);
  return { ...ledger, sums, holds };
}

export const RIGHT = { ...WHOLE, sums: [], holds: [] };
