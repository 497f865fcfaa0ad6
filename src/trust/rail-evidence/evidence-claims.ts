import { codec, err, type InstantMs, ok, type Result } from '../../core/kernel/index.js';
import type { PurchaseFacts } from '../../core/rules/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  column,
  defineEvent,
  defineProjection,
  event,
  type LedgerEvent,
  when,
} from '../../base/ledger/index.js';

/** An authentication served its one payment: from this entry on it is used for every other (decisions 3.7). */
export const afaEvidenceClaimed = defineEvent(
  'afa_evidence.claimed',
  codec.record({ evidenceRef: codec.text, decisionId: codec.text, cartHash: codec.text }),
);

export interface AfaEvidenceClaimRow {
  readonly evidenceRef: string;
  readonly decisionId: string;
  readonly cartHash: string;
  readonly claimedAtMs: InstantMs;
}

/** INVARIANT: one row per authentication; the primary key refuses a second one whatever a command looked at. */
export const afaEvidenceClaims = defineProjection<AfaEvidenceClaimRow>({
  table: 'afa_evidence_claims',
  mode: 'append',
  key: ['evidenceRef'],
  columns: {
    evidenceRef: column.text,
    decisionId: column.text,
    cartHash: column.text,
    claimedAtMs: column.integer,
  },
  on: [
    when(afaEvidenceClaimed, {
      keys: ({ evidenceRef }) => [[evidenceRef]],
      evolve: (_row, data, { entry }) => ({ ...data, claimedAtMs: entry.atMs }),
    }),
  ],
});

/** What uses up an authentication: the allow of this decision, for this cart. */
export interface EvidenceUse {
  readonly decisionId: string;
  readonly cartHash: string;
}

/**
 * The authentications that a decision rests on, by the commitments under which they are claimed (`reference` of the
 * evidence that rule 8 judged). Evidence for another payee, mandate or cart, or that nothing proved, served nothing here:
 * it stays with the payment it was made for.
 */
export function evidenceRefsOf({
  rbi,
  cart,
}: Pick<PurchaseFacts, 'rbi' | 'cart'>): readonly string[] {
  const { evidence } = rbi;
  const served =
    evidence !== null &&
    evidence.verification !== 'none' &&
    evidence.payeeBound === rbi.payeeId &&
    evidence.mandateRefBound === (rbi.mandate?.ref ?? null) &&
    (evidence.cartBound === null || evidence.cartBound === cart.coreHash);
  return served ? [evidence.reference] : [];
}

/** The cells that {@link claimEvidence} and {@link isClaimed} look at; they belong into the command's `reads`. */
export const evidenceClaimReads = (refs: readonly string[]): readonly CellRef[] =>
  [...new Set(refs)].map((ref) => cell(afaEvidenceClaims, ref));

export const isClaimed = (view: CellView, ref: string): boolean =>
  view.get(afaEvidenceClaims, [ref]) !== undefined;

/**
 * The events by which the consuming command claims every authentication its decision rests on; pure. The error is the
 * first reference that is claimed already, by whichever decision: rule 8 refuses it as `afa_reference_reused`.
 */
export function claimEvidence(
  view: CellView,
  refs: readonly string[],
  { decisionId, cartHash }: EvidenceUse,
): Result<readonly LedgerEvent[], string> {
  const distinct = [...new Set(refs)];
  const taken = distinct.find((ref) => isClaimed(view, ref));
  if (taken !== undefined) return err(taken);
  return ok(
    distinct.map((evidenceRef) => event(afaEvidenceClaimed, { evidenceRef, decisionId, cartHash })),
  );
}
