import type { InstantMs, ReasonOf } from '../../kernel/index.js';
import { ARTIFACT_VERDICTS, type ArtifactFact, type ArtifactType } from '../facts.js';
import { isName } from './credential.js';
import { hasBegun, isUnexpired, isWithin, wasIssued } from './instants.js';
import { statusFault } from './status.js';

/** The codes of both rules on merchant facts; the catalogue gives the two the same list. */
export type FactsCode = ReasonOf<'facts_valid'>;

const SECOND = 1000;

/** The longest life of an artifact from issue to expiry, by type; exactly that long passes (facts/arbiter.md 2.6). */
export const ARTIFACT_LIFETIME_MS_MAX: Readonly<Record<ArtifactType, number>> = {
  catalog_snapshot: 21_600 * SECOND,
  price: 300 * SECOND,
  inventory: 60 * SECOND,
  policy: 21_600 * SECOND,
  protocol_adapter: 86_400 * SECOND,
  merchant_capability: 86_400 * SECOND,
  seller_agent_capability: 21_600 * SECOND,
  offer: 900 * SECOND,
  public_discovery: 900 * SECOND,
  mandate_capability: 120 * SECOND,
  commitment_evidence: 300 * SECOND,
};

/** A catalogue rests on a look into the merchant's system at most this old (facts/arbiter.md 2.11). Inclusive. */
export const CATALOG_SOURCE_AGE_MS_MAX = 900_000;

/** Where an inventory artifact refuses stale counts, the count itself is at most this old. Inclusive. */
export const INVENTORY_SOURCE_AGE_MS_MAX = ARTIFACT_LIFETIME_MS_MAX.inventory;

/**
 * The first thing wrong with one artifact, in the order of the catalogue: form, then the verifier's finding, times,
 * freshness, status. null = it counts. `freshAtMs`: when times and freshness are judged, where that is another instant
 * than that of the status. Not judged here: what it says about the cart.
 */
export function artifactFault(
  artifact: ArtifactFact,
  atMs: InstantMs,
  freshAtMs: InstantMs = atMs,
): FactsCode | null {
  const { verdict } = artifact;
  if (!ARTIFACT_VERDICTS.includes(verdict) || !isReadable(artifact))
    return 'artifact_missing_or_invalid';
  if (verdict !== 'valid') return verdict;
  if (!isName(artifact.payloadHash)) return 'payload_hash_mismatch';
  return (
    timeFault(artifact, freshAtMs) ?? sourceFault(artifact, freshAtMs) ?? listFault(artifact, atMs)
  );
}

/** Whether the members that the rules read from this type's payload are there. A refused artifact's payload is not asked for. */
function isReadable(artifact: ArtifactFact): boolean {
  const { type, verdict, productId, variantId } = artifact;
  if (verdict !== 'valid') return true;
  if (type === 'catalog_snapshot') return artifact.productRefs !== null;
  if (type !== 'price' && type !== 'inventory') return true;
  if (!isName(productId) || variantId === null) return false;
  return type === 'price' ? artifact.unitPrice !== null : isStockCount(artifact.quantityAvailable);
}

const isStockCount = (quantity: number | null): boolean =>
  Number.isSafeInteger(quantity) && Number(quantity) >= 0;

/** `not_before` is optional in the envelope: without it an artifact begins when it was issued. */
function timeFault(artifact: ArtifactFact, atMs: InstantMs): FactsCode | null {
  const { type, issuedAtMs, notBeforeAtMs, expiresAtMs } = artifact;
  if (!wasIssued(issuedAtMs, atMs)) return 'artifact_not_yet_valid';
  if (notBeforeAtMs !== null && !hasBegun(notBeforeAtMs, atMs)) return 'artifact_not_yet_valid';
  if (!isUnexpired(expiresAtMs, atMs)) return 'artifact_expired_or_stale';
  const lifetimeMs = Number(expiresAtMs) - Number(issuedAtMs);
  return lifetimeMs <= ARTIFACT_LIFETIME_MS_MAX[type] ? null : 'artifact_ttl_exceeds_default';
}

function sourceFault(artifact: ArtifactFact, atMs: InstantMs): FactsCode | null {
  const { type, sourceObservedAtMs, staleInventoryRefusal } = artifact;
  if (type === 'catalog_snapshot')
    return isWithin(sourceObservedAtMs, atMs, CATALOG_SOURCE_AGE_MS_MAX) ? null : 'catalog_stale';
  if (type === 'inventory' && staleInventoryRefusal !== false)
    return isWithin(sourceObservedAtMs, atMs, INVENTORY_SOURCE_AGE_MS_MAX)
      ? null
      : 'stale_inventory';
  return null;
}

function listFault({ status }: ArtifactFact, atMs: InstantMs): FactsCode | null {
  const fault = statusFault(status, atMs);
  switch (fault) {
    case null:
      return null;
    case 'revoked':
      return 'artifact_revoked';
    case 'suspended':
      return 'artifact_suspended';
    case 'stale':
      return 'revocation_snapshot_stale';
    case 'unavailable':
      return 'status_list_unavailable';
  }
}
