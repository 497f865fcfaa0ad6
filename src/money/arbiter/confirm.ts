import { readRow, type CommandContext, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { World } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { PurchaseFacts, StatusFact } from '../../core/rules/index.js';
import { type AllowRow, allows } from './allow.events.js';
import { attachCountersignature } from './attach-countersignature.js';
import { type CountersignatureTrust, verifyCountersignature } from './countersignature.js';
import {
  COUNTERSIGN_BUDGET_MS,
  type Countersigner,
  type CountersignOutcome,
  type CountersignRequest,
  type NamedObject,
} from './countersigner.js';
import { usable, withCountersignature } from './countersigned.js';
import type { Decided, RecordedDecision } from './decide.js';

export interface ConfirmParts {
  readonly writer: Writer;
  readonly database: Queryable;
  readonly countersigner: Countersigner;
  readonly trust: CountersignatureTrust;
}

/**
 * Has a fresh allow countersigned, within {@link COUNTERSIGN_BUDGET_MS} and before it is answered (decisions 3.14).
 * INVARIANT: only the request that made the decision comes here with `replayed` false, so a countersignature that did
 * not come with it never comes (facts/arbiter.md J7). What is missing or does not verify leaves the decision as it was.
 */
export async function confirmDecision(
  parts: ConfirmParts,
  context: CommandContext,
  { decision, replayed, world }: Decided & { readonly world: World },
): Promise<RecordedDecision> {
  if (decision.allow === null) return decision;
  const { tenantId } = context;
  if (replayed) return withCountersignature(decision, await allowOf(parts, tenantId, decision));
  if (!parts.countersigner.isOn) return decision;
  const request = requestOf(context, decision, world);
  if (request === null) return decision;
  const outcome = await askOnce(parts.countersigner, request);
  if (outcome.kind !== 'signed') return decision;
  const verified = await verifyCountersignature(parts.trust, {
    jws: outcome.jws,
    allow: request,
    atMs: decision.decidedAtMs,
  });
  if (!verified.ok) return decision;
  const attached = await parts.writer.execute(
    attachCountersignature(context, decision, verified.value),
  );
  if (attached.ok) return usable(decision);
  // The connection may have broken after the commit: what stands in the ledger is the answer.
  return attached.error.code === 'outcome_unknown'
    ? withCountersignature(decision, await allowOf(parts, tenantId, decision))
    : decision;
}

async function askOnce(
  countersigner: Countersigner,
  request: CountersignRequest,
): Promise<CountersignOutcome> {
  const late: CountersignOutcome = { kind: 'unavailable', detail: 'the time was over' };
  const deadline = AbortSignal.timeout(COUNTERSIGN_BUDGET_MS);
  const over = new Promise<readonly CountersignOutcome[]>((resolve) => {
    deadline.addEventListener('abort', () => resolve([late]), { once: true });
  });
  // A port that breaks its promise costs the allow, not the answer.
  const asked = countersigner.countersign([request], deadline).catch(() => [late]);
  const [outcome] = await Promise.race([asked, over]);
  return outcome ?? late;
}

function requestOf(
  { tenantId }: CommandContext,
  { decisionId, decidedAtMs, decision, merchantId, orderId, allow, judged }: RecordedDecision,
  world: World,
): CountersignRequest | null {
  if (allow === null) return null;
  const { cartHash, expiresAtMs } = allow;
  const money =
    judged.kind === 'refund'
      ? { amountMinor: judged.facts.amountMinor, currency: judged.facts.currency }
      : { amountMinor: judged.facts.cart.totalMinor, currency: judged.facts.cart.currency };
  return {
    tenantId,
    world,
    merchantId,
    decisionId,
    decidedAtMs,
    flow: decision.flow,
    cartHash,
    orderId,
    ...money,
    expiresAtMs,
    artifacts: judged.kind === 'refund' ? [] : namedIn(judged.facts),
  };
}

/** What was looked up for the decision; what the caller merely asserted has no slot and is nobody's to confirm. */
function namedIn({ artifacts, authority }: PurchaseFacts): readonly NamedObject[] {
  const { mandates, consent, passport } = authority;
  const rights = [...mandates, consent, passport].filter(
    (right) => right !== null && right.source === 'verified',
  );
  return [
    ...artifacts.map(({ id, payloadHash, status }) => ({ id, payloadHash, slot: slotOf(status) })),
    ...rights.flatMap((right) =>
      right === null ? [] : [{ id: right.ref, payloadHash: null, slot: slotOf(right.status) }],
    ),
  ];
}

const slotOf = ({ listUri, index }: StatusFact): StatusRef | null =>
  listUri === null || index === null ? null : { uri: listUri, index };

const allowOf = (
  { database }: Pick<ConfirmParts, 'database'>,
  tenantId: CommandContext['tenantId'],
  { decisionId }: RecordedDecision,
): Promise<AllowRow | undefined> => readRow(database, allows, { tenantId, key: [decisionId] });
