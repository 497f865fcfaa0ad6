import type { InstantMs } from '../../core/kernel/index.js';
import type { BuyerMandate } from '../../core/proofs/index.js';
import { ANY_MERCHANT, type MandateFact, type StatusFact } from '../../core/rules/index.js';
import type { SlotQuestion } from '../status/index.js';
import type { VerifiedAp2 } from './ap2-evidence.js';
import { missingMandate } from './credential-facts.js';
import { parentStatusOf } from './mandate-chain.js';

/** What the verifier looked up about one AP2 object. */
export interface Ap2Lookup {
  readonly statusOf: (slot: SlotQuestion) => StatusFact;
  readonly commitmentOf: (subject: string) => string | null;
}

type Common = Omit<
  MandateFact,
  'ref' | 'mandateKind' | 'cartHash' | 'buyerKeyBound' | 'capMinor' | 'currency' | 'intentRefs'
>;

/**
 * The mandates that an AP2 object amounts to: its closed cart or payment mandate, and for rule 7 an intent for every
 * open payment mandate above it. An object without a closed mandate authorises nothing, and says so.
 */
export function ap2Facts(ap2: VerifiedAp2, lookup: Ap2Lookup): readonly MandateFact[] {
  const { judged } = ap2;
  const facts = judged.mandates.flatMap((mandate) =>
    factsOf(mandate, commonOf(ap2, mandate, lookup)),
  );
  return facts.length > 0 ? facts : [openAlone(ap2, lookup)];
}

function factsOf(mandate: BuyerMandate, common: Common): readonly MandateFact[] {
  const intentRefs = mandate.intents.map(({ ref }) => ref);
  const closed: MandateFact = {
    ...common,
    ref: mandate.oneTimeRef,
    mandateKind: mandate.kind,
    cartHash: mandate.cartHash,
    buyerKeyBound: mandate.presence === 'present',
    capMinor: mandate.cap.amountMinor,
    currency: mandate.cap.currency,
    intentRefs,
  };
  const intents = mandate.intents.map(({ ref, cap }, place): MandateFact => ({
    ...common,
    ref,
    mandateKind: 'intent',
    cartHash: null,
    buyerKeyBound: false,
    capMinor: cap?.amountMinor ?? null,
    currency: cap?.currency ?? null,
    intentRefs: intentRefs.slice(0, place + 1),
  }));
  return [...intents, closed];
}

function commonOf(
  { registration, slot, ancestors, hasUnknownParent, subject, judged }: VerifiedAp2,
  mandate: Pick<BuyerMandate, 'notBeforeAtMs' | 'expiresAtMs' | 'issuedAtMs' | 'payee'>,
  { statusOf, commitmentOf }: Ap2Lookup,
): Common {
  return {
    source: 'verified',
    signature: 'valid',
    agentId: registration.agentId,
    buyerCommitment: subject === null ? null : commitmentOf(subject),
    issuedAtMs: mandate.issuedAtMs,
    notBeforeAtMs: latest(mandate.notBeforeAtMs, registration.issuedAtMs),
    expiresAtMs: earliest(mandate.expiresAtMs, registration.expiresAtMs),
    merchantIds: [mandate.payee],
    status: statusOf(slot),
    parentStatus: parentStatusOf(ancestors.map(statusOf), hasUnknownParent),
    ancestorSlots: ancestors.map(({ uri, index, lineage }) => ({ listUri: uri, index, lineage })),
    constraints: judged.finding?.verdict ?? 'met',
  };
}

const latest = (left: InstantMs | null, right: InstantMs): InstantMs =>
  Math.max(left ?? right, right);

const earliest = (left: InstantMs | null, right: InstantMs): InstantMs =>
  Math.min(left ?? right, right);

function openAlone(ap2: VerifiedAp2, lookup: Ap2Lookup): MandateFact {
  const nothing = { notBeforeAtMs: null, expiresAtMs: null, issuedAtMs: null, payee: ANY_MERCHANT };
  return {
    ...missingMandate(ap2.object.text),
    ...commonOf(ap2, nothing, lookup),
    constraints: 'unresolved',
  };
}
