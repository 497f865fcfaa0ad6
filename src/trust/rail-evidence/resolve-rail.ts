import type { RailKind } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { buyerCommitment, referenceSalt } from '../buyer-authority/index.js';
import { type IssuerKeys, type SignatureChecker, withinDeadline } from '../peers/index.js';
import {
  NO_RAIL,
  RAIL_UNAVAILABLE,
  type RailRequest,
  type RailResolver,
  type ReportedMandate,
  type ResolvedRail,
} from './contract.js';
import { type Commit, debitMandateFactOf, evidenceFactOf, noticeFactOf } from './rail-facts.js';
import { findCurrentReports, type RailSubject, type StoredReport } from './rail-evidence.store.js';
import { readRailToken, type ReadRailToken, verifyRailToken } from './rail-token.js';

export interface RailSources {
  readonly database: Queryable;
  readonly issuerKeys: IssuerKeys;
  readonly checker: SignatureChecker;
}

/** The newest report about a subject, read and verified again; `read` null = its bytes are gone or not readable. */
interface Found<Kind extends RailKind> {
  readonly read: ReadRailToken<Kind> | null;
  readonly payerCommitment: string | null;
  readonly verified: boolean;
}

/** Finds what providers reported about one purchase and verifies it again, within the request's deadline. */
export class StoredRailResolver implements RailResolver {
  constructor(private readonly sources: RailSources) {}

  async resolveRail(request: RailRequest): Promise<ResolvedRail> {
    const { tenantId, deadline } = request;
    const subjects = subjectsOf(request);
    if (subjects.length === 0) return NO_RAIL;
    const { database } = this.sources;
    const [stored, salt] = await Promise.all([
      withinDeadline(deadline, () => findCurrentReports(database, tenantId, subjects)),
      withinDeadline(deadline, () => referenceSalt(database, tenantId)),
    ]);
    if (stored === null || salt === null) return RAIL_UNAVAILABLE;
    const [evidence, notice, mandate] = await Promise.all([
      this.#verify(request, 'afa_evidence', stored),
      this.#verify(request, 'pre_debit_notice', stored),
      this.#verify(request, 'payment_mandate', stored),
    ]);
    const commit: Commit = (value) => buyerCommitment(salt, value);
    const { read = null, payerCommitment = null, verified = false } = evidence ?? {};
    const notified = notice?.verified === true ? notice.read : null;
    return {
      evidence:
        read === null ? null : evidenceFactOf(read.claims, { commit, payerCommitment, verified }),
      notice: notified === null ? null : noticeFactOf(notified.claims),
      mandate: reportedMandate(mandate, commit),
      looked: subjects.map((subject) => ({
        ...subject,
        reportId: stored.find((one) => isAbout(one, subject))?.reportId ?? null,
      })),
    };
  }

  /** Null: nobody reported it. A key that could not be looked up vouches for nothing. */
  async #verify<Kind extends RailKind>(
    { tenantId, atMs, deadline }: RailRequest,
    kind: Kind,
    stored: readonly StoredReport[],
  ): Promise<Found<Kind> | null> {
    const report = stored.find((one) => one.kind === kind);
    if (report === undefined) return null;
    const read = report.token === null ? null : readRailToken(kind, report.token);
    const { payerCommitment } = report;
    if (read === null || !read.ok) return { read: null, payerCommitment, verified: false };
    const { issuerKeyId } = read.value;
    const { issuerKeys, checker } = this.sources;
    const keys = await withinDeadline(deadline, () => issuerKeys.find(tenantId, [issuerKeyId]));
    const fault = await verifyRailToken(read.value, {
      tenantId,
      issuerKey: keys?.get(issuerKeyId),
      checker,
      knownSinceMs: report.registeredAtMs,
      atMs,
    });
    return { read: read.value, payerCommitment, verified: fault === null };
  }
}

const isAbout = (one: RailSubject, { kind, subjectRef }: RailSubject): boolean =>
  one.kind === kind && one.subjectRef === subjectRef;

const subjectsOf = ({ evidenceId, noticeRef, mandateRef }: RailRequest): readonly RailSubject[] =>
  (
    [
      ['afa_evidence', evidenceId],
      ['pre_debit_notice', noticeRef],
      ['payment_mandate', mandateRef],
    ] as const
  ).flatMap(([kind, subjectRef]) => (subjectRef === null ? [] : [{ kind, subjectRef }]));

function reportedMandate(found: Found<'payment_mandate'> | null, commit: Commit): ReportedMandate {
  if (found === null) return { state: 'unreported' };
  if (found.read === null || !found.verified) return { state: 'unusable' };
  const { claims } = found.read;
  const { rail, attemptsThisCycle, payeeDebitedThisCycleMinor } = claims;
  return {
    state: 'reported',
    rail,
    attemptsThisCycle,
    payeeDebitedThisCycleMinor,
    fact: debitMandateFactOf(claims, commit),
  };
}
