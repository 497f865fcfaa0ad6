import { printable } from './printable.js';

export interface Column {
  readonly title: string;
  /** Numbers stand on the right. */
  readonly align?: 'left' | 'right';
}

/** Widths that the rows of an earlier page needed: a later page of the same table is never narrower. */
export type Widths = readonly number[];

const widthOf = (text: string): number => [...text].length;

export function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  least: Widths = [],
): Widths {
  return columns.map(({ title }, index) =>
    rows.reduce(
      (width, row) => Math.max(width, widthOf(printable(row[index] ?? ''))),
      Math.max(widthOf(title), least[index] ?? 0),
    ),
  );
}

export function printRow(
  columns: readonly Column[],
  cells: readonly string[],
  widths: Widths,
): string {
  return columns
    .map(({ align = 'left' }, index) => {
      const text = printable(cells[index] ?? '');
      const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)));
      return align === 'right' ? gap + text : text + gap;
    })
    .join('  ')
    .trimEnd();
}

/** A head line and a line for each row; without rows the head alone. */
export function printTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const widths = columnWidths(columns, rows);
  const titles = columns.map(({ title }) => title);
  return [titles, ...rows].map((cells) => printRow(columns, cells, widths)).join('\n');
}

/** One value a line, names on the left; a value of null is printed as a dash. */
export function printFields(fields: readonly (readonly [string, string | null])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(value ?? '-')}`.trimEnd())
    .join('\n');
}
