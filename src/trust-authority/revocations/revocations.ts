import {
  err,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { REVOCATION_RECORD_TYP } from '../../core/proofs/index.js';
import type { SigningKeys } from '../../base/keys/index.js';
import { type Command, readRow, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  type ObjectKind,
  objectKindOf,
  type ObjectRow,
  objects,
  type SlotRow,
  type SlotStatus,
  slots,
} from '../ledger/index.js';
import { listUriOf, type Place, readListVersions } from '../lists/index.js';
import {
  findRestingOn,
  findTree,
  isTreeKind,
  noSuchObject,
  type ObjectPlace,
  TREE_KINDS,
} from '../objects/index.js';
import { type ServedTenant, SYSTEM_TENANT } from '../tenants/index.js';
import {
  type Affected,
  type Census,
  changeStatus,
  LOOK_AGAIN,
  noSuchSlot,
  type StatusChange,
} from './change-status.js';
import { findRecord, keepSigned, standingRecords, type StoredRecord } from './records.store.js';

export type RevocationTarget =
  { readonly place: Place } | { readonly kind: ObjectKind; readonly objectId: string };

export interface RevocationRequest {
  readonly target: RevocationTarget;
  readonly status: SlotStatus;
  readonly reasonCode: string;
  readonly revokedBy: string;
}

export interface Revoked {
  /** Signed records that stand: of the target first, then of what fell with it, parents before children. */
  readonly records: readonly string[];
  /** Every list that one of them is on, with its version now. */
  readonly lists: readonly { readonly uri: string; readonly version: number }[];
}

/** How often a revocation looks again when the tree grew meanwhile. */
const LOOKS_MAX = 10;

export interface AuthorityRevocationsParts {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly signingKeys: Pick<SigningKeys, 'signJws'>;
  readonly origin: string;
}

/** Withdrawals, and the signed records of them. */
export class AuthorityRevocations {
  constructor(private readonly parts: AuthorityRevocationsParts) {}

  /**
   * Sets the status of a slot. A revoked mandate or registration takes its whole subtree with it, a consent what rests
   * on it, an artifact its lineage (they share the slot). Repeating answers with the records that stand.
   * `around` may add its own judgement and entries to the same transaction.
   * Problems, in order: not_found, conflict (INVALID is final), unavailable, outcome_unknown.
   */
  async change(
    tenant: ServedTenant,
    request: RevocationRequest,
    around: (command: Command<null>) => Command<null> = (command) => command,
  ): Promise<Result<Revoked, Problem>> {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const seen = await this.#look(tenant.tenantId, request);
      if (!seen.ok) return seen;
      const command = around(changeStatus(tenant.context, seen.value));
      const changed = await this.parts.writer.execute(command);
      if (changed.ok) return this.#answer(tenant.tenantId, seen.value);
      if (changed.error !== LOOK_AGAIN) return changed;
    }
    return err(busy);
  }

  /** The signed record of one change. Problems, in order: not_found, unavailable. */
  async record(tenantId: TenantId, revocationId: string): Promise<Result<string, Problem>> {
    const stored = await findRecord(this.parts.database, tenantId, revocationId);
    if (stored === null) return err(noSuchRecord);
    const signed = await this.#signed(tenantId, [stored]);
    if (!signed.ok) return signed;
    return ok(signed.value[0] ?? '');
  }

  async #look(
    tenantId: TenantId,
    request: RevocationRequest,
  ): Promise<Result<StatusChange, Problem>> {
    const found = await this.#find(tenantId, request.target);
    if (!found.ok) return found;
    const { place, object } = found.value;
    const { origin } = this.parts;
    const { status, reasonCode, revokedBy } = request;
    const subject =
      object === null
        ? {
            kind: 'slot' as const,
            id: `${listUriOf(origin, tenantId, place.listNumber)}#${place.slotIndex}`,
            artifactType: null,
          }
        : {
            kind: objectKindOf(object.kind),
            id: object.objectId,
            artifactType: object.artifactType,
          };
    const falling =
      status === 'revoked' && object !== null ? await this.#fallingWith(tenantId, object) : NOTHING;
    return ok({
      origin,
      target: { ...place, subject },
      ...falling,
      status,
      reasonCode,
      revokedBy,
    });
  }

  async #find(
    tenantId: TenantId,
    target: RevocationTarget,
  ): Promise<Result<{ readonly place: Place; readonly object: ObjectRow | null }, Problem>> {
    if ('place' in target) {
      const { listNumber, slotIndex } = target.place;
      const key = [listNumber, slotIndex];
      const slot = await readRow(this.parts.database, slots, { tenantId, key });
      if (slot === undefined) return err(noSuchSlot);
      return ok({
        place: { listNumber, slotIndex },
        object: await this.#subjectOf(tenantId, slot),
      });
    }
    const object = await this.#named(tenantId, target);
    if (object === null) return err({ ...noSuchObject(target.kind), field: '/target/object_id' });
    const { listNumber, slotIndex } = object;
    return ok({ place: { listNumber, slotIndex }, object });
  }

  async #subjectOf(tenantId: TenantId, slot: SlotRow): Promise<ObjectRow | null> {
    const { subjectKind, subjectId } = slot;
    if (subjectKind === null || subjectId === null) return null;
    return this.#named(tenantId, { kind: objectKindOf(subjectKind), objectId: subjectId });
  }

  /** Mandates and registrations share one space of ids: either word finds either. */
  async #named(
    tenantId: TenantId,
    { kind, objectId }: { readonly kind: ObjectKind; readonly objectId: string },
  ): Promise<ObjectRow | null> {
    for (const one of isTreeKind(kind) ? TREE_KINDS : [kind]) {
      const row = await readRow(this.parts.database, objects, { tenantId, key: [one, objectId] });
      if (row !== undefined) return row;
    }
    return null;
  }

  async #fallingWith(
    tenantId: TenantId,
    object: ObjectRow,
  ): Promise<Pick<StatusChange, 'below' | 'census'>> {
    const { database } = this.parts;
    if (object.kind === 'consent') {
      const resting = await findRestingOn(database, tenantId, object.objectId);
      const census = { kind: 'consent', id: object.objectId, counted: 'childCount' } as const;
      return { below: resting.map(affectedOf), census: { ...census, seen: resting.length } };
    }
    const { rootKind, rootId } = object;
    if (rootKind === null || rootId === null) return NOTHING;
    const tree = await findTree(database, tenantId, { kind: rootKind, id: rootId });
    const census: Census = {
      kind: rootKind,
      id: rootId,
      counted: 'treeSize',
      seen: tree.length,
    };
    return { below: subtreeOf(tree, object).map(affectedOf), census };
  }

  /** What stands after the command; also after one that found nothing to change. */
  async #answer(
    tenantId: TenantId,
    { target, below }: StatusChange,
  ): Promise<Result<Revoked, Problem>> {
    const { database, origin } = this.parts;
    const places = [target, ...below];
    const records = await this.#signed(tenantId, await standingRecords(database, tenantId, places));
    if (!records.ok) return records;
    const numbers = [...new Set(places.map(({ listNumber }) => listNumber))];
    const versions = await readListVersions(database, tenantId, numbers);
    return ok({
      records: records.value,
      lists: versions.map(({ listNumber, version }) => ({
        uri: listUriOf(origin, tenantId, listNumber),
        version,
      })),
    });
  }

  /** Signs what was never handed out, and keeps it: the bytes of a record never change, whichever key signs later. */
  async #signed(
    tenantId: TenantId,
    records: readonly StoredRecord[],
  ): Promise<Result<readonly string[], Problem>> {
    const fresh: { revocationId: string; jws: string }[] = [];
    for (const { revocationId, claimsText, jws } of records) {
      if (jws !== null) continue;
      const signed = await this.parts.signingKeys.signJws(SYSTEM_TENANT, 'revocation', {
        header: { typ: REVOCATION_RECORD_TYP },
        payload: Buffer.from(claimsText, 'utf8'),
      });
      if (!signed.ok) return signed;
      fresh.push({ revocationId, jws: signed.value });
    }
    const kept =
      fresh.length === 0
        ? new Map<string, string>()
        : await keepSigned(this.parts.database, tenantId, fresh);
    return ok(
      records.map(({ revocationId, jws }) => {
        const signed = jws ?? kept.get(revocationId);
        invariant(signed !== undefined, 'what was signed was kept');
        return signed;
      }),
    );
  }
}

const NOTHING: Pick<StatusChange, 'below' | 'census'> = { below: [], census: null };

const affectedOf = ({ kind, objectId, listNumber, slotIndex }: ObjectPlace): Affected => ({
  listNumber,
  slotIndex,
  subject: { kind: objectKindOf(kind), id: objectId, artifactType: null },
});

/** What stands below an object of a tree, without itself; `tree` lists parents before children. */
function subtreeOf(
  tree: readonly ObjectPlace[],
  { kind, objectId }: Pick<ObjectRow, 'kind' | 'objectId'>,
): readonly ObjectPlace[] {
  const inside = new Set([`${kind} ${objectId}`]);
  return tree.filter((one) => {
    if (!inside.has(`${one.parentKind} ${one.parentId}`)) return false;
    inside.add(`${one.kind} ${one.objectId}`);
    return true;
  });
}

const noSuchRecord = problem('not_found', 'There is no such revocation record.', {
  fix: 'Follow the jti of a record, or the answer of the revocation.',
});

const busy = problem('unavailable', 'The tree grows too fast; nothing was changed.', {
  fix: 'Repeat the request after the pause.',
  retryAfterSeconds: 1,
});
