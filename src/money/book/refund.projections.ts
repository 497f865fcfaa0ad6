import { column, defineProjection, when } from '../../base/ledger/index.js';
import { codec, type DecisionId, invariant } from '../../core/kernel/index.js';
import { refundIdOf } from '../payments/index.js';
import { refundAllowed } from './book.events.js';
import {
  REFUND_STATES,
  refundMoved,
  type RefundPart,
  refundReportIgnored,
  type RefundState,
  refundSubmitted,
} from './refund.events.js';
import { wordColumn } from './typed-columns.js';

/**
 * One refund as far as it came. `dueAtMs`: the first instant at which its unused allow gives the amount back; null once it
 * was used. `review`: `done_beyond_captured`, or null = nothing to look at.
 */
export interface RefundRow extends RefundPart {
  readonly provider: string | null;
  readonly state: RefundState;
  readonly providerRef: string | null;
  readonly allowedAtMs: number;
  readonly allowedSeq: number;
  readonly allowExpiresAtMs: number | null;
  readonly dueAtMs: number | null;
  readonly review: string | null;
}

export const refunds = defineProjection<RefundRow>({
  table: 'refunds',
  mode: 'update',
  key: ['refundId'],
  columns: {
    refundId: column.text,
    decisionId: column.text,
    merchantId: column.text,
    orderId: column.text,
    amountMinor: column.amountMinor,
    currency: column.text,
    paymentId: column.nullable(column.text),
    provider: column.nullable(column.text),
    state: wordColumn(codec.oneOf(...REFUND_STATES)),
    providerRef: column.nullable(column.text),
    allowedAtMs: column.integer,
    allowedSeq: column.integer,
    allowExpiresAtMs: column.nullable(column.integer),
    dueAtMs: column.nullable(column.integer),
    review: column.nullable(column.text),
  },
  on: [
    when(refundAllowed, {
      keys: ({ decisionId }) => [[refundIdOf(decisionId as DecisionId)]],
      evolve(row, { allowExpiresAtMs, ...refund }, { entry }) {
        invariant(row === undefined, 'a refund is allowed once');
        return {
          ...refund,
          refundId: refundIdOf(refund.decisionId as DecisionId),
          paymentId: null,
          provider: null,
          state: 'reserved',
          providerRef: null,
          allowedAtMs: entry.atMs,
          allowedSeq: entry.seq,
          allowExpiresAtMs,
          // The allow is good up to and including its last instant.
          dueAtMs: allowExpiresAtMs === null ? null : allowExpiresAtMs + 1,
          review: null,
        };
      },
    }),
    when(refundSubmitted, {
      keys: ({ refund }) => [[refund.refundId]],
      evolve: (row, { refund, provider }) => ({
        ...inState(row, 'reserved'),
        state: 'submitted',
        paymentId: refund.paymentId,
        provider,
        dueAtMs: null,
      }),
    }),
    when(refundMoved, {
      keys: ({ refund }) => [[refund.refundId]],
      evolve(row, { from, to, providerRef }) {
        const before = inState(row, from);
        return {
          ...before,
          state: to,
          providerRef: providerRef ?? before.providerRef,
          dueAtMs: to === 'reserved' ? before.dueAtMs : null,
        };
      },
    }),
    when(refundReportIgnored, {
      keys: ({ refundId, beyondCaptured }) => (beyondCaptured ? [[refundId]] : []),
      evolve: (row, { state }) => ({ ...inState(row, state), review: 'done_beyond_captured' }),
    }),
  ],
});

function inState(row: RefundRow | undefined, from: RefundState): RefundRow {
  invariant(row?.state === from, 'a refund moves from the state it is in');
  return row;
}
