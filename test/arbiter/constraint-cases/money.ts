import {
  below,
  DECISION,
  NO_SHA256,
  once,
  PAYMENT,
  REFUND,
  refusals,
  SHA256,
  type Row,
  type TableCases,
} from './shape.js';

const COUNTERSIGNED: Row = {
  countersignature_sha256: SHA256,
  countersignature_issuer: 'issuer',
  countersignature_kid: 'kid',
  countersignature_issued_at_ms: 1,
  countersignature_expires_at_ms: 20,
  countersigned_at_ms: 1,
};

const NOT_NEXT = /does not follow the one that is known/;
const WRITTEN = /is written down already/;

const EVIDENCE: Readonly<Record<string, TableCases>> = {
  rail_reports: {
    base: {
      kind: 'payment_mandate',
      report_id: 'r',
      document_sha256: SHA256,
      payer_commitment: SHA256,
    },
    guards: {
      ...once('rail_reports_pkey'),
      rail_reports_version: { again: { report_id: 'other' } },
      rail_reports_kind_check: { insert: { kind: 'rumour' } },
      rail_reports_version_check: below('version'),
      rail_reports_document_sha256_check: { insert: { document_sha256: NO_SHA256 } },
      rail_reports_payer_commitment_check: { insert: { payer_commitment: NO_SHA256 } },
    },
  },
  current_rail_reports: {
    base: { kind: 'payment_mandate', report_id: 'r', status: 'active' },
    after: ['rail_reports'],
    guards: {
      ...once('current_rail_reports_pkey'),
      current_rail_reports_known: { insert: { report_id: 'other' } },
      current_rail_reports_go_on: [
        ...refusals(
          ['version = version', `version = version + 1, issuer = 'other'`].map(
            (changes) => `UPDATE current_rail_reports SET ${changes}`,
          ),
          NOT_NEXT,
        ),
        ...['revoked', 'completed', 'rejected', 'opted_out'].flatMap((status) =>
          refusals(
            [`UPDATE current_rail_reports SET version = version + 1, status = 'active'`],
            NOT_NEXT,
            { status },
          ),
        ),
      ],
    },
  },
  afa_evidence_claims: {
    base: { evidence_ref: SHA256 },
    guards: {
      ...once('afa_evidence_claims_pkey'),
      afa_evidence_claims_evidence_ref_check: { insert: { evidence_ref: NO_SHA256 } },
    },
  },
};

const BOOK: Readonly<Record<string, TableCases>> = {
  stock: {
    base: { on_hand: 2, held: 1 },
    guards: {
      ...once('stock_pkey'),
      stock_on_hand: below('on_hand'),
      stock_held: below('held'),
      stock_held_is_on_hand: { insert: { held: 3 } },
    },
  },
  payments: {
    base: {
      payment_id: PAYMENT,
      kind: 'link',
      state: 'open',
      due_at_ms: 1,
      captured_minor: 0,
      refunded_minor: 0,
    },
    guards: {
      ...once('payments_pkey'),
      payments_one_per_allow: { again: { payment_id: 'pay_000000000002', started_seq: 2 } },
      payments_by_start: { again: { payment_id: 'pay_000000000002', decision_id: 'other' } },
      payments_one_payable_per_order: { again: { state: 'issuing', started_seq: 2 } },
      payments_payment_id_check: { insert: { payment_id: REFUND } },
      payments_kind_check: { insert: { kind: 'cheque' } },
      payments_amount_minor_check: { insert: { amount_minor: 0 } },
      payments_state_check: { insert: { state: 'maybe' } },
      payments_captured_minor_check: below('captured_minor'),
      payments_refunded_minor_check: below('refunded_minor'),
      payments_paid_is_captured: [
        { insert: { state: 'paid', due_at_ms: null } },
        { insert: { captured_minor: 1 } },
      ],
      payments_refunded_is_captured: { insert: { refunded_minor: 1 } },
      payments_due_while_payable: { insert: { state: 'canceled' } },
    },
  },
  order_payments: { guards: once('order_payments_pkey') },
  merchant_open_money: {
    guards: {
      ...once('merchant_open_money_pkey'),
      open_money_away_is_part: [
        below('open_away_minor'),
        { insert: { open_minor: 1, open_away_minor: 2 } },
      ],
    },
  },
  merchant_day_money: {
    base: { day: '2026-11-30' },
    guards: {
      ...once('merchant_day_money_pkey'),
      merchant_day_money_day_check: { insert: { day: 'today' } },
      merchant_day_money_check: [below('away_minor'), { insert: { confirmed_minor: 0 } }],
      day_money_closed_away_is_part: [
        { insert: { closed_minor: -1 } },
        { insert: { closed_away_minor: 1 } },
      ],
    },
  },
  authority_spend: {
    base: { authority_kind: 'intent' },
    guards: {
      ...once('authority_spend_pkey'),
      authority_spend_authority_kind_check: { insert: { authority_kind: 'word' } },
      authority_held_not_negative: below('held_minor'),
      authority_spent_not_negative: below('spent_minor'),
    },
  },
  refunds: {
    base: { refund_id: REFUND, state: 'reserved', due_at_ms: 1 },
    guards: {
      ...once('refunds_pkey'),
      refunds_one_per_allow: { again: { refund_id: 'rfd_000000000002' } },
      refunds_refund_id_check: { insert: { refund_id: PAYMENT } },
      refunds_amount_minor_check: { insert: { amount_minor: 0 } },
      refunds_state_check: { insert: { state: 'maybe' } },
      refunds_due_while_reserved: { insert: { state: 'submitted' } },
    },
  },
  captures: {
    guards: {
      ...once('captures_pkey'),
      captures_amount_minor_check: { insert: { amount_minor: 0 } },
      captures_stay: [
        ...refusals(
          [
            'payment_id = NULL',
            `payment_id = 'p', order_id = 'other'`,
            `payment_id = 'p', amount_minor = 2`,
            `payment_id = 'p', currency = 'other'`,
            `payment_id = 'p', confirmed_at_ms = 1`,
          ].map((changes) => `UPDATE captures SET ${changes}`),
          WRITTEN,
        ),
        ...refusals([`UPDATE captures SET payment_id = 'q'`], WRITTEN, { payment_id: 'p' }),
        ...refusals([`UPDATE captures SET payment_id = 'q'`], WRITTEN, { decision_id: DECISION }),
      ],
    },
  },
};

const ALLOWS: Readonly<Record<string, TableCases>> = {
  allows: {
    base: {
      decision_id: DECISION,
      flow: 'handoff',
      cart_hash: SHA256,
      decided_at_ms: 1,
      expires_at_ms: 20,
    },
    guards: {
      ...once('allows_pkey'),
      allows_flow_check: { insert: { flow: 'gift' } },
      allows_cart_hash_check: { insert: { cart_hash: NO_SHA256 } },
      allows_amount_minor_check: { insert: { amount_minor: 0 } },
      allows_check: { insert: { expires_at_ms: 1 } },
      allows_countersignature_sha256_check: {
        insert: { ...COUNTERSIGNED, countersignature_sha256: NO_SHA256 },
      },
      allows_check1: { insert: { ...COUNTERSIGNED, countersignature_expires_at_ms: 21 } },
      allows_check2: { insert: { ...COUNTERSIGNED, countersigned_at_ms: 21 } },
      allows_check3: { insert: { used_at_ms: 21 } },
      allows_check4: [
        { insert: { cart_hash: null } },
        { insert: { flow: 'refund', order_id: 'o' } },
      ],
      allows_check5: [
        { insert: { order_id: 'o' } },
        { insert: { flow: 'refund', cart_hash: null } },
      ],
      allows_check6: { insert: { countersignature_kid: 'kid' } },
    },
  },
  allow_uses: {
    base: { decision_id: DECISION, reference: PAYMENT },
    after: ['allows'],
    guards: {
      ...once('allow_used_once'),
      allow_uses_reference_check: { insert: { reference: 'pay' } },
      allow_used_in_time: { insert: { expires_at_ms: 1, used_at_ms: 2 } },
      allow_used_was_given: { insert: { decision_id: 'other' } },
    },
  },
  mandate_uses: { guards: once('mandate_used_once') },
  debit_mandates: {
    guards: {
      ...once('debit_mandates_pkey'),
      debit_mandates_report_version_check: below('report_version'),
      debit_mandates_attempts_this_cycle_check: below('attempts_this_cycle'),
      debit_mandates_payee_debited_minor_check: below('payee_debited_minor'),
      debit_mandates_underway_minor_check: below('underway_minor'),
      debit_mandates_check: { insert: { rail: 'upi' } },
      debit_mandates_block: {
        statement: `UPDATE debit_mandates SET underway_minor = 6,
          mandate = '{"blocked_minor":"10","debited_minor":"3","reserved_minor":"2"}'`,
        says: /pass what is left of the block/,
      },
    },
  },
  debit_uses: {
    base: { decision_id: DECISION },
    after: ['allow_uses'],
    guards: {
      ...once('debited_once_per_report'),
      debit_used_an_allow: { insert: { decision_id: 'other' } },
    },
  },
  debit_mandate_buyers: {
    base: { buyer_commitment: SHA256 },
    guards: {
      ...once('debit_mandate_buyers_pkey'),
      debit_mandate_buyers_buyer_commitment_check: { insert: { buyer_commitment: NO_SHA256 } },
    },
  },
};

/** What moves money: reports of rails, stock, the book, allows and their uses. */
export const MONEY_TABLES = { ...EVIDENCE, ...BOOK, ...ALLOWS };
