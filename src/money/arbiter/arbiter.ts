import type { CommandContext, OutsideLock, Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  err,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
  utcDay,
} from '../../core/kernel/index.js';
import { type Capture, recordCapture } from '../book/index.js';
import type { PurchaseAsk, RefundAsk } from './ask.js';
import { authorityOfCapture, type CaptureReport } from './capture-report.js';
import {
  decidePurchaseCommand,
  decideRefundCommand,
  DRAW_AGAIN,
  type Draw,
  draw,
  purchaseCells,
  type RecordedDecision,
  refundCells,
  requireParties,
} from './decide.js';
import {
  type DecisionFilter,
  type FoundDecision,
  type PageRequest,
  readDecision,
  searchDecisions,
} from './decisions.store.js';
import { type ArbiterSwitches, judgePurchase, judgeRefund, type Judgement } from './judge.js';
import { type FactSources, resolvePurchase } from './resolve.js';

/** Draws of names before the arbiter gives up: two clashes in a row do not happen by chance. */
const DRAWS_MAX = 3;

const NO_SUCH_TENANT = problem('not_found', 'There is no tenant with this id.', {
  fix: 'Check the tenant id.',
});

export interface ArbiterParts {
  readonly writer: Writer;
  readonly outsideLock: OutsideLock;
  readonly sources: FactSources;
  readonly database: Queryable;
  readonly switches: ArbiterSwitches;
}

/** What a simulation found, and for which instant. */
export interface Simulation {
  readonly judgement: Judgement;
  readonly atMs: InstantMs;
}

/** The arbiter of one deployment: finds facts, lets the rules judge them under the tenant's lock, and remembers. */
export class Arbiter {
  constructor(private readonly parts: ArbiterParts) {}

  /** Allow or refuse, at once and durable. Problems: those of the writer and of {@link decidePurchaseCommand}. */
  async decidePurchase(
    context: CommandContext,
    ask: PurchaseAsk,
  ): Promise<Result<RecordedDecision, Problem>> {
    const { writer, switches } = this.parts;
    const { tenantId } = context;
    return this.withDraw(tenantId, async (drawn, nowMs) => {
      const resolved = await resolvePurchase(this.parts.sources, ask, { tenantId, atMs: nowMs });
      const judging = { tenantId, ask, resolved, switches };
      return writer.execute(decidePurchaseCommand(context, judging, drawn));
    });
  }

  /** Problems: those of the writer and of {@link decideRefundCommand}. */
  async decideRefund(
    context: CommandContext,
    ask: RefundAsk,
  ): Promise<Result<RecordedDecision, Problem>> {
    return this.withDraw(context.tenantId, (drawn) =>
      this.parts.writer.execute(decideRefundCommand(context, ask, drawn)),
    );
  }

  /** What a decision would be now: same facts, counters and rules, nothing written. */
  async simulatePurchase(
    tenantId: TenantId,
    ask: PurchaseAsk,
  ): Promise<Result<Simulation, Problem>> {
    const { switches } = this.parts;
    return this.withDraw(tenantId, async (drawn, nowMs) => {
      const resolved = await resolvePurchase(this.parts.sources, ask, { tenantId, atMs: nowMs });
      const judging = { tenantId, ask, resolved, switches };
      const cells = purchaseCells(judging, drawn.days);
      const glance = await this.parts.outsideLock(tenantId, cells);
      if (glance === null) return err(NO_SUCH_TENANT);
      const { view, moment } = glance;
      if (!drawn.days.includes(utcDay(moment.atMs))) return err(DRAW_AGAIN);
      const parties = requireParties(view, ask);
      if (!parties.ok) return parties;
      return ok({ judgement: judgePurchase(judging, view, moment), atMs: moment.atMs });
    });
  }

  /** As {@link simulatePurchase}, for a refund. */
  async simulateRefund(tenantId: TenantId, ask: RefundAsk): Promise<Result<Simulation, Problem>> {
    const glance = await this.parts.outsideLock(tenantId, refundCells(ask));
    if (glance === null) return err(NO_SUCH_TENANT);
    const { view, moment } = glance;
    const parties = requireParties(view, { merchantId: ask.merchantId, agentId: null });
    if (!parties.ok) return parties;
    return ok({ judgement: judgeRefund(ask, view, moment), atMs: moment.atMs });
  }

  /** The decision as its entry holds it, or null. Whether the caller may see it is the door's to judge. */
  async find(tenantId: TenantId, decisionId: string): Promise<RecordedDecision | null> {
    return readDecision(this.parts.database, tenantId, decisionId);
  }

  /** Newest first. */
  async search(
    tenantId: TenantId,
    query: { readonly filter: DecisionFilter; readonly page: PageRequest },
  ): Promise<readonly FoundDecision[]> {
    return searchDecisions(this.parts.database, tenantId, query);
  }

  /** Problems: those of {@link authorityOfCapture}, of the writer and of {@link recordCapture}. */
  async reportCapture(
    context: CommandContext,
    { decisionId, ...capture }: CaptureReport,
  ): Promise<Result<Capture, Problem>> {
    if (decisionId === null)
      return this.parts.writer.execute(recordCapture(context, { ...capture, authority: null }));
    const decision = await this.find(context.tenantId, decisionId);
    const authority = authorityOfCapture({ decisionId, ...capture }, decision);
    if (!authority.ok) return authority;
    return this.parts.writer.execute(
      recordCapture(context, { ...capture, authority: authority.value }),
    );
  }

  /** Tries with fresh names until they hold under the lock. */
  private async withDraw<Value>(
    tenantId: TenantId,
    attempt: (drawn: Draw, nowMs: InstantMs) => Promise<Result<Value, Problem>>,
  ): Promise<Result<Value, Problem>> {
    let result: Result<Value, Problem> = err(DRAW_AGAIN);
    for (let tries = 0; tries < DRAWS_MAX; tries += 1) {
      const glance = await this.parts.outsideLock(tenantId, []);
      if (glance === null) return err(NO_SUCH_TENANT);
      const nowMs = glance.moment.atMs;
      result = await attempt(draw(nowMs), nowMs);
      if (result.ok || result.error !== DRAW_AGAIN) return result;
    }
    return result;
  }
}
