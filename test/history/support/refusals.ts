import type { Pool } from '../../../src/base/platform/index.js';
import type { TenantId } from '../../../src/core/kernel/index.js';
import type { FaultyProxy } from '../../ledger/faulty-proxy.js';
import { type Armed, armed } from './faults.js';

/** Tables whose next write a test can have refused: those of the ledger path. */
const REFUSABLE_TABLES = [
  'entries',
  'ledger_trees',
  'ledger_checkpoints',
  'checkpoint_cosignatures',
  'witness_states',
  'witness_rounds',
  'ledger_alarms',
  'ledger_export_fronts',
];

/**
 * Lets a test have PostgreSQL itself refuse a write. The sequence counts outside the transaction, so that the write that
 * was refused is not refused again.
 */
export async function installRefusals(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE SCHEMA refusing;
    CREATE TABLE refusing.armed (tenant_id text, table_name text, operation text, sql_state text);
    CREATE SEQUENCE refusing.counted;
    CREATE FUNCTION refusing.refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE armed_state text;
    BEGIN
      SELECT sql_state INTO armed_state FROM refusing.armed
        WHERE tenant_id = NEW.tenant_id AND table_name = TG_TABLE_NAME AND operation = TG_OP;
      IF armed_state IS NOT NULL AND nextval('refusing.counted') = 1 THEN
        RAISE EXCEPTION 'a test has this refused' USING ERRCODE = armed_state;
      END IF;
      RETURN NEW;
    END
    $body$;`);
  for (const table of REFUSABLE_TABLES)
    await pool.query(`CREATE TRIGGER a_test_refuses BEFORE INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION refusing.refuse()`);
}

/** The tenant's next write into the table is refused with this SQLSTATE, once. */
export async function refuseNext(
  pool: Pool,
  tenantId: TenantId,
  { table, operation, sqlState }: { table: string; operation: string; sqlState: string },
): Promise<Armed> {
  await pool.query('DELETE FROM refusing.armed');
  await pool.query(`SELECT setval('refusing.counted', 1, false)`);
  await pool.query('INSERT INTO refusing.armed VALUES ($1, $2, $3, $4)', [
    tenantId,
    table,
    operation,
    sqlState,
  ]);
  return {
    met: Promise.resolve(),
    release: () => undefined,
    async hasMet() {
      const { rows } = await pool.query<{ is_called: boolean }>(
        'SELECT is_called FROM refusing.counted',
      );
      return rows[0]?.is_called ?? false;
    },
  };
}

/** Somebody else holds the tenant's head until the writer, who was refused it, looks which heads are free. */
export async function holdHead(
  { pool, proxy }: { readonly pool: Pool; readonly proxy: FaultyProxy },
  tenantId: TenantId,
): Promise<Armed> {
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM heads WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
  return armed((meet) =>
    proxy.arm(/SKIP LOCKED/, (connection, message) => {
      connection.send(message);
      void holder.query('COMMIT').then(() => holder.release());
      meet();
    }),
  );
}
