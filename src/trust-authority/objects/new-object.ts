import { createHash } from 'node:crypto';
import type { CanonicalValue, InstantMs, Problem } from '../../core/kernel/index.js';
import type { MandateTerms } from '../../core/proofs/index.js';
import type { ArtifactType } from '../../core/rules/index.js';
import type { CellRef, CellView, Moment, SideWrite } from '../../base/ledger/index.js';
import {
  mandateTerms,
  type MandateTermsRecord,
  type ObjectKind,
  type ObjectRow,
} from '../ledger/index.js';
import type { Place } from '../lists/index.js';

/** An object that is to stand for a slot. `sha256` is of its exact bytes; `terms` belongs to its kind. */
export interface NewObject extends Place {
  readonly kind: ObjectKind;
  readonly objectId: string;
  readonly sha256: string;
  readonly lineage: string;
  readonly merchantIds: readonly string[];
  readonly artifactType: ArtifactType | null;
  /** Of mandates and registrations, and of nothing else. */
  readonly mandate: MandateTermsRecord | null;
  /** A mandate or a registration of this tenant. */
  readonly parentId: string | null;
  /** The consent that a passport rests on, where this authority knows it. */
  readonly consentId: string | null;
  readonly expiresAtMs: InstantMs | null;
  readonly terms: CanonicalValue;
}

/** What a binding may bring along: documents, and a judgement of its own under the same lock. */
export interface BindingExtras {
  readonly sideWrites?: readonly SideWrite[];
  readonly reads?: readonly CellRef[];
  check?(view: CellView, moment: Moment): Problem | null;
}

/** Members of one tree at most; with the depth of 64 the bound of what one revocation walks. */
export const TREE_SIZE_MAX = 2_000;

export const TREE_KINDS = ['mandate', 'registration'] as const satisfies readonly ObjectKind[];

export const isTreeKind = (kind: string): boolean => TREE_KINDS.some((one) => one === kind);

/** What of a mandate its children are measured by, in the words of the rules. */
export const termsOf = (
  { mandate }: { readonly mandate: MandateTermsRecord },
  merchantIds: readonly string[],
): MandateTerms => ({
  kind: mandate.mandateKind,
  buyer: mandate.subjectCommitment,
  agentId: mandate.agentId,
  merchantIds,
  cartHash: mandate.cartHash,
  cap: mandate.cap,
  notBeforeAtMs: mandate.notBeforeAtMs,
  expiresAtMs: mandate.expiresAtMs,
});

/** The same of a stored one. */
export const storedTermsOf = (row: ObjectRow): MandateTerms =>
  termsOf(
    { mandate: mandateTerms.decode(row.mandate, 'objects.mandate') },
    row.merchantIds as string[],
  );

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
