import type { InstantMs, Result, TenantId } from '../../core/kernel/index.js';
import type { StatusListFault } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type ListSurvey, NO_FLOOR } from './held-list.js';
import type { StatusLists } from './status-lists.js';
import { countSlotsByList, type OwnSlots } from './status-slots.store.js';

/** One list that slots of the tenant live on: what we keep of it, and what it says itself. */
export interface ListOverview {
  readonly uri: string;
  readonly own: OwnSlots;
  /** The version below which no copy is believed here; null = none. */
  readonly minVersion: number | null;
  readonly survey: Result<ListSurvey, StatusListFault>;
}

/** The status lists of a tenant, for people who look after them. Decides nothing: verdicts come from the StatusChecker. */
export class ListOverviews {
  constructor(
    private readonly dependencies: { readonly database: Queryable; readonly lists: StatusLists },
  ) {}

  /** By uri; `uri` null = every list on which a slot is reserved here. A list nobody reserved on is absent. */
  async look(
    tenantId: TenantId,
    { uri, atMs, deadline }: { uri: string | null; atMs: InstantMs; deadline: AbortSignal },
  ): Promise<readonly ListOverview[]> {
    const { database, lists } = this.dependencies;
    const counted = await countSlotsByList(database, tenantId, uri);
    return Promise.all(
      counted.map(async ({ uri: listUri, minVersion, own }) => {
        const question = { tenantId, uri: listUri, atMs, minVersion: minVersion ?? NO_FLOOR };
        return { uri: listUri, own, minVersion, survey: await lists.survey(question, deadline) };
      }),
    );
  }
}
