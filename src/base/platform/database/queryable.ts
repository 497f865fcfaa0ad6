/** One connection or pool that answers SQL. Rows come with snake_case columns; int8 and numeric arrive as strings. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Row[]; readonly rowCount: number | null }>;
}
