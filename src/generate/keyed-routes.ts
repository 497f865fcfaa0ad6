import type { RouteContract } from '../base/platform/index.js';

/** The routes that take an Idempotency-Key, for the client: it sends one to each of them. Path -> text. */
export function keyedRoutesFile(
  routes: readonly { readonly contract: Pick<RouteContract, 'method' | 'path' | 'idempotency'> }[],
): Readonly<Record<string, string>> {
  const keyed = routes
    .filter(({ contract }) => contract.idempotency !== 'none')
    .map(({ contract }) => `${contract.method} ${contract.path}`)
    .sort();
  return {
    'src/client/keyed-routes.ts': [
      '/** Generated from the route contracts by `npm run generate`: the routes that take an Idempotency-Key. */',
      'export const KEYED_ROUTES: readonly string[] = [',
      ...keyed.map((name) => `  '${name}',`),
      '];',
      '',
    ].join('\n'),
  };
}
