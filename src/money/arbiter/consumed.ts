import type { RecordedEntry } from '../../base/ledger/index.js';
import { type DecisionId, invariant } from '../../core/kernel/index.js';
import { type ConsumedAllow, consumedAllow } from '../payments/consumed-allow.js';
import { type AllowUsed, allowUsed } from './allow.events.js';

/** The proof that an allow was used, from the durable entry that says so; null = these entries hold no use. */
export function consumedOf(entries: readonly RecordedEntry[]): ConsumedAllow | null {
  const entry = entries.find((candidate) => candidate.type === allowUsed.type);
  if (entry === undefined) return null;
  const used = entry.data as AllowUsed;
  invariant(used.amountMinor > 0n, 'an allow is of some money');
  return consumedAllow({
    tenantId: entry.tenantId,
    decisionId: used.decisionId as DecisionId,
    reference: used.reference,
    flow: used.flow,
    merchantId: used.merchantId,
    orderId: used.orderId,
    money: { amountMinor: used.amountMinor, currency: used.currency },
    usedAtMs: entry.atMs,
    usedEntrySeq: entry.seq,
  });
}
