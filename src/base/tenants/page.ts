/** Rows of one page of a list. */
export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 200;

/** `after` null = from the beginning. */
export interface PageRequest<Cursor> {
  readonly after: Cursor | null;
  readonly size: number;
}

/** `next` null = this was the last page. */
export interface Page<Item, Cursor> {
  readonly items: readonly Item[];
  readonly next: Cursor | null;
}

/** Cuts a page out of rows that were read with one more than the page holds. */
export function pageOf<Item, Cursor>(
  rows: readonly Item[],
  size: number,
  cursorOf: (item: Item) => Cursor,
): Page<Item, Cursor> {
  const items = rows.slice(0, size);
  const last = items.at(-1);
  return { items, next: rows.length > size && last !== undefined ? cursorOf(last) : null };
}
