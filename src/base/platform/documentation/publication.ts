import { createHash } from 'node:crypto';
import type { CompiledRoute } from '../http/compiled-route.js';
import { accessTable } from './access-table.js';
import { type DocsSite, loadDocsSite } from './docs-page.js';
import { buildOpenApi } from './openapi.js';

/** Bytes made once at the start, and their strong ETag. */
export interface Publication {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface Documentation {
  readonly openApi: Publication;
  readonly access: Publication;
  readonly site: DocsSite;
}

export const DOCUMENTATION = Symbol('Documentation');

export const documentationOf = (
  routes: readonly CompiledRoute[],
  version: string,
): Documentation => ({
  openApi: publication(buildOpenApi(routes, version)),
  access: publication(accessTable(routes)),
  site: loadDocsSite(),
});

function publication(document: unknown): Publication {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}
