import { createHash } from 'node:crypto';
import type { TenantId } from '../../core/kernel/index.js';
import type { ErasableTable, SideErasure, SideTable, SideWrite } from './command.js';

/** Bytes by their SHA-256; the entry holds the digest (decisions 1.7). */
export const DOCUMENTS: SideTable = {
  table: 'documents',
  columns: {
    tenant_id: 'text',
    sha256: 'text',
    media_type: 'text',
    bytes: 'bytea',
    erasable: 'boolean',
    buyer_commitment: 'text',
  },
};

/** The side write that stores a document, and the digest that belongs into the event. */
export function documentWrite(
  tenantId: TenantId,
  document: {
    readonly mediaType: string;
    readonly bytes: Uint8Array;
    readonly erasable: boolean;
    /** The buyer whom it names, as a commitment: the document goes when that buyer is erased. */
    readonly buyerCommitment?: string | null;
  },
): { readonly sha256: string; readonly write: SideWrite } {
  const sha256 = createHash('sha256').update(document.bytes).digest('hex');
  const { mediaType, bytes, erasable, buyerCommitment = null } = document;
  return {
    sha256,
    write: {
      table: DOCUMENTS,
      row: {
        tenant_id: tenantId,
        sha256,
        media_type: mediaType,
        bytes,
        erasable,
        buyer_commitment: buyerCommitment,
      },
    },
  };
}

const DOCUMENT: ErasableTable = { table: 'documents', by: 'sha256', takes: 'content' };
const DOCUMENTS_OF_BUYER: ErasableTable = {
  table: 'documents',
  by: 'buyer_commitment',
  takes: 'content',
};

/** Takes the bytes of one document away; its row stays, so that the digest in the ledger finds what it meant. */
export const documentErasure = (sha256: string): SideErasure => ({ table: DOCUMENT, key: sha256 });

/** Takes away the bytes of every document that names this buyer. */
export const buyerDocumentsErasure = (commitment: string): SideErasure => ({
  table: DOCUMENTS_OF_BUYER,
  key: commitment,
});
