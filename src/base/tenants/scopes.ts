/**
 * Narrowing of a key below its role: a key with scopes may only call routes with one of these tags. The words are the
 * tags of the published routes; a test walks the routes and finds a tag that is not listed.
 */
export const SCOPES = [
  'tenants',
  'api-keys',
  'signing-keys',
  'merchants',
  'limits',
  'agents',
  'origins',
  'test-clock',
  'ledger',
  'decisions',
  'captures',
  'payments',
  'refunds',
  'trust',
  'buyers',
  'review-queue',
  'stock',
  'catalog',
  'sandbox',
  'simulate',
  'webhooks',
  'a2a',
  'signatures',
  'metrics',
] as const;
export type Scope = (typeof SCOPES)[number];
