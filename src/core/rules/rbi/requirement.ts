import { type Money } from '../../kernel/index.js';
import {
  type AfaCase,
  eMandateClass,
  hasRegistrationAfa,
  isAboutTerms,
  isFirstDebit,
} from './afa-case.js';
import {
  AFA_CARD_MANDATE_TTL_MS,
  AFA_ONE_TIME_TTL_MS,
  type EvidenceSpec,
} from './evidence-checks.js';
import type { DelegationFact } from './facts.js';
import { DAY_MS } from './indian-time.js';
import { recurringExemption } from './recurring-exemption.js';
import { type AfaNote, deny, denyIf, note, type Remark } from './remark.js';
import {
  CIRCLE_PARTIAL,
  CIRCLE_PERSON,
  CIRCLE_SOFTWARE,
  inForce,
  isInForce,
  UPI_LITE,
  XBORDER_DUTY,
} from './thresholds.js';

/** What the decision table asks of one payment. */
export interface Requirement {
  /** Null: no AFA for this payment by itself. */
  readonly evidence: EvidenceSpec | null;
  readonly remarks: readonly Remark[];
  /** The limit that decided whether AFA is needed, and since when it holds; null when none did. */
  readonly limit: { readonly minor: bigint; readonly effectiveFrom: string | null } | null;
}

/** Rows 1 to 20 of the decision table (facts/payments.md 1.8), by event and rail. */
export function requirementOf(afa: AfaCase): Requirement {
  if (isAboutTerms(afa.event)) return termsRequirement(afa);
  if (isFirstDebit(afa)) return firstDebitRequirement(afa);
  switch (afa.rail) {
    case 'upi_reserve_pay':
    case 'upi_otm':
      return blockRequirement(afa);
    case 'upi_circle_full':
      return circleRequirement(afa);
    case 'upi_circle_partial':
      return primaryRequirement(afa);
    case 'upi_lite':
      return liteRequirement(afa);
    case 'card_once_xborder':
      return crossBorderRequirement(afa);
    case 'upi_autopay':
    case 'card_emandate':
    case 'ppi_emandate':
      return recurringRequirement(afa);
    case 'upi_once':
    case 'card_once':
    case 'netbanking':
    case 'other':
      return required(afa, 'afa_required_one_time');
  }
}

function required(afa: AfaCase, why: AfaNote, changes: Partial<EvidenceSpec> = {}): Requirement {
  return {
    evidence: { ...debitSpec(afa), ...changes },
    remarks: [note(why)],
    limit: null,
  };
}

const debitSpec = (afa: AfaCase): EvidenceSpec => ({
  rail: afa.rail,
  amount: afa.amount,
  coreHash: afa.coreHash,
  amountBinding: 'exact',
  payeeId: afa.facts.payeeId,
  mandateRef: afa.facts.mandate?.ref ?? null,
  payerRef: null,
  ttlMs: afa.rail === 'card_emandate' ? AFA_CARD_MANDATE_TTL_MS : AFA_ONE_TIME_TTL_MS,
  passes: 'afa_ok_debit',
});

const notRequired = (...remarks: readonly Remark[]): Requirement => ({
  evidence: null,
  remarks,
  limit: null,
});

/** Rows 1 and 10: the buyer authenticates the terms, as they will be. */
function termsRequirement(afa: AfaCase): Requirement {
  const { mandate } = afa.facts;
  const terms: Money = {
    amountMinor:
      (eMandateClass(afa.rail) === null ? mandate?.blockedMinor : mandate?.limitMinor) ?? 0n,
    currency: mandate?.currency ?? afa.amount.currency,
  };
  return required(
    afa,
    afa.event === 'modify' ? 'afa_required_modify' : 'afa_required_registration',
    {
      amount: terms,
      amountBinding: 'covers',
      ttlMs: AFA_ONE_TIME_TTL_MS,
      passes: 'afa_ok_registration',
    },
  );
}

/** Rows 2 and 3. */
const firstDebitRequirement = (afa: AfaCase): Requirement =>
  afa.event === 'first_debit' && afa.facts.sameStepAsRegistration
    ? required(afa, 'afa_required_first_debit', {
        amountBinding: 'covers',
        ttlMs: AFA_ONE_TIME_TTL_MS,
        passes: 'afa_ok_combined',
      })
    : required(afa, 'afa_required_first_debit');

/** Rows 4 to 9. */
function recurringRequirement(afa: AfaCase): Requirement {
  const { row, exempt, remarks } = recurringExemption(afa);
  return {
    evidence: exempt ? null : debitSpec(afa),
    remarks,
    limit: row === null ? null : { minor: row.limitMinor, effectiveFrom: row.effectiveFrom },
  };
}

/** Rows 12 and 14: the AFA that made the block serves, so it must be on file. */
const blockRequirement = (afa: AfaCase): Requirement =>
  notRequired(
    ...denyIf(!hasRegistrationAfa(afa), 'afa_registration_missing'),
    note('afa_exempt_block_debit'),
    ...(afa.rail === 'upi_reserve_pay' ? [note('uncertain:block_debit_in_rbi_terms')] : []),
  );

/** Row 15. Before the day on which such a delegation came, the primary user approves each payment. */
function circleRequirement(afa: AfaCase): Requirement {
  const { delegation } = afa.facts;
  if (delegation === null) return notRequired(deny('afa_registration_missing'));
  const caps = inForce(
    delegation.secondary === 'software' ? CIRCLE_SOFTWARE : CIRCLE_PERSON,
    afa.atMs,
  );
  if (caps === null) return primaryRequirement(afa);
  const { amountMinor } = afa.amount;
  return {
    evidence: null,
    remarks: [
      ...denyIf(amountMinor > caps.limitMinor, 'circle_limit_txn'),
      ...denyIf(delegation.monthSpentMinor + amountMinor > caps.monthMinor, 'circle_limit_month'),
      ...denyIf(
        isCooling(delegation, afa.executionAtMs) &&
          delegation.firstDaySpentMinor + amountMinor > caps.first24hMinor,
        'circle_limit_cooling',
      ),
      ...denyIf(delegation.registrationAfaRef === null, 'afa_registration_missing'),
      note('afa_delegated_ok'),
    ],
    limit: { minor: caps.limitMinor, effectiveFrom: caps.effectiveFrom },
  };
}

const isCooling = ({ linkedAtMs }: DelegationFact, executionAtMs: number): boolean =>
  linkedAtMs === null || executionAtMs - linkedAtMs < DAY_MS;

/** Row 16: the primary user authenticates each payment, within the life of the request. */
function primaryRequirement(afa: AfaCase): Requirement {
  const { delegation } = afa.facts;
  if (delegation === null) return notRequired(deny('afa_registration_missing'));
  return required(afa, 'afa_required_primary', {
    payerRef: delegation.primaryRef,
    ttlMs: CIRCLE_PARTIAL.requestLifetimeSeconds * 1000,
  });
}

/** Row 17. */
function liteRequirement(afa: AfaCase): Requirement {
  const row = inForce(UPI_LITE, afa.atMs);
  const { amountMinor } = afa.amount;
  const balanceMinor = afa.facts.liteBalanceMinor;
  const exempt =
    row !== null &&
    balanceMinor !== null &&
    balanceMinor <= row.totalMinor &&
    amountMinor <= row.limitMinor &&
    amountMinor <= balanceMinor;
  return {
    ...(exempt ? notRequired(note('afa_exempt_upi_lite')) : required(afa, 'afa_required_one_time')),
    limit: row === null ? null : { minor: row.limitMinor, effectiveFrom: row.effectiveFrom },
  };
}

/** Rows 19 and 20. Not to know whether AFA was asked for is as if it was. */
const crossBorderRequirement = (afa: AfaCase): Requirement =>
  afa.facts.afaAskedByMerchant === false
    ? notRequired(note('afa_xborder_risk_based'))
    : required(
        afa,
        isInForce(XBORDER_DUTY, afa.atMs) ? 'afa_required_xborder' : 'afa_required_one_time',
      );
