import {
  cell,
  type Command,
  type CommandContext,
  documentWrite,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { err, type Problem, problem } from '../../core/kernel/index.js';
import { orderMoney, refundAllowed } from '../book/index.js';
import { allowCountersigned, allows } from './allow.events.js';
import type { VerifiedCountersignature } from './countersignature.js';
import type { RecordedDecision } from './decide.js';

/** The allow cannot take a countersignature any more; it stays unusable, and a new decision is asked for (J7). */
export const NOT_ATTACHED: Problem = problem('conflict', 'The allow takes no countersignature.', {
  fix: 'Ask for a new decision.',
});

/**
 * Attaches a verified countersignature to the allow of a decision that the same request was just answered with; nothing
 * else may call it (facts/arbiter.md J7). A refund that was not usable before counts as refunded from this transaction
 * on. Problem: {@link NOT_ATTACHED} (used, countersigned or ended meanwhile; or the refund does not fit any more).
 */
export const attachCountersignature = (
  context: CommandContext,
  decision: RecordedDecision,
  { jws, kid, claims }: VerifiedCountersignature,
): Command<null> => ({
  ...context,
  // INVARIANT: never under a key of the caller: a repeat of the request may not attach anything.
  idempotency: null,
  name: 'allow.countersign',
  reads: [cell(allows, decision.decisionId), ...refundReads(decision)],
  decide(view, { atMs }) {
    const row = view.get(allows, [decision.decisionId]);
    const isOpen =
      row !== undefined &&
      row.countersignatureSha256 === null &&
      row.usedAtMs === null &&
      atMs <= row.expiresAtMs;
    if (!isOpen) return err(NOT_ATTACHED);
    const reservation = reservationOf(decision);
    if (reservation !== null) {
      const { merchantId, orderId, amountMinor, currency } = reservation;
      const order = view.get(orderMoney, [merchantId, orderId]);
      const fits =
        order?.currency === currency && order.refundedMinor + amountMinor <= order.capturedMinor;
      if (!fits) return err(NOT_ATTACHED);
    }
    const bytes = Buffer.from(jws, 'utf8');
    const { tenantId } = context;
    const document = documentWrite(tenantId, {
      mediaType: 'application/jwt',
      bytes,
      erasable: false,
    });
    const attached = event(allowCountersigned, {
      decisionId: decision.decisionId,
      documentSha256: document.sha256,
      tokenId: claims.id,
      issuer: claims.issuer,
      issuerKid: kid,
      issuedAtMs: claims.issuedAtMs,
      expiresAtMs: claims.expiresAtMs,
    });
    const reserved: readonly LedgerEvent[] =
      reservation === null ? [] : [event(refundAllowed, reservation)];
    return { ok: true, value: { events: [attached, ...reserved], sideWrites: [document.write] } };
  },
  answer: () => null,
});

/** What a refund takes from its order with this transaction; null when it took it with its decision, or is no refund. */
function reservationOf({ decisionId, usable, allow, judged }: RecordedDecision) {
  if (judged.kind !== 'refund' || usable || allow === null) return null;
  const { merchantId, orderId, amountMinor, currency } = judged.facts;
  return {
    decisionId,
    merchantId,
    orderId,
    amountMinor,
    currency,
    allowExpiresAtMs: allow.expiresAtMs,
  };
}

const refundReads = ({ judged }: RecordedDecision) =>
  judged.kind === 'refund' ? [cell(orderMoney, judged.facts.merchantId, judged.facts.orderId)] : [];
