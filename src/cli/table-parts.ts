import { CsvError, parse } from 'csv-parse/sync';
import { err, lineEnds, ok, type Result } from '../core/kernel/index.js';

/** Rows of one request: one entry of the ledger each, and a bar that moves. */
export const PART_ROWS_MAX = 500;
/** Text of one request, in characters; the service reads 256 KiB. */
export const PART_LENGTH_MAX = 100_000;

/** A piece of a table with its header, and where in the whole table each of its rows ends. */
export interface TablePart {
  readonly text: string;
  /** By the line on which a row ends in the piece, the line on which it ends in the whole. */
  readonly lines: ReadonlyMap<number, number>;
  readonly rows: number;
}

interface Row {
  readonly raw: string;
  readonly line: number;
}

/** Cuts a table between rows; a row with line breaks in a quoted cell stays whole. Failure: where it cannot be read. */
export function tableParts(text: string): Result<readonly TablePart[], string> {
  const read = rowsOf(text);
  if (!read.ok) return read;
  const [header, ...rows] = read.value;
  if (header === undefined || rows.length === 0) return err('The table has no rows.');
  const parts: TablePart[] = [];
  let some: Row[] = [];
  let length = 0;
  for (const row of rows) {
    const isFull = some.length === PART_ROWS_MAX || length + row.raw.length > PART_LENGTH_MAX;
    if (isFull && some.length > 0) {
      parts.push(partOf(header, some));
      some = [];
      length = 0;
    }
    some.push(row);
    length += row.raw.length + 1;
  }
  return ok([...parts, partOf(header, some)]);
}

function rowsOf(text: string): Result<readonly Row[], string> {
  try {
    const records = parse(text, {
      bom: true,
      raw: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as readonly { readonly raw: string }[];
    const ends = lineEnds(records.map(({ raw }) => raw));
    return ok(records.map(({ raw }, index) => ({ raw: withoutEnds(raw), line: ends[index] ?? 0 })));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return err(error.message);
  }
}

/** The parser leaves the line breaks before and after a row with it. */
const withoutEnds = (raw: string): string => raw.replace(/^[\r\n]+|[\r\n]+$/g, '');

function partOf(header: Row, rows: readonly Row[]): TablePart {
  const all = [header, ...rows];
  const ends = lineEnds(all.map(({ raw }) => `${raw}\n`));
  const lines = new Map(all.map(({ line }, index) => [ends[index] ?? 0, line]));
  return { text: all.map(({ raw }) => raw).join('\n'), lines, rows: rows.length };
}

const PLACE = /^(line )(\d+)/i;

/** A text that begins with a line of the piece, told by the line of the whole table. */
export const inWholeTable = (text: string, { lines }: TablePart): string =>
  text.replace(
    PLACE,
    (_all, word: string, line: string) => `${word}${lines.get(Number(line)) ?? line}`,
  );
