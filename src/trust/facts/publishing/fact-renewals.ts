import type { TenantId } from '../../../core/kernel/index.js';
import type { LedgerLog } from '../../../base/ledger/index.js';
import { type FactPublisher, publisherContext } from './fact-publisher.js';
import { FACTS_PER_ENTRY_MAX } from './lineages.ledger.js';
import type { FactPlace } from './sources.js';

/** After a publication failed, its merchant's facts are left as they are for this long: readers need not wait for the same again. */
export const FAILED_PAUSE_MS = 1_000;

export interface RenewalRequest {
  readonly merchantId: string;
  readonly places: readonly FactPlace[];
  /** See PublicationRequest. */
  readonly isExact: boolean;
}

/** What waits for one merchant, while its publication before is under way. */
interface Lane {
  readonly waiting: Map<string, FactPlace>;
  isExact: boolean;
  next: Promise<void> | null;
  running: Promise<void>;
  pausedUntilMs: number;
}

/**
 * Publishes facts because they are read (decisions 4.4). However many readers ask for a subject at once, it is published
 * once; what several readers of a merchant ask for while a publication is under way makes the next one.
 */
export class FactRenewals {
  readonly #lanes = new Map<string, Lane>();
  /** The publication that each subject waits for. */
  readonly #inFlight = new Map<string, Promise<void>>();

  constructor(
    private readonly publisher: Pick<FactPublisher, 'publish'>,
    private readonly log: LedgerLog,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Resolved when these facts are as good as they can be made now; never rejects. */
  async renew(tenantId: TenantId, request: RenewalRequest): Promise<void> {
    const { merchantId, places, isExact } = request;
    const laneName = `${tenantId} ${merchantId}`;
    const nameOf = ({ type, subject }: FactPlace): string => `${laneName} ${type} ${subject}`;
    const missing = places.filter((place) => !this.#inFlight.has(nameOf(place)));
    if (missing.length > 0) {
      const lane = this.#lane(laneName);
      lane.isExact ||= isExact;
      for (const place of missing) lane.waiting.set(nameOf(place), place);
      lane.next ??= this.#turn(tenantId, { merchantId, laneName, lane });
      for (const place of missing) this.#inFlight.set(nameOf(place), lane.next);
    }
    const turns = places.flatMap((place) => this.#inFlight.get(nameOf(place)) ?? []);
    await Promise.all(new Set(turns));
  }

  /** Nothing is under way any more: what was begun before is done. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(new Set(this.#inFlight.values()));
  }

  #lane(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const lane = {
      waiting: new Map<string, FactPlace>(),
      isExact: false,
      next: null,
      running: Promise.resolve(),
      pausedUntilMs: Number.NEGATIVE_INFINITY,
    };
    this.#lanes.set(name, lane);
    return lane;
  }

  async #turn(
    tenantId: TenantId,
    { merchantId, laneName, lane }: { merchantId: string; laneName: string; lane: Lane },
  ): Promise<void> {
    await lane.running;
    const waiting = new Map(lane.waiting);
    const { isExact } = lane;
    lane.waiting.clear();
    lane.isExact = false;
    const turn = this.#publish(tenantId, lane, {
      merchantId,
      places: [...waiting.values()],
      isExact,
    });
    lane.running = turn;
    lane.next = null;
    await turn;
    for (const name of waiting.keys()) this.#inFlight.delete(name);
    const isIdle = lane.waiting.size === 0 && lane.pausedUntilMs <= this.nowMs();
    if (isIdle && this.#lanes.get(laneName) === lane) this.#lanes.delete(laneName);
  }

  async #publish(
    tenantId: TenantId,
    lane: Lane,
    { merchantId, places, isExact }: RenewalRequest,
  ): Promise<void> {
    for (let from = 0; from < places.length; from += FACTS_PER_ENTRY_MAX) {
      if (this.nowMs() < lane.pausedUntilMs) return;
      const some = places.slice(from, from + FACTS_PER_ENTRY_MAX);
      const why = await this.publisher
        .publish(publisherContext(tenantId), { merchantId, places: some, isExact })
        .then(
          (published) => (published.ok ? null : published.error.detail),
          (error: unknown) => (error as Error).message,
        );
      if (why === null) continue;
      lane.pausedUntilMs = this.nowMs() + FAILED_PAUSE_MS;
      this.log.error('Facts could not be published', { tenantId, merchantId, why });
    }
  }
}
