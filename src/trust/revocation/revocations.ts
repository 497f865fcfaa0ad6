import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import { type CommandContext, readRow, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { AuthorityPort, Revoked } from '../authority/index.js';
import type { FactPublisher } from '../facts/index.js';
import {
  type RevocationReason,
  SLOT_STATUSES,
  type SlotStatus,
  slotStatusOf,
} from '../status/index.js';
import { revocationObservations } from './observations.ledger.js';
import { findFallen } from './observations.store.js';
import { observe, revocationIdIn } from './observe.js';
import { noSuchSlot, type RevocationTarget, type Scope, type Target, Targets } from './targets.js';

export interface RevocationRequest {
  readonly target: RevocationTarget;
  readonly status: SlotStatus;
  readonly reasonCode: RevocationReason;
  readonly scope: Scope;
}

/**
 * What stands. `revocationId` null: the object was never changed. `lists`: for each list that the change touched the least
 * version that shows it; from this answer on no copy below it is believed here.
 */
export interface Revocation {
  readonly revocationId: string | null;
  readonly slot: StatusRef;
  readonly status: SlotStatus;
  readonly reasonCode: string | null;
  readonly subjectId: string | null;
  readonly rootSubjectId: string | null;
  readonly effectiveAtMs: InstantMs | null;
  /** What fell with it, parents before their children; null = no id is known of it. */
  readonly cascadedSubjectIds: readonly string[];
  readonly lists: readonly { readonly uri: string; readonly version: number }[];
}

export interface RevocationsDependencies {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly authority: Pick<AuthorityPort, 'origin' | 'revoke'>;
  readonly publisher: Pick<FactPublisher, 'publish'>;
}

/** One act that stops a fact or a right everywhere: whoever asks the StatusChecker sees it from the next ask on. */
export class Revocations {
  readonly #targets: Targets;

  constructor(private readonly dependencies: RevocationsDependencies) {
    const { database, authority, publisher } = dependencies;
    this.#targets = new Targets({ database, publisher, authorityOrigin: authority.origin });
  }

  /**
   * Sets the status of one object: at the authority, which flips the slots of everything that falls with it and signs a
   * record for each, then here, in one command. Nothing is held between the two: after a crash, a lost reply or a failed
   * commit the same request again ends in the same state, and until then the lists tell. Repeating it answers with the
   * record that stands.
   * Problems, in order: idempotency_conflict, those of {@link Targets.find}, those of the authority (unavailable; conflict
   * = INVALID is final; not_found), those of the writer.
   */
  async change(
    context: CommandContext,
    request: RevocationRequest,
  ): Promise<Result<Revocation, Problem>> {
    const { tenantId } = context;
    const before = await this.#answeredBefore(context);
    if (!before.ok) return before;
    const { isRepeat, revocationId } = before.value;
    if (revocationId !== null) return ok(await this.#standing(tenantId, revocationId));
    const target = await this.#targets.find(tenantId, request);
    if (!target.ok) return target;
    // A repeat changes nothing: what it asked for may have been taken back by somebody else since.
    if (isRepeat) return this.#ofSlot(tenantId, target.value);
    const { also } = target.value;
    if (also !== null) {
      // First: what is answered is the last of both, and a repeat after a crash between them does both.
      const other = { asked: { slot: also }, slot: also, also: null };
      const done = await this.#set({ ...context, idempotency: null }, other, request);
      if (!done.ok) return done;
    }
    return this.#set(context, target.value, request);
  }

  async #set(
    context: CommandContext,
    target: Target,
    { status, reasonCode }: RevocationRequest,
  ): Promise<Result<Revocation, Problem>> {
    const revoked = await this.dependencies.authority.revoke(context.tenantId, {
      target: target.asked,
      status,
      reasonCode,
      revokedBy: revokedByOf(context),
    });
    if (!revoked.ok) return err(atOurDoor(revoked.error));
    return this.#observed(context, target, revoked.value);
  }

  async #observed(
    context: CommandContext,
    target: Target,
    revoked: Revoked,
  ): Promise<Result<Revocation, Problem>> {
    const written = await this.dependencies.writer.execute(observe(context, revoked));
    if (!written.ok) return written;
    return written.value === null
      ? this.#ofSlot(context.tenantId, target)
      : ok(await this.#standing(context.tenantId, written.value));
  }

  /**
   * Whether the claim of this request is taken: asks the writer without writing anything. INVARIANT: a key that was used
   * with another request changes nothing, at the authority neither.
   */
  async #answeredBefore(context: CommandContext): Promise<Result<Before, Problem>> {
    if (context.idempotency === null) return ok(NOT_BEFORE);
    const looked = await this.dependencies.writer.execute<Before>({
      ...context,
      name: 'revocation.look',
      reads: [],
      decide: () => err(NOT_ANSWERED),
      answer: (entries) => ({ isRepeat: true, revocationId: revocationIdIn(entries) }),
    });
    return !looked.ok && looked.error === NOT_ANSWERED ? ok(NOT_BEFORE) : looked;
  }

  async #standing(tenantId: TenantId, revocationId: string): Promise<Revocation> {
    const { database } = this.dependencies;
    const [row, fallen] = await Promise.all([
      readRow(database, revocationObservations, { tenantId, key: [revocationId] }),
      findFallen(database, tenantId, revocationId),
    ]);
    const status = SLOT_STATUSES.find((one) => one === row?.status);
    invariant(row !== undefined && status !== undefined, 'an observed record stays');
    const versions = new Map<string, number>();
    for (const { listUri, listVersion } of [row, ...fallen])
      versions.set(listUri, Math.max(listVersion, versions.get(listUri) ?? 0));
    return {
      revocationId,
      slot: { uri: row.listUri, index: row.slotIndex },
      status,
      reasonCode: row.reasonCode,
      subjectId: row.subjectId,
      rootSubjectId: row.rootSubjectId,
      effectiveAtMs: row.effectiveAtMs,
      cascadedSubjectIds: fallen.flatMap(({ subjectId }) => subjectId ?? []),
      lists: [...versions].map(([uri, version]) => ({ uri, version })),
    };
  }

  /** What our own row says, where there is no record: the object was never changed, or by a request answered before. */
  async #ofSlot(tenantId: TenantId, { slot }: Target): Promise<Result<Revocation, Problem>> {
    const row = slot === null ? undefined : await this.#targets.row(tenantId, slot);
    if (slot === null) return err(NEVER_CHANGED);
    const revocationId = row?.revocationId ?? null;
    if (revocationId !== null) return ok(await this.#standing(tenantId, revocationId));
    return ok({
      revocationId,
      slot,
      status: row === undefined ? 'valid' : slotStatusOf(row),
      reasonCode: null,
      subjectId: null,
      rootSubjectId: null,
      effectiveAtMs: null,
      cascadedSubjectIds: [],
      lists: [],
    });
  }
}

interface Before {
  readonly isRepeat: boolean;
  readonly revocationId: string | null;
}

const NOT_BEFORE: Before = { isRepeat: false, revocationId: null };

/** Never shown to a caller. */
const NOT_ANSWERED = problem('conflict', 'The request was not answered before.', {
  fix: 'Nothing is left to do.',
});

const NEVER_CHANGED = problem('conflict', 'The object has this status and never had another.', {
  fix: 'Nothing is left to do.',
  field: '/status',
});

const revokedByOf = ({ actor: { role } }: CommandContext): string =>
  role === 'merchant_system' ? 'merchant' : role;

/** The authority names members of its own request. What it cannot read as a name is the name of nothing. */
function atOurDoor(found: Problem): Problem {
  const { code } = found;
  if (code === 'validation_failed') return noSuchSlot;
  return { ...found, field: code === 'conflict' ? '/status' : null };
}
