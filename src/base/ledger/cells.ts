import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { CellView } from './command.js';
import type { RecordedEntry } from './event.js';
import { type AnyProjection, anyProjection, type Projection } from './projection.js';
import {
  type AnyRow,
  type Key,
  keyOf,
  type RowName,
  rowOf,
  type RowWrite,
} from './projection.store.js';
import type { Projector } from './registry.js';

interface Cell extends RowName {
  row: AnyRow | undefined;
  /** The entry that changed the row last in this batch; null while it is as it was loaded. */
  entrySeq: number | null;
}

/** One change of one row by one entry, waiting for its row to be loaded. */
export interface Evolution extends RowName {
  readonly projector: Projector;
  readonly entry: RecordedEntry;
}

/**
 * The identity map of a batch: each row once, as the commands judged so far left it (decisions 2.2).
 * A cell is expected first, then loaded; what was expected and not loaded does not exist.
 */
export class Cells {
  readonly #tables = new Map<AnyProjection, Map<string, Cell>>();

  expect(projection: AnyProjection, { tenantId, key }: RowName): void {
    const table = this.tableOf(projection);
    const text = textOf(tenantId, key);
    if (!table.has(text)) table.set(text, { tenantId, key, row: undefined, entrySeq: null });
  }

  has(projection: AnyProjection, { tenantId, key }: RowName): boolean {
    return this.#tables.get(projection)?.has(textOf(tenantId, key)) ?? false;
  }

  /** Everything expected, per projection: what has to be loaded. */
  expected(): readonly {
    readonly projection: AnyProjection;
    readonly names: readonly RowName[];
  }[] {
    return [...this.#tables].map(([projection, cells]) => ({
      projection,
      names: [...cells.values()],
    }));
  }

  load(projection: AnyProjection, stored: readonly AnyRow[]): void {
    for (const one of stored) {
      const row = rowOf(projection, one);
      const cell = this.cellOf(projection, {
        tenantId: one['tenant_id'] as TenantId,
        key: keyOf(projection, row),
      });
      invariant(cell !== undefined, `${projection.table} answers with rows that were asked for`);
      cell.row = row;
    }
  }

  /** What one command may see: exactly the cells it named. */
  viewOf(tenantId: TenantId, reads: readonly { projection: AnyProjection; key: Key }[]): CellView {
    const named = new Set(
      reads.map(({ projection, key }) => `${projection.table}${textOf(tenantId, key)}`),
    );
    return {
      get: <Row extends object>(projection: Projection<Row>, key: Key) => {
        invariant(
          named.has(`${projection.table}${textOf(tenantId, key)}`),
          `a command names in reads what it looks at in ${projection.table}`,
        );
        return this.cellOf(anyProjection(projection), { tenantId, key })?.row as Row | undefined;
      },
    };
  }

  /** Applies one entry to one row. A row of an `append` projection is created once. */
  evolve({ projector: { projection, handler }, entry, tenantId, key }: Evolution): void {
    this.expect(projection, { tenantId, key });
    const cell = this.cellOf(projection, { tenantId, key });
    invariant(cell !== undefined, 'what is expected is there');
    invariant(
      projection.mode === 'update' || cell.row === undefined,
      `a row of ${projection.table} is created once`,
    );
    const row = handler.evolve(cell.row, entry.data, {
      entry,
      key,
    });
    invariant(
      textOf(tenantId, keyOf(projection, row)) === textOf(tenantId, key),
      `an event of ${projection.table} leaves a row under its key`,
    );
    cell.row = row;
    cell.entrySeq = entry.seq;
  }

  /** The rows that changed, per projection, in the order of their keys: two batches write in the same order. */
  changed(): readonly {
    readonly projection: AnyProjection;
    readonly writes: readonly RowWrite[];
  }[] {
    return [...this.#tables].flatMap(([projection, cells]) => {
      const writes = [...cells]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .flatMap(([, { tenantId, key, row, entrySeq }]) =>
          row === undefined || entrySeq === null ? [] : [{ tenantId, key, row, entrySeq }],
        );
      return writes.length === 0 ? [] : [{ projection, writes }];
    });
  }

  /** Every row there is, for comparing with the tables. */
  rowsOf(projection: AnyProjection): ReadonlyMap<string, Readonly<Cell>> {
    return this.#tables.get(projection) ?? new Map<string, Cell>();
  }

  private cellOf(projection: AnyProjection, { tenantId, key }: RowName): Cell | undefined {
    return this.#tables.get(projection)?.get(textOf(tenantId, key));
  }

  private tableOf(projection: AnyProjection): Map<string, Cell> {
    const known = this.#tables.get(projection);
    if (known !== undefined) return known;
    const table = new Map<string, Cell>();
    this.#tables.set(projection, table);
    return table;
  }
}

/** One text per row name, for maps and for sorting. */
export const textOf = (tenantId: string, key: Key): string => `${tenantId}${JSON.stringify(key)}`;
