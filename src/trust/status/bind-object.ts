import {
  err,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import type { AuthorityPort, BoundObject } from '../authority/index.js';
import { listKindOf } from './list-origin.js';

/**
 * Whose list a slot is on, as seen from the object that names it. `reserved`: the tenant's own, set aside here before the
 * object was signed. `issued`: the tenant's own, and the authority signed the object itself. `foreign`: a list of another
 * authority, which binds and withdraws what stands there.
 */
export type SlotPlace = 'reserved' | 'issued' | 'foreign';

export function slotPlace(
  { uri }: StatusRef,
  {
    issuer,
    tenantId,
    authorityOrigin,
  }: { readonly issuer: string; readonly tenantId: TenantId; readonly authorityOrigin: string },
): SlotPlace {
  const kind = listKindOf(uri, { ownOrigin: authorityOrigin, tenantId });
  if (kind === 'foreign') return 'foreign';
  // Of a list that is nobody's no place was ever reserved.
  return kind === 'own' && issuer === authorityOrigin ? 'issued' : 'reserved';
}

/** A place with what a list of another authority said of it just now. */
export type SeenPlace =
  | { readonly kind: Exclude<SlotPlace, 'foreign'> }
  | { readonly kind: 'foreign'; readonly verdict: StatusFact['verdict'] };

/**
 * Binds a verified object at the authority, before it is registered here: from then on a revoke there reaches it, whatever
 * becomes of the registration. The same object again is good. Problems, all at `field`: conflict (the id is taken by other
 * bytes, or the slot is of another object or withdrawn), unverifiable (the parent is unknown there, or not valid, or the
 * child goes beyond it; the slot is not known there), and as they are: unavailable, forbidden.
 */
export async function bindAtAuthority(
  authority: Pick<AuthorityPort, 'bindObjects'>,
  { tenantId, field }: { readonly tenantId: TenantId; readonly field: string },
  bound: BoundObject,
): Promise<Result<null, Problem>> {
  const answer = await authority.bindObjects(tenantId, [bound]);
  return answer.ok ? ok(null) : err(atField(answer.error, field));
}

function atField(found: Problem, field: string): Problem {
  const { code, detail } = found;
  if (code === 'unavailable' || code === 'outcome_unknown' || code === 'forbidden') return found;
  return problem(
    code === 'conflict' ? 'conflict' : 'unverifiable',
    `The trust authority refused: ${detail}`,
    {
      fix: 'Have the issuer sign the object anew, with an id and a slot of its own and within its parent.',
      field,
    },
  );
}
