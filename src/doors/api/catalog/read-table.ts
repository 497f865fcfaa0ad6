import { CsvError, parse } from 'csv-parse/sync';
import {
  err,
  isChosenId,
  lineEnds,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import {
  type CatalogChange,
  CHANGE_ROWS_MAX,
  NO_CHANGE,
  ON_HAND_MAX,
  PRICE_AMOUNT_MINOR_MAX,
} from '../../../trust/facts/index.js';
import { isImageUrl, isTitle, TITLE_CHARACTERS_MAX } from './pieces.js';

export const TABLE_KINDS = ['products', 'variants', 'prices', 'inventory'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** Longest line of a table, in characters: every cell as long as it may be, all of it escaped. */
export const RECORD_CHARACTERS_MAX = 4_096;

const COLUMNS: Readonly<
  Record<TableKind, { readonly needed: readonly string[]; readonly optional: readonly string[] }>
> = {
  products: { needed: ['id', 'title', 'price'], optional: ['image_url'] },
  variants: { needed: ['id', 'product_id'], optional: ['title', 'price'] },
  prices: { needed: ['id', 'price'], optional: [] },
  inventory: { needed: ['quantity'], optional: ['product_id', 'variant_id'] },
};

export interface TableRequest {
  readonly merchantId: string;
  readonly kind: TableKind;
  readonly text: string;
  /** Null = none was named. */
  readonly currency: string | null;
}

/** A table as a change, and where each of its rows ends in the text. */
export interface ReadTable {
  readonly change: CatalogChange;
  readonly columns: ReadonlySet<string>;
  readonly lines: readonly number[];
}

interface TableRow {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/**
 * Reads a table. Problems (validation_failed), in order: not readable as CSV, a column that is missing, unknown or named
 * twice, no currency for prices, no row or too many; then row by row, cell by cell. Each names line and column.
 */
export function readTable({
  merchantId,
  kind,
  text,
  currency,
}: TableRequest): Result<ReadTable, Problem> {
  const rows = rowsOf(kind, text);
  if (!rows.ok) return rows;
  const hasPrices = rows.value.columns.has('price');
  if (hasPrices && currency === null) return err(currencyMissing);
  const change = {
    products: [] as CatalogChange['products'][number][],
    variants: [] as CatalogChange['variants'][number][],
    prices: [] as CatalogChange['prices'][number][],
    counts: [] as CatalogChange['counts'][number][],
  };
  for (const row of rows.value.rows) {
    const cells = new RowReader(row);
    if (kind === 'inventory') {
      const variantId = cells.id(
        rows.value.columns.has('variant_id') ? 'variant_id' : 'product_id',
      );
      change.counts.push({ variantId, onHand: cells.count('quantity') });
    } else {
      const variantId = cells.id('id');
      if (kind === 'products') {
        const [title, imageUrl] = [cells.title('title'), cells.imageUrl('image_url')];
        change.products.push({ productId: variantId, title, imageUrl, isListed: true });
        change.variants.push({ variantId, productId: variantId, title: null });
      }
      if (kind === 'variants')
        change.variants.push({
          variantId,
          productId: cells.id('product_id'),
          title: cells.has('title') ? cells.title('title') : null,
        });
      if (hasPrices)
        change.prices.push({
          variantId,
          amountMinor: cells.amount('price'),
          currency: currency ?? '',
        });
    }
    if (cells.problem !== null) return err(cells.problem);
  }
  const { columns } = rows.value;
  const lines = rows.value.rows.map(({ line }) => line);
  return ok({ change: { ...NO_CHANGE, ...change, merchantId }, columns, lines });
}

interface TableRows {
  readonly columns: ReadonlySet<string>;
  readonly rows: readonly TableRow[];
}

function rowsOf(kind: TableKind, text: string): Result<TableRows, Problem> {
  const read = recordsOf(text);
  if (!read.ok) return read;
  const [header, ...records] = read.value;
  const names = (header?.cells ?? []).map((name) => name.trim());
  const fault = headerFault(kind, names);
  if (fault !== null) return err(fault);
  if (records.length === 0) return err(noRows);
  if (records.length > CHANGE_ROWS_MAX) return err(tooManyRows);
  const odd = records.find(({ cells }) => cells.length !== names.length);
  if (odd !== undefined) return err(cellCount(odd.line, names.length));
  const rows = records.map(({ line, cells }) => ({
    line,
    cells: new Map(names.map((name, index) => [name, cells[index] ?? ''])),
  }));
  return ok({ columns: new Set(names), rows });
}

interface TableRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

function recordsOf(text: string): Result<readonly TableRecord[], Problem> {
  try {
    const records = parse(text, {
      bom: true,
      raw: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: RECORD_CHARACTERS_MAX,
    }) as unknown as readonly { readonly raw: string; readonly record: readonly string[] }[];
    const lines = lineEnds(records.map(({ raw }) => raw));
    return ok(records.map(({ record }, index) => ({ line: lines[index] ?? 1, cells: record })));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { readonly lines?: unknown };
    return err(unreadable(typeof lines === 'number' ? lines : 1));
  }
}

function headerFault(kind: TableKind, names: readonly string[]): Problem | null {
  const { needed, optional } = COLUMNS[kind];
  const known = [...needed, ...optional];
  const missing = needed.find((name) => !names.includes(name));
  if (missing !== undefined) return columnMissing(kind, missing);
  const unknown = names.findIndex(
    (name, index) => !known.includes(name) || names.indexOf(name) !== index,
  );
  if (unknown !== -1) return columnUnknown(kind, unknown + 1, known);
  const hasId = names.includes('product_id') !== names.includes('variant_id');
  return kind === 'inventory' && !hasId ? columnMissing(kind, 'product_id or variant_id') : null;
}

/** Reads the cells of one row and remembers the first that does not fit. */
class RowReader {
  problem: Problem | null = null;

  constructor(private readonly row: TableRow) {}

  has(column: string): boolean {
    return (this.row.cells.get(column) ?? '') !== '';
  }

  id(column: string): string {
    const text = this.#cell(column);
    if (!isChosenId(text))
      this.#miss(column, 'an id of at most 128 letters, digits and ._:@/+- is needed');
    return text;
  }

  title(column: string): string {
    const text = this.#cell(column);
    if (!isTitle(text))
      this.#miss(column, `one line of text of 1 to ${TITLE_CHARACTERS_MAX} characters is needed`);
    return text;
  }

  imageUrl(column: string): string | null {
    if (!this.has(column)) return null;
    const text = this.#cell(column);
    if (!isImageUrl(text))
      this.#miss(column, 'an address that begins with https:// or http:// is needed');
    return text;
  }

  amount(column: string): bigint {
    const text = this.#cell(column);
    if (/^\d{1,16}$/.test(text) && BigInt(text) <= PRICE_AMOUNT_MINOR_MAX) return BigInt(text);
    this.#miss(column, 'a price in minor units is needed, 3500 for 35.00');
    return 0n;
  }

  count(column: string): number {
    const text = this.#cell(column);
    if (/^\d{1,10}$/.test(text) && Number(text) <= ON_HAND_MAX) return Number(text);
    this.#miss(column, `a whole number from 0 to ${ON_HAND_MAX} is needed`);
    return 0;
  }

  #cell(column: string): string {
    return (this.row.cells.get(column) ?? '').trim();
  }

  #miss(column: string, what: string): void {
    this.problem ??= tableProblem({ line: this.row.line, column, detail: `${what}.` });
  }
}

const tableProblem = ({
  line,
  column,
  detail,
}: {
  readonly line: number;
  readonly column: string | null;
  readonly detail: string;
}): Problem => {
  const place = column === null ? `line ${line}` : `line ${line}, column ${column}`;
  return problem('validation_failed', `L${place.slice(1)}: ${detail}`, {
    fix: 'Correct this line and send the table again; nothing of it was imported.',
    field: place,
  });
};

const COLUMN_OF: Readonly<Record<string, readonly string[]>> = {
  on_hand: ['quantity'],
  // In a table of stock a product_id names the variant of the same id; elsewhere the variant is the id.
  variant_id: ['variant_id', 'id', 'product_id'],
  product_id: ['product_id', 'id'],
};

/** A problem of the change, told by the line and column it came from. */
export function atLine(found: Problem, { columns, lines }: ReadTable): Problem {
  const [, index, member] =
    /^\/(?:products|variants|prices|counts)\/(\d+)(?:\/(\w+))?$/.exec(found.field ?? '') ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  if (line === undefined) return found;
  const column = COLUMN_OF[member ?? '']?.find((name) => columns.has(name));
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return { ...found, detail: `L${place.slice(1)}: ${found.detail}`, field: place };
}

const unreadable = (line: number): Problem =>
  tableProblem({
    line,
    column: null,
    detail: `it cannot be read as comma-separated values, or is longer than ${RECORD_CHARACTERS_MAX} characters.`,
  });
const cellCount = (line: number, count: number): Problem =>
  tableProblem({ line, column: null, detail: `${count} cells are needed, as in the header.` });
const columnMissing = (kind: TableKind, name: string): Problem =>
  tableProblem({ line: 1, column: name, detail: `a table of ${kind} needs this column.` });
const columnUnknown = (kind: TableKind, number: number, known: readonly string[]): Problem =>
  tableProblem({
    line: 1,
    column: String(number),
    detail: `a table of ${kind} has only the columns ${known.join(', ')}, each once.`,
  });
const noRows = problem('validation_failed', 'The table has no rows.', {
  fix: 'Send a header line and at least one row.',
  field: 'line 2',
});
const tooManyRows = problem(
  'validation_failed',
  `A table has at most ${CHANGE_ROWS_MAX} rows in one request.`,
  {
    fix: 'Send it in parts, each with the header; arbiter catalog import does.',
    field: `line ${CHANGE_ROWS_MAX + 2}`,
  },
);
const currencyMissing = problem('validation_failed', 'The table has prices and no currency.', {
  fix: 'Name the currency of its prices, as ?currency=INR.',
  field: '?currency',
});
