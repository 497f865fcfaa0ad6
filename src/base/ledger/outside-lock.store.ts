import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import { Cells } from './cells.js';
import type { CellRef, CellView, LedgerMoment } from './command.js';
import { instantAfter } from './head.js';
import { headOf, readHead } from './heads.store.js';
import { loadStatement } from './projection.store.js';
import type { Statement } from './session.store.js';

/** What a command would see now. Nothing holds it: it may be old when it is looked at. */
export interface LedgerGlance {
  readonly view: CellView;
  readonly moment: LedgerMoment;
}

/** Reads cells of a tenant without its lock; null = no such tenant. */
export type OutsideLock = (
  tenantId: TenantId,
  reads: readonly CellRef[],
) => Promise<LedgerGlance | null>;

/**
 * Loads the cells that `decide` would read, and the moment it would be given, for a simulation: no lock, nothing
 * written, no answer that anybody may rely on. The statements do not share a snapshot.
 */
export async function cellsOutsideLock(
  database: Queryable,
  tenantId: TenantId,
  reads: readonly CellRef[],
): Promise<LedgerGlance | null> {
  const run = async ({ text, values }: Statement) => (await database.query(text, values)).rows;
  const [stored] = await run(readHead(tenantId));
  const head = stored === undefined ? null : headOf(stored);
  if (head === null || head.lastSeq < 0) return null;
  const cells = new Cells();
  for (const { projection, key } of reads) cells.expect(projection, { tenantId, key });
  for (const { projection, names } of cells.expected()) {
    cells.load(projection, await run(loadStatement(projection, names)));
  }
  const clockMs = Number(stored?.['clock_ms']);
  invariant(Number.isSafeInteger(clockMs), 'the database tells the time in milliseconds');
  const { idSeed, world, sealingKid } = head;
  return {
    view: cells.viewOf(tenantId, reads),
    moment: {
      atMs: instantAfter(head, clockMs),
      nextSeq: head.lastSeq + 1,
      idSeed,
      world,
      sealingKid,
    },
  };
}
