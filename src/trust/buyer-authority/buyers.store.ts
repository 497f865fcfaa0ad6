import { createHash, randomBytes } from 'node:crypto';
import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { ErasableTable, SideTable, SideWrite } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';

export const BUYER_SALT_BYTES = 32;

/** The unique constraint by which one reference has one commitment; a command that writes a buyer says what it means. */
export const BUYER_HELD_ALREADY = 'buyer_references_once';

/** Who a commitment stands for, and its salt. Without the row nobody can tell, and nobody can try names against it. */
export const BUYER_REFERENCES = {
  table: 'buyer_references',
  columns: {
    tenant_id: 'text',
    commitment: 'text',
    buyer_ref: 'text',
    buyer_ref_sha256: 'text',
    salt: 'bytea',
  },
  key: ['tenant_id', 'commitment'],
} as const satisfies SideTable;

/** The row of one buyer, by its commitment. */
export const BUYER_ROW: ErasableTable = {
  table: 'buyer_references',
  by: 'commitment',
  takes: 'rows',
};

/** A buyer's name as it may be written down; `write` is the erasable row that says whose it is, null when it is held. */
export interface CommittedBuyer {
  readonly commitment: string;
  readonly write: SideWrite | null;
}

/** `SHA-256(salt || value)` in hex (decisions 1.8). */
export const buyerCommitment = (salt: Buffer, buyerRef: string): string =>
  createHash('sha256').update(salt).update(buyerRef, 'utf8').digest('hex');

/**
 * The tenant's salt, made at the first use, for references that are nobody's name (those of an authentication, of a
 * device). Two processes at once agree: the first row stays, both read it. Buyers and payers have a salt each: see
 * {@link commitBuyers}.
 */
export async function referenceSalt(database: Queryable, tenantId: TenantId): Promise<Buffer> {
  const found = await findSalt(database, tenantId);
  if (found !== null) return found;
  await database.query(
    'INSERT INTO buyer_salts (tenant_id, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [tenantId, randomBytes(BUYER_SALT_BYTES)],
  );
  const made = await findSalt(database, tenantId);
  invariant(made !== null, 'a salt that was written is found');
  return made;
}

async function findSalt(database: Queryable, tenantId: TenantId): Promise<Buffer | null> {
  const { rows } = await database.query<{ salt: Buffer }>(
    'SELECT salt FROM buyer_salts WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0]?.salt ?? null;
}

/** A buyer nobody has named yet, under a salt of its own. */
function newBuyer(tenantId: TenantId, buyerRef: string, salt: Buffer): CommittedBuyer {
  const commitment = buyerCommitment(salt, buyerRef);
  const row = {
    tenant_id: tenantId,
    commitment,
    buyer_ref: buyerRef,
    buyer_ref_sha256: digestOf(buyerRef),
    salt,
  };
  return { commitment, write: { table: BUYER_REFERENCES, row } };
}

/**
 * The commitments of these references: those that are held, and fresh ones for the others. Two callers that draw for one
 * reference at once clash on {@link BUYER_HELD_ALREADY}; the second asks again and finds the first one's.
 */
export async function commitBuyers(
  database: Queryable,
  tenantId: TenantId,
  buyerRefs: readonly string[],
): Promise<ReadonlyMap<string, CommittedBuyer>> {
  const distinct = [...new Set(buyerRefs)];
  if (distinct.length === 0) return new Map();
  const { rows } = await database.query<HeldColumns>(HELD, [tenantId, distinct.map(digestOf)]);
  const held = new Map(rows.map((row) => [row.buyer_ref, row.commitment]));
  const seed = rows[0]?.seed ?? null;
  const saltOf = (buyerRef: string): Buffer =>
    seed === null
      ? randomBytes(BUYER_SALT_BYTES)
      : createHash('sha256').update(`${seed}\n${buyerRef}`).digest();
  return new Map(
    distinct.map((buyerRef) => {
      const commitment = held.get(buyerRef) ?? null;
      return [
        buyerRef,
        commitment === null
          ? newBuyer(tenantId, buyerRef, saltOf(buyerRef))
          : { commitment, write: null },
      ];
    }),
  );
}

interface HeldColumns {
  buyer_ref: string | null;
  commitment: string | null;
  seed: string | null;
}

/** A tenant with reproducible ids has reproducible salts, other ones after every erasure; all others have random ones. */
const HELD = `SELECT r.buyer_ref, r.commitment,
    h.id_seed || E'\\nbuyer salt\\n' || (SELECT count(*) FROM erased_buyers e WHERE e.tenant_id = h.tenant_id) AS seed
  FROM heads h
  LEFT JOIN buyer_references r ON r.tenant_id = h.tenant_id AND r.buyer_ref_sha256 = ANY($2)
  WHERE h.tenant_id = $1`;

/** The commitment that stands for this reference, or null. */
export async function findCommitment(
  database: Queryable,
  tenantId: TenantId,
  buyerRef: string,
): Promise<string | null> {
  const { rows } = await database.query<{ commitment: string }>(
    'SELECT commitment FROM buyer_references WHERE tenant_id = $1 AND buyer_ref_sha256 = $2',
    [tenantId, digestOf(buyerRef)],
  );
  return rows[0]?.commitment ?? null;
}

/** Whether this commitment stands for somebody. */
export async function isHeldBuyer(
  database: Queryable,
  tenantId: TenantId,
  commitment: string,
): Promise<boolean> {
  const { rows } = await database.query(
    'SELECT 1 FROM buyer_references WHERE tenant_id = $1 AND commitment = $2',
    [tenantId, commitment],
  );
  return rows.length > 0;
}

/**
 * Providers' reports that name nobody, about a debit mandate that is this buyer's: they came before the payment mandate
 * that says whose it is. Later ones carry the buyer's commitment.
 */
const REPORTS_OF_BUYER = `SELECT r.document_sha256 FROM debit_mandate_buyers b
    JOIN rail_reports r ON r.tenant_id = b.tenant_id AND r.mandate_ref = b.umn
    WHERE b.tenant_id = $1 AND b.buyer_commitment = $2`;

/** Which of them still hold their bytes. */
export async function findReportsOfBuyer(
  database: Queryable,
  tenantId: TenantId,
  commitment: string,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ sha256: string }>(
    `SELECT sha256 FROM documents
      WHERE tenant_id = $1 AND buyer_commitment IS NULL AND bytes IS NOT NULL AND sha256 IN (${REPORTS_OF_BUYER})`,
    [tenantId, commitment],
  );
  return rows.map(({ sha256 }) => sha256);
}

/** Documents that named this buyer, or were a report about the buyer's debit mandate, and were erased. */
export async function countErasedDocuments(
  database: Queryable,
  tenantId: TenantId,
  commitment: string,
): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `SELECT count(*) FROM documents
      WHERE tenant_id = $1 AND bytes IS NULL
        AND (buyer_commitment = $2 OR (buyer_commitment IS NULL AND sha256 IN (${REPORTS_OF_BUYER})))`,
    [tenantId, commitment],
  );
  return Number(rows[0]?.count ?? 0);
}

/** Which of these documents were erased. */
export async function findErased(
  database: Queryable,
  tenantId: TenantId,
  digests: readonly string[],
): Promise<ReadonlySet<string>> {
  if (digests.length === 0) return new Set();
  const { rows } = await database.query<{ sha256: string }>(
    'SELECT sha256 FROM documents WHERE tenant_id = $1 AND sha256 = ANY($2) AND bytes IS NULL',
    [tenantId, [...digests]],
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

const digestOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
