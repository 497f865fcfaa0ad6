import { isSince } from '../../kernel/index.js';
import { type AfaCase, eMandateClass, isAboutTerms, isUpi } from './afa-case.js';
import type { DebitMandateFact } from './facts.js';
import { cycleOf, fallsOnDebitDay } from './indian-time.js';
import { deny, denyIf, type Remark } from './remark.js';
import { AUTOPAY_CAP, inForce, RESERVE_PAY_BLOCK, SBMD_SECURITIES, UPI_OTM } from './thresholds.js';

/** NPCI purpose of a block for buying securities. */
const PURPOSE_SECURITIES = '76';
const MINUTE_MS = 60_000;

/** Is there a mandate, is it live and started, does it fit amount, payee and cycle? Every finding denies. */
export function checkMandate(afa: AfaCase): readonly Remark[] {
  const { mandate } = afa.facts;
  const isBlock = afa.rail === 'upi_reserve_pay' || afa.rail === 'upi_otm';
  if (eMandateClass(afa.rail) === null && !isBlock) return [];
  if (mandate === null) return [deny(absentCode(afa))];
  if (isAboutTerms(afa.event)) return checkTerms(afa, mandate);
  return [
    ...denyIf(afa.rail === 'upi_otm' && wasDebited(mandate), 'otm_already_debited'),
    ...checkStatus(afa, mandate),
    ...checkValidity(afa, mandate),
    ...(isBlock ? checkBlock(afa, mandate) : checkAmount(afa, mandate)),
    ...denyIf(
      mandate.payeeId === null || mandate.payeeId !== afa.facts.payeeId,
      'mandate_payee_mismatch',
    ),
    // A top-up has no period: the buyer's low-balance trigger starts it.
    ...(isBlock || afa.event === 'auto_topup' ? [] : checkCycle(afa, mandate)),
    ...denyIf(hasNoValidity(mandate), 'mandate_validity_absent'),
  ];
}

/** Ruleset 1 had one word for every mandate that nobody reported. */
const absentCode = ({ rail, ruleset }: AfaCase) =>
  isUpi(rail) && isSince(ruleset, '2') ? 'upi_mandate_capability_missing' : 'mandate_not_live';

const wasDebited = (mandate: DebitMandateFact): boolean =>
  mandate.lastDebitedAtMs !== null ||
  (mandate.lastSeq ?? 0) > 0 ||
  (mandate.debitedMinor ?? 0n) > 0n ||
  (mandate.reservedMinor ?? 0n) > 0n;

const hasNoValidity = (mandate: DebitMandateFact): boolean =>
  mandate.validFromAtMs === null || mandate.validToAtMs === null;

/** A mandate being made or changed must state its validity and stay under the rail's caps. */
function checkTerms(afa: AfaCase, mandate: DebitMandateFact): readonly Remark[] {
  const isBlock = eMandateClass(afa.rail) === null;
  const termsMinor = isBlock ? mandate.blockedMinor : mandate.limitMinor;
  const capMinor = railCapMinor(afa);
  const exceeded = termsMinor === null || (capMinor !== null && termsMinor > capMinor);
  return [
    ...denyIf(exceeded && !isBlock, 'mandate_amount_exceeded'),
    ...denyIf(exceeded && isBlock, 'block_exceeded'),
    ...denyIf(
      mandate.payeeId === null || mandate.payeeId !== afa.facts.payeeId,
      'mandate_payee_mismatch',
    ),
    ...denyIf(hasNoValidity(mandate), 'mandate_validity_absent'),
  ];
}

function checkStatus(afa: AfaCase, { status }: DebitMandateFact): readonly Remark[] {
  // Made and debited in one step: the bank reports the mandate live only after that step.
  if (status === 'initiated' && afa.event === 'first_debit' && afa.facts.sameStepAsRegistration) {
    return [];
  }
  switch (status) {
    case 'live':
      return [];
    case 'paused':
      return [deny('mandate_paused')];
    case 'revoked':
      return [deny('mandate_revoked')];
    case 'initiated':
    case 'rejected':
    case 'completed':
    case 'unknown':
      return [deny('mandate_not_live')];
  }
}

/** The start is inclusive, the end exclusive; a Reserve Pay block is released some minutes before its end. */
function checkValidity(afa: AfaCase, mandate: DebitMandateFact): readonly Remark[] {
  const { validFromAtMs, validToAtMs } = mandate;
  const releasedEarlyMs =
    afa.rail === 'upi_reserve_pay'
      ? RESERVE_PAY_BLOCK.autoReleaseMinutesBeforeExpiry * MINUTE_MS
      : 0;
  const ended = validToAtMs !== null && afa.executionAtMs >= validToAtMs - releasedEarlyMs;
  return [
    ...denyIf(ended, afa.rail === 'upi_reserve_pay' ? 'block_expired' : 'mandate_expired'),
    ...denyIf(validFromAtMs !== null && afa.executionAtMs < validFromAtMs, 'mandate_not_started'),
  ];
}

function checkAmount(afa: AfaCase, mandate: DebitMandateFact): readonly Remark[] {
  const { amountMinor, currency } = afa.amount;
  const limitMinor = mandate.currency === currency ? mandate.limitMinor : null;
  const capMinor = railCapMinor(afa);
  const aboveRail = capMinor !== null && amountMinor > capMinor;
  return mandate.kind === 'variable'
    ? denyIf(
        aboveRail || limitMinor === null || amountMinor > limitMinor,
        'mandate_amount_exceeded',
      )
    : [
        ...denyIf(aboveRail, 'mandate_amount_exceeded'),
        ...denyIf(amountMinor !== limitMinor, 'mandate_amount_differs'),
      ];
}

/** What is taken, promised and asked for stays within what was set aside (rows 13 and 14). */
function checkBlock(afa: AfaCase, mandate: DebitMandateFact): readonly Remark[] {
  const { amountMinor, currency } = afa.amount;
  const { blockedMinor, debitedMinor, reservedMinor } = mandate;
  const countable =
    mandate.currency === currency &&
    blockedMinor !== null &&
    debitedMinor !== null &&
    reservedMinor !== null;
  return denyIf(
    !countable || debitedMinor + reservedMinor + amountMinor > blockedMinor,
    'block_exceeded',
  );
}

/** Highest amount that rail and merchant category permit for one mandate debit or block; null = none known. */
function railCapMinor({ rail, facts, atMs }: AfaCase): bigint | null {
  if (rail === 'upi_autopay') {
    return AUTOPAY_CAP.higherLimitMcc.includes(facts.mcc ?? '')
      ? AUTOPAY_CAP.higherLimitMinor
      : AUTOPAY_CAP.limitMinor;
  }
  if (rail === 'upi_otm') return UPI_OTM.limitMinor;
  if (rail !== 'upi_reserve_pay') return null;
  const securities =
    facts.purposeCode === PURPOSE_SECURITIES ? inForce(SBMD_SECURITIES, atMs) : null;
  return (securities ?? RESERVE_PAY_BLOCK).limitMinor;
}

/** One debit a cycle and one at a time, on a day the mandate names. An unknown frequency permits nothing. */
function checkCycle(afa: AfaCase, mandate: DebitMandateFact): readonly Remark[] {
  const { frequency, debitDay, lastDebitedAtMs, lastSeq, reservedMinor } = mandate;
  if (frequency === null) return [deny('mandate_frequency_violation')];
  const anchorMs = mandate.validFromAtMs ?? afa.executionAtMs;
  const cycle = cycleOf(frequency, afa.executionAtMs, anchorMs);
  const lastCycle = lastDebitedAtMs === null ? null : cycleOf(frequency, lastDebitedAtMs, anchorMs);
  const { cycleSeq } = afa.facts;
  return [
    ...denyIf(
      (cycle !== null && lastCycle !== null && cycle <= lastCycle) ||
        (cycleSeq !== null && lastSeq !== null && cycleSeq <= lastSeq),
      'mandate_cycle_already_debited',
    ),
    // What came of it, and so whether this cycle is still to be debited, only the provider can tell.
    // Ruleset 1 did not ask: debits that were started here counted for nothing.
    ...denyIf(isSince(afa.ruleset, '2') && (reservedMinor ?? 0n) > 0n, 'mandate_debit_underway'),
    ...denyIf(
      debitDay !== null && !fallsOnDebitDay(debitDay, frequency, afa.executionAtMs),
      'mandate_frequency_violation',
    ),
  ];
}
