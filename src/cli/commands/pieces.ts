import type { Command } from 'commander';
import { parseCount, parseIdempotencyKey, reading } from '../values.js';

/** Options that many commands have in the same form. */

const PAGE_SIZE_MAX = 200;

export interface ListOptions {
  readonly all?: boolean;
  readonly cursor?: string;
  readonly limit?: number;
}

export const withListOptions = (command: Command): Command =>
  command
    .option('--all', 'every page')
    .option('--cursor <cursor>', 'where an earlier page ended')
    .option('--limit <count>', 'a page at most', reading(parseCount(1, PAGE_SIZE_MAX)));

/** The query of the page that begins at `cursor`; the first page begins where the options say. */
export const pageQueryOf = (
  { cursor: first, limit }: ListOptions,
  cursor: string | undefined,
): { readonly cursor?: string; readonly limit?: string } => ({
  cursor: cursor ?? first,
  limit: limit?.toString(),
});

export interface KeyedOptions {
  readonly idempotencyKey?: string;
}

/** For commands that change something: a repeat under the same key is told from a second wish. */
export const withIdempotencyKey = (command: Command): Command =>
  command.option(
    '--idempotency-key <key>',
    'repeat an earlier call instead of making a new one',
    reading(parseIdempotencyKey),
  );

/** What is in the object and not undefined: an option that was not given stays out of a request. */
export const given = <Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): Members =>
  Object.fromEntries(
    Object.entries(members).filter(([, member]) => member !== undefined),
  ) as Members;
