import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import {
  type DecisionEntriesQuery,
  entrySeqOfDecision,
  entrySeqsOfDecision,
} from './decision-entries.store.js';

/** Injection token of {@link DecisionEntries}. */
export const DECISION_ENTRIES = Symbol('DecisionEntries');

/** Where in the ledger a decision and what came of it stand. Whether the caller may see it is the door's to judge. */
export class DecisionEntries {
  constructor(private readonly database: Queryable) {}

  /** Place of the decision itself; null = there is no such decision. */
  seqOf(tenantId: TenantId, decisionId: string): Promise<number | null> {
    return entrySeqOfDecision(this.database, tenantId, decisionId);
  }

  /** Sequence numbers in the order that is asked for; empty when there is no such decision. */
  seqs(tenantId: TenantId, query: DecisionEntriesQuery): Promise<readonly number[]> {
    return entrySeqsOfDecision(this.database, tenantId, query);
  }
}
