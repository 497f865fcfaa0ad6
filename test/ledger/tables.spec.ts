import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DERIVED_HISTORY } from '../../src/base/history/index.js';
import { declaredTables, type LedgerWriter } from '../../src/base/ledger/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { type TestDatabase, testDatabase } from '../support/database.js';
import { add, addWithDocument, newTenant, opening, toyDatabase, toyWriter } from './toy.js';

let database: TestDatabase;
let writer: LedgerWriter;
let tenantId: `tnt_${string}`;

beforeAll(async () => {
  database = await toyDatabase();
  ({ writer } = toyWriter(database.connectionString));
  tenantId = newTenant();
  await writer.open(opening(tenantId));
  await writer.execute(add(tenantId, { receipt: 'r1' }));
  await writer.execute(add(tenantId, { receipt: 'r2' }));
  await writer.execute(addWithDocument(tenantId, 'kept'));
});
afterAll(() => writer.close());

/** Runs statements as one transaction and answers how it ended. */
async function transaction(...statements: readonly string[]): Promise<string> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    for (const statement of statements)
      await client.query(statement.replaceAll('$T', `'${tenantId}'`));
    return (await client.query('COMMIT')).command;
  } catch (error) {
    await client.query('ROLLBACK');
    return (error as Error).message;
  } finally {
    client.release();
  }
}

const entry = (seq: string, more: Record<string, string> = {}) => {
  const columns = {
    tenant_id: '$T',
    seq,
    entry_id: `'${randomUUID()}'`,
    type: `'toy.forged'`,
    at_ms: '0',
    body: `'{}'`,
    ...more,
  };
  return `INSERT INTO entries (${Object.keys(columns).join(', ')}) VALUES (${Object.values(columns).join(', ')})`;
};
const NEXT = '(SELECT max(seq) + 1 FROM entries WHERE tenant_id = $T)';
const DIGEST = `'${'a'.repeat(64)}'`;

describe('a projection row', () => {
  it('cannot be changed without an entry: the commit fails', async () => {
    expect(await transaction('UPDATE toy_counters SET value = 7 WHERE tenant_id = $T')).toMatch(
      /toy_counters_from_entry/,
    );
  });

  it('cannot be inserted without an entry', async () => {
    expect(
      await transaction(
        `INSERT INTO toy_totals (tenant_id, name, value, entry_seq) VALUES ($T, 'forged', 1, 1)`,
      ),
    ).toMatch(/toy_totals_from_entry/);
  });

  it('cannot borrow an entry of an earlier transaction, not even by naming its transaction', async () => {
    const borrowed = `(SELECT tx_id FROM entries WHERE tenant_id = $T AND seq = 1)`;
    expect(
      await transaction(
        `UPDATE toy_counters SET value = 7, entry_seq = 1, tx_id = ${borrowed} WHERE tenant_id = $T`,
      ),
    ).toMatch(/toy_counters_from_entry/);
  });

  it('cannot use an entry of another tenant in the same transaction', async () => {
    const other = `'tnt_${randomUUID()}'`;
    expect(
      await transaction(
        entry('0', { tenant_id: other }),
        'UPDATE toy_counters SET value = 7, entry_seq = 0 WHERE tenant_id = $T',
      ),
    ).toMatch(/toy_counters_from_entry/);
  });

  it('can be changed with an entry of the same transaction: this is all the proof says', async () => {
    const other = `'tnt_${randomUUID()}'`;
    expect(
      await transaction(
        `INSERT INTO toy_totals (tenant_id, name, value, entry_seq) VALUES (${other}, 'honest', 1, 0)`,
        entry('0', { tenant_id: other }),
      ),
    ).toBe('COMMIT');
  });

  it.each([
    'DELETE FROM toy_receipts',
    'DELETE FROM toy_receipts WHERE false',
    'TRUNCATE toy_receipts',
  ])('is never deleted: %s', async (statement) => {
    expect(await transaction(statement)).toMatch(/is refused/);
  });
});

describe('an entry', () => {
  it.each([
    ['UPDATE entries SET body = body WHERE tenant_id = $T', /UPDATE of entries is refused/],
    ['DELETE FROM entries WHERE tenant_id = $T', /DELETE of entries is refused/],
    ['TRUNCATE entries CASCADE', /is refused/],
  ])('is immutable: %s', async (statement, refusal) => {
    expect(await transaction(statement)).toMatch(refusal);
  });

  it('has the next number: no gap, no duplicate, no negative', async () => {
    expect(await transaction(entry(`${NEXT} + 1`))).toMatch(/without a gap/);
    expect(await transaction(entry(NEXT), entry(`${NEXT} + 1`))).toMatch(/without a gap/);
    expect(await transaction(entry('1', { tenant_id: `'tnt_${randomUUID()}'` }))).toMatch(
      /without a gap/,
    );
    expect(await transaction(entry('1'))).toMatch(/entries_pkey/);
    expect(await transaction(entry('-1'))).toMatch(/entries_seq_check/);
  });

  it('has an id of its own within its tenant', async () => {
    const taken = '(SELECT entry_id FROM entries WHERE tenant_id = $T AND seq = 0)';
    expect(await transaction(entry(NEXT, { entry_id: taken }))).toMatch(/entries_id/);
  });

  it('is sealed whole or not at all, and in the right form', async () => {
    const seal = { kid: `'k1'`, prev: DIGEST, mac: DIGEST, link: DIGEST };
    for (const missing of ['kid', 'prev', 'mac', 'link']) {
      expect(await transaction(entry(NEXT, { ...seal, [missing]: 'NULL' }))).toMatch(
        /entries_sealed_whole/,
      );
    }
    expect(await transaction(entry(NEXT, { ...seal, kid: `E'k\\n1'` }))).toMatch(
      /entries_kid_check/,
    );
    expect(await transaction(entry(NEXT, { ...seal, mac: `'A'` }))).toMatch(/entries_mac_check/);
  });

  it('cannot name another transaction than its own', async () => {
    const other = `'tnt_${randomUUID()}'`;
    expect(await transaction(entry('0', { tenant_id: other, tx_id: `'1'` }))).toBe('COMMIT');
    const { rows } = await database.pool.query(
      `SELECT 1 FROM entries WHERE tenant_id = ${other} AND tx_id = '1'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a head', () => {
  it.each([
    ['UPDATE heads SET last_seq = last_seq - 1 WHERE tenant_id = $T', /only moves forward/],
    ['UPDATE heads SET last_at_ms = last_at_ms - 1 WHERE tenant_id = $T', /only moves forward/],
    [`UPDATE heads SET world = 'live' WHERE tenant_id = $T`, /only moves forward/],
    ['UPDATE heads SET world = NULL WHERE tenant_id = $T', /only moves forward/],
    ['DELETE FROM heads WHERE tenant_id = $T', /is refused/],
    [`UPDATE heads SET sealing_kid = 'k1' WHERE tenant_id = $T`, /heads_sealing/],
    [`INSERT INTO heads (tenant_id, last_seq) VALUES ('tnt_x', 0)`, /heads_opened/],
    [
      `INSERT INTO heads (tenant_id, world, last_seq, last_at_ms, test_clock_at_ms) VALUES ('tnt_x', 'live', 0, 0, 0)`,
      /heads_test_clock/,
    ],
  ])('refuses %s', async (statement, refusal) => {
    expect(await transaction(statement)).toMatch(refusal);
  });
});

describe('a document', () => {
  it('has the digest of its bytes, and loses them only if it may be erased', async () => {
    expect(
      await transaction(
        `INSERT INTO documents (tenant_id, sha256, media_type, bytes, erasable)
          VALUES ($T, repeat('0', 64), 'text/plain', 'other', true)`,
      ),
    ).toMatch(/documents_digest/);
    expect(
      await transaction(
        `INSERT INTO documents (tenant_id, sha256, media_type, bytes, erasable)
          VALUES ($T, repeat('0', 64), 'text/plain', NULL, false)`,
      ),
    ).toMatch(/documents_erasure/);
  });

  const ERASED = 'bytes = NULL, erased_entry_seq';
  it.each([
    [`UPDATE documents SET bytes = 'other' WHERE tenant_id = $T`, /only ever erased/],
    [`UPDATE documents SET bytes = NULL WHERE tenant_id = $T`, /only ever erased/],
    [
      `UPDATE documents SET media_type = 'x', ${ERASED} = 1 WHERE tenant_id = $T`,
      /only ever erased/,
    ],
    [`UPDATE documents SET ${ERASED} = 1 WHERE tenant_id = $T`, /documents_erased_by_entry/],
    [`DELETE FROM documents WHERE tenant_id = $T`, /is refused/],
    ['TRUNCATE documents', /is refused/],
    [
      `INSERT INTO documents (tenant_id, sha256, media_type, bytes, erasable, buyer_commitment)
        VALUES ($T, encode(sha256('x'), 'hex'), 'text/plain', 'x', false, ${DIGEST})`,
      /documents_of_buyer/,
    ],
  ])('is only ever erased, by an entry: %s', async (statement, refusal) => {
    expect(await transaction(statement)).toMatch(refusal);
  });

  it('that is not erasable keeps its bytes, entry or not', async () => {
    const kept = `'tnt_${randomUUID()}'`;
    expect(
      await transaction(
        entry('0', { tenant_id: kept }),
        `INSERT INTO documents (tenant_id, sha256, media_type, bytes, erasable)
          VALUES (${kept}, encode(sha256('kept'), 'hex'), 'text/plain', 'kept', false)`,
        `UPDATE documents SET ${ERASED} = 0 WHERE tenant_id = ${kept}`,
      ),
    ).toMatch(/only ever erased/);
  });

  it('is erased with an entry of the same transaction, once', async () => {
    const statement = `UPDATE documents SET ${ERASED} = ${NEXT} - 1 WHERE tenant_id = $T`;
    expect(await transaction(entry(NEXT), statement)).toBe('COMMIT');
    expect(await transaction(entry(NEXT), statement)).toMatch(/only ever erased/);
  });
});

describe('the name of a buyer', () => {
  it('goes only with the entry that erases it', async () => {
    const commitment = `encode(sha256('\\x${'00'.repeat(32)}'::bytea || 'somebody'), 'hex')`;
    expect(
      await transaction(
        `INSERT INTO buyer_references (tenant_id, commitment, buyer_ref, buyer_ref_sha256, salt)
          VALUES ($T, ${commitment}, 'somebody', encode(sha256('somebody'), 'hex'), '\\x${'00'.repeat(32)}')`,
      ),
    ).toBe('COMMIT');
    const gone = 'DELETE FROM buyer_references WHERE tenant_id = $T';
    expect(await transaction(gone)).toMatch(/is erased by an entry of the ledger only/);
    expect(await transaction(`UPDATE buyer_references SET buyer_ref = buyer_ref`)).toMatch(
      /is refused/,
    );
    expect(
      await transaction(
        entry(NEXT),
        `INSERT INTO erased_buyers (tenant_id, commitment, erased_at_ms, entry_seq)
          VALUES ($T, ${commitment}, 0, ${NEXT} - 1)`,
        gone,
      ),
    ).toBe('COMMIT');
  });
});

/** Operational tables that no rebuild makes again, and why it cannot. A new one is derived from entries, or has its reason here. */
const NOT_DERIVED: Readonly<Record<string, readonly string[]>> = {
  'secrets, wrapped or as fingerprints': [
    'buyer_salts',
    'deployment_secrets',
    'signing_key_secrets',
    'webhook_endpoint_secrets',
  ],
  'signatures and names that were drawn or given outside': [
    'checkpoint_cosignatures',
    'ledger_log_name',
  ],
  'what was seen outside, or how far somebody was told': [
    'a2a_push_configs',
    'authority_clocks',
    'ledger_alarms',
    'outbox_progress',
    'provider_endpoints',
    'rail_questions',
    'rail_watermarks',
    'review_cursors',
    'review_queue',
    'signature_nonces',
    'status_marks',
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_endpoint_failures',
    'witness_rounds',
    'witness_states',
  ],
  'answers kept for a while': ['a2a_tasks', 'idempotency_keys', 'ledger_export_fronts'],
  "the sandbox's own books, which stand for another party": [
    'sandbox_behaviour',
    'sandbox_events',
    'sandbox_payments',
    'sandbox_refunds',
  ],
};

describe('every table', () => {
  it('declares its class', async () => {
    // The migration runner's own list of what ran is not a table of ours.
    const tables = (await declaredTables(testDatabase().pool)).filter(
      ({ table }) => table !== 'schema_migrations',
    );
    expect(tables.length).toBeGreaterThanOrEqual(4);
    expect(tables.filter((table) => table.class === null)).toEqual([]);
  });

  it('is folded or built again by the rebuild, or cannot be and is listed with its reason', async () => {
    const told = [
      ...PROJECTIONS.map(({ table }) => table),
      ...DERIVED_HISTORY.tables,
      ...Object.values(NOT_DERIVED).flat(),
      // Entries are what is rebuilt from, heads are compared with every fold, documents hold what may be erased.
      ...['entries', 'heads', 'documents', 'buyer_references', 'schema_migrations'],
    ];
    const tables = (await declaredTables(testDatabase().pool)).map(({ table }) => table);
    expect(told.toSorted()).toEqual(tables.toSorted());
  });

  it('with another class than the four is refused', async () => {
    expect(
      await transaction(
        'CREATE TABLE odd (tenant_id text)',
        `SELECT arbiter_declare('odd', 'cache')`,
      ),
    ).toMatch(/ledger, projection, document or operational/);
  });

  it('that forgets to declare itself is found', async () => {
    await database.pool.query('CREATE TABLE forgotten (tenant_id text)');
    expect(await declaredTables(database.pool)).toContainEqual({ table: 'forgotten', class: null });
  });
});
