import { err, type InstantMs, ok, type Result, type TenantId } from '../../core/kernel/index.js';
import type { StatusListFault } from '../../core/proofs/index.js';
import { withinDeadline } from '../peers/index.js';
import { bringList, type ListSources, trustedCopy } from './bring-list.js';
import {
  answerOf,
  type BothClocks,
  copyFault,
  type HeldList,
  lifeLeftMs,
  type ListSurvey,
  NO_FLOOR,
  type PlaceAnswer,
  surveyOf,
} from './held-list.js';
import { listOrder } from './list-order.js';

/** Memory for lists in this process, in bytes. */
export const LIST_CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** What an entry costs beside its places: names, times, a timer. */
export const LIST_ENTRY_BYTES = 1_024;
/** How long a fetch that brought nothing usable is not repeated, in milliseconds. */
export const NEGATIVE_MS_MAX = 1_000;
/** Longest time a fetch is waited for, database and keys included, in milliseconds. */
export const FLIGHT_MS_MAX = 5_000;
/** Pauses between background fetches that failed while the copy still counts, in milliseconds. */
const BACKOFF_MS = { first: 1_000, longest: 30_000 } as const;
/** A copy is renewed when this part of its life is over; drawn once per list, never later than it ends. */
const REFRESH_PART = { earliest: 0.7, latest: 0.9 } as const;

export interface StatusListsDependencies extends ListSources {
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
  readonly bytesMax?: number;
  readonly log?: { warn(message: string): void };
}

/** Which list, at which commerce time; a copy below `minVersion` is none. */
export interface ListQuestion {
  readonly tenantId: TenantId;
  readonly uri: string;
  readonly atMs: InstantMs;
  readonly minVersion: number;
}

interface Entry {
  readonly tenantId: TenantId;
  readonly uri: string;
  /** Drawn once, so that many replicas do not ask in the same moment. */
  readonly refreshPart: number;
  held: HeldList | null;
  /** The latest commerce time that was asked about, and when: time that steps back never brings a copy back. */
  latest: BothClocks;
  flight: Promise<StatusListFault | null> | null;
  /** The last fetch brought nothing that would have done; until then it is not repeated. */
  negative: (Negative & { readonly untilMonoMs: number }) | null;
  wasConsulted: boolean;
  failures: number;
  cancelRefresh: (() => void) | null;
}

interface Negative {
  readonly fault: StatusListFault;
  readonly atMs: InstantMs;
  readonly minVersion: number;
}

/**
 * Verified copies of signed status lists, by (tenant, uri), never across tenants. A copy counts while commerce time is at
 * most min(iat + ttl, iat + 600 s) and before exp, and the clock that never steps back is at most at the request +
 * min(ttl, max-age - Age) (decisions 4.2); both are judged at every use. A refresh that is due or failed drops no copy,
 * and nothing but these times does. Verdicts are never kept: a place is read from the copy at every ask.
 */
export class StatusLists {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #isStopped = false;

  constructor(private readonly dependencies: StatusListsDependencies) {}

  /** Reads one place from the copy that is held. Faults: those of {@link copyFault}, status_unavailable when there is none. */
  consult(question: ListQuestion, index: number): Result<PlaceAnswer, StatusListFault> {
    const name = nameOf(question);
    const entry = this.#entries.get(name);
    if (entry === undefined) return err('status_unavailable');
    this.#touch(name, entry);
    const fault = this.#useFault(entry, question);
    return fault !== null || entry.held === null
      ? err(fault ?? 'status_unavailable')
      : answerOf(entry.held, index);
  }

  /**
   * Makes sure that a usable copy is held: null, or why there is none. One fetch per list is under way at a time;
   * everybody who needs it waits for the same one, each until its own deadline (status_timeout). Never rejects.
   */
  async ensure(question: ListQuestion, deadline?: AbortSignal): Promise<StatusListFault | null> {
    const entry = this.#entryFor(question);
    let fault = this.#useFault(entry, question);
    // A fetch that was under way before may be too old for this question; the one after it is not.
    for (let left = 2; left > 0 && fault !== null; left -= 1) {
      const known = this.#negativeFor(entry, question);
      if (known !== null) return known;
      const joined = entry.flight !== null;
      const flight = (entry.flight ??= this.#fly(entry, question));
      const ended = await endOf(flight, deadline);
      if (ended === 'late') return 'status_timeout';
      fault = this.#useFault(entry, question);
      if (fault !== null) fault = ended ?? fault;
      if (!joined) break;
    }
    return fault;
  }

  /** What the whole list says, from a copy that counts now. Faults as {@link ensure}. */
  async survey(
    question: ListQuestion,
    deadline?: AbortSignal,
  ): Promise<Result<ListSurvey, StatusListFault>> {
    const fault = await this.ensure(question, deadline);
    const held = this.#entries.get(nameOf(question))?.held ?? null;
    return fault === null && held !== null
      ? ok(surveyOf(held))
      : err(fault ?? 'status_unavailable');
  }

  /** Stops every refresh and waits for fetches under way. Copies that are held stay usable as long as they count. */
  stop(): Promise<void> {
    this.#isStopped = true;
    for (const entry of this.#entries.values()) entry.cancelRefresh?.();
    return this.idle();
  }

  /** When no fetch is under way any more. */
  async idle(): Promise<void> {
    const flights = [...this.#entries.values()].map(async ({ flight }) => {
      await flight;
    });
    await Promise.all(flights);
  }

  /** Bytes of memory that are accounted for now. */
  get bytes(): number {
    return this.#bytes;
  }

  #useFault(entry: Entry, { atMs, minVersion }: ListQuestion): StatusListFault | null {
    const monoMs = this.dependencies.clock.monotonicMs();
    // INVARIANT: the latest time counts, so a copy that was over stays over.
    if (atMs >= entry.latest.atMs) entry.latest = { atMs, monoMs };
    entry.wasConsulted = true;
    if (entry.held === null) return 'status_unavailable';
    return copyFault(entry.held, { atMs: entry.latest.atMs, monoMs }, minVersion);
  }

  #negativeFor(entry: Entry, { minVersion }: ListQuestion): StatusListFault | null {
    const { negative, latest } = entry;
    if (negative === null || this.dependencies.clock.monotonicMs() > negative.untilMonoMs)
      return null;
    const isSameQuestion =
      minVersion <= negative.minVersion && latest.atMs - negative.atMs <= NEGATIVE_MS_MAX;
    return isSameQuestion ? negative.fault : null;
  }

  #entryFor(question: ListQuestion): Entry {
    const name = nameOf(question);
    const entry = this.#entries.get(name) ?? this.#newEntry(question);
    this.#touch(name, entry);
    return entry;
  }

  /** The map's order is the order of use: the first was not used for the longest time. */
  #touch(name: string, entry: Entry): void {
    this.#entries.delete(name);
    this.#entries.set(name, entry);
  }

  #newEntry({ tenantId, uri, atMs }: ListQuestion): Entry {
    const { clock, random } = this.dependencies;
    const { earliest, latest } = REFRESH_PART;
    this.#bytes += LIST_ENTRY_BYTES;
    return {
      tenantId,
      uri,
      refreshPart: earliest + random() * (latest - earliest),
      held: null,
      latest: { atMs, monoMs: clock.monotonicMs() },
      flight: null,
      negative: null,
      wasConsulted: false,
      failures: 0,
      cancelRefresh: null,
    };
  }

  /** One fetch. Afterwards the entry holds what it brought, and the next refresh is planned. */
  async #fly(
    entry: Entry,
    { minVersion }: Pick<ListQuestion, 'minVersion'>,
  ): Promise<StatusListFault | null> {
    entry.cancelRefresh?.();
    entry.wasConsulted = false;
    const brought = await this.#bring(entry);
    entry.flight = null;
    if (brought.ok) this.#keep(entry, brought.value);
    const fault = brought.ok ? null : brought.error;
    this.#settle(entry, { fault, minVersion });
    return fault;
  }

  async #bring(entry: Entry): Promise<Result<HeldList, StatusListFault>> {
    const { clock } = this.dependencies;
    let cancel = (): void => undefined;
    const late = new Promise<Result<HeldList, StatusListFault>>((resolve) => {
      cancel = clock.after(FLIGHT_MS_MAX, () => resolve(err('status_timeout')));
    });
    // Whatever breaks on the way, a database that is away included, leaves us without a list and nothing else.
    const brought = this.#bringTrusted(entry).catch(() => err('status_unavailable' as const));
    const first = await Promise.race([brought, late]);
    cancel();
    return first;
  }

  async #bringTrusted(entry: Entry): Promise<Result<HeldList, StatusListFault>> {
    const { tenantId, uri } = entry;
    const errand = { tenantId, uri, nowMs: this.#nowOf(entry), held: entry.held };
    const held = await trustedCopy(this.dependencies, errand);
    if (held === null) this.#hold(entry, null);
    return bringList(this.dependencies, { ...errand, held });
  }

  /** What is brought replaces what is held, unless that is the same list, longer alive. */
  #keep(entry: Entry, brought: HeldList): void {
    const { held } = entry;
    if (held === null || this.#timeFault(entry, held) !== null || isLater(brought, held))
      this.#hold(entry, brought);
  }

  #hold(entry: Entry, held: HeldList | null): void {
    this.#bytes += (held?.bytes.length ?? 0) - (entry.held?.bytes.length ?? 0);
    entry.held = held;
    for (const [name, other] of this.#entries) {
      if (this.#bytes <= (this.dependencies.bytesMax ?? LIST_CACHE_BYTES_MAX)) return;
      if (other === entry || other.flight !== null) continue;
      other.cancelRefresh?.();
      this.#entries.delete(name);
      this.#bytes -= LIST_ENTRY_BYTES + (other.held?.bytes.length ?? 0);
    }
  }

  /** After a fetch: what its failure means for the next who ask, and when it is tried again without being asked. */
  #settle(
    entry: Entry,
    { fault, minVersion }: { fault: StatusListFault | null; minVersion: number },
  ): void {
    const { clock, log } = this.dependencies;
    const { held, uri } = entry;
    const atMs = this.#nowOf(entry);
    const monoMs = clock.monotonicMs();
    if (fault !== null) log?.warn(`The status list ${uri} was not renewed: ${fault}.`);
    const unusable =
      held === null ? 'status_unavailable' : copyFault(held, { atMs, monoMs }, minVersion);
    entry.negative =
      unusable === null
        ? null
        : {
            fault: fault ?? unusable,
            atMs,
            minVersion,
            untilMonoMs: monoMs + NEGATIVE_MS_MAX,
          };
    entry.failures = fault === null ? 0 : entry.failures + 1;
    if (held !== null && this.#timeFault(entry, held) === null) this.#planRefresh(entry, held);
  }

  #planRefresh(entry: Entry, held: HeldList): void {
    if (this.#isStopped) return;
    const { clock } = this.dependencies;
    const { first, longest } = BACKOFF_MS;
    const life = lifeLeftMs(held, { atMs: this.#nowOf(entry), monoMs: clock.monotonicMs() });
    const delayMs =
      entry.failures > 0
        ? Math.min(longest, first * 2 ** (entry.failures - 1))
        : Math.max(first, life * entry.refreshPart);
    entry.cancelRefresh = clock.after(delayMs, () => this.#refresh(entry));
  }

  /** Ahead of need, for lists that somebody looked at since the last fetch; the others wait until they are needed. */
  #refresh(entry: Entry): void {
    const { held } = entry;
    const isOver = held === null || this.#timeFault(entry, held) !== null;
    if (isOver || (!entry.wasConsulted && entry.failures === 0)) return;
    entry.flight = this.#fly(entry, { minVersion: NO_FLOOR });
  }

  #timeFault(entry: Entry, held: HeldList): StatusListFault | null {
    const monoMs = this.dependencies.clock.monotonicMs();
    return copyFault(held, { atMs: this.#nowOf(entry), monoMs }, NO_FLOOR);
  }

  /** Commerce time, when nobody asks: the last that was asked about, and what passed since. */
  #nowOf({ latest }: Entry): InstantMs {
    return latest.atMs + Math.floor(this.dependencies.clock.monotonicMs() - latest.monoMs);
  }
}

const nameOf = ({ tenantId, uri }: Pick<ListQuestion, 'tenantId' | 'uri'>): string =>
  `${tenantId} ${uri}`;

/** How a fetch ended, or `late`: the deadline was before that. The fetch itself goes on. */
async function endOf(
  flight: Promise<StatusListFault | null>,
  deadline: AbortSignal | undefined,
): Promise<StatusListFault | null | 'late'> {
  if (deadline === undefined) return flight;
  const ended = await withinDeadline(deadline, async () => ({ fault: await flight }));
  return ended === null ? 'late' : ended.fault;
}

/** A newer list, the same list signed later, or the same signature fetched later. */
function isLater(one: HeldList, other: HeldList): boolean {
  const order = listOrder(one, other) || one.issuedAtMs - other.issuedAtMs;
  return order === 0 ? one.liveUntilMonoMs >= other.liveUntilMonoMs : order > 0;
}
