import { Controller, Inject } from '@nestjs/common';
import { DUE_WORKS, type DueWorks } from '../../../base/ledger/index.js';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { LEDGER_SETTINGS, type LedgerSettings } from '../../../base/tenants/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import { moveTestClock, printClock, readTestClock } from './test-clock.contract.js';

@Controller()
export class TestClockController {
  constructor(
    @Inject(LEDGER_SETTINGS) private readonly ledger: LedgerSettings,
    @Inject(DUE_WORKS) private readonly dueWorks: DueWorks,
  ) {}

  @Handles(readTestClock)
  async readClock(@Caller() caller: CallerContext) {
    return mapOk(await this.ledger.readClock(caller.principal.tenantId), printClock);
  }

  @Handles(moveTestClock)
  async moveClock(
    @Input() { body }: InputOf<typeof moveTestClock>,
    @Caller() caller: CallerContext,
  ) {
    const moved = await this.ledger.moveClock(commandContext(caller), body.now);
    // What the new time makes due is done before the answer (decisions 3.16): the caller looks at it at once.
    if (moved.ok) await this.dueWorks.sweep(caller.principal.tenantId);
    return mapOk(moved, printClock);
  }
}
