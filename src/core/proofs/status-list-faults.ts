/**
 * Why a status list, or one place on it, cannot be relied on; in the order in which it is looked for (facts/trust.md 1.7).
 * Every one of them means "not known", never "revoked", and never "valid". Stored in decision entries: words are added,
 * none is ever removed or given another meaning.
 */
export const STATUS_LIST_FAULTS = [
  // The question itself: nothing is fetched for it.
  'status_ref_malformed',
  'status_uri_refused',
  'status_slot_unknown',
  'status_slot_of_another',
  // The transport.
  'status_unavailable',
  'status_timeout',
  'status_redirect',
  'status_http',
  'status_content_type',
  'status_too_large',
  // The signed token.
  'status_token',
  'status_header',
  'status_key_unknown',
  'status_signature',
  'status_list_swap',
  'status_from_future',
  'status_exp_before_iat',
  'status_exp_too_late',
  'status_ttl',
  'status_version',
  'status_bits',
  'status_key_state',
  'status_rollback',
  // The list inside.
  'status_encoding',
  'status_bomb',
  'status_trailing',
  'status_length',
  'status_equivocation',
  'status_unrevoked',
  // The copy, whenever it is used.
  'status_expired',
  'status_stale',
  'status_copy_too_old',
  'status_below_floor',
  // The place on it.
  'status_index',
  'status_value',
] as const;
export type StatusListFault = (typeof STATUS_LIST_FAULTS)[number];
