import type { Answer } from './answer.js';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * Every page of a list, one after the other; `read` asks for the page that begins at a cursor. Ends after the last page
 * or after the first failure, which is given as the answer it is.
 */
export async function* everyPage<Item>(
  read: (cursor: string | undefined) => Promise<Answer<Page<Item>>>,
): AsyncGenerator<Answer<Page<Item>>, void> {
  let cursor: string | undefined;
  for (;;) {
    const answer = await read(cursor);
    yield answer;
    // A cursor that comes back would be asked for ever.
    if (!answer.ok || answer.value.next_cursor === null || answer.value.next_cursor === cursor)
      return;
    cursor = answer.value.next_cursor;
  }
}
