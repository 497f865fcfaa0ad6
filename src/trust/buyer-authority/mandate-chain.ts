import {
  fault,
  lineageFault,
  MANDATE_DEPTH_MAX,
  type MandateClaims,
  type MandateTerms,
  type ProofFault,
} from '../../core/proofs/index.js';
import { type StatusFact, unknownStatus, worstStatus } from '../../core/rules/index.js';
import type { SlotQuestion } from '../status/index.js';
import type { Checked } from './gather-evidence.js';

/** The ancestors of one mandate as far as they are known, and the first thing wrong with the chain. */
export interface MandateChain {
  readonly ancestors: readonly SlotQuestion[];
  /** The intents of the chain, the mandate itself first where it is one: what it pays counts against each of them. */
  readonly intentIds: readonly string[];
  /** A parent that nobody registered or sent: its state is unknown, so it refuses like a list that cannot be read. */
  readonly hasUnknownParent: boolean;
  readonly fault: ProofFault | null;
}

export const termsOf = (claims: MandateClaims): MandateTerms => ({
  kind: claims.kind,
  buyer: claims.subject,
  agentId: claims.agentId,
  merchantIds: claims.merchantIds,
  cartHash: claims.cartHash,
  cap: claims.cap,
  notBeforeAtMs: claims.notBeforeAtMs,
  expiresAtMs: claims.expiresAtMs,
});

/**
 * Walks from a verified mandate to its root. Faults: the ancestor's own finding when it did not verify, `lineage` when a
 * child goes beyond its parent or the chain has more than {@link MANDATE_DEPTH_MAX} levels (a circle among them).
 */
export function walkChain(
  mandate: Checked<'mandate'>,
  known: ReadonlyMap<string, Checked<'mandate'>>,
): MandateChain {
  const ancestors: SlotQuestion[] = [];
  let child = mandate.read.claims;
  const intentIds = child.kind === 'intent' ? [child.id] : [];
  const found = { ancestors, intentIds };
  for (let depth = 1; child.parentId !== null; depth += 1) {
    const parent = known.get(child.parentId);
    if (depth >= MANDATE_DEPTH_MAX)
      return {
        ...found,
        hasUnknownParent: false,
        fault: fault('lineage', 'parent', `a chain has at most ${MANDATE_DEPTH_MAX} levels`),
      };
    if (parent === undefined) return { ...found, hasUnknownParent: true, fault: null };
    const { claims } = parent.read;
    ancestors.push(parent.read.slot);
    if (claims.kind === 'intent') intentIds.push(claims.id);
    const wrong = parent.fault ?? lineageFault(termsOf(child), termsOf(claims));
    if (wrong !== null) return { ...found, hasUnknownParent: false, fault: wrong };
    child = claims;
  }
  return { ...found, hasUnknownParent: false, fault: null };
}

/** The worst of the ancestors' states; null = there is no ancestor. An unknown parent counts like an unreadable list. */
export const parentStatusOf = (
  statuses: readonly StatusFact[],
  hasUnknownParent: boolean,
): StatusFact | null =>
  worstStatus(hasUnknownParent ? [...statuses, unknownStatus(null)] : statuses);
