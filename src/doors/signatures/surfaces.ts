/**
 * How a route stands to request signatures (decisions 6.3). `enforceable`: in the mode `enforce` it answers signed
 * requests only. `log`: whoever asks is answered, and how the request was signed is noted. `public`: as `log`; pages
 * that people, crawlers and verifiers read, which no mode will ever refuse.
 */
export type Surface = 'enforceable' | 'log' | 'public';

/** By path template; the first that fits counts. A route that none fits keeps the service from starting. */
const SURFACES: readonly (readonly [RegExp, Surface])[] = [
  [/^\/catalog\.json$/, 'enforceable'],
  [/^\/products\/\{\w+\}\.json$/, 'enforceable'],
  [/^\/a2a\//, 'enforceable'],
  [/^\/v1\//, 'log'],
  [/^\/(?:ucp|acp)\//, 'log'],
  [/^\/mcp$/, 'log'],
  [/^\/metrics$/, 'log'],
  [/^\/$/, 'public'],
  [/^\/products\/\{\w+\}(?:\.jsonld)?$/, 'public'],
  [/^\/(?:sitemap\.xml|robots\.txt|llms\.txt)$/, 'public'],
  [/^\/\.well-known\//, 'public'],
  // What the embedded authority publishes through us: status lists, keys, checkpoints.
  [/^\/authority\//, 'public'],
  [/^\/(?:schemas|pay|orders|health|docs)(?:\/|$)/, 'public'],
  [/^\/openapi\.json$/, 'public'],
];

/** The class of a route by its path template (`/products/{slug}.json`); null = nobody has classified it. */
export const surfaceOf = (path: string): Surface | null =>
  SURFACES.find(([pattern]) => pattern.test(path))?.[1] ?? null;
