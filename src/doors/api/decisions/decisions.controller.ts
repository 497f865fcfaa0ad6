import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  type Config,
  CONFIG,
  Handles,
  Input,
  type InputOf,
  REASONS_PATH,
} from '../../../base/platform/index.js';
import type { Problem, Result } from '../../../core/kernel/index.js';
import { type Arbiter, ARBITER } from '../../../money/arbiter/index.js';
import type {
  CaptureAnswer,
  DecisionAnswer,
  DecisionPage,
  DecisionView,
  SimulationAnswer,
} from './answer.schema.js';
import {
  askForDecision,
  readDecision,
  reportCapture,
  searchDecisions,
  simulate,
} from './decisions.contract.js';
import { decide, type Desk, read, report, search, simulateAsk } from './decisions.use.js';

@Controller()
export class DecisionsController {
  private readonly desk: Desk;

  constructor(
    @Inject(ARBITER) private readonly arbiter: Arbiter,
    @Inject(CONFIG) { publicBaseUrl }: Config,
  ) {
    this.desk = { arbiter, reasonsUrl: `${publicBaseUrl ?? ''}${REASONS_PATH}` };
  }

  @Handles(askForDecision)
  ask(
    @Input() { body }: InputOf<typeof askForDecision>,
    @Caller() caller: CallerContext,
  ): Promise<Result<DecisionAnswer, Problem>> {
    return decide(this.desk, body, caller);
  }

  @Handles(readDecision)
  read(
    @Input() { params }: InputOf<typeof readDecision>,
    @Caller() caller: CallerContext,
  ): Promise<Result<DecisionView, Problem>> {
    return read(this.desk, params.decision_id, caller);
  }

  @Handles(searchDecisions)
  search(
    @Input() { query }: InputOf<typeof searchDecisions>,
    @Caller() caller: CallerContext,
  ): Promise<Result<DecisionPage, Problem>> {
    return search(this.arbiter, query, caller);
  }

  @Handles(simulate)
  simulate(
    @Input() { body }: InputOf<typeof simulate>,
    @Caller() caller: CallerContext,
  ): Promise<Result<SimulationAnswer, Problem>> {
    return simulateAsk(this.desk, body, caller);
  }

  @Handles(reportCapture)
  capture(
    @Input() { body }: InputOf<typeof reportCapture>,
    @Caller() caller: CallerContext,
  ): Promise<Result<CaptureAnswer, Problem>> {
    return report(this.arbiter, body, caller);
  }
}
