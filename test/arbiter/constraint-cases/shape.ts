/** A row by its columns, as JSON that PostgreSQL reads. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/**
 * What a guard refuses.
 *
 * insert      the base row of the table, but for these columns
 * again       the base row is there, and comes once more, but for these columns
 * statement   the base row is there, but for the columns `on`; `says`: the message of a trigger, which names no constraint
 * stamps      a trigger that refuses nothing but writes: the base row is there, and the statement answers whether it did
 */
export type Attempt =
  | { readonly insert: Row }
  | { readonly again: Row }
  | { readonly on?: Row; readonly statement: string; readonly says: RegExp }
  | { readonly stamps: string };

export type Attempts = Readonly<Record<string, Attempt | readonly Attempt[]>>;

export interface TableCases {
  /** What a good row needs beyond a value for every column that must have one. */
  readonly base?: Row;
  /** Tables whose base row must be there. */
  readonly after?: readonly string[];
  /** Not kept to its ledger by `arbiter_declare`; its three guards are told by the spec. */
  readonly isProjection?: false;
  readonly guards: Attempts;
}

/** Ids and digests of the shape that is asked for, and one that is not. */
export const SHA256 = '0'.repeat(64);
export const NO_SHA256 = 'G'.repeat(64);
export const DECISION = 'arbdec_000000000001';
export const PAYMENT = 'pay_000000000001';
export const REFUND = 'rfd_000000000001';

/** A second row of the same key. */
export const once = (name: string): Attempts => ({ [name]: { again: {} } });
export const below = (column: string): Attempt => ({ insert: { [column]: -1 } });

/** Each of these statements is refused by a trigger with this message. */
export const refusals = (
  statements: readonly string[],
  says: RegExp,
  on: Row = {},
): readonly Attempt[] => statements.map((statement) => ({ on, statement, says }));
