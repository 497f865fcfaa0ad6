import type { TenantId } from '../../core/kernel/index.js';

/** Places on one list, two bits each. Unused ones look valid. */
export const LIST_CAPACITY = 131_072;
/** Of these, places that are handed out before the next list begins: a list tells little of how many there are. */
export const LIST_PLACES_USED_MAX = LIST_CAPACITY / 2;

/** The permanent uri of a list; it stands in every signed object that has a slot there. */
export const listUriOf = (origin: string, tenantId: TenantId, listNumber: number): string =>
  `${origin}/status/${tenantId}/${listNumber}`;

/** The number of the list that the uri names, if it is a list of this tenant here; else null. */
export function listNumberOf(origin: string, tenantId: TenantId, uri: string): number | null {
  const start = `${origin}/status/${tenantId}/`;
  const number = uri.startsWith(start) ? uri.slice(start.length) : '';
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
}
