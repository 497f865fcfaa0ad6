import { z } from 'zod';
import {
  type Page,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  type PageRequest,
} from '../../../base/tenants/index.js';
import type { AgentId, ApiKeyId, TenantId } from '../../../core/kernel/index.js';

/** Longest name of anything that people read, in characters. */
export const NAME_CHARACTERS_MAX = 200;

/** A label for people: no control characters, none that turn the direction of text, no halves of a character. */
export const label = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u, 'Readable text without control characters.');

const id = <Id extends string>(prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{1,64}$`), `${prefix}_ and lower-case letters or digits`)
    .transform((text) => text as Id);

export const tenantId = id<TenantId>('tnt');
export const agentId = id<AgentId>('agt');
export const apiKeyId = id<ApiKeyId>('key');

/** `limit` and an opaque `cursor`: the `next_cursor` of the page before. */
export const pageQuery = z.strictObject({
  cursor: z.string().min(1).max(128).optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'A number.')
    .transform(Number)
    .refine((limit) => limit <= PAGE_SIZE_MAX, `1 to ${PAGE_SIZE_MAX}`)
    .default(PAGE_SIZE_DEFAULT),
});

export const pageRequest = ({
  cursor,
  limit,
}: z.output<typeof pageQuery>): PageRequest<string> => ({ after: cursor ?? null, size: limit });

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() });

export const printPage = <Item, View>(
  { items, next }: Page<Item, string | number>,
  print: (item: Item) => View,
): { items: View[]; next_cursor: string | null } => ({
  items: items.map(print),
  next_cursor: next === null ? null : String(next),
});
