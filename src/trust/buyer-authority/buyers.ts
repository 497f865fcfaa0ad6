import {
  err,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import {
  buyerDocumentsErasure,
  cell,
  type Command,
  type CommandContext,
  dataOf,
  documentErasure,
  event,
  readRow,
  type Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { buyerErased, buyerRestErased, erasedBuyers } from './buyers.ledger.js';
import {
  BUYER_ROW,
  countErasedDocuments,
  findCommitment,
  findReportsOfBuyer,
  isHeldBuyer,
} from './buyers.store.js';

/** Whom to erase: by the name that requests and tokens used, or by what stands in the ledger instead of it. */
export type BuyerName = { readonly reference: string } | { readonly commitment: string };

/** `commitment` null: nothing stood for this reference, so nothing was to be erased. */
export interface Erasure {
  readonly commitment: string | null;
  readonly erasedAtMs: InstantMs | null;
  /** Documents that named the buyer: signed tokens, notes. */
  readonly documentCount: number;
}

/** Erasing personal data of buyers (decisions 1.8; docs/adr/0008-erasing-a-buyer.md). */
export class Buyers {
  constructor(
    private readonly dependencies: { readonly database: Queryable; readonly writer: Writer },
  ) {}

  /**
   * Takes away who the buyer is, the salt of the commitment and the bytes of every document that names the buyer; the
   * ledger stays as it is. A buyer that was erased before is answered with that erasure; of a reference nobody can tell
   * whether it was erased or never known, so both are answered alike, without an entry.
   * Problems: not_found (a commitment that never stood for anybody), those of the writer.
   */
  async erase(context: CommandContext, name: BuyerName): Promise<Result<Erasure, Problem>> {
    const { tenantId } = context;
    const { database, writer } = this.dependencies;
    const isByReference = 'reference' in name;
    const named = isByReference
      ? await findCommitment(database, tenantId, name.reference)
      : name.commitment;
    const isHeld = named !== null && (await isHeldBuyer(database, tenantId, named));
    const reports = named === null ? [] : await findReportsOfBuyer(database, tenantId, named);
    const erased = await writer.execute(
      eraseBuyer(context, { commitment: named, isHeld, isByReference, reports }),
    );
    if (!erased.ok) return erased;
    const commitment = erased.value ?? (isByReference ? null : named);
    const rest = await this.#eraseRest(context, commitment);
    return rest.ok ? ok(await this.#outcome(tenantId, commitment)) : rest;
  }

  /**
   * What was linked to the buyer between the look and the lock. Nothing is linked to an erased buyer any more, so one turn
   * finds all; a process that ends in between leaves it to whoever erases again by commitment.
   */
  async #eraseRest(
    context: CommandContext,
    commitment: string | null,
  ): Promise<Result<null, Problem>> {
    if (commitment === null) return ok(null);
    const { database, writer } = this.dependencies;
    const reports = await findReportsOfBuyer(database, context.tenantId, commitment);
    return reports.length === 0
      ? ok(null)
      : writer.execute(eraseRest({ ...context, idempotency: null }, commitment, reports));
  }

  async #outcome(tenantId: TenantId, commitment: string | null): Promise<Erasure> {
    if (commitment === null) return { commitment, erasedAtMs: null, documentCount: 0 };
    const { database } = this.dependencies;
    const row = await readRow(database, erasedBuyers, { tenantId, key: [commitment] });
    const documentCount = await countErasedDocuments(database, tenantId, commitment);
    return { commitment, erasedAtMs: row?.erasedAtMs ?? null, documentCount };
  }
}

/** Answers with the commitment that this command erased, or null. INVARIANT: a repeat under the same key finds the first. */
function eraseBuyer(
  context: CommandContext,
  named: {
    readonly commitment: string | null;
    readonly isHeld: boolean;
    readonly isByReference: boolean;
    readonly reports: readonly string[];
  },
): Command<string | null> {
  const { commitment, isHeld, isByReference, reports } = named;
  return {
    ...context,
    name: 'buyer.erase',
    reads: commitment === null ? [] : [cell(erasedBuyers, commitment)],
    decide(view) {
      if (commitment === null) return ok({ events: [] });
      if (view.get(erasedBuyers, [commitment]) !== undefined) return ok({ events: [] });
      if (!isHeld) return isByReference ? ok({ events: [] }) : err(noSuchBuyer);
      return ok({
        events: [event(buyerErased, { commitment })],
        sideErasures: [
          { table: BUYER_ROW, key: commitment },
          buyerDocumentsErasure(commitment),
          ...reports.map(documentErasure),
        ],
      });
    },
    answer: (entries) => dataOf(entries, buyerErased)?.commitment ?? null,
  };
}

const eraseRest = (
  context: CommandContext,
  commitment: string,
  reports: readonly string[],
): Command<null> => ({
  ...context,
  name: 'buyer.erase_rest',
  reads: [],
  decide: () =>
    ok({
      events: [event(buyerRestErased, { commitment })],
      sideErasures: reports.map(documentErasure),
    }),
  answer: () => null,
});

const noSuchBuyer = problem('not_found', 'This commitment never stood for a buyer here.', {
  fix: 'Copy the buyer_commitment from a decision or a credential of this tenant.',
  field: '/buyer_commitment',
});
