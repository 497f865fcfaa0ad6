import { type InstantMs } from '../kernel/index.js';
import { decidePurchase } from './decide-purchase.js';
import type { Decision } from './decision.js';
import type { MandateFact, PurchaseCase, PurchaseFacts, StatusFact } from './facts.js';
import { unknownStatus, worstStatus } from './shared/status.js';

/**
 * The rules again, at the instant at which an allow is used (decisions 3.4). Everything that can be withdrawn, end or be
 * used up is judged as it is now: every status, the ends of mandate, consent and passport, the sums and the stock, the
 * merchant's limits, rule 8 with its windows and times. What was judged once and for all at the decision: age and end of
 * the merchant's signed facts, and the buyer's presence. Refuse = the allow cannot be used now. Pure: the same stored
 * case and instant of the decision give the same bytes.
 */
export const recheckPurchase = (purchase: PurchaseCase, decidedAtMs: InstantMs): Decision =>
  decidePurchase({ ...purchase, freshAtMs: decidedAtMs });

/** One place on a status list; `lineage` is the object it has to stand for, null where only the place is known. */
export interface StatusSlot {
  readonly listUri: string;
  readonly index: number;
  readonly lineage: string | null;
}

/** The lineages of what stands behind facts: a slot never counts for another object than the one it was bound to. */
export type LineageOf = (kind: 'mandate' | 'consent' | 'passport', ref: string) => string;

type Renew = (status: StatusFact, lineage: string | null) => StatusFact;

/** Every slot that stored facts rest on, ancestors included: what has to be looked at again. */
export function slotsOf(facts: PurchaseFacts, lineageOf: LineageOf): readonly StatusSlot[] {
  const slots: StatusSlot[] = [];
  withStatuses(facts, lineageOf, (status, lineage) => {
    const { listUri, index } = status;
    if (listUri !== null && index !== null) slots.push({ listUri, index, lineage });
    return status;
  });
  return slots;
}

/**
 * The same facts with every status as `statusOf` says it is now. A status without a slot stays as it is: it stands
 * beside a caller's own word, or it refuses already.
 */
export const withFreshStatuses = (
  facts: PurchaseFacts,
  lineageOf: LineageOf,
  statusOf: (slot: StatusSlot) => StatusFact,
): PurchaseFacts =>
  withStatuses(facts, lineageOf, (status, lineage) => {
    const { listUri, index } = status;
    return listUri === null || index === null ? status : statusOf({ listUri, index, lineage });
  });

/** What a purchase rests on that can be withdrawn. */
type Withdrawable = Pick<PurchaseFacts, 'authority' | 'artifacts'>;

/** Every status that the rules read, that which stands for a mandate's ancestors included. */
export const statusesOf = ({ authority, artifacts }: Withdrawable): readonly StatusFact[] => [
  ...authority.mandates.flatMap(({ status, parentStatus }) =>
    parentStatus === null ? [status] : [status, parentStatus],
  ),
  ...[authority.consent, authority.passport, ...artifacts].flatMap((one) => one?.status ?? []),
];

/** The same facts with each of {@link statusesOf} as `changed` says. */
export function withEachStatus<Facts extends Withdrawable>(
  facts: Facts,
  changed: (status: StatusFact) => StatusFact,
): Facts {
  const { authority, artifacts } = facts;
  const { mandates, consent, passport } = authority;
  return {
    ...facts,
    authority: {
      ...authority,
      mandates: mandates.map((mandate) => ({
        ...mandate,
        status: changed(mandate.status),
        parentStatus: mandate.parentStatus && changed(mandate.parentStatus),
      })),
      consent: consent && { ...consent, status: changed(consent.status) },
      passport: passport && { ...passport, status: changed(passport.status) },
    },
    artifacts: artifacts.map((artifact) => ({ ...artifact, status: changed(artifact.status) })),
  };
}

function withStatuses(facts: PurchaseFacts, lineageOf: LineageOf, renew: Renew): PurchaseFacts {
  const { mandates, consent, passport } = facts.authority;
  return {
    ...facts,
    authority: {
      ...facts.authority,
      mandates: mandates.map((mandate) => renewedMandate(mandate, lineageOf, renew)),
      consent: consent && {
        ...consent,
        status: renew(consent.status, lineageOf('consent', consent.ref)),
      },
      passport: passport && {
        ...passport,
        status: renew(passport.status, lineageOf('passport', passport.ref)),
      },
    },
    // An artifact's slot was found to be its own at the decision, and slots never change hands.
    artifacts: facts.artifacts.map((artifact) => ({
      ...artifact,
      status: renew(artifact.status, null),
    })),
  };
}

function renewedMandate(mandate: MandateFact, lineageOf: LineageOf, renew: Renew): MandateFact {
  const { ref, status, parentStatus, ancestorSlots } = mandate;
  const above = ancestorSlots.map(({ listUri, index, lineage }) =>
    renew(unknownStatus({ listUri, index }), lineage),
  );
  return {
    ...mandate,
    status: renew(status, lineageOf('mandate', ref)),
    // The stored one alone where an earlier form of the entry names no ancestors; beside them it is one of them.
    parentStatus: above.length > 0 ? worstStatus(above) : parentStatus && renew(parentStatus, null),
  };
}
