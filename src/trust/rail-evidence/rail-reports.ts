import {
  err,
  invariant,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { RailKind } from '../../core/proofs/index.js';
import { type CommandContext, readRow, type Writer } from '../../base/ledger/index.js';
import { mayTouchMerchant } from '../../base/tenants/index.js';
import {
  BUYER_CHANGED,
  buyerCommitment,
  commitBuyers,
  inWhateverState,
  referenceSalt,
} from '../buyer-authority/index.js';
import { debitMandateBuyers, mandates } from '../buyer-authority/tables.js';
import { unverifiable } from '../peers/index.js';
import { type RailReportRow, railReports } from './rail-evidence.ledger.js';
import { readRailToken, type ReadRailToken, verifyRailToken } from './rail-token.js';
import { type AnyRailToken, registerReport, type ReportRegistration } from './register-report.js';
import type { RailSources } from './resolve-rail.js';

/** Who reports: a merchant-bound key speaks of its own merchants only. */
export type Reporter = Pick<Principal, 'merchantIds'>;

/** Looks at who the payer is, before a clash of two reports that name one at once is the caller's to repeat. */
const TRIES_MAX = 3;

/** Registration of what payment providers sign. */
export class RailReports {
  constructor(private readonly dependencies: RailSources & { readonly writer: Writer }) {}

  /**
   * Verifies one report completely and holds it; the very same report again is answered with its first registration and
   * writes nothing. Problems, in order: unverifiable (shape), not_found (a merchant this key may not touch),
   * unverifiable (issuer key, algorithm, signature, binding), those of {@link registerReport}, unavailable.
   */
  async register(
    context: CommandContext,
    {
      kind,
      token,
      reporter,
    }: { readonly kind: RailKind; readonly token: string; readonly reporter: Reporter },
  ): Promise<Result<RailReportRow, Problem>> {
    const read = readRailToken(kind, token);
    if (!read.ok) return err(unverifiable('/token', read.error));
    const { tenantId } = context;
    if (!mayTouchMerchant(reporter, read.value.claims.merchantId)) return err(notOfThisMerchant);
    const bad = await this.#verify(tenantId, read.value);
    if (bad !== null) return err(bad);
    const before = await this.#held(tenantId, read.value);
    if (before !== null) return ok(before);
    const written = await this.#write(context, read.value as AnyRailToken);
    if (!written.ok && written.error.code !== 'conflict') return written;
    // Somebody registered this id a moment ago; if it was the same report, that is the answer.
    const held = await this.#held(tenantId, read.value);
    if (held !== null) return ok(held);
    invariant(!written.ok, 'a report that was written is found');
    return written;
  }

  /** Looks again when the payer was named or erased meanwhile; two such turns in a row do not happen by chance. */
  async #write(context: CommandContext, token: AnyRailToken): Promise<Result<string, Problem>> {
    let written: Result<string, Problem> = err(BUYER_CHANGED);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const registration = await this.#registration(context.tenantId, token);
      written = await this.dependencies.writer.execute(registerReport(context, registration));
      if (written.ok || written.error !== BUYER_CHANGED) return written;
    }
    return written;
  }

  async #registration(tenantId: TenantId, token: AnyRailToken): Promise<ReportRegistration> {
    const { database } = this.dependencies;
    const { payerRef, mandateRef } = token.claims;
    const salt = await referenceSalt(database, tenantId);
    const payer =
      payerRef === null
        ? null
        : ((await commitBuyers(database, tenantId, [payerRef])).get(payerRef) ?? null);
    const mandate =
      (await readRow(database, debitMandateBuyers, { tenantId, key: [mandateRef] })) ??
      (await readRow(database, mandates, { tenantId, key: [mandateRef] }));
    return {
      token,
      payer,
      mandateBuyer: mandate?.buyerCommitment ?? null,
      commit: (value) => buyerCommitment(salt, value),
    };
  }

  async #verify(tenantId: TenantId, read: ReadRailToken<RailKind>): Promise<Problem | null> {
    const { issuerKeys, checker } = this.dependencies;
    const found = (await issuerKeys.find(tenantId, [read.issuerKeyId])).get(read.issuerKeyId);
    const fault = await verifyRailToken(read, {
      tenantId,
      issuerKey: found && inWhateverState(found),
      checker,
      knownSinceMs: null,
      atMs: Number.MAX_SAFE_INTEGER,
    });
    return fault === null ? null : unverifiable('/token', fault);
  }

  /** The registration of these very bytes, or null. */
  async #held(
    tenantId: TenantId,
    { kind, claims, documentSha256 }: ReadRailToken<RailKind>,
  ): Promise<RailReportRow | null> {
    const key = [kind, claims.id];
    const row = await readRow(this.dependencies.database, railReports, { tenantId, key });
    return row?.documentSha256 === documentSha256 ? row : null;
  }
}

const notOfThisMerchant = problem('not_found', 'The report names no merchant of this key.', {
  fix: 'Use a key that is not bound to merchants, or bound to the one that the report names.',
  field: '/token',
});
