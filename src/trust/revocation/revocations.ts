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
import type { StatusRef } from '../../core/proofs/index.js';
import { type CommandContext, readRow, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { drawId, mayTouchMerchant } from '../../base/tenants/index.js';
import {
  consents,
  findSubtreeIds,
  MANDATE_TREE_MAX,
  mandates,
  passports,
} from '../buyer-authority/index.js';
import { artifacts } from '../facts/index.js';
import {
  findSlots,
  type RevocationReason,
  slotMerchants,
  type SlotStatus,
  type StatusSlotRow,
} from '../status/index.js';
import {
  noSuchSlot,
  NOTHING_TO_CHANGE,
  TREE_CHANGED,
  withdraw,
  type Withdrawal,
  type Withdrawn,
} from './revoke.js';

/** A tree that grows while it is revoked is looked at again this often; then the caller repeats. */
export const TREE_ATTEMPTS_MAX = 5;

export interface RevocationRequest {
  /** The slot itself, or the id of a registered artifact, mandate, consent or passport. */
  readonly target: { readonly slot: StatusRef } | { readonly subjectId: string };
  readonly status: SlotStatus;
  readonly reasonCode: RevocationReason;
  readonly scope: Pick<Principal, 'merchantIds'>;
}

/** What stands: the record of the slot, and which mandates fell with it now. */
export interface Revocation {
  readonly slot: StatusSlotRow;
  readonly cascadedSubjectIds: readonly string[];
}

interface Target {
  readonly slot: StatusRef;
  readonly subjectId: string | null;
  readonly isMandate: boolean;
}

/** One act that stops a fact or a right everywhere: whoever asks the StatusChecker sees it from the next ask on. */
export class Revocations {
  constructor(private readonly dependencies: { database: Queryable; writer: Writer }) {}

  /**
   * Sets the status of one object. Repeating it answers with the record that stands and writes nothing.
   * Problems, in order: not_found (no such object or slot, or of a merchant this key may not touch), conflict (INVALID
   * is final; or the tree would not stand still), unavailable.
   */
  async change(
    context: CommandContext,
    request: RevocationRequest,
  ): Promise<Result<Revocation, Problem>> {
    const { tenantId } = context;
    const target = await this.#target(tenantId, request);
    if (!target.ok) return target;
    for (let attempt = 1; attempt <= TREE_ATTEMPTS_MAX; attempt += 1) {
      const written = await this.dependencies.writer.execute(
        withdraw(context, await this.#withdrawal(tenantId, target.value, request)),
      );
      if (written.ok) return this.#record(tenantId, target.value, written.value);
      if (written.error === NOTHING_TO_CHANGE) return this.#record(tenantId, target.value, null);
      if (written.error !== TREE_CHANGED) return written;
    }
    return err(TREE_CHANGED);
  }

  async #target(
    tenantId: TenantId,
    { target, scope }: RevocationRequest,
  ): Promise<Result<Target, Problem>> {
    const named =
      'slot' in target
        ? { slot: target.slot, subjectId: null, isMandate: false }
        : await this.#subject(tenantId, target.subjectId);
    if (named === null) return err(noSuchSubject);
    const slot = await this.#slot(tenantId, named.slot);
    if (slot === undefined || !mayWithdraw(scope, slot)) return err(noSuchSlot);
    // A slot that a mandate is bound to takes its children along, however it was named.
    const [kind, subjectId = null] = slot.lineage?.split('|') ?? [];
    return ok(kind === 'mandate' ? { slot: named.slot, subjectId, isMandate: true } : named);
  }

  async #subject(tenantId: TenantId, id: string): Promise<Target | null> {
    const { database } = this.dependencies;
    const key = { tenantId, key: [id] };
    const [artifact, mandate, consent, passport] = await Promise.all([
      readRow(database, artifacts, key),
      readRow(database, mandates, key),
      readRow(database, consents, key),
      readRow(database, passports, key),
    ]);
    // Ids are chosen by issuers: of several objects with one name the caller has to say the slot.
    const rows = [artifact, mandate, consent, passport].filter((row) => row !== undefined);
    const [row] = rows;
    if (row === undefined || rows.length > 1) return null;
    const slot = { uri: row.listUri, index: row.slotIndex };
    return { slot, subjectId: id, isMandate: mandate !== undefined };
  }

  async #withdrawal(
    tenantId: TenantId,
    { slot, subjectId, isMandate }: Target,
    { status, reasonCode }: RevocationRequest,
  ): Promise<Withdrawal> {
    const subtree = isMandate && subjectId !== null ? await this.#subtree(tenantId, subjectId) : [];
    const revocationIds = Array.from({ length: subtree.length + 1 }, () => drawId('rev'));
    return { slot, subjectId, status, reasonCode, revocationIds, subtree };
  }

  async #subtree(tenantId: TenantId, mandateId: string): Promise<Withdrawal['subtree']> {
    const { database } = this.dependencies;
    const limit = MANDATE_TREE_MAX + 1;
    const ids = await findSubtreeIds(database, tenantId, { mandateId, limit });
    invariant(ids.length < limit, 'a mandate tree is bounded when it grows');
    const rows = await Promise.all(
      ids.map((id) => readRow(database, mandates, { tenantId, key: [id] })),
    );
    return rows.filter((row) => row !== undefined);
  }

  async #slot(tenantId: TenantId, ref: StatusRef): Promise<StatusSlotRow | undefined> {
    const found = await findSlots(this.dependencies.database, tenantId, [ref]);
    return found.get(`${ref.index} ${ref.uri}`);
  }

  async #record(
    tenantId: TenantId,
    { slot }: Target,
    written: Withdrawn | null,
  ): Promise<Result<Revocation, Problem>> {
    const row = await this.#slot(tenantId, slot);
    invariant(row !== undefined, 'a slot is never removed');
    const cascaded = (written?.changes ?? []).filter(({ cause }) => cause === 'cascade');
    return ok({
      slot: row,
      cascadedSubjectIds: cascaded.flatMap(({ subjectId }) =>
        subjectId === null ? [] : [subjectId],
      ),
    });
  }
}

/** A key bound to merchants withdraws what is wholly theirs. */
function mayWithdraw(scope: Pick<Principal, 'merchantIds'>, slot: StatusSlotRow): boolean {
  if (scope.merchantIds === null) return true;
  const named = slotMerchants(slot.merchantIds);
  return named.length > 0 && named.every((merchantId) => mayTouchMerchant(scope, merchantId));
}

const noSuchSubject = problem('not_found', 'No object with this id, or more than one, is here.', {
  fix: 'Name the id of one registered artifact, mandate, consent or passport, or its slot.',
  field: '/subject_id',
});
