export type StructuredType = 'dictionary' | 'list' | 'item';

/**
 * Fields that are structured by their own definition. `;sf` is refused for others, since a guess of the type could give
 * one message two bases: a header of flags only looks like a list and is a dictionary. `;key` says itself that its field
 * is a dictionary, so it is refused for fields of another type only.
 */
export const FIELD_TYPES: ReadonlyMap<string, StructuredType> = new Map<string, StructuredType>([
  ['accept-ch', 'list'],
  ['accept-signature', 'dictionary'],
  ['cache-status', 'list'],
  ['cdn-cache-control', 'dictionary'],
  ['client-cert', 'item'],
  ['client-cert-chain', 'list'],
  ['content-digest', 'dictionary'],
  ['idempotency-key', 'item'],
  ['priority', 'dictionary'],
  ['proxy-status', 'list'],
  ['repr-digest', 'dictionary'],
  ['signature', 'dictionary'],
  ['signature-agent', 'dictionary'],
  ['signature-input', 'dictionary'],
  ['ucp-agent', 'dictionary'],
  ['want-content-digest', 'dictionary'],
  ['want-repr-digest', 'dictionary'],
]);
