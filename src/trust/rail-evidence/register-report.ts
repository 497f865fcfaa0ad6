import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
} from '../../core/kernel/index.js';
import { fault, type ProofFault, type RailKind } from '../../core/proofs/index.js';
import { ISSUED_AHEAD_MS_MAX } from '../../core/rules/index.js';
import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  documentWrite,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import {
  anyErased,
  BUYER_CHANGED,
  buyerClash,
  type CommittedBuyer,
  erasedBuyerCells,
} from '../buyer-authority/index.js';
import { debitMandateBuyers } from '../buyer-authority/tables.js';
import { issuerKeyOf, issuerKeys, keyStateFault, unverifiable } from '../peers/index.js';
import { type Commit, debitMandateFactOf, evidenceFactOf, noticeFactOf } from './rail-facts.js';
import {
  afaEvidenceReported,
  type CurrentRailReportRow,
  currentRailReports,
  currentReportCell,
  paymentMandateReported,
  preDebitNoticeReported,
  railReports,
} from './rail-evidence.ledger.js';
import type { ReadRailToken } from './rail-token.js';

/** Any of the three kinds, told apart by `kind`. */
export type AnyRailToken = { readonly [Kind in RailKind]: ReadRailToken<Kind> }[RailKind];

/** What the command needs beside the token. */
export interface ReportRegistration {
  readonly token: AnyRailToken;
  readonly payer: CommittedBuyer | null;
  /** Whose document it is when it names no payer: the buyer's of the payment mandate it is about, as far as one is known. */
  readonly mandateBuyer: string | null;
  readonly commit: Commit;
}

/** A report in one of these says the last word about its subject. */
const FINAL: readonly string[] = ['revoked', 'completed', 'rejected', 'opted_out'];

/** What a report is about, and where it stands among the others about it. Evidence is reported once. */
interface Subject {
  readonly subjectRef: string;
  readonly version: number;
  readonly status: string;
}

/**
 * The command that holds one report whose form, issuer and signature were found good. Under the lock it judges what may
 * have changed since. Problems, in order: conflict (the id names another report), {@link BUYER_CHANGED},
 * conflict (the mandate's buyer was erased), unverifiable: key state, times
 * (issued ahead, evidence that has ended); conflict: another provider, payee or mandate reports this subject, a report
 * as new or newer is known, the subject has come to its end.
 */
export function registerReport(
  context: CommandContext,
  registration: ReportRegistration,
): Command<string> {
  const { token, payer, mandateBuyer } = registration;
  const { kind, claims, issuerKeyId } = token;
  // It goes when that buyer is erased.
  const buyerCommitment = payer?.commitment ?? mandateBuyer;
  const { sha256, write } = documentWrite(context.tenantId, {
    mediaType: 'application/jwt',
    bytes: Buffer.from(token.compact, 'utf8'),
    erasable: true,
    buyerCommitment,
  });
  const report = reportOf(registration, sha256);
  const { subject } = report;
  const named = [...new Set([payer?.commitment ?? null, mandateBuyer])].filter(isKnown);
  return {
    ...context,
    name: `${kind}.report`,
    clash: buyerClash(BUYER_CHANGED),
    reads: [
      cell(issuerKeys, issuerKeyId),
      cell(railReports, kind, claims.id),
      currentReportCell(kind, subject.subjectRef),
      cell(debitMandateBuyers, claims.mandateRef),
      ...erasedBuyerCells(named),
    ],
    decide(view, { atMs }) {
      if (view.get(railReports, [kind, claims.id]) !== undefined) return err(idTaken(claims.id));
      const erased = erasedFault(view, registration);
      if (erased !== null) return err(erased);
      const outdated = stateFault(view, token, atMs);
      if (outdated !== null) return err(unverifiable('/token', outdated));
      const current = view.get(currentRailReports, [kind, subject.subjectRef]);
      const behind = current === undefined ? null : orderConflict(token, subject, current);
      if (behind !== null) return err(behind);
      const names = payer === null || payer.write === null ? [] : [payer.write];
      return ok({ events: [report.event], sideWrites: [write, ...names] });
    },
    answer: () => claims.id,
  };
}

/** A document that nobody is known to own stays so only while nobody is: the link is read under the lock as well. */
function erasedFault(
  view: CellView,
  { token, payer, mandateBuyer }: ReportRegistration,
): Problem | null {
  if (payer !== null && anyErased(view, [payer.commitment])) return BUYER_CHANGED;
  const linked = view.get(debitMandateBuyers, [token.claims.mandateRef])?.buyerCommitment ?? null;
  if (linked !== null && linked !== mandateBuyer) return BUYER_CHANGED;
  return mandateBuyer !== null && anyErased(view, [mandateBuyer]) ? BUYER_ERASED : null;
}

const isKnown = (commitment: string | null): commitment is string => commitment !== null;

function stateFault(
  view: CellView,
  { kind, claims, issuerKeyId }: AnyRailToken,
  atMs: InstantMs,
): ProofFault | null {
  const row = view.get(issuerKeys, [issuerKeyId]);
  invariant(row !== undefined, 'the key that verified the token is never removed');
  const { issuedAtMs } = claims;
  const state = keyStateFault(issuerKeyOf(row), { issuedAtMs, knownSinceMs: null, atMs });
  if (state !== null) return state;
  if (issuedAtMs > atMs + ISSUED_AHEAD_MS_MAX)
    return fault('not_before', 'iat', 'the token says that it was issued in the future');
  return kind === 'afa_evidence' && atMs >= claims.expiresAtMs
    ? fault('expiry', 'exp', 'the evidence has ended')
    : null;
}

/** INVARIANT: a subject keeps its provider, payee and mandate, and never goes back. */
function orderConflict(
  { claims }: AnyRailToken,
  { subjectRef, version, status }: Subject,
  current: CurrentRailReportRow,
): Problem | null {
  const same =
    current.issuer === claims.issuer &&
    current.merchantId === claims.merchantId &&
    current.mandateRef === claims.mandateRef;
  if (!same)
    return conflict(
      `${subjectRef} is reported by another provider, or for another payee or mandate.`,
      'Give what you report an id of its own.',
    );
  if (version <= current.version)
    return conflict(
      `Version ${version} of ${subjectRef} is not newer than version ${current.version}, which ${current.reportId} reported.`,
      'Report the state as it is now, under a higher version.',
    );
  return FINAL.includes(current.status) && status !== current.status
    ? conflict(
        `${subjectRef} is ${current.status} since ${current.reportId}, and that is final.`,
        'Let the buyer give a new mandate, or send a new notice, and report that one.',
      )
    : null;
}

function reportOf(
  { token, payer, commit }: ReportRegistration,
  documentSha256: string,
): { readonly subject: Subject; readonly event: LedgerEvent } {
  const { id, mandateRef, merchantId, issuer, issuedAtMs } = token.claims;
  const payerCommitment = payer?.commitment ?? null;
  const common = {
    reportId: id,
    mandateRef,
    merchantId,
    issuer,
    issuerKid: token.kid,
    documentSha256,
    payerCommitment,
    issuedAtMs,
  };
  switch (token.kind) {
    case 'afa_evidence': {
      const subject = { subjectRef: id, version: 0, status: 'reported' } as const;
      const { deviceRef } = token.claims;
      const deviceCommitment = deviceRef === null ? null : commit(deviceRef);
      const trust = { commit, payerCommitment, verified: true };
      const evidence = evidenceFactOf(token.claims, trust);
      const data = { ...common, ...subject, deviceCommitment, evidence };
      return { subject, event: event(afaEvidenceReported, data) };
    }
    case 'pre_debit_notice': {
      const { noticeRef, version, delivery, optedOutAtMs } = token.claims;
      const status = optedOutAtMs === null ? delivery : 'opted_out';
      const subject = { subjectRef: noticeRef, version, status } as const;
      const data = { ...common, ...subject, notice: noticeFactOf(token.claims) };
      return { subject, event: event(preDebitNoticeReported, data) };
    }
    case 'payment_mandate': {
      const { version, status, rail, attemptsThisCycle, payeeDebitedThisCycleMinor } = token.claims;
      const subject = { subjectRef: mandateRef, version, status } as const;
      const mandate = debitMandateFactOf(token.claims, commit);
      const cycle = { attempts: attemptsThisCycle, payeeDebitedMinor: payeeDebitedThisCycleMinor };
      const data = { ...common, ...subject, rail, mandate, cycle };
      return { subject, event: event(paymentMandateReported, data) };
    }
  }
}

const conflict = (detail: string, fix: string): Problem =>
  problem('conflict', detail, { fix, field: '/token' });

const BUYER_ERASED = conflict(
  'The buyer of this mandate was erased.',
  'Report nothing more about it; a buyer who comes back gives a new payment mandate.',
);

const idTaken = (id: string): Problem =>
  conflict(`The id ${id} names another report.`, 'Give every report a jti of its own.');
