import type { TenantId } from '../../core/kernel/index.js';
import type { LedgerLog } from './flusher.js';

/** Rows of one room that are handled in one call. */
export const DUE_ROWS_MAX = 100;
/** Calls of one room in one sweep: with {@link DUE_ROWS_MAX}, what one tick keeps up with. */
export const DUE_ROUNDS_MAX = 50;

export interface DueScope {
  /** Null = every tenant. */
  readonly tenantId: TenantId | null;
  readonly limit: number;
}

/**
 * Work that waits for an instant: it stands with `due_at` in the room's own table, and nobody enqueues it (decisions
 * 3.16). Due by the commerce time of its tenant (view `tenant_clocks`) unless the room says otherwise. Several processes
 * may sweep at once, and one may die half-way: handling a row twice changes nothing.
 */
export interface DueWork {
  /** `room.what`, for logs. */
  readonly name: string;
  /**
   * Handles at most `limit` due rows and answers how many it finished; 0 = nothing is left that can be done now. The
   * rooms of all tenants take turns, so with `tenantId` null nothing may wait for a party outside: begin it and answer.
   */
  sweepDue(scope: DueScope): Promise<number>;
}

/** What one room did in one sweep. */
export interface SweptWork {
  readonly name: string;
  readonly handled: number;
  readonly failed: boolean;
}

/** The due work of every room, in the order in which the rooms registered: the tick and a moved test clock call it. */
export class DueWorks {
  readonly #works: DueWork[] = [];
  #isStopped = false;

  constructor(private readonly log: LedgerLog) {}

  register(work: DueWork): void {
    this.#works.push(work);
  }

  /** From now on a sweep ends after the call under way: the process stops, and what is left is another's, or later. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Lets every room do what is due, until nothing is left or {@link DUE_ROUNDS_MAX} is reached. Never rejects: a room
   * that fails is told in the log and does not keep the others from their work.
   */
  async sweep(tenantId: TenantId | null): Promise<readonly SweptWork[]> {
    const swept: SweptWork[] = [];
    for (const work of this.#works) swept.push(await this.sweepOne(work, tenantId));
    return swept;
  }

  private async sweepOne(work: DueWork, tenantId: TenantId | null): Promise<SweptWork> {
    let handled = 0;
    try {
      for (let round = 0; round < DUE_ROUNDS_MAX && !this.#isStopped; round += 1) {
        const count = await work.sweepDue({ tenantId, limit: DUE_ROWS_MAX });
        handled += count;
        if (count === 0) break;
      }
      return { name: work.name, handled, failed: false };
    } catch (error) {
      this.log.error('Due work failed; the next sweep tries again', {
        work: work.name,
        error: (error as Error).message,
      });
      return { name: work.name, handled, failed: true };
    }
  }
}

export const DUE_WORKS = Symbol('DueWorks');
