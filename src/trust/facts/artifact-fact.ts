import { createHash } from 'node:crypto';
import { isChosenId } from '../../core/kernel/index.js';
import type { Artifact, ArtifactContent } from '../../core/proofs/index.js';
import {
  ARTIFACT_TYPES,
  type ArtifactFact,
  type ArtifactVerdict,
  type StatusFact,
  unknownStatus,
} from '../../core/rules/index.js';

const NO_STATUS = unknownStatus(null);

/** What of an artifact the rules read. */
export type FactTerms = Pick<
  Artifact,
  | 'id'
  | 'type'
  | 'statedPayloadHash'
  | 'issuedAtMs'
  | 'notBeforeAtMs'
  | 'expiresAtMs'
  | 'sourceObservedAtMs'
  | keyof ArtifactContent
>;

/** What rules read of one artifact. Beside a verdict other than `valid` the values are only what the envelope says. */
export const artifactFactOf = (
  artifact: FactTerms,
  { verdict, status }: { verdict: ArtifactVerdict; status: StatusFact },
): ArtifactFact => ({
  id: artifact.id,
  type: artifact.type,
  verdict,
  payloadHash: artifact.statedPayloadHash,
  issuedAtMs: artifact.issuedAtMs,
  notBeforeAtMs: artifact.notBeforeAtMs,
  expiresAtMs: artifact.expiresAtMs,
  sourceObservedAtMs: artifact.sourceObservedAtMs,
  status,
  productId: artifact.productId,
  variantId: artifact.variantId,
  productRefs: artifact.productRefs,
  unitPrice: artifact.unitPrice,
  quantityAvailable: artifact.quantityAvailable,
  staleInventoryRefusal: artifact.staleInventoryRefusal,
});

/** Under which type a thing is refused that does not even say a type. */
const TYPE_OF_NOTHING = 'commitment_evidence';

/**
 * The fact for something that was named and is no readable artifact: an unknown id, an id that could not be looked
 * up, an envelope of bad shape. It keeps the type and id that it claims, where it claims any.
 */
export function unreadableFact(named: unknown): ArtifactFact {
  const stated =
    typeof named === 'object' && named !== null ? (named as Record<string, unknown>) : {};
  const statedId = typeof named === 'string' ? named : stated['artifact_id'];
  const type = ARTIFACT_TYPES.find((one) => one === stated['artifact_type']) ?? TYPE_OF_NOTHING;
  return {
    id: typeof statedId === 'string' && isChosenId(statedId) ? statedId : digestName(named),
    type,
    verdict: 'artifact_missing_or_invalid',
    payloadHash: null,
    issuedAtMs: null,
    notBeforeAtMs: null,
    expiresAtMs: null,
    sourceObservedAtMs: null,
    status: NO_STATUS,
    productId: null,
    variantId: null,
    productRefs: null,
    unitPrice: null,
    quantityAvailable: null,
    staleInventoryRefusal: false,
  };
}

const digestName = (named: unknown): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify(named) ?? '', 'utf8')
    .digest('hex')}`;
