import {
  AMOUNT_MINOR_MAX,
  type CanonicalValue,
  codec,
  type InstantMs,
} from '../../core/kernel/index.js';
import {
  AFA_RAILS,
  debitCountOf,
  type DebitMandateFact,
  debitMandateFact,
  type PurchaseFacts,
} from '../../core/rules/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  column,
  defineProjection,
  type EntryRef,
  when,
} from '../../base/ledger/index.js';
import {
  paymentMandateReported,
  type PaymentMandateReported,
  type ReportedMandate,
} from '../../trust/rail-evidence/index.js';
import { type AllowUsed, allowUsed } from './allow.events.js';

/**
 * A report that was made so long after a debit was started knows of it, whether it counts the debit or not: what never
 * reached the provider does not hold a mandate for ever.
 */
export const DEBIT_KNOWN_AFTER_MS = 3_600_000;

/**
 * A mandate or block of the bank under its name there: the newest report of its state (null: none, version 0), and what
 * was started under it since and is in no report yet.
 */
export interface DebitMandateRow {
  readonly mandateRef: string;
  readonly reportVersion: number;
  readonly rail: string | null;
  readonly mandate: CanonicalValue | null;
  readonly attemptsThisCycle: number;
  readonly payeeDebitedMinor: bigint;
  readonly underwayMinor: bigint;
  readonly lastUsedAtMs: number | null;
}

const unknownMandate = (mandateRef: string): DebitMandateRow => ({
  mandateRef,
  reportVersion: 0,
  rail: null,
  mandate: null,
  attemptsThisCycle: 0,
  payeeDebitedMinor: 0n,
  underwayMinor: 0n,
  lastUsedAtMs: null,
});

/** INVARIANT: what is started never passes what is left of a block; a trigger refuses it as well. */
export const debitMandates = defineProjection<DebitMandateRow>({
  table: 'debit_mandates',
  mode: 'update',
  key: ['mandateRef'],
  columns: {
    mandateRef: column.text,
    reportVersion: column.integer,
    rail: column.nullable(column.text),
    mandate: column.nullable(column.json),
    attemptsThisCycle: column.integer,
    payeeDebitedMinor: column.amountMinor,
    underwayMinor: column.amountMinor,
    lastUsedAtMs: column.nullable(column.integer),
  },
  on: [
    when(paymentMandateReported, {
      keys: ({ mandateRef }) => [[mandateRef]],
      evolve: (row, data) => afterReport(row ?? unknownMandate(data.mandateRef), data),
    }),
    when(allowUsed, {
      keys: ({ debit }) => (debit === null ? [] : [[debit.mandateRef]]),
      evolve: (row, { amountMinor }, { entry, key }) => {
        const before = row ?? unknownMandate(String(key[0]));
        return {
          ...before,
          underwayMinor: before.underwayMinor + amountMinor,
          lastUsedAtMs: entry.atMs,
        };
      },
    }),
  ],
});

function afterReport(before: DebitMandateRow, data: PaymentMandateReported): DebitMandateRow {
  const { version, rail, mandate, cycle, issuedAtMs } = data;
  const after = {
    ...before,
    reportVersion: version,
    rail,
    mandate: debitMandateFact.encode(mandate),
    attemptsThisCycle: cycle?.attempts ?? 0,
    payeeDebitedMinor: cycle?.payeeDebitedMinor ?? 0n,
  };
  const isKnown =
    before.lastUsedAtMs !== null && issuedAtMs >= before.lastUsedAtMs + DEBIT_KNOWN_AFTER_MS;
  return { ...after, underwayMinor: isKnown ? 0n : stillUnderwayMinor(before, after) };
}

/** What a provider counts more than before is no longer underway: of a block the sum, else the debit or the attempt. */
function stillUnderwayMinor(before: DebitMandateRow, after: DebitMandateRow): bigint {
  const [old, now] = [factOf(before), factOf(after)];
  if ((now?.blockedMinor ?? null) === null) {
    const [oldSeq, nowSeq] = [old?.lastSeq ?? 0, now?.lastSeq ?? 0];
    const isCounted =
      nowSeq > oldSeq ||
      (now?.lastDebitedAtMs ?? 0) > (old?.lastDebitedAtMs ?? 0) ||
      (nowSeq === oldSeq && after.attemptsThisCycle > before.attemptsThisCycle);
    return isCounted ? 0n : before.underwayMinor;
  }
  const countedMinor = takenMinor(now) - takenMinor(old);
  if (countedMinor <= 0n) return before.underwayMinor;
  return countedMinor < before.underwayMinor ? before.underwayMinor - countedMinor : 0n;
}

const takenMinor = (mandate: DebitMandateFact | null): bigint =>
  (mandate?.debitedMinor ?? 0n) + (mandate?.reservedMinor ?? 0n);

const factOf = ({ mandate }: DebitMandateRow): DebitMandateFact | null =>
  mandate === null ? null : debitMandateFact.decode(mandate, 'debit_mandates.mandate');

/** What `allow.used` says of the debit that the use starts; null: rule 8 counts none. */
export function debitOf(facts: PurchaseFacts, view: CellView): AllowUsed['debit'] {
  const count = debitCountOf(facts);
  const mandateRef = facts.rbi.mandate?.ref ?? null;
  if (count === null || mandateRef === null) return null;
  const reportVersion = view.get(debitMandates, [mandateRef])?.reportVersion ?? 0;
  return { mandateRef, reportVersion, isOnce: count === 'once' };
}

/**
 * As {@link debitOf}, for money that was taken already and is written down whatever was started before: not as the one
 * debit of a report that carries one, and not where it passes what is left of the block.
 */
export function debitOfMoney(
  facts: PurchaseFacts,
  view: CellView,
  amountMinor: bigint,
): AllowUsed['debit'] {
  const debit = debitOf(facts, view);
  const row = debit === null ? undefined : view.get(debitMandates, [debit.mandateRef]);
  if (debit === null || row === undefined) return debit;
  const fact = factOf(row);
  const blockedMinor = fact?.blockedMinor ?? null;
  if (blockedMinor !== null && takenMinor(fact) + row.underwayMinor + amountMinor > blockedMinor)
    return null;
  return { ...debit, isOnce: debit.isOnce && row.underwayMinor === 0n };
}

/** A debit that rests on one reported state of its mandate, which carries no second one. */
export interface DebitUseRow {
  readonly mandateRef: string;
  readonly reportVersion: number;
  readonly decisionId: string;
  readonly usedAtMs: InstantMs;
}

/** INVARIANT: the primary key alone refuses a second debit on the same report, whatever a command looked at. */
export const debitUses = defineProjection<DebitUseRow>({
  table: 'debit_uses',
  mode: 'append',
  key: ['mandateRef', 'reportVersion'],
  columns: {
    mandateRef: column.text,
    reportVersion: column.integer,
    decisionId: column.text,
    usedAtMs: column.integer,
  },
  on: [
    when(allowUsed, {
      keys: ({ debit }) =>
        debit === null || !debit.isOnce ? [] : [[debit.mandateRef, debit.reportVersion]],
      evolve: (
        _row: DebitUseRow | undefined,
        { decisionId }: AllowUsed,
        { entry, key }: { entry: EntryRef; key: readonly (string | number)[] },
      ) => ({
        mandateRef: String(key[0]),
        reportVersion: Number(key[1]),
        decisionId,
        usedAtMs: entry.atMs,
      }),
    }),
  ],
});

export const debitMandateCell = (mandateRef: string): CellRef => cell(debitMandates, mandateRef);

const rails = codec.oneOf(...AFA_RAILS);

/** The newest report of the mandate as it stands under the lock. */
export function reportedUnderLock(view: CellView, mandateRef: string): ReportedMandate {
  const row = view.get(debitMandates, [mandateRef]);
  const fact = row === undefined ? null : factOf(row);
  if (row === undefined || fact === null) return { state: 'unreported' };
  return {
    state: 'reported',
    fact,
    rail: rails.decode(row.rail, 'debit_mandates.rail'),
    attemptsThisCycle: row.attemptsThisCycle,
    payeeDebitedThisCycleMinor: row.payeeDebitedMinor,
  };
}

/** The mandate with what was started under it since the newest report as promised, so that no rule counts on it again. */
export function withUnderway(
  mandate: DebitMandateFact | null,
  view: CellView,
): DebitMandateFact | null {
  const underwayMinor =
    mandate === null ? 0n : (view.get(debitMandates, [mandate.ref])?.underwayMinor ?? 0n);
  if (mandate === null || underwayMinor === 0n) return mandate;
  const reservedMinor = (mandate.reservedMinor ?? 0n) + underwayMinor;
  // No block is larger, so the answer is the same and the entry readable.
  return {
    ...mandate,
    reservedMinor: reservedMinor > AMOUNT_MINOR_MAX ? AMOUNT_MINOR_MAX : reservedMinor,
  };
}
