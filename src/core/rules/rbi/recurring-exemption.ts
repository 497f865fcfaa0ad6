import { type AfaCase, eMandateClass, hasRegistrationAfa } from './afa-case.js';
import { deny, denyIf, note, type Remark } from './remark.js';
import { type AfaFreeRow, EMANDATE_AFA_FREE, isInForce } from './thresholds.js';

/** A foreign amount this close below a threshold needs AFA: at which rate it counts is not settled (note N6). */
export const FOREIGN_AMOUNT_MARGIN_PERCENT = 5n;

export interface Exemption {
  /** The row of the dated table that was applied; null when none holds for date, rail and category. */
  readonly row: AfaFreeRow | null;
  readonly exempt: boolean;
  readonly remarks: readonly Remark[];
}

/**
 * Rows 4 to 9: does a later debit or a top-up go without AFA of its own? No row, no INR value, terms changed since the
 * last AFA: AFA is needed. An exemption rests on the AFA at registration, so that one must be on file.
 */
export function recurringExemption(afa: AfaCase): Exemption {
  const { row, remarks } =
    afa.event === 'auto_topup'
      ? { row: findRow(afa, 'fastag_or_ncmc'), remarks: [] }
      : laterDebitRow(afa);
  const required = (...more: Remark[]): Exemption => ({
    row,
    exempt: false,
    remarks: [...remarks, ...more],
  });
  if (afa.facts.mandate?.termsChangedSinceAfa === true) {
    return required(note('afa_required_modify'));
  }
  if (row === null) return required(note('afa_required_always'));
  const isCategory = row.mccProxy.length > 0;
  const paise = afa.amount.currency === 'INR' ? afa.amount.amountMinor : afa.facts.inrValueMinor;
  const isNear =
    afa.amount.currency !== 'INR' &&
    paise !== null &&
    paise <= row.limitMinor &&
    paise * 100n > row.limitMinor * (100n - FOREIGN_AMOUNT_MARGIN_PERCENT);
  if (paise === null || paise > row.limitMinor || isNear) {
    return required(
      ...(isNear ? [note('uncertain:foreign_amount_near_threshold')] : []),
      note(isCategory ? 'afa_required_above_cat' : 'afa_required_above_std'),
    );
  }
  return {
    row,
    exempt: true,
    remarks: [
      ...remarks,
      ...denyIf(!hasRegistrationAfa(afa), 'afa_registration_missing'),
      ...checkStructuring(afa, paise, row.limitMinor),
      note(isCategory ? 'afa_exempt_recurring_cat' : 'afa_exempt_recurring_std'),
    ],
  };
}

interface RowChoice {
  readonly row: AfaFreeRow | null;
  readonly remarks: readonly Remark[];
}

/**
 * The merchant category code is only a proxy (6211 also covers brokers), so the higher limit needs the code and the
 * purpose declared with the mandate to name the same category; else the debit counts as general (row 8).
 */
function laterDebitRow(afa: AfaCase): RowChoice {
  const { category, mcc, purposeCode } = afa.facts;
  const general = findRow(afa, 'general') ?? findRow(afa, 'any');
  const special =
    category === 'mutual_fund' || category === 'insurance' || category === 'card_bill'
      ? findRow(afa, category)
      : null;
  if (special === null) return { row: general, remarks: [] };
  const proven = mcc !== null && special.mccProxy.includes(mcc) && purposeCode === category;
  return proven
    ? { row: special, remarks: [] }
    : { row: general, remarks: [note('warning:afa_category_unproven')] };
}

function findRow(afa: AfaCase, category: AfaFreeRow['category']): AfaFreeRow | null {
  const rail = eMandateClass(afa.rail);
  return (
    EMANDATE_AFA_FREE.find(
      (row) =>
        rail !== null &&
        row.category === category &&
        row.rails.includes(rail) &&
        isInForce(row, afa.atMs),
    ) ?? null
  );
}

/** Note N2: one amount cut into several debits of one cycle, each small enough to go without AFA. */
function checkStructuring(afa: AfaCase, paise: bigint, limitMinor: bigint): readonly Remark[] {
  const earlierMinor = afa.facts.payeeDebitedThisCycleMinor;
  const split =
    afa.event === 'subsequent_debit' && earlierMinor > 0n && earlierMinor + paise > limitMinor;
  return split ? [note('warning:structuring_suspected'), deny('mandate_frequency_violation')] : [];
}
