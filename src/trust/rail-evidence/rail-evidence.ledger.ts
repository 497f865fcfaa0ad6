import { codec, type Decoded, type InstantMs } from '../../core/kernel/index.js';
import { PAYMENT_MANDATE_STATUSES, type RailKind } from '../../core/proofs/index.js';
import {
  AFA_RAILS,
  afaEvidenceFact,
  debitMandateFact,
  preDebitNoticeFact,
} from '../../core/rules/index.js';
import {
  type CellRef,
  cell,
  column,
  defineEvent,
  defineProjection,
  type EntryRef,
  when,
} from '../../base/ledger/index.js';

/** What the entry of every report keeps. The token itself is an erasable document; every name of the provider's a commitment. */
const common = {
  reportId: codec.text,
  /** What the report is about: the authentication, the notice or the mandate. */
  subjectRef: codec.text,
  version: codec.integer,
  status: codec.text,
  mandateRef: codec.text,
  merchantId: codec.text,
  issuer: codec.text,
  issuerKid: codec.text,
  documentSha256: codec.text,
  payerCommitment: codec.nullable(codec.text),
  issuedAtMs: codec.instant,
};

/** A provider said that the bank authenticated the buyer. `evidence` is what rule 8 will be shown of it. */
export const afaEvidenceReported = defineEvent(
  'afa_evidence.reported',
  codec.record({
    ...common,
    status: codec.oneOf('reported'),
    deviceCommitment: codec.nullable(codec.text),
    evidence: afaEvidenceFact,
  }),
);

/** A provider said what became of a notice before a debit. */
export const preDebitNoticeReported = defineEvent(
  'pre_debit_notice.reported',
  codec.record({
    ...common,
    status: codec.oneOf('sent', 'delivered', 'failed', 'opted_out'),
    notice: preDebitNoticeFact,
  }),
);

/** A provider said how a debit mandate or block stands. */
export const paymentMandateReported = defineEvent(
  'payment_mandate.reported',
  codec.record({
    ...common,
    status: codec.oneOf(...PAYMENT_MANDATE_STATUSES),
    rail: codec.oneOf(...AFA_RAILS),
    mandate: debitMandateFact,
    /** The cycle that runs: executions tried, and what was debited for this payee. Null: an earlier form of the entry. */
    cycle: codec.added(
      codec.nullable(
        codec.record({ attempts: codec.integer, payeeDebitedMinor: codec.amountMinor }),
      ),
      null,
    ),
  }),
);
export type PaymentMandateReported = Decoded<typeof paymentMandateReported.data>;

interface CommonData {
  readonly reportId: string;
  readonly subjectRef: string;
  readonly version: number;
  readonly status: string;
  readonly mandateRef: string;
  readonly merchantId: string;
  readonly issuer: string;
  readonly issuerKid: string;
  readonly documentSha256: string;
  readonly payerCommitment: string | null;
  readonly issuedAtMs: InstantMs;
}

/** One report as it was registered; it never changes. */
export interface RailReportRow extends CommonData {
  readonly kind: string;
  readonly registeredAtMs: InstantMs;
}

const reportRow =
  (kind: RailKind) =>
  (
    _row: RailReportRow | undefined,
    data: CommonData,
    { entry }: { readonly entry: EntryRef },
  ): RailReportRow => ({
    kind,
    reportId: data.reportId,
    subjectRef: data.subjectRef,
    version: data.version,
    status: data.status,
    mandateRef: data.mandateRef,
    merchantId: data.merchantId,
    issuer: data.issuer,
    issuerKid: data.issuerKid,
    documentSha256: data.documentSha256,
    payerCommitment: data.payerCommitment,
    issuedAtMs: data.issuedAtMs,
    registeredAtMs: entry.atMs,
  });

const reportHandler = (kind: RailKind) => ({
  keys: ({ reportId }: CommonData) => [[kind, reportId]],
  evolve: reportRow(kind),
});

export const railReports = defineProjection<RailReportRow>({
  table: 'rail_reports',
  mode: 'append',
  key: ['kind', 'reportId'],
  columns: {
    kind: column.text,
    reportId: column.text,
    subjectRef: column.text,
    version: column.integer,
    status: column.text,
    mandateRef: column.text,
    merchantId: column.text,
    issuer: column.text,
    issuerKid: column.text,
    documentSha256: column.text,
    payerCommitment: column.nullable(column.text),
    issuedAtMs: column.integer,
    registeredAtMs: column.integer,
  },
  on: [
    when(afaEvidenceReported, reportHandler('afa_evidence')),
    when(preDebitNoticeReported, reportHandler('pre_debit_notice')),
    when(paymentMandateReported, reportHandler('payment_mandate')),
  ],
});

/** The newest report about one authentication, notice or mandate. */
export interface CurrentRailReportRow {
  readonly kind: string;
  readonly subjectRef: string;
  readonly reportId: string;
  readonly version: number;
  readonly status: string;
  readonly mandateRef: string;
  readonly merchantId: string;
  readonly issuer: string;
}

const currentHandler = (kind: RailKind) => ({
  keys: ({ subjectRef }: CommonData) => [[kind, subjectRef]],
  evolve: (
    _row: CurrentRailReportRow | undefined,
    { subjectRef, reportId, version, status, mandateRef, merchantId, issuer }: CommonData,
  ): CurrentRailReportRow => ({
    kind,
    subjectRef,
    reportId,
    version,
    status,
    mandateRef,
    merchantId,
    issuer,
  }),
});

/** INVARIANT: a row only goes on to a higher version and never leaves a final status; a trigger refuses it as well. */
export const currentRailReports = defineProjection<CurrentRailReportRow>({
  table: 'current_rail_reports',
  mode: 'update',
  key: ['kind', 'subjectRef'],
  columns: {
    kind: column.text,
    subjectRef: column.text,
    reportId: column.text,
    version: column.integer,
    status: column.text,
    mandateRef: column.text,
    merchantId: column.text,
    issuer: column.text,
  },
  on: [
    when(afaEvidenceReported, currentHandler('afa_evidence')),
    when(preDebitNoticeReported, currentHandler('pre_debit_notice')),
    when(paymentMandateReported, currentHandler('payment_mandate')),
  ],
});

export const currentReportCell = (kind: RailKind, subjectRef: string): CellRef =>
  cell(currentRailReports, kind, subjectRef);
