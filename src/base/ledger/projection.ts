import type { EntryRef, EventType } from './event.js';

/** How a column is stored and read: PostgreSQL type on one side, the row's TypeScript value on the other. */
export interface Column<Value> {
  readonly pgType: 'text' | 'bigint' | 'boolean' | 'numeric';
  toSql(value: Value): unknown;
  fromSql(value: unknown): Value;
}

/** Turns one kind of event into changes of rows. `keys` names every row that the event touches. */
export interface EventHandler<Row> {
  readonly eventType: EventType<unknown>;
  keys(data: unknown, entry: EntryRef): readonly (readonly (string | number)[])[];
  evolve(
    row: Row | undefined,
    data: unknown,
    at: { entry: EntryRef; key: readonly (string | number)[] },
  ): Row;
}

/**
 * A table that is nothing but a fold of entries (decisions 1.7): the writer loads the rows a batch needs, evolves them
 * event by event and writes them back in bulk; rebuild folds the ledger again and must find the same rows.
 *
 * Column names are the row's member names in snake_case; `tenant_id`, `entry_seq` and `tx_id` come with every
 * projection and are not members of the row. `append` = rows are created once and never changed: nothing is loaded
 * for them unless a command names them in `reads`, and a second creation fails the command.
 */
export interface Projection<Row extends object> {
  readonly table: string;
  readonly mode: 'update' | 'append';
  readonly key: readonly (keyof Row & string)[];
  readonly columns: { readonly [Name in keyof Row]: Column<Row[Name]> };
  readonly on: readonly EventHandler<Row>[];
}

export function when<Row, Data>(
  eventType: EventType<Data>,
  handler: {
    keys(data: Data, entry: EntryRef): readonly (readonly (string | number)[])[];
    evolve(
      row: Row | undefined,
      data: Data,
      at: { entry: EntryRef; key: readonly (string | number)[] },
    ): Row;
  },
): EventHandler<Row> {
  return {
    eventType,
    keys: (data, entry) => handler.keys(data as Data, entry),
    evolve: (row, data, at) => handler.evolve(row, data as Data, at),
  };
}

/** A projection whose row type does not matter: what the writer and the registry handle. */
export type AnyProjection = Projection<Record<string, unknown>>;

export const anyProjection = <Row extends object>(projection: Projection<Row>): AnyProjection =>
  projection as unknown as AnyProjection;

export const defineProjection = <Row extends object>(
  projection: Projection<Row>,
): Projection<Row> => projection;
