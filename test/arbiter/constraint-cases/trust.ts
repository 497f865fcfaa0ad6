import { below, NO_SHA256, once, SHA256, type TableCases } from './shape.js';

/** Whose signatures count, and the objects under them that are held. */
export const TRUST_TABLES: Readonly<Record<string, TableCases>> = {
  issuer_keys: {
    base: { role: 'revocation', alg: 'ES256' },
    guards: {
      ...once('issuer_keys_pkey'),
      issuer_keys_name: { again: { issuer_key_id: 'other' } },
      issuer_keys_role: { insert: { role: 'jester' } },
      issuer_keys_alg_check: { insert: { alg: 'HS256' } },
    },
  },
  authority_clocks: { isProjection: false, guards: once('authority_clocks_pkey') },
  ap2_objects: {
    base: {
      object_sha256: SHA256,
      family: 'checkout',
      document_sha256: SHA256,
      registration_sha256: SHA256,
      buyer_commitment: SHA256,
      expires_at_ms: 1,
    },
    guards: {
      ...once('ap2_objects_pkey'),
      ap2_objects_registration_once: { again: { object_sha256: '1'.repeat(64) } },
      ap2_objects_object_sha256_check: { insert: { object_sha256: NO_SHA256 } },
      ap2_objects_family_check: { insert: { family: 'gift' } },
      ap2_objects_document_sha256_check: { insert: { document_sha256: NO_SHA256 } },
      ap2_objects_registration_sha256_check: { insert: { registration_sha256: NO_SHA256 } },
      ap2_objects_buyer_commitment_check: { insert: { buyer_commitment: NO_SHA256 } },
      ap2_objects_slot_index_check: below('slot_index'),
      // Its own parent.
      ap2_objects_no_own_parent: { insert: { parent_id: 'x' } },
      // Over as it is issued.
      ap2_objects_life: { insert: { expires_at_ms: 0 } },
    },
  },
};
