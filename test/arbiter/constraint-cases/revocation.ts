import { below, NO_SHA256, once, refusals, SHA256, type TableCases } from './shape.js';

/** What is withdrawn, and from which version of a list on it is seen. */
export const REVOCATION_TABLES: Readonly<Record<string, TableCases>> = {
  status_floors: {
    base: { min_version: 3 },
    guards: {
      ...once('status_floors_pkey'),
      status_floors_min_version_check: below('min_version'),
      status_floors_grow: refusals(
        [
          'UPDATE status_floors SET min_version = 2',
          `UPDATE status_floors SET list_uri = 'other'`,
          `UPDATE status_floors SET tenant_id = 'other'`,
        ],
        /the floor of x only grows/,
      ),
    },
  },
  revocation_observations: {
    base: {
      subject_kind: 'artifact',
      status: 'revoked',
      cause: 'direct',
      record_sha256: SHA256,
    },
    guards: {
      ...once('revocation_observations_pkey'),
      revocation_observations_subject_kind_check: { insert: { subject_kind: 'whim' } },
      revocation_observations_slot_index_check: below('slot_index'),
      revocation_observations_list_version_check: below('list_version'),
      revocation_observations_status_check: { insert: { status: 'gone' } },
      revocation_observations_cause_check: { insert: { cause: 'chance' } },
      revocation_observations_position_check: below('position'),
      revocation_observations_record_sha256_check: { insert: { record_sha256: NO_SHA256 } },
      revocation_observations_cause: [
        { insert: { cause: 'cascade' } },
        { insert: { root_revocation_id: 'root' } },
      ],
      revocation_observations_final: refusals(
        [`UPDATE revocation_observations SET status = 'valid'`],
        /UPDATE of revocation_observations is refused/,
      ),
    },
  },
  status_marks: {
    base: { sha256: SHA256 },
    isProjection: false,
    guards: {
      ...once('status_marks_pkey'),
      status_marks_version_check: below('version'),
      status_marks_issued_at_ms_check: below('issued_at_ms'),
      status_marks_sha256_check: { insert: { sha256: NO_SHA256 } },
    },
  },
  status_slots: {
    guards: {
      ...once('status_slots_pkey'),
      status_slots_slot_index_check: [below('slot_index'), { insert: { slot_index: 8_388_608 } }],
      status_slots_value_check: {
        insert: { value: 3, changed_at_ms: 1, revocation_id: 'r', reason_code: 'other' },
      },
      status_slots_change: [
        { insert: { changed_at_ms: 1 } },
        { insert: { revocation_id: 'r' } },
        { insert: { changed_at_ms: 1, revocation_id: 'r' } },
      ],
      status_slots_withdrawn: { insert: { value: 1 } },
      status_slots_final: [
        ...refusals(['UPDATE status_slots SET value = 0'], /INVALID for ever/, {
          value: 1,
          changed_at_ms: 1,
          revocation_id: 'r',
          reason_code: 'other',
        }),
        ...refusals(
          [`UPDATE status_slots SET lineage = 'b'`, 'UPDATE status_slots SET lineage = NULL'],
          /belongs to another lineage/,
          { lineage: 'a' },
        ),
      ],
    },
  },
};
