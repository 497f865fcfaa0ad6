import { expect } from 'vitest';
import { DERIVED_HISTORY, ledgerWitnessing } from '../../src/base/history/index.js';
import { anyProjection, checkRebuild } from '../../src/base/ledger/index.js';
import {
  parseCheckpoint,
  parseNote,
  type VerifierKey,
  verifyNote,
} from '../../src/core/chain/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import type { HistoryHouse } from './house.js';
import { linksOf, treeOver } from './house.js';
import { parseVkey } from '../../src/core/chain/index.js';

/**
 * Everything that was ever signed over the tenant's ledger, checked from the links: each checkpoint is of the ledger as it
 * stands, signed by a key of its log, and every cosignature that is kept verifies. Answers the sizes.
 */
export async function checkHistory(
  { pool, checkpoints }: Pick<HistoryHouse, 'pool' | 'checkpoints'>,
  tenantId: TenantId,
  witnessKeys: readonly VerifierKey[] = [],
): Promise<readonly number[]> {
  const client = await pool.connect();
  try {
    const report = await checkRebuild(client, tenantId, {
      projections: [anyProjection(ledgerWitnessing)],
      derived: [DERIVED_HISTORY],
      sealer: null,
    });
    expect(report.differences).toEqual([]);
  } finally {
    client.release();
  }
  const logKeys = (await checkpoints.logKeys(tenantId)).map((text) => {
    const key = parseVkey(text);
    if (!key.ok) throw new Error(key.error);
    return key.value;
  });
  const tree = treeOver(await linksOf(pool, tenantId));
  const { rows } = await pool.query<{ size: string }>(
    'SELECT size FROM ledger_checkpoints WHERE tenant_id = $1 ORDER BY size',
    [tenantId],
  );
  const sizes = rows.map(({ size }) => Number(size));
  for (const size of sizes) {
    const stored = await checkpoints.ofSize(tenantId, size);
    const note = parseNote(stored?.note ?? '');
    if (!note.ok) throw new Error(note.error);
    const verified = verifyNote(note.value, [...logKeys, ...witnessKeys]);
    expect(verified.ok && verified.value.verified.length).toBe(note.value.signatures.length);
    const checkpoint = parseCheckpoint(note.value.text);
    expect(checkpoint).toMatchObject({
      ok: true,
      value: { origin: await checkpoints.originOf(tenantId), size: BigInt(size) },
    });
    if (checkpoint.ok) expect(Buffer.compare(checkpoint.value.root, tree.rootAt(size))).toBe(0);
  }
  return sizes;
}
