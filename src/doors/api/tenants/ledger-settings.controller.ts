import { Controller, Inject } from '@nestjs/common';
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
import {
  moveTestClock,
  printClock,
  printHead,
  readLedgerHead,
  readTestClock,
  switchSealing,
} from './ledger-settings.contract.js';

@Controller()
export class LedgerSettingsController {
  constructor(@Inject(LEDGER_SETTINGS) private readonly ledger: LedgerSettings) {}

  @Handles(readTestClock)
  async readClock(@Caller() caller: CallerContext) {
    return mapOk(await this.ledger.readClock(caller.principal.tenantId), printClock);
  }

  @Handles(moveTestClock)
  async moveClock(
    @Input() { body }: InputOf<typeof moveTestClock>,
    @Caller() caller: CallerContext,
  ) {
    return mapOk(await this.ledger.moveClock(commandContext(caller), body.now), printClock);
  }

  @Handles(readLedgerHead)
  async head(@Caller() caller: CallerContext) {
    return mapOk(await this.ledger.head(caller.principal.tenantId), printHead);
  }

  @Handles(switchSealing)
  async seal(@Input() { body }: InputOf<typeof switchSealing>, @Caller() caller: CallerContext) {
    return mapOk(await this.ledger.switchSealing(commandContext(caller), body.on), printHead);
  }
}
