import {
  err,
  ok,
  problem,
  type Problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { readRow, type Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type ObjectKind, type ObjectRow, objects, type SlotRow, slots } from '../ledger/index.js';
import type { ServedTenant } from '../tenants/index.js';
import { bindObjects, groundOf, LOOK_AGAIN } from './bind-objects.js';
import type { BindingExtras, NewObject } from './new-object.js';
import { findPlaces } from './objects.store.js';

/** How often a binding looks again when what it builds on appeared meanwhile. */
const LOOKS_MAX = 5;

/** An object and its slot. */
export interface FoundObject {
  readonly object: ObjectRow;
  readonly slot: SlotRow;
}

export interface AuthorityObjectsParts {
  readonly database: Queryable;
  readonly writer: Writer;
}

/** What the slots stand for, and the trees of mandates. */
export class AuthorityObjects {
  constructor(private readonly parts: AuthorityObjectsParts) {}

  /**
   * Binds objects to reserved slots, all or none, in one transaction; the same again is fine. Answers how many.
   * `at` places them in the caller's request. Problems: those of {@link bindObjects}, unavailable, outcome_unknown.
   */
  async bind(
    tenant: ServedTenant,
    bound: readonly NewObject[],
    {
      at = (index) => `/objects/${index}`,
      ...extras
    }: BindingExtras & { readonly at?: (index: number) => string } = {},
  ): Promise<Result<number, Problem>> {
    const { database, writer } = this.parts;
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const ground = await findPlaces(database, tenant.tenantId, groundOf(bound));
      const done = await writer.execute(
        bindObjects(tenant.context, { objects: bound, ground, at, extras }),
      );
      if (done.ok || done.error !== LOOK_AGAIN) return done;
    }
    return err(busy);
  }

  /** An object of the tenant with its slot. Problem: not_found. */
  async find(
    tenantId: TenantId,
    { kind, objectId }: { readonly kind: ObjectKind; readonly objectId: string },
  ): Promise<Result<FoundObject, Problem>> {
    const { database } = this.parts;
    const object = await readRow(database, objects, { tenantId, key: [kind, objectId] });
    if (object === undefined) return err(noSuchObject(kind));
    const slot = await readRow(database, slots, {
      tenantId,
      key: [object.listNumber, object.slotIndex],
    });
    return slot === undefined ? err(noSuchObject(kind)) : ok({ object, slot });
  }
}

export const noSuchObject = (kind: string): Problem =>
  problem('not_found', `No ${kind} is bound here under this id.`, {
    fix: 'Name one that this authority issued, or that was bound with POST /v1/tenants/{tenant_id}/objects.',
  });

const busy = problem('unavailable', 'The tree of these mandates changes too fast.', {
  fix: 'Repeat the request after the pause.',
  retryAfterSeconds: 1,
});
