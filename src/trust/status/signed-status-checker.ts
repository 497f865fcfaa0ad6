import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import { isStatusRef, STATUS_VALUES, type StatusListFault } from '../../core/proofs/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { withinDeadline } from '../peers/index.js';
import { NO_FLOOR, type PlaceAnswer } from './held-list.js';
import { listKindOf } from './list-origin.js';
import {
  type PlaceQuestion,
  slotName,
  type SlotQuestion,
  type StatusChecker,
  type StatusMoment,
  unavailableStatus,
} from './status-checker.js';
import type { StatusLists } from './status-lists.js';
import { slotStatusOf } from './status-slots.ledger.js';
import { findKnownPlaces, type KnownPlace } from './status-slots.store.js';

type Question = SlotQuestion | PlaceQuestion;

/** One round of questions: whose, and when. */
interface Round {
  readonly tenantId: TenantId;
  readonly atMs: InstantMs;
}

/** What can be said before any list is read; `minVersion` = the list has to say it, in this version or a later one. */
type Finding = { readonly status: StatusFact } | { readonly minVersion: number };

/**
 * The status of slots by our own rows and by signed lists: valid only where no row of ours says otherwise, and a copy that
 * counts at `atMs`, is not below its floor, and says VALID. Our own rows first, in one look at the database; then each
 * list that has to be asked, at most one fetch each. Without a deadline a round takes as long as the fetches do
 * (FLIGHT_MS_MAX). Never throws; every `unavailable` names its fault.
 */
export class SignedStatusChecker implements StatusChecker {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly lists: StatusLists;
      /** Permanent origin of the authority that keeps our own lists. */
      readonly ownOrigin: string;
    },
  ) {}

  async check(
    tenantId: TenantId,
    questions: readonly Question[],
    { atMs, deadline }: StatusMoment,
  ): Promise<readonly StatusFact[]> {
    if (questions.length === 0) return [];
    const round = { tenantId, atMs };
    const known = await this.#known(round, questions.filter(isStatusRef), deadline);
    const findings = questions.map((question) => this.#finding(round, question, known));
    const faults = await this.#ensureLists(round, { questions, findings }, deadline);
    return questions.map((question, index) => {
      const finding = findings[index];
      if (finding === undefined || 'status' in finding)
        return finding?.status ?? unavailableStatus(question, 'status_unavailable');
      const { uri } = question;
      const fault = faults.get(uri) ?? null;
      if (fault !== null) return unavailableStatus(question, fault);
      return this.#statusOf(question, { ...round, uri, minVersion: finding.minVersion });
    });
  }

  async #known(
    { tenantId }: Round,
    questions: readonly Question[],
    deadline: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, KnownPlace> | null> {
    const look = () => findKnownPlaces(this.dependencies.database, tenantId, questions);
    return (deadline === undefined ? look() : withinDeadline(deadline, look)).catch(() => null);
  }

  #finding(
    { tenantId, atMs }: Round,
    question: Question,
    known: ReadonlyMap<string, KnownPlace> | null,
  ): Finding {
    const unavailable = (fault: StatusListFault) => ({
      status: unavailableStatus(question, fault),
    });
    if (!isStatusRef(question)) return unavailable('status_ref_malformed');
    const place = known?.get(slotName(question));
    if (place === undefined) return unavailable('status_unavailable');
    const { slot, minVersion } = place;
    const { uri, index, lineage } = question;
    // INVARIANT: no object lives on the slot of another: withdrawing it would miss its own.
    if (lineage !== null && slot !== null && slot.lineage !== null && slot.lineage !== lineage)
      return unavailable('status_slot_of_another');
    const own = slot === null ? 'valid' : slotStatusOf(slot);
    if (own !== 'valid') return { status: withdrawnHere(own, { uri, index, atMs }) };
    const { ownOrigin } = this.dependencies;
    const kind = listKindOf(uri, { ownOrigin, tenantId });
    const isReserved = slot !== null || lineage === null;
    if (kind === 'own' && !isReserved && question.issuer !== ownOrigin)
      return unavailable('status_slot_unknown');
    return { minVersion: minVersion ?? NO_FLOOR };
  }

  /** Every list that has to be read, side by side; the faults of those that cannot be. */
  async #ensureLists(
    round: Round,
    { questions, findings }: { questions: readonly Question[]; findings: readonly Finding[] },
    deadline: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, StatusListFault | null>> {
    const floors = new Map<string, number>();
    for (const [index, { uri }] of questions.entries()) {
      const finding = findings[index];
      if (finding !== undefined && 'minVersion' in finding) floors.set(uri, finding.minVersion);
    }
    const { lists } = this.dependencies;
    const faults = [...floors].map(async ([uri, minVersion]) => {
      return [uri, await lists.ensure({ ...round, uri, minVersion }, deadline)] as const;
    });
    return new Map(await Promise.all(faults));
  }

  #statusOf(
    question: Question,
    list: Round & { readonly uri: string; readonly minVersion: number },
  ): StatusFact {
    const answer = this.dependencies.lists.consult(list, question.index);
    if (!answer.ok) return unavailableStatus(question, answer.error);
    const verdict = VERDICT_OF_VALUE.get(answer.value.value);
    return verdict === undefined
      ? unavailableStatus(question, 'status_value')
      : saidByList(verdict, question, answer.value);
  }
}

const VERDICT_OF_VALUE: ReadonlyMap<number, StatusFact['verdict']> = new Map([
  [STATUS_VALUES.valid, 'valid'],
  [STATUS_VALUES.invalid, 'revoked'],
  [STATUS_VALUES.suspended, 'suspended'],
]);

const saidByList = (
  verdict: StatusFact['verdict'],
  { uri, index }: Question,
  { issuedAtMs, version }: PlaceAnswer,
): StatusFact => ({
  verdict,
  listUri: uri,
  index,
  listIssuedAtMs: issuedAtMs,
  listVersion: version,
  fault: null,
});

/** Our own row needs no list: it stands in the tenant's ledger, as of now. */
const withdrawnHere = (
  verdict: StatusFact['verdict'],
  { uri, index, atMs }: { uri: string; index: number; atMs: InstantMs },
): StatusFact => ({
  verdict,
  listUri: uri,
  index,
  listIssuedAtMs: atMs,
  listVersion: null,
  fault: null,
});
