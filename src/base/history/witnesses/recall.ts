import {
  err,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../../core/kernel/index.js';
import type { LedgerLog } from '../../ledger/index.js';
import type { Recall } from '../checkpoints/checkpoints.js';
import type { CheckpointRow } from '../checkpoints/checkpoints.store.js';
import type { WitnessRound } from '../ports.js';

/** How it ended with one witness. `isLater`: it holds a history that this ledger does not have. */
export interface Recalled {
  readonly outcome: WitnessRound['witnesses'][number]['outcome'];
  readonly isLater: boolean;
}

export interface RecallParts {
  readonly isOn: (tenantId: TenantId) => Promise<boolean>;
  /** Shows every witness a checkpoint that was signed before. */
  readonly ask: (newest: CheckpointRow) => Promise<readonly Recalled[]>;
  readonly log: LedgerLog;
  /** How long a later history is believed before the witnesses are asked again, in milliseconds. */
  readonly intervalMs: number;
  /** Real time. */
  readonly nowMs: () => number;
}

/**
 * What witnesses remember of a ledger is asked before this process signs for it. Whoever restores a database from an older
 * copy has lost checkpoints that witnesses keep: going on from the copy, the log would sign two histories of one size, which
 * can never be taken back.
 * INVARIANT: while witnessing is on, nothing is signed that goes on from a stored checkpoint before every witness answered
 * to such a one or was waited for, and nothing at all while one of them holds a later one. What is shown to them was signed
 * before, so asking adds no signature. Witnesses that are away hold nothing up: then it is signed, and the log says so.
 */
export class WitnessRecall implements Recall {
  /** The newest sizes that were asked about or signed since. A stored checkpoint that is smaller came back from a copy. */
  readonly #knownSizes = new Map<TenantId, number>();
  readonly #refusedAtMs = new Map<TenantId, number>();
  readonly #underWay = new Map<TenantId, Promise<Result<null, Problem>>>();

  constructor(private readonly parts: RecallParts) {}

  /** Problem: unavailable (a witness holds a later history). Without a stored checkpoint there is nothing to show: ok. */
  async before(tenantId: TenantId, newest: CheckpointRow | null): Promise<Result<null, Problem>> {
    const known = this.#knownSizes.get(tenantId) ?? null;
    if (newest === null || (known !== null && known <= newest.size)) {
      this.#knownSizes.set(tenantId, newest?.size ?? 0);
      return ok(null);
    }
    const { isOn, nowMs, intervalMs } = this.parts;
    if (!(await isOn(tenantId))) return ok(null);
    const refusedAtMs = this.#refusedAtMs.get(tenantId);
    // A clock that went back by more makes it ask again.
    if (refusedAtMs !== undefined && Math.abs(nowMs() - refusedAtMs) < intervalMs)
      return err(LATER_HISTORY);
    const running = this.#underWay.get(tenantId);
    if (running !== undefined) return running;
    const asking = this.#ask(newest).finally(() => this.#underWay.delete(tenantId));
    this.#underWay.set(tenantId, asking);
    return asking;
  }

  signed({ tenantId, size }: Pick<CheckpointRow, 'tenantId' | 'size'>): void {
    const known = this.#knownSizes.get(tenantId);
    if (known !== undefined) this.#knownSizes.set(tenantId, Math.max(known, size));
  }

  async #ask(newest: CheckpointRow): Promise<Result<null, Problem>> {
    const { ask, log, nowMs } = this.parts;
    const { tenantId, size } = newest;
    const recalled = await ask(newest);
    if (recalled.some(({ isLater }) => isLater)) {
      this.#refusedAtMs.set(tenantId, nowMs());
      return err(LATER_HISTORY);
    }
    this.#refusedAtMs.delete(tenantId);
    this.#knownSizes.set(tenantId, size);
    if (recalled.length > 0 && recalled.every(({ outcome }) => outcome === 'away'))
      log.error(
        'A ledger goes on from its newest stored checkpoint, and no witness said that it is the newest',
        {
          tenant_id: tenantId,
          size,
        },
      );
    return ok(null);
  }
}

const LATER_HISTORY = problem(
  'unavailable',
  'A witness holds a later history of this ledger than this database: nothing is signed.',
  {
    fix: 'The operator restores the newest copy of the database, or switches witnessing off to go on without the witnesses (docs/ledger.md).',
    retryAfterSeconds: 60,
  },
);
