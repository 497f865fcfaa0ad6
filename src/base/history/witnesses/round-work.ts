import type { TenantId } from '../../../core/kernel/index.js';
import type { DueScope, DueWork, LedgerLog } from '../../ledger/index.js';
import type { Pool } from '../../platform/index.js';
import type { WitnessRound } from '../ports.js';
import { claimRounds, settleRound } from './witnesses.store.js';
import type { LedgerWitnessing } from './witnessing.js';

/** Rounds under way in one process. */
export const ROUNDS_UNDER_WAY_MAX = 8;
/** How long a stop waits for rounds under way; what is cut off is taken up at the next one. */
export const STOP_MS_MAX = 3_000;

export interface RoundWorkParts {
  readonly pool: Pool;
  readonly witnessing: Pick<LedgerWitnessing, 'runRound'>;
  readonly intervalMs: number;
  readonly log: LedgerLog;
  /** Real time: what is promised to the world outside is not moved by a test clock (decisions 2.4). */
  readonly nowMs: () => number;
}

/** Makes a round with the witnesses for every ledger that went on, at most one an interval and ledger in all processes. */
export class RoundWork implements DueWork {
  readonly name = 'history.witnessing';
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;

  constructor(private readonly parts: RoundWorkParts) {}

  /** Begins rounds and does not wait for witnesses. A moved test clock makes none due. */
  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    const room = Math.min(limit, ROUNDS_UNDER_WAY_MAX - this.#underWay.size);
    if (tenantId !== null || this.#isStopped || room <= 0) return 0;
    const { pool, intervalMs, nowMs } = this.parts;
    const claimed = await claimRounds(pool, { nowMs: nowMs(), intervalMs, limit: room });
    for (const claim of claimed) this.#begin(claim);
    return claimed.length;
  }

  /** Resolves when no round is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Begins nothing more; waits for rounds under way, at most {@link STOP_MS_MAX}. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_MS_MAX)));
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
  }

  #begin(tenantId: TenantId): void {
    const round = this.#run(tenantId).catch((error: unknown) => {
      this.parts.log.error('A round with the witnesses failed; the next one tries again', {
        tenant_id: tenantId,
        error: (error as Error).message,
      });
    });
    this.#underWay.add(round);
    void round.then(() => this.#underWay.delete(round));
  }

  async #run(tenantId: TenantId): Promise<void> {
    const { pool, witnessing, log } = this.parts;
    const round = await witnessing.runRound(tenantId, { patient: true });
    if (!round.ok) {
      log.error('No round with the witnesses', { tenant_id: tenantId, error: round.error.detail });
      return;
    }
    const { checkpoint, witnesses } = round.value;
    if (checkpoint !== null && witnesses.every(isSettled))
      await settleRound(pool, tenantId, checkpoint.size);
  }
}

const isSettled = ({ outcome }: WitnessRound['witnesses'][number]): boolean =>
  outcome === 'cosigned' || outcome === 'known';
