import { chainStart, type KeyOf, verifyEntry } from '../../core/chain/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import { Cells, textOf } from './cells.js';
import { recordedEntryOf, selectAfter, type StoredEntry, storedEntryOf } from './entries.store.js';
import { evolveHead, type Head, unopenedHead } from './head.js';
import { headOf, readHead } from './heads.store.js';
import type { AnyProjection } from './projection.js';
import { columnValue } from './projection.store.js';
import {
  BEGIN_SNAPSHOT,
  END_SNAPSHOT,
  listTenants,
  type SpelledRow,
  spelledRows,
} from './rebuild.store.js';
import { type Registry, registryOf } from './registry.js';
import type { Sealer } from './sealer.js';
import type { Statement } from './session.store.js';

/** Differences that are told; the rest is only counted. */
export const REBUILD_DIFFERENCES_MAX = 1_000;
/** Entries read at once. */
export const REBUILD_PAGE_ENTRIES = 1_000;

/**
 * One place where a table is not what the ledger folds to. `member` names the column; for `entries` it is the break
 * of the chain (see `ChainBreakCode`) or `body`; `row` = a row too many or too few.
 */
export interface Difference {
  readonly tenantId: TenantId;
  readonly table: string;
  readonly key: string;
  readonly member: string;
  readonly stored: string | null;
  readonly folded: string | null;
}

export interface RebuildReport {
  readonly tenantCount: number;
  readonly entryCount: number;
  readonly rowCount: number;
  readonly differenceCount: number;
  readonly differences: readonly Difference[];
}

/** Says a difference in a table of another room. */
export type TellsDifference = (difference: Omit<Difference, 'tenantId'>) => void;

/**
 * Tables that are derived from the entries themselves and not folded from events: their room builds them again beside the
 * fold, in the same snapshot and pass.
 */
export interface DerivedTables {
  readonly tables: readonly string[];
  /** Begins the check of one tenant. */
  check(connection: Queryable, tenantId: TenantId, differs: TellsDifference): DerivedCheck;
}

export interface DerivedCheck {
  /** The next entries, in their order. */
  entries(page: readonly { readonly seq: number; readonly link: string | null }[]): Promise<void>;
  /** Behind the last entry; answers how many rows were compared. */
  finish(): Promise<number>;
}

export interface RebuildOptions {
  readonly projections: readonly AnyProjection[];
  /** Left out = none. */
  readonly derived?: readonly DerivedTables[];
  /** Gives the HMAC keys; null = links are checked, macs are not. */
  readonly sealer: Sealer | null;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Folds the ledger again, verifies its chain, and compares every head and every projection row with what stands in the
 * tables, in both directions. Changes nothing.
 *
 * `connection` is one connection, not a pool: each tenant is read in one snapshot, while writers go on. One tenant's
 * rows are held in memory at a time. Not checked: documents, and operational tables that nothing derives from entries.
 */
export async function checkRebuild(
  connection: Queryable,
  scope: TenantId | 'all',
  options: RebuildOptions,
): Promise<RebuildReport> {
  const registry = registryOf(options.projections);
  const listed = await inSnapshot(connection, () => listTenants(connection, options.projections));
  const tenants = listed.filter(({ tenantId }) => scope === 'all' || tenantId === scope);
  const total = tenants.reduce((sum, { entryCount }) => sum + entryCount, 0);
  const report = new Report(total, options.onProgress);
  for (const { tenantId } of tenants) {
    const { sealer, derived = [] } = options;
    const parts = { tenantId, registry, sealer, derived, report };
    await inSnapshot(connection, () => new TenantCheck(connection, parts).run());
  }
  return { tenantCount: tenants.length, ...report.result };
}

async function inSnapshot<Value>(
  connection: Queryable,
  read: () => Promise<Value>,
): Promise<Value> {
  for (const statement of BEGIN_SNAPSHOT) await ask(connection, statement);
  try {
    return await read();
  } finally {
    await ask(connection, END_SNAPSHOT);
  }
}

const ask = async (connection: Queryable, { text, values }: Statement) =>
  (await connection.query(text, values)).rows;

class Report {
  #entryCount = 0;
  #rowCount = 0;
  #differenceCount = 0;
  readonly #differences: Difference[] = [];

  constructor(
    private readonly total: number,
    private readonly onProgress: RebuildOptions['onProgress'],
  ) {}

  get result(): Omit<RebuildReport, 'tenantCount'> {
    return {
      entryCount: this.#entryCount,
      rowCount: this.#rowCount,
      differenceCount: this.#differenceCount,
      differences: this.#differences,
    };
  }

  entriesRead(count: number): void {
    this.#entryCount += count;
    this.onProgress?.({ done: this.#entryCount, total: Math.max(this.total, this.#entryCount) });
  }

  rowsRead(count: number): void {
    this.#rowCount += count;
  }

  differs(difference: Difference): void {
    this.#differenceCount += 1;
    if (this.#differences.length < REBUILD_DIFFERENCES_MAX) this.#differences.push(difference);
  }
}

class TenantCheck {
  private readonly cells = new Cells();
  private readonly tenantId: TenantId;
  private readonly derived: readonly DerivedCheck[];
  private head: Head;

  constructor(
    private readonly connection: Queryable,
    private readonly parts: {
      readonly tenantId: TenantId;
      readonly registry: Registry;
      readonly sealer: Sealer | null;
      readonly derived: readonly DerivedTables[];
      readonly report: Report;
    },
  ) {
    const { tenantId, derived, report } = parts;
    this.tenantId = tenantId;
    this.head = unopenedHead(tenantId);
    this.derived = derived.map((tables) =>
      tables.check(connection, tenantId, (difference) =>
        report.differs({ tenantId, ...difference }),
      ),
    );
  }

  async run(): Promise<void> {
    const isFolded = await this.fold();
    for (const check of this.derived) this.parts.report.rowsRead(await check.finish());
    await this.compareHead(isFolded);
    // Without a whole fold every row would differ; the entry that could not be folded is told already.
    if (!isFolded) return;
    for (const projection of this.parts.registry.projections) await this.compareTable(projection);
  }

  /** Reads the whole ledger once: verifies the chain up to its first break, folds up to the first entry that cannot be. */
  private async fold(): Promise<boolean> {
    const { sealer, report } = this.parts;
    const keyOf: KeyOf = (kid) => sealer?.keyOf(this.tenantId, kid) ?? null;
    let chain: ReturnType<typeof chainStart> | null = chainStart(this.tenantId);
    let isFolded = true;
    let afterSeq = -1;
    for (;;) {
      const rows = await ask(
        this.connection,
        selectAfter(this.tenantId, afterSeq, REBUILD_PAGE_ENTRIES),
      );
      const page = rows.map(storedEntryOf);
      for (const stored of page) {
        if (chain !== null) {
          const next = verifyEntry(chain, stored, keyOf);
          if (!next.ok) this.entryDiffers(stored.seq, next.error.code);
          chain = next.ok ? next.value : null;
        }
        isFolded = isFolded && this.foldEntry(stored);
        afterSeq = stored.seq;
      }
      // Behind the chain: one broken entry makes every root over it differ, and the list has an end.
      for (const check of this.derived) await check.entries(page);
      report.entriesRead(rows.length);
      if (rows.length < REBUILD_PAGE_ENTRIES) return isFolded;
    }
  }

  private foldEntry(stored: StoredEntry): boolean {
    try {
      const entry = recordedEntryOf(stored);
      const after = evolveHead(this.head, entry);
      for (const projector of this.parts.registry.projectorsOf(entry.type)) {
        for (const key of projector.handler.keys(entry.data, entry)) {
          this.cells.evolve({ projector, entry, tenantId: this.tenantId, key });
        }
      }
      this.head = { ...after, lastLink: stored.link ?? this.head.lastLink };
      return true;
    } catch (error) {
      this.entryDiffers(stored.seq, 'body', (error as Error).message);
      return false;
    }
  }

  private entryDiffers(seq: number, member: string, stored: string | null = null): void {
    const { tenantId } = this;
    this.parts.report.differs({
      tenantId,
      table: 'entries',
      key: String(seq),
      member,
      stored,
      folded: null,
    });
  }

  private async compareHead(isFolded: boolean): Promise<void> {
    const [row] = await ask(this.connection, readHead(this.tenantId));
    if (row === undefined) return this.differs('heads', { key: this.tenantId, member: 'row' });
    if (!isFolded) return;
    const stored = headOf(row);
    for (const member of Object.keys(stored) as (keyof Head)[]) {
      const values = { stored: spell(stored[member]), folded: spell(this.head[member]) };
      if (values.stored !== values.folded) {
        this.differs('heads', { key: this.tenantId, member, ...values });
      }
    }
  }

  private async compareTable(projection: AnyProjection): Promise<void> {
    const folded = this.cells.rowsOf(projection);
    const seen = new Set<string>();
    for await (const stored of spelledRows(this.connection, projection, this.tenantId)) {
      const name = textOf(this.tenantId, stored.key);
      seen.add(name);
      this.parts.report.rowsRead(1);
      const cell = folded.get(name);
      const key = JSON.stringify(stored.key);
      if (cell?.row === undefined || cell.entrySeq === null) {
        this.differs(projection.table, { key, member: 'row', stored: 'present' });
      } else {
        this.compareRow(projection, stored, { row: cell.row, entrySeq: cell.entrySeq });
      }
    }
    for (const [name, { key }] of folded) {
      if (seen.has(name)) continue;
      this.differs(projection.table, {
        key: JSON.stringify(key),
        member: 'row',
        folded: 'present',
      });
    }
  }

  private compareRow(
    projection: AnyProjection,
    stored: SpelledRow,
    cell: { readonly row: Readonly<Record<string, unknown>>; readonly entrySeq: number },
  ): void {
    const key = JSON.stringify(stored.key);
    const told = (member: string, values: { stored: string | null; folded: string | null }) => {
      if (values.stored !== values.folded)
        this.differs(projection.table, { key, member, ...values });
    };
    for (const [member, value] of Object.entries(stored.members)) {
      told(member, {
        stored: value,
        folded: spell(columnValue(projection, member, cell.row[member])),
      });
    }
    told('entry_seq', { stored: stored.entrySeq, folded: String(cell.entrySeq) });
    told('tx_id', { stored: stored.txId, folded: stored.entryTxId });
  }

  private differs(
    table: string,
    found: { key: string; member: string; stored?: string | null; folded?: string | null },
  ): void {
    const { tenantId } = this;
    this.parts.report.differs({ tenantId, table, stored: null, folded: null, ...found });
  }
}

const spell = (value: string | number | boolean | Uint8Array | null): string | null =>
  value === null ? null : String(value);
