import type { RouteKind } from '../../core/httpsig/index.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * What a request has to cover (decisions 6.1): every A2A call and every write all of itself. `path` is that of the route:
 * a target can spell it in many ways (`/%612a/...`).
 */
export const routeKindOf = (method: string, path: string): RouteKind =>
  path.startsWith('/a2a/') ? 'a2a' : READS.has(method) ? 'read' : 'write';

/** For a request that reached no route. */
export function routeKindOfTarget(method: string, target: string): RouteKind {
  const [path = ''] = target.split('?', 1);
  return routeKindOf(
    method,
    path.replace(/%([2-7][0-9a-f])/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  );
}
