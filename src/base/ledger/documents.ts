import { createHash } from 'node:crypto';
import type { TenantId } from '../../core/kernel/index.js';
import type { SideTable, SideWrite } from './command.js';

/** Bytes by their SHA-256; the entry holds the digest (decisions 1.7). */
export const DOCUMENTS: SideTable = {
  table: 'documents',
  columns: {
    tenant_id: 'text',
    sha256: 'text',
    media_type: 'text',
    bytes: 'bytea',
    erasable: 'boolean',
  },
};

/** The side write that stores a document, and the digest that belongs into the event. */
export function documentWrite(
  tenantId: TenantId,
  document: { readonly mediaType: string; readonly bytes: Uint8Array; readonly erasable: boolean },
): { readonly sha256: string; readonly write: SideWrite } {
  const sha256 = createHash('sha256').update(document.bytes).digest('hex');
  const { mediaType, bytes, erasable } = document;
  return {
    sha256,
    write: {
      table: DOCUMENTS,
      row: { tenant_id: tenantId, sha256, media_type: mediaType, bytes, erasable },
    },
  };
}
