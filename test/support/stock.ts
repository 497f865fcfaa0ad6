import { randomUUID } from 'node:crypto';
import type { CellView, Command, LedgerEvent } from '../../src/base/ledger/index.js';
import {
  err,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../src/core/kernel/index.js';
import { type HeldPieces, holdStock, stockCells } from '../../src/trust/facts/index.js';

export interface StockPlace {
  readonly tenantId: TenantId;
  readonly merchantId: string;
}

/** A command as money would write one: its stock moves in its own transaction. */
export const movingStock = (
  { tenantId, merchantId }: StockPlace,
  lines: readonly HeldPieces[],
  move: (view: CellView) => Result<readonly LedgerEvent[], Problem>,
): Command<null> => ({
  tenantId,
  actor: { role: 'system', id: 'test' },
  requestId: randomUUID(),
  idempotency: null,
  name: 'test.move_stock',
  reads: stockCells(merchantId, lines),
  decide(view) {
    const moved = move(view);
    return moved.ok ? ok({ events: moved.value }) : moved;
  },
  answer: () => null,
});

/** Holds the pieces for a payment; problem: conflict (fewer are there). */
export const holdingStock = (
  place: StockPlace,
  paymentId: string,
  lines: readonly HeldPieces[],
): Command<null> =>
  movingStock(place, lines, (view) => {
    const held = holdStock(view, { merchantId: place.merchantId, paymentId, lines });
    return held.ok
      ? ok(held.value.events)
      : err(problem('conflict', `${held.error.available} pieces are there.`, { fix: 'Wait.' }));
  });
