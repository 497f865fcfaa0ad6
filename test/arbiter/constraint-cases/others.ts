import {
  below,
  DECISION,
  NO_SHA256,
  once,
  PAYMENT,
  refusals,
  SHA256,
  type TableCases,
} from './shape.js';

const SALT = String.raw`\x${'ab'.repeat(32)}`;
/** Of `asha`, under the salt. */
const COMMITMENT = '1b0f3f3ef627f75c8db973d42eaa539505254310d5dd3491fb0202b06d6277ab';
const ASHA_SHA256 = 'b22b87fd8ac6c19a6ed4ffd686a6130f5972367a9520a1b8aef33b8b5b5e3340';
/** Of no bytes. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const RAILS: Readonly<Record<string, TableCases>> = {
  sandbox_payments: {
    isProjection: false,
    base: { kind: 'link', token: 'token', expires_at_ms: 1, state: 'open' },
    guards: {
      ...once('sandbox_payments_pkey'),
      sandbox_payments_provider_ref_key: { again: { reference: 'other', token: 'other' } },
      sandbox_payments_token_key: { again: { reference: 'other', provider_ref: 'other' } },
      sandbox_payments_kind_check: { insert: { kind: 'cash', token: null, expires_at_ms: null } },
      sandbox_payments_amount_minor_check: below('amount_minor'),
      sandbox_payments_state_check: { insert: { state: 'maybe' } },
      sandbox_payments_settles_as_check: { insert: { state: 'pending', settles_as: 'void' } },
      sandbox_payments_link: [
        { insert: { token: null } },
        { insert: { expires_at_ms: null } },
        { insert: { kind: 'charge' } },
      ],
      sandbox_payments_void: { insert: { state: 'void' } },
      sandbox_payments_captured: [{ insert: { state: 'paid' } }, { insert: { capture_id: 'c' } }],
      sandbox_payments_pending: [
        { insert: { state: 'pending' } },
        { insert: { settles_as: 'paid' } },
      ],
      sandbox_refunds_within_captured: [
        below('refunded_minor'),
        { insert: { refunded_minor: 1 } },
        { insert: { state: 'paid', capture_id: 'c', refunded_minor: 2 } },
      ],
    },
  },
  sandbox_refunds: {
    isProjection: false,
    base: { state: 'processed', payment_reference: PAYMENT },
    guards: {
      ...once('sandbox_refunds_pkey'),
      sandbox_refunds_provider_ref_key: { again: { reference: 'other' } },
      sandbox_refunds_amount_minor_check: below('amount_minor'),
      sandbox_refunds_state_check: { insert: { state: 'maybe' } },
      sandbox_refunds_settles_as_check: { insert: { state: 'pending', settles_as: 'void' } },
      sandbox_refunds_void: [
        { insert: { state: 'void' } },
        { insert: { payment_reference: null } },
      ],
      sandbox_refunds_pending: [
        { insert: { state: 'pending' } },
        { insert: { settles_as: 'failed' } },
      ],
    },
  },
  sandbox_behaviour: { isProjection: false, guards: once('sandbox_behaviour_pkey') },
  sandbox_events: {
    isProjection: false,
    guards: { ...once('sandbox_events_pkey'), sandbox_events_copies_check: below('copies') },
  },
  provider_endpoints: {
    isProjection: false,
    guards: {
      ...once('provider_endpoints_pkey'),
      provider_endpoints_tenant_id_provider_key: { again: { endpoint_id: 'other' } },
      provider_endpoints_previous: { insert: { previous_kek_id: 'kek' } },
    },
  },
  webhook_events: {
    base: { body_sha256: SHA256 },
    guards: {
      ...once('webhook_events_pkey'),
      webhook_events_body_sha256_check: { insert: { body_sha256: NO_SHA256 } },
    },
  },
  rail_questions: {
    isProjection: false,
    base: { subject: 'payment' },
    guards: {
      ...once('rail_questions_pkey'),
      rail_questions_subject: { insert: { subject: 'weather' } },
    },
  },
  rail_watermarks: { isProjection: false, guards: once('rail_watermarks_pkey') },
};

const OUTBOX: Readonly<Record<string, TableCases>> = {
  webhook_endpoints: {
    base: { state: 'active' },
    guards: {
      ...once('webhook_endpoints_pkey'),
      webhook_endpoints_state_check: { insert: { state: 'asleep' } },
      webhook_endpoints_disabled_reason_check: {
        insert: { state: 'disabled', disabled_reason: 'boredom' },
      },
      webhook_endpoints_disabled: [
        { insert: { state: 'disabled' } },
        { insert: { disabled_reason: 'gone' } },
      ],
    },
  },
  webhook_endpoint_secrets: { isProjection: false, guards: once('webhook_endpoint_secrets_pkey') },
  outbox_progress: { isProjection: false, guards: once('outbox_progress_pkey') },
  webhook_deliveries: {
    isProjection: false,
    guards: {
      ...once('webhook_deliveries_pkey'),
      webhook_deliveries_once: { again: { delivery_id: 'other' } },
      webhook_deliveries_status_check: { insert: { status: 'lost', finished_at_ms: 1 } },
      webhook_deliveries_finished: [
        { insert: { status: 'delivered' } },
        { insert: { finished_at_ms: 1 } },
      ],
    },
  },
  webhook_attempts: {
    isProjection: false,
    base: { attempt_no: 1 },
    after: ['webhook_deliveries'],
    guards: {
      ...once('webhook_attempts_pkey'),
      webhook_attempts_attempt_no_check: { insert: { attempt_no: 0 } },
      webhook_attempts_tenant_id_delivery_id_fkey: { insert: { delivery_id: 'other' } },
    },
  },
  webhook_endpoint_failures: {
    isProjection: false,
    guards: once('webhook_endpoint_failures_pkey'),
  },
};

const ONLY_ERASED = /is only ever erased, by an entry of the ledger/;
const ERASE = 'UPDATE documents SET bytes = NULL, erased_entry_seq = 0';

const PEOPLE: Readonly<Record<string, TableCases>> = {
  erased_buyers: {
    base: { commitment: SHA256 },
    guards: {
      ...once('erased_buyers_pkey'),
      erased_buyers_commitment_check: { insert: { commitment: NO_SHA256 } },
    },
  },
  buyer_references: {
    isProjection: false,
    base: { commitment: COMMITMENT, buyer_ref: 'asha', salt: SALT, buyer_ref_sha256: ASHA_SHA256 },
    guards: {
      ...once('buyer_references_pkey'),
      buyer_references_once: { again: { commitment: SHA256 } },
      buyer_references_commitment_check: { insert: { commitment: NO_SHA256 } },
      buyer_references_salt_check: { insert: { salt: String.raw`\xab` } },
      buyer_references_value: { insert: { buyer_ref_sha256: SHA256 } },
      buyer_references_commitment: { insert: { commitment: SHA256 } },
      buyer_references_erased: {
        statement: 'DELETE FROM buyer_references',
        says: /is erased by an entry of the ledger only/,
      },
      buyer_references_kept: refusals(
        [`UPDATE buyer_references SET buyer_ref = 'ravi'`, 'TRUNCATE buyer_references'],
        / of buyer_references is refused/,
      ),
    },
  },
  documents: {
    isProjection: false,
    base: { sha256: EMPTY_SHA256, bytes: '', erasable: true },
    guards: {
      ...once('documents_pkey'),
      documents_digest: { insert: { sha256: SHA256 } },
      documents_erasure: { insert: { bytes: null, erasable: false } },
      documents_buyer_commitment_check: { insert: { buyer_commitment: NO_SHA256 } },
      documents_of_buyer: { insert: { buyer_commitment: SHA256, erasable: false } },
      documents_erased: [
        { insert: { bytes: null, erased_entry_seq: 0 } },
        { insert: { bytes: null, erased_tx_id: '1' } },
        { insert: { erased_entry_seq: 0, erased_tx_id: '1' } },
      ],
      documents_erased_by_entry: {
        insert: { bytes: null, erased_entry_seq: 0, erased_tx_id: '1' },
      },
      documents_change: [
        ...refusals(
          [
            'UPDATE documents SET bytes = NULL',
            'UPDATE documents SET erased_entry_seq = 0',
            `${ERASE}, tenant_id = 'other'`,
            `${ERASE}, sha256 = 'other'`,
            `${ERASE}, media_type = 'other'`,
            `${ERASE}, erasable = false`,
            `${ERASE}, buyer_commitment = '${SHA256}'`,
          ],
          ONLY_ERASED,
        ),
        ...refusals([ERASE], ONLY_ERASED, { erasable: false }),
        ...refusals([ERASE], ONLY_ERASED, { bytes: null }),
        {
          stamps: `${ERASE} RETURNING erased_tx_id IS NOT DISTINCT FROM pg_current_xact_id() AS stamped`,
        },
      ],
      documents_kept: refusals(
        ['DELETE FROM documents', 'TRUNCATE documents'],
        / of documents is refused/,
      ),
    },
  },
  // Not of these migrations; a note needs one.
  decisions: {
    base: { decision_id: DECISION, flow: 'handoff', outcome: 'allow' },
    guards: {},
  },
  decision_notes: {
    base: { decision_id: DECISION, text_sha256: SHA256 },
    after: ['decisions'],
    guards: {
      ...once('decision_notes_pkey'),
      decision_notes_text_sha256_check: { insert: { text_sha256: NO_SHA256 } },
      decision_notes_decision: { insert: { decision_id: 'other' } },
      decision_notes_final: refusals(
        [`UPDATE decision_notes SET author_id = 'other'`],
        /UPDATE of decision_notes is refused/,
      ),
    },
  },
  merchants: {
    base: { country: 'IN' },
    guards: {
      ...once('merchants_pkey'),
      merchants_country_check: { insert: { country: 'India' } },
    },
  },
  signature_settings: {
    guards: {
      ...once('signature_settings_pkey'),
      signature_settings_mode_check: { insert: { mode: 'strict' } },
    },
  },
  signature_nonces: {
    isProjection: false,
    base: { claim_sha256: String.raw`\x${'00'.repeat(32)}`, claimed_at_ms: 1, kept_until_ms: 3 },
    guards: {
      ...once('signature_nonces_pkey'),
      signature_nonces_claim_sha256_check: { insert: { claim_sha256: String.raw`\x00` } },
      signature_nonces_check: { insert: { kept_until_ms: 1 } },
      signature_nonces_once: refusals(
        ['UPDATE signature_nonces SET claimed_at_ms = 2, kept_until_ms = 5'],
        /UPDATE of signature_nonces is refused/,
      ),
    },
  },
  review_queue: { isProjection: false, guards: once('review_queue_pkey') },
  review_cursors: { isProjection: false, guards: once('review_cursors_pkey') },
};

/** What is around it: providers, webhooks, personal data, notes and reviews. */
export const OTHER_TABLES = { ...RAILS, ...OUTBOX, ...PEOPLE };
