import type { TenantId } from '../../core/kernel/index.js';
import type { AuthorityPort, CountersignAnswer } from '../../trust/authority/index.js';
import type { Countersigner, CountersignOutcome, CountersignRequest } from './countersigner.js';

export interface AuthorityCountersignerParts {
  readonly authority: Pick<AuthorityPort, 'countersign'>;
  /** False while the authority is embedded and the operator did not say that it may. */
  readonly signsForLive: boolean;
}

/** The trust authority as countersigner. It looks at the named slots on its own lists in the moment it signs. */
export class AuthorityCountersigner implements Countersigner {
  readonly isOn = true;

  constructor(private readonly parts: AuthorityCountersignerParts) {}

  async countersign(
    requests: readonly CountersignRequest[],
    deadline: AbortSignal,
  ): Promise<readonly CountersignOutcome[]> {
    const tenantIds = [...new Set(requests.map(({ tenantId }) => tenantId))];
    const answers = new Map<CountersignRequest, CountersignOutcome>();
    await Promise.all(
      tenantIds.map(async (tenantId) => {
        const own = requests.filter((request) => request.tenantId === tenantId);
        const given = await this.#ask(tenantId, own, deadline);
        own.forEach((request, index) => answers.set(request, given[index] ?? NO_ANSWER));
      }),
    );
    return requests.map((request) => answers.get(request) ?? NO_ANSWER);
  }

  async #ask(
    tenantId: TenantId,
    ...[requests, deadline]: [readonly CountersignRequest[], AbortSignal]
  ): Promise<readonly CountersignAnswer[]> {
    const isLive = requests.some(({ world }) => world !== 'test');
    if (isLive && !this.parts.signsForLive) return requests.map(() => NOT_FOR_LIVE);
    const questions = requests.map(({ amountMinor, currency, ...request }) => ({
      ...request,
      amount: { amountMinor, currency },
    }));
    return this.parts.authority.countersign(tenantId, questions, deadline);
  }
}

const NO_ANSWER: CountersignOutcome = { kind: 'unavailable', detail: 'it was not answered' };

const NOT_FOR_LIVE: CountersignOutcome = {
  kind: 'refused',
  detail: 'the embedded authority does not countersign for live tenants',
};
