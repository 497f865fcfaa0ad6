import { type EventHandler, when } from '../../base/ledger/index.js';
import { invariant } from '../../core/kernel/index.js';
import type { PaymentState } from '../payments/index.js';
import { captureAttached, captureRecorded } from './book.events.js';
import { paymentMoved, type PaymentPart, paymentStarted } from './payment.events.js';

/** One step of one payment, whichever entry told it. */
export interface Move {
  readonly payment: PaymentPart;
  /** Null: it was started. */
  readonly from: PaymentState | null;
  readonly to: PaymentState;
}

type Key = readonly (string | number)[];

/** Follows payments through every entry that moves them, so that no sum can forget one of the ways. */
export function onMoves<Row>(follow: {
  keys(move: Move): readonly Key[];
  evolve(row: Row | undefined, move: Move, key: Key): Row;
}): readonly EventHandler<Row>[] {
  return [
    when(paymentStarted, {
      keys: ({ payment }) => follow.keys({ payment, from: null, to: 'issuing' }),
      evolve: (row, { payment }, { key }) =>
        follow.evolve(row, { payment, from: null, to: 'issuing' }, key),
    }),
    when(paymentMoved, {
      keys: (move) => follow.keys(move),
      evolve: (row, move, { key }) => follow.evolve(row, move, key),
    }),
    when(captureRecorded, {
      keys: ({ payment: of }) => (of === null ? [] : follow.keys({ ...of, to: 'paid' })),
      evolve(row, { payment: of }, { key }) {
        invariant(of !== null, 'only a capture of a payment moves one');
        return follow.evolve(row, { ...of, to: 'paid' }, key);
      },
    }),
    when(captureAttached, {
      keys: ({ payment: of }) => follow.keys({ ...of, to: 'paid' }),
      evolve: (row, { payment: of }, { key }) => follow.evolve(row, { ...of, to: 'paid' }, key),
    }),
  ];
}
