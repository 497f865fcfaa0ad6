import type { TenantId } from '../../core/kernel/index.js';

/**
 * Whose list a uri names. `own`: a list that our authority keeps for this very tenant,
 * `<origin>/status/<tenant>/<number>`. `foreign`: https, of another origin. Null: nobody's that could be asked, such as a
 * list of our authority that it keeps for somebody else, or a name that no origin stands behind.
 */
export function listKindOf(
  uri: string,
  { ownOrigin, tenantId }: { readonly ownOrigin: string; readonly tenantId: TenantId },
): 'own' | 'foreign' | null {
  const origin = originOf(uri);
  if (origin === null) return null;
  if (origin !== ownOrigin) return 'foreign';
  const prefix = `${ownOrigin}/status/${tenantId}/`;
  return uri.startsWith(prefix) && LIST_NUMBER.test(uri.slice(prefix.length)) ? 'own' : null;
}

const LIST_NUMBER = /^[1-9][0-9]{0,8}$/;

/** The https origin of a list's uri as it is spelled there, or null; a uri that a parser would repair has none. */
export function originOf(uri: string): string | null {
  if (!uri.startsWith('https://') || !URL.canParse(uri)) return null;
  const { href, origin } = new URL(uri);
  return href === uri ? origin : null;
}
