import { cell, event } from '../../base/ledger/index.js';
import type { AlongCapture } from '../book/index.js';
import { paymentIdOf } from '../payments/index.js';
import { allows, allowUsed, mandateUses } from './allow.events.js';
import { usedOf } from './consume.js';
import { debitOfMoney } from './debit-mandates.js';
import { evidenceClaims, freshRail, freshRailCells } from './rail-recheck.js';
import { oneTimeRefsOf } from './judge.js';
import type { PurchaseDecision } from './recheck-use.js';

/**
 * Money was captured under a decision whose allow nobody used here: that allow has had its payment, so it is used up with
 * it, and so are its one-time mandates, its authentication and its debit. What was used up before stays as it was: money
 * that moved is written down whatever else was done with the same mandates. An expired allow cannot be used any more, so
 * nothing is marked.
 */
export function useByCapture(
  decision: PurchaseDecision,
  { orderId }: { readonly orderId: string },
): AlongCapture {
  const { decisionId, judged } = decision;
  const target = { orderId, provider: 'merchant' };
  return {
    reads: [
      cell(allows, decisionId),
      ...oneTimeRefsOf(judged.facts.authority).map((ref) => cell(mandateUses, ref)),
      ...freshRailCells(judged.facts),
    ],
    events(view, { atMs }) {
      const allow = view.get(allows, [decisionId]);
      if (allow === undefined || allow.usedAtMs !== null || atMs > allow.expiresAtMs) return [];
      const facts = { ...judged.facts, rbi: freshRail(judged.facts, view, atMs) };
      const used = usedOf(allow, { decision, target }, paymentIdOf(decisionId));
      return [
        event(allowUsed, {
          ...used,
          mandateRefs: used.mandateRefs.filter((ref) => view.get(mandateUses, [ref]) === undefined),
          debit: debitOfMoney(facts, view, allow.amountMinor),
        }),
        ...evidenceClaims(facts, { view, decisionId }),
      ];
    },
  };
}
