import { reasonPlace } from '../../kernel/index.js';
import { type AfaCase, isTollOrTransit, isUpi, railKnowsEvent } from './afa-case.js';
import { checkEvidence } from './evidence-checks.js';
import { checkMandate } from './mandate-checks.js';
import { checkNotice } from './notice-checks.js';
import { deny, type Effect, note, type Refusal, type Remark } from './remark.js';
import { requirementOf, type Requirement } from './requirement.js';
import { checkSchedule, earliestMs } from './schedule-checks.js';

/**
 * What came of one payment. `effect` `note` = it may go on. `refusal` is the finding that names the reason;
 * `remarks` holds every finding in the order of the checks. `notBeforeMs` is set when, and only when, waiting heals all.
 */
export interface AfaVerdict {
  readonly effect: Effect;
  readonly refusal: Refusal | null;
  readonly remarks: readonly Remark[];
  readonly notBeforeMs: number | null;
  readonly requirement: Requirement | null;
}

/**
 * The decision table of the Indian rules (facts/payments.md 1.8), pure: DENY, STEP_UP, DEFER or go on, in this
 * precedence (N1), which the catalogue of reasons spells out code by code. Withdrawing a mandate is never held up (N4).
 * Not checked here: whether the rules apply at all, and whether the rail is switched on; see `judge-rbi-afa.ts`.
 */
export function decideAfa(afa: AfaCase): AfaVerdict {
  if (!isClassified(afa)) return verdictOf(afa, [deny('rbi_unclassified')], null);
  if (afa.event === 'withdraw') return verdictOf(afa, [note('afa_withdraw_advisory')], null);
  const requirement = requirementOf(afa);
  const { evidence, remarks } = requirement;
  return verdictOf(
    afa,
    [
      ...checkMandate(afa),
      ...remarks,
      ...(evidence === null ? [] : checkEvidence(afa.facts.evidence, evidence, afa.atMs)),
      ...checkNotice(afa),
      ...checkSchedule(afa),
    ],
    requirement,
  );
}

/** Row 21. UPI moves rupees only, only FASTag and NCMC are topped up, and nothing is debited for nothing. */
const isClassified = ({ rail, event, amount, facts }: AfaCase): boolean =>
  railKnowsEvent(rail, event) &&
  (event !== 'auto_topup' || isTollOrTransit(facts.category)) &&
  amount.amountMinor > 0n &&
  (!isUpi(rail) || amount.currency === 'INR');

function verdictOf(
  afa: AfaCase,
  remarks: readonly Remark[],
  requirement: Requirement | null,
): AfaVerdict {
  const refusal = decisive(remarks);
  const notBeforeMs = remarks.flatMap((remark) =>
    remark.effect === 'defer' ? [remark.notBeforeMs] : [],
  );
  return {
    effect: refusal?.effect ?? 'note',
    refusal,
    remarks,
    notBeforeMs: refusal?.effect === 'defer' ? earliestMs(afa, notBeforeMs) : null,
    requirement,
  };
}

/** Of the findings that refuse, the one that stands first in the catalogue; null when none refuses. */
export function decisive(remarks: readonly Remark[]): Refusal | null {
  let first: Refusal | null = null;
  let firstPlace = Infinity;
  for (const remark of remarks) {
    if (remark.effect === 'note') continue;
    const place = reasonPlace('rbi_afa', remark.code);
    if (place >= firstPlace) continue;
    first = remark;
    firstPlace = place;
  }
  return first;
}
