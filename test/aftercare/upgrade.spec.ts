import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../src/base/platform/database/migrate.js';
import { testDatabase } from '../support/database.js';
import { databaseUrl, FRESH_DATABASE_PREFIX } from '../support/database-url.js';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

let folder = '';
let connectionString = '';
let client: pg.Client;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arbiter-upgrade-'));
  const name = `${FRESH_DATABASE_PREFIX}${randomUUID().replaceAll('-', '')}`;
  await testDatabase().pool.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  connectionString = databaseUrl(testDatabase().connectionString, name);
  client = new pg.Client({ connectionString });
});
afterEach(async () => {
  await client.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the migrations of these numbers. */
async function migrateThose(from: string, before: string): Promise<void> {
  const names = readdirSync(MIGRATIONS).filter((name) => name >= from && name < before);
  for (const name of names) copyFileSync(join(MIGRATIONS, name), join(folder, name));
  await migrate({ connectionString }, folder);
}

const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'x'.repeat(86)}`;

it('what an earlier version held of buyers is found, and can be erased', async () => {
  await migrateThose('0000', '0059');
  await client.connect();
  const salt = randomBytes(32);
  const buyers = ['asha@example.org', 'हरि', "o'neil \\"];
  const commitment = (buyer: string): string => sha256(salt, buyer);
  await client.query(`INSERT INTO buyer_salts VALUES ('tnt_1', $1)`, [salt]);
  for (const buyer of buyers)
    await client.query(
      `INSERT INTO buyer_references (tenant_id, commitment, buyer_ref) VALUES ('tnt_1', $1, $2)`,
      [commitment(buyer), buyer],
    );
  const documents = [
    ...buyers.map((sub) => tokenOf({ sub })),
    tokenOf({ sub: 'nobody' }),
    'no token at all',
    tokenOf({ note: 'registered for the first buyer' }),
  ];
  for (const bytes of documents)
    await client.query(
      `INSERT INTO documents (tenant_id, sha256, media_type, bytes, erasable)
        VALUES ('tnt_1', $1, 'application/jwt', $2, true)`,
      [sha256(bytes), Buffer.from(bytes)],
    );
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO entries (tenant_id, seq, entry_id, type, at_ms, body) VALUES ('tnt_1', 0, 'ent_1', 'x.y', 0, '{}')`,
  );
  await client.query(
    `INSERT INTO consents (tenant_id, consent_id, merchant_id, state, scopes, issuer, issuer_kid, document_sha256,
        agent_id, buyer_commitment, issued_at_ms, not_before_at_ms, expires_at_ms, list_uri, slot_index,
        registered_at_ms, entry_seq)
      VALUES ('tnt_1', 'c', 'm', 'granted', '[]', 'i', 'k', $1, 'a', $2, 0, 0, 1, 'u', 0, 0, 0)`,
    [sha256(documents[5] ?? ''), commitment('asha@example.org')],
  );
  await client.query('COMMIT');

  await migrateThose('0059', '0060');
  const references = await client.query(
    `SELECT buyer_ref, commitment, salt, buyer_ref_sha256 FROM buyer_references ORDER BY buyer_ref COLLATE "C"`,
  );
  expect(references.rows).toEqual(
    [...buyers].sort().map((buyer) => ({
      buyer_ref: buyer,
      commitment: commitment(buyer),
      salt,
      buyer_ref_sha256: sha256(buyer),
    })),
  );
  const owners = new Map(
    (
      await client.query<{ sha256: string; buyer_commitment: string | null }>(
        'SELECT sha256, buyer_commitment FROM documents',
      )
    ).rows.map((row) => [row.sha256, row.buyer_commitment]),
  );
  expect(documents.map((bytes) => owners.get(sha256(bytes)))).toEqual([
    ...buyers.map(commitment),
    null,
    null,
    commitment('asha@example.org'),
  ]);
});
