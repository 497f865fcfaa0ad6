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
  printHead,
  printRotation,
  readLedgerHead,
  rotateSealingKey,
  switchSealing,
} from './ledger.contract.js';

@Controller()
export class LedgerController {
  constructor(@Inject(LEDGER_SETTINGS) private readonly ledger: LedgerSettings) {}

  @Handles(readLedgerHead)
  async head(@Caller() caller: CallerContext) {
    return mapOk(await this.ledger.head(caller.principal.tenantId), printHead);
  }

  @Handles(switchSealing)
  async seal(@Input() { body }: InputOf<typeof switchSealing>, @Caller() caller: CallerContext) {
    return mapOk(await this.ledger.switchSealing(commandContext(caller), body.on), printHead);
  }

  @Handles(rotateSealingKey)
  async rotate(@Caller() caller: CallerContext) {
    return mapOk(await this.ledger.rotateSealingKey(commandContext(caller)), printRotation);
  }
}
