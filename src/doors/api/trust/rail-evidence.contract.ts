import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import type { RailReportRow } from '../../../trust/rail-evidence/index.js';
import { instantOutput } from '../wire.js';
import { RAIL_EXAMPLES } from './examples.js';
import { tokenBody } from './pieces.js';

const common = {
  merchant_id: z.string(),
  mandate_ref: z.string(),
  issuer: z.string(),
  kid: z.string(),
  payer_commitment: z.string().nullable(),
  document_sha256: z.string(),
  issued_at: instantOutput,
  registered_at: instantOutput,
};

const printCommon = (row: RailReportRow) => ({
  merchant_id: row.merchantId,
  mandate_ref: row.mandateRef,
  issuer: row.issuer,
  kid: row.issuerKid,
  payer_commitment: row.payerCommitment,
  document_sha256: row.documentSha256,
  issued_at: formatInstant(row.issuedAtMs),
  registered_at: formatInstant(row.registeredAtMs),
});

const evidenceView = z.strictObject({ evidence_id: z.string(), ...common });

export const printEvidence = (row: RailReportRow): z.input<typeof evidenceView> => ({
  evidence_id: row.reportId,
  ...printCommon(row),
});

const reportView = { report_id: z.string(), version: z.int(), status: z.string(), ...common };

const printReport = (row: RailReportRow) => ({
  report_id: row.reportId,
  version: row.version,
  status: row.status,
  ...printCommon(row),
});

const noticeView = z.strictObject({ notice_ref: z.string(), ...reportView });

export const printNotice = (row: RailReportRow): z.input<typeof noticeView> => ({
  notice_ref: row.subjectRef,
  ...printReport(row),
});

const mandateView = z.strictObject(reportView);

export const printPaymentMandate = (row: RailReportRow): z.input<typeof mandateView> =>
  printReport(row);

const VERIFIED =
  'Verified completely, in this order: shape, issuer key (role psp_evidence), algorithm, signature, binding (audience, ' +
  'tenant), key state, times. The first failing check is answered with 422, and nothing is written. The same token ' +
  'again answers with its first registration; another token under its jti is a conflict. A key bound to merchants ' +
  'reports for those only (404).';

const NEWER =
  'A later report has a higher version; one that is not newer than the known one is a conflict that names the newer one.';

const reporting = {
  method: 'POST',
  tag: 'trust',
  access: ['psp', 'merchant_system', 'tenant_admin'],
  idempotency: 'optional',
  body: tokenBody,
  problems: ['not_found', 'conflict', 'unverifiable'],
} as const;

export const reportEvidence = route({
  ...reporting,
  path: '/v1/afa-evidence',
  summary: 'Register evidence that the bank authenticated the buyer',
  description: `${VERIFIED} Evidence serves one payment.`,
  examples: RAIL_EXAMPLES.afa_evidence,
  success: { status: 201, body: evidenceView },
});

export const reportNotice = route({
  ...reporting,
  path: '/v1/pre-debit-notices',
  summary: 'Report a notice that the buyer gets before a debit',
  description: `${VERIFIED} ${NEWER}`,
  examples: RAIL_EXAMPLES.pre_debit_notice,
  success: { status: 201, body: noticeView },
});

export const reportPaymentMandate = route({
  ...reporting,
  path: '/v1/payment-mandates',
  summary: 'Report how a debit mandate or block of funds stands at the bank',
  description: `${VERIFIED} ${NEWER} A revoked, completed or rejected mandate stays so.`,
  examples: RAIL_EXAMPLES.payment_mandate,
  success: { status: 201, body: mandateView },
});
