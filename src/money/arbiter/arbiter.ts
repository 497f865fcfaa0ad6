import type { CommandContext, OutsideLock, Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  type DecisionId,
  err,
  type InstantMs,
  ok,
  type Problem,
  problem,
  type Result,
  type TenantId,
  utcDay,
  type World,
} from '../../core/kernel/index.js';
import { anyErased } from '../../trust/buyer-authority/index.js';
import type { StatusChecker } from '../../trust/status/index.js';
import type { Book, Capture } from '../book/index.js';
import { paymentIdOf } from '../payments/index.js';
import type { PurchaseAsk, RefundAsk } from './ask.js';
import { authorityOfCapture, type CaptureReport } from './capture-report.js';
import { type ConfirmParts, confirmDecision } from './confirm.js';
import type { UseOutcome } from './consume.js';
import {
  type Decided,
  decidePurchaseCommand,
  decideRefundCommand,
  DRAW_AGAIN,
  LAPSE_FIRST,
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
import { aboveFloors } from './floors.js';
import { isRailCurrent } from './rail.js';
import { isPurchase } from './recheck-use.js';
import { commitmentsOf, type FactSources, resolvePurchase } from './resolve.js';
import { useAllow, type UseRequest } from './use-allow.js';
import { useByCapture } from './use-by-capture.js';

/** Draws of names before the arbiter gives up: two clashes in a row do not happen by chance. */
const DRAWS_MAX = 3;

const OF_ANOTHER_DECISION = problem('conflict', 'This payment is of another decision.', {
  fix: 'Name the decision whose allow the payment was started with, or only one of the two.',
  field: '/payment_id',
});

const NO_SUCH_TENANT = problem('not_found', 'There is no tenant with this id.', {
  fix: 'Check the tenant id.',
});

export interface ArbiterParts {
  readonly writer: Writer;
  readonly outsideLock: OutsideLock;
  readonly sources: FactSources;
  readonly database: Queryable;
  readonly book: Pick<Book, 'recordCapture' | 'recordDecidedCapture' | 'lapseDue'>;
  readonly statuses: StatusChecker;
  readonly switches: ArbiterSwitches;
  readonly confirming: Pick<ConfirmParts, 'countersigner' | 'trust'>;
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
    const { writer, switches, book } = this.parts;
    const { tenantId } = context;
    const made = await this.withDraw(tenantId, async (drawn, nowMs) => {
      const resolved = await resolvePurchase(this.parts.sources, ask, { tenantId, atMs: nowMs });
      const judging = { tenantId, ask, resolved, switches };
      const decided = await writer.execute(decidePurchaseCommand(context, judging, drawn));
      if (decided.ok || decided.error !== LAPSE_FIRST) return decided;
      await book.lapseDue(tenantId, ask.merchantId);
      const again = { ...judging, dueLapsed: true };
      return writer.execute(decidePurchaseCommand(context, again, drawn));
    });
    return this.confirmed(context, made, ask.world);
  }

  /** Problems: those of the writer and of {@link decideRefundCommand}. */
  async decideRefund(
    context: CommandContext,
    ask: RefundAsk,
  ): Promise<Result<RecordedDecision, Problem>> {
    const made = await this.withDraw(context.tenantId, (drawn) =>
      this.parts.writer.execute(decideRefundCommand(context, ask, drawn)),
    );
    return this.confirmed(context, made, ask.world);
  }

  /**
   * Uses an allow for one payment or refund, at most once; see {@link useAllow}. A used allow is answered with the proof
   * that rails ask for. A repeat under the same idempotency key has the first outcome.
   */
  async consume(
    context: CommandContext,
    request: UseRequest,
  ): Promise<Result<UseOutcome, Problem>> {
    return this.withDraw(context.tenantId, (drawn, atMs) =>
      useAllow(this.parts, context, { request, drawn, atMs }),
    );
  }

  /**
   * What a decision would be now: same facts, counters and rules, nothing written. A decision that a daily cap would refuse
   * first lets lapse what is over; a simulation does not and takes nothing off, so that it can only be the stricter.
   */
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
      if (anyErased(view, commitmentsOf(resolved))) return err(DRAW_AGAIN);
      if (!isRailCurrent(resolved.rail, view)) return err(DRAW_AGAIN);
      const current = aboveFloors(resolved, view, drawn);
      if (current === null) return err(DRAW_AGAIN);
      const parties = requireParties(view, ask);
      if (!parties.ok) return parties;
      const judgement = judgePurchase({ ...judging, resolved: current }, view, moment);
      return ok({ judgement, atMs: moment.atMs });
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

  /**
   * Records captured money. An allow that it names and that nobody used is used up by it; see {@link useByCapture}.
   * Problems, in order: conflict `/payment_id` (of another decision than the one named), those of
   * {@link authorityOfCapture}, of the writer and of {@link Book.recordCapture}.
   */
  async reportCapture(
    context: CommandContext,
    report: CaptureReport,
  ): Promise<Result<Capture, Problem>> {
    const { decisionId, paymentId, ...capture } = report;
    if (decisionId === null)
      return this.parts.book.recordCapture(context, { ...capture, authority: null }, paymentId);
    if (paymentId !== null && paymentId !== paymentIdOf(decisionId as DecisionId))
      return err(OF_ANOTHER_DECISION);
    const decision = await this.find(context.tenantId, decisionId);
    const authority = authorityOfCapture({ ...report, decisionId }, decision);
    if (!authority.ok) return authority;
    const decided = { ...capture, authority: authority.value };
    if (paymentId !== null || decision === null || !isPurchase(decision))
      return this.parts.book.recordCapture(context, decided, paymentId);
    const along = useByCapture(decision, capture);
    return this.parts.book.recordDecidedCapture(context, decided, along);
  }

  /** A decision with its countersignature, where one is asked for. */
  private async confirmed(
    context: CommandContext,
    made: Result<Decided, Problem>,
    world: World,
  ): Promise<Result<RecordedDecision, Problem>> {
    if (!made.ok) return made;
    const parts = { ...this.parts, ...this.parts.confirming };
    return ok(await confirmDecision(parts, context, { ...made.value, world }));
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
      result = await attempt(draw(nowMs, tries === DRAWS_MAX - 1), nowMs);
      if (result.ok || result.error !== DRAW_AGAIN) return result;
    }
    return result;
  }
}
