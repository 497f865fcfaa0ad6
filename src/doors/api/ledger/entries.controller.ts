import { Controller, Inject } from '@nestjs/common';
import {
  ENTRIES_SCANNED_MAX,
  type EntryQuery,
  LEDGER_ENTRIES,
  type LedgerEntries,
} from '../../../base/history/index.js';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import { DECISION_ENTRIES, type DecisionEntries } from '../../../money/arbiter/index.js';
import {
  type EntriesQuery,
  type InclusionQuery,
  listEntries,
  printEntryPage,
  printInclusion,
  readInclusion,
} from './entries.contract.js';

@Controller()
export class EntriesController {
  constructor(
    @Inject(LEDGER_ENTRIES) private readonly entries: LedgerEntries,
    @Inject(DECISION_ENTRIES) private readonly decisions: DecisionEntries,
  ) {}

  @Handles(listEntries)
  async list(@Input() { query }: InputOf<typeof listEntries>, @Caller() caller: CallerContext) {
    const { principal } = caller;
    const asked = wholeLedger(principal, query);
    if (!asked.ok) return asked;
    const { tenantId } = principal;
    const place = { afterSeq: asked.value, descending: query.order === 'desc' };
    const seqs =
      query.decision_id === undefined
        ? null
        : await this.decisions.seqs(tenantId, {
            ...place,
            decisionId: query.decision_id,
            limit: ENTRIES_SCANNED_MAX,
          });
    const page = await this.entries.list(tenantId, { ...place, ...filterOf(query), seqs });
    return ok(printEntryPage(page));
  }

  @Handles(readInclusion)
  async inclusion(
    @Input() { query }: InputOf<typeof readInclusion>,
    @Caller() { principal }: CallerContext,
  ) {
    if (principal.merchantIds !== null) return err(OF_THE_TENANT);
    const named = await this.seqOf(principal, query);
    if (!named.ok) return named;
    const { tenantId } = principal;
    const entry = await this.entries.find(tenantId, named.value);
    if (entry === null) return err(NO_SUCH_ENTRY);
    return ok(printInclusion(entry, await this.entries.inclusion(tenantId, entry)));
  }

  private async seqOf(
    { tenantId }: Principal,
    { decision_id: decisionId, seq }: InclusionQuery,
  ): Promise<Result<number, Problem>> {
    if (decisionId === undefined) return seq === undefined ? err(NAME_ONE) : ok(seq);
    if (seq !== undefined) return err(NAME_ONE);
    const own = await this.decisions.seqOf(tenantId, decisionId);
    return own === null ? err(NO_SUCH_DECISION) : ok(own);
  }
}

/** Where the page begins. Problems, in order: forbidden (a key of single merchants), validation_failed (two places). */
function wholeLedger(
  { merchantIds }: Principal,
  { cursor, after_seq: afterSeq }: EntriesQuery,
): Result<number | null, Problem> {
  if (merchantIds !== null) return err(OF_THE_TENANT);
  if (cursor !== undefined && afterSeq !== undefined) return err(TWO_PLACES);
  return ok(cursor === undefined ? (afterSeq ?? null) : Number(cursor));
}

const filterOf = ({
  type,
  from,
  to,
  limit,
}: EntriesQuery): Pick<EntryQuery, 'type' | 'fromMs' | 'toMs' | 'limit'> => ({
  type: type === undefined ? null : { name: type.replace(/\*$/, ''), isPrefix: type.endsWith('*') },
  fromMs: from ?? null,
  toMs: to ?? null,
  limit,
});

/** An entry is not of one merchant: keys that are bound to merchants look at what is theirs through decisions. */
const OF_THE_TENANT = problem('forbidden', 'The ledger is of the whole tenant.', {
  fix: 'Use a key that is not bound to merchants.',
});

const TWO_PLACES = problem('validation_failed', 'after_seq and cursor both say where to begin.', {
  fix: 'Give one of them.',
  field: '?after_seq',
});

const NAME_ONE = problem('validation_failed', 'One entry is asked for.', {
  fix: 'Give either decision_id or seq.',
  field: '?decision_id',
});

const NO_SUCH_DECISION = problem('not_found', 'There is no decision with this id.', {
  fix: 'Check the decision id.',
  field: '?decision_id',
});

const NO_SUCH_ENTRY = problem('not_found', 'There is no entry with this number yet.', {
  fix: 'GET /v1/ledger/head says which one is the last.',
  field: '?seq',
});
