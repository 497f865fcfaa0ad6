import {
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { readRow } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type ObjectRow, objects, slots, type SlotStatus } from '../ledger/index.js';
import type { StatusLists } from '../lists/index.js';
import { statusOf } from '../revocations/index.js';
import { commerceTime, type ServedTenant } from '../tenants/index.js';
import { findToken } from './credentials.store.js';
import { type CredentialKind, issuedHere } from './terms.js';

/** A credential as it stands now. `token` null = its bytes were erased. */
export interface CredentialView {
  readonly row: ObjectRow;
  readonly issuedAt: string;
  readonly status: SlotStatus;
  readonly revocationId: string | null;
  readonly slot: { readonly uri: string; readonly idx: number };
  readonly token: string | null;
  readonly nowMs: InstantMs;
}

/** What a holder may be told: what the list says comes first, then the end of its life, which is exclusive (RFC 7519). */
export function stateOf(view: Pick<CredentialView, 'row' | 'status' | 'nowMs'>) {
  const { row, status, nowMs } = view;
  if (status !== 'valid') return status;
  return row.expiresAtMs !== null && nowMs >= row.expiresAtMs ? 'expired' : 'valid';
}

export class CredentialReader {
  constructor(
    private readonly parts: {
      readonly database: Queryable;
      readonly lists: Pick<StatusLists, 'uriOf'>;
    },
  ) {}

  /** A credential that was issued here. Problem: not_found, also for an object that was only registered with its slot. */
  async find(
    { tenantId }: Pick<ServedTenant, 'tenantId'>,
    kind: CredentialKind,
    objectId: string,
  ): Promise<Result<CredentialView, Problem>> {
    const { database, lists } = this.parts;
    const row = await readRow(database, objects, { tenantId, key: [kind, objectId] });
    const issued = row === undefined ? null : issuedHere(row.terms);
    if (row === undefined || issued === null) return err(noSuch(kind));
    const [slot, nowMs, token] = await Promise.all([
      readRow(database, slots, { tenantId, key: [row.listNumber, row.slotIndex] }),
      commerceTime(database, tenantId),
      findToken(database, tenantId, issued.tokenSha256),
    ]);
    invariant(slot !== undefined && nowMs !== null, 'a bound object has a slot and a ledger');
    return ok({
      row,
      issuedAt: issued.issuedAt,
      status: statusOf(slot),
      revocationId: slot.revocationId,
      slot: { uri: lists.uriOf(tenantId, row.listNumber), idx: row.slotIndex },
      token,
      nowMs,
    });
  }
}

export const noSuch = (kind: CredentialKind): Problem =>
  problem('not_found', `There is no ${kind} with this id.`, {
    fix: `Name a ${kind} that was issued for this tenant here.`,
  });
