import type { Artifact } from './artifact.js';

type LineageMember =
  'type' | 'merchantId' | 'variantId' | 'subjectType' | 'subjectId' | 'sourceRevision';

/**
 * A slot stays with what the fact is about and the source revision it was made from: a renewal keeps its slot, a new
 * source revision opens another (decisions 4.4).
 */
export const factLineage = (artifact: Pick<Artifact, LineageMember>): string =>
  [
    artifact.type,
    artifact.merchantId,
    artifact.variantId ?? '',
    artifact.subjectType,
    artifact.subjectId,
    ...(artifact.sourceRevision === null ? [] : [artifact.sourceRevision]),
  ].join('|');
