import { createHash } from 'node:crypto';
import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { type Artifact, parseArtifact } from '../../core/proofs/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import type { CommandContext, OutsideLock, Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { mayTouchMerchant, noSuchMerchant } from '../../base/tenants/index.js';
import {
  issuerKeyIdOf,
  type IssuerKeys,
  type SignatureChecker,
  unverifiable,
} from '../peers/index.js';
import type { AuthorityPort, BoundObject } from '../authority/index.js';
import { bindAtAuthority, type SeenPlace, slotPlace, type StatusChecker } from '../status/index.js';
import type { ArtifactRow } from './artifacts.ledger.js';
import { findArtifacts, listArtifacts, type StoredArtifact } from './artifacts.store.js';
import { lineageOf } from './lineage-of.js';
import { registerArtifact } from './register-artifact.js';
import { verifyArtifact } from './verify-artifact.js';

export interface ArtifactsDependencies {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly issuerKeys: IssuerKeys;
  readonly checker: SignatureChecker;
  readonly statuses: StatusChecker;
  readonly authority: Pick<AuthorityPort, 'origin' | 'bindObjects'>;
  readonly outsideLock: OutsideLock;
}

export interface ArtifactView {
  readonly row: ArtifactRow;
  readonly entrySeq: number;
  readonly envelopeText: string | null;
  readonly status: StatusFact;
}

type Scope = Pick<Principal, 'merchantIds'>;

/** Registration and reading of signed merchant facts. */
export class Artifacts {
  constructor(private readonly dependencies: ArtifactsDependencies) {}

  /**
   * Verifies one envelope completely, in the order of decisions 3.1, binds it at the authority that keeps its slot, and
   * holds it. The very same envelope again is answered with its first registration and writes nothing.
   * Problems, in order: unverifiable (shape), not_found (a merchant this key may not touch), unverifiable (scope,
   * issuer key, algorithm, signature, payload hash), conflict (the id names another artifact), unverifiable (key
   * state, times, freshness, status), those of {@link bindAtAuthority}, unavailable.
   */
  async register(
    context: CommandContext,
    { envelope, scope }: { envelope: unknown; scope: Scope },
  ): Promise<Result<ArtifactRow, Problem>> {
    const parsed = parseArtifact(envelope);
    if (!parsed.ok) return err(unverifiable('/artifact', parsed.error));
    const artifact = parsed.value;
    if (!mayTouchMerchant(scope, artifact.merchantId))
      return err(noSuchMerchant(artifact.merchantId, '/artifact/merchant_id'));
    const bad = await this.#verify(context.tenantId, artifact);
    if (bad !== null) return err(bad);
    const stored = await this.#sameBefore(context.tenantId, artifact);
    if (stored !== null) return ok(stored.row);
    const written = await this.#bindAndWrite(context, artifact);
    if (written.ok || written.error.code !== 'conflict') return written;
    // Somebody registered this id a moment ago; if it was the same envelope, that is the answer.
    const raced = await this.#sameBefore(context.tenantId, artifact);
    return raced === null ? written : ok(raced.row);
  }

  /** Problem: not_found. */
  async get(
    tenantId: TenantId,
    { artifactId, scope, atMs }: { artifactId: string; scope: Scope; atMs: number },
  ): Promise<Result<ArtifactView, Problem>> {
    const found = await findArtifacts(this.dependencies.database, tenantId, [artifactId]);
    const stored = found.get(artifactId);
    if (stored === undefined || !mayTouchMerchant(scope, stored.row.merchantId))
      return err(noSuchArtifact(artifactId));
    const [view] = await this.#withStatus(tenantId, [stored], atMs);
    return view === undefined ? err(noSuchArtifact(artifactId)) : ok(view);
  }

  /** Newest first, only of merchants that the scope may touch. */
  async list(
    tenantId: TenantId,
    page: {
      readonly scope: Scope;
      readonly merchantId: string | null;
      readonly type: string | null;
      readonly beforeSeq: number | null;
      readonly limit: number;
      readonly atMs: number;
    },
  ): Promise<readonly ArtifactView[]> {
    const { scope, merchantId, type, beforeSeq, limit, atMs } = page;
    if (merchantId !== null && !mayTouchMerchant(scope, merchantId)) return [];
    const merchantIds = merchantId === null ? scope.merchantIds : [merchantId];
    const stored = await listArtifacts(this.dependencies.database, tenantId, {
      merchantIds,
      type,
      beforeSeq,
      limit,
    });
    return this.#withStatus(tenantId, stored, atMs);
  }

  /** What would be refused here is not bound there: the command is judged once outside the lock, then again under it. */
  async #bindAndWrite(
    context: CommandContext,
    artifact: Artifact,
  ): Promise<Result<ArtifactRow, Problem>> {
    const { tenantId } = context;
    const { authority, outsideLock, writer } = this.dependencies;
    const place = await this.#seenPlace(tenantId, artifact);
    const command = registerArtifact(context, artifact, place);
    const glance = await outsideLock(tenantId, command.reads);
    const judged = glance && command.decide(glance.view, glance.moment);
    if (judged?.ok === false) return judged;
    if (place.kind === 'reserved') {
      const at = { tenantId, field: '/artifact' } as const;
      const bound = await bindAtAuthority(authority, at, boundObject(artifact));
      if (!bound.ok) return bound;
    }
    return writer.execute(command);
  }

  async #seenPlace(tenantId: TenantId, artifact: Artifact): Promise<SeenPlace> {
    const { authority, outsideLock, statuses } = this.dependencies;
    const { issuer, status } = artifact;
    const kind = slotPlace(status, { issuer, tenantId, authorityOrigin: authority.origin });
    if (kind !== 'foreign') return { kind };
    const atMs = (await outsideLock(tenantId, []))?.moment.atMs ?? 0;
    const question = { ...status, issuer, lineage: lineageOf(artifact) };
    const [said] = await statuses.check(tenantId, [question], { atMs });
    return { kind, verdict: said?.verdict ?? 'unavailable' };
  }

  async #verify(tenantId: TenantId, artifact: Artifact): Promise<Problem | null> {
    const { issuerKeys, checker } = this.dependencies;
    const keyId = issuerKeyIdOf(artifact.issuer, artifact.issuerKeyId);
    const issuerKey = (await issuerKeys.find(tenantId, [keyId])).get(keyId);
    const finding = await verifyArtifact(artifact, {
      scope: { tenantId, purchase: null },
      // The key's state is judged under the lock; at its own instant of issue a signature is only looked at.
      trust: {
        issuerKey: issuerKey && { ...issuerKey, ...ALWAYS_IN_FORCE },
        knownSinceMs: null,
        atMs: artifact.issuedAtMs,
      },
      checker,
    });
    return finding === null ? null : unverifiable('/artifact', finding.fault);
  }

  async #sameBefore(tenantId: TenantId, artifact: Artifact): Promise<StoredArtifact | null> {
    const found = await findArtifacts(this.dependencies.database, tenantId, [artifact.id]);
    const sha256 = createHash('sha256').update(artifact.envelopeText, 'utf8').digest('hex');
    const stored = found.get(artifact.id);
    return stored?.row.documentSha256 === sha256 ? stored : null;
  }

  async #withStatus(
    tenantId: TenantId,
    stored: readonly StoredArtifact[],
    atMs: number,
  ): Promise<readonly ArtifactView[]> {
    const refs = stored.map(({ row }) => ({
      uri: row.listUri,
      index: row.slotIndex,
      lineage: lineageOf({ ...row, type: row.artifactType }),
      issuer: row.issuer,
    }));
    const statuses = await this.dependencies.statuses.check(tenantId, refs, { atMs });
    return stored.flatMap((one, index) => {
      const status = statuses[index];
      return status === undefined ? [] : [{ ...one, status }];
    });
  }
}

const boundObject = (artifact: Artifact): BoundObject => ({
  kind: 'artifact',
  objectId: artifact.id,
  sha256: createHash('sha256').update(artifact.envelopeText, 'utf8').digest('hex'),
  lineage: lineageOf(artifact),
  merchantIds: [artifact.merchantId],
  slot: artifact.status,
  artifactType: artifact.type,
  mandate: null,
});

const ALWAYS_IN_FORCE = {
  notBeforeAtMs: Number.MIN_SAFE_INTEGER,
  retiredAtMs: null,
  compromisedSinceAtMs: null,
};

const noSuchArtifact = (artifactId: string): Problem =>
  problem('not_found', `There is no artifact ${artifactId} here.`, {
    fix: 'Name an artifact_id that GET /v1/artifacts lists.',
  });
