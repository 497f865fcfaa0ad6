import { Controller, Inject } from '@nestjs/common';
import {
  CHECKPOINTS,
  type Checkpoints,
  WITNESSING,
  type Witnessing,
} from '../../../base/history/index.js';
import {
  answerWith,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { err, ok, problem, type TenantId } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import {
  CHECKPOINT_TYPE,
  printWitnessing,
  readCheckpoint,
  readWitnessing,
  switchWitnessing,
} from './witnessing.contract.js';

@Controller()
export class WitnessingController {
  constructor(
    @Inject(WITNESSING) private readonly witnessing: Witnessing,
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
  ) {}

  @Handles(readWitnessing)
  async read(@Caller() caller: CallerContext) {
    return ok(await this.printed(caller.principal.tenantId));
  }

  @Handles(switchWitnessing)
  async switch(
    @Input() { body }: InputOf<typeof switchWitnessing>,
    @Caller() caller: CallerContext,
  ) {
    const switched = await this.witnessing.switch(commandContext(caller), body.on);
    return switched.ok ? ok(await this.printed(caller.principal.tenantId)) : switched;
  }

  @Handles(readCheckpoint)
  async checkpoint(@Caller() caller: CallerContext) {
    const newest = await this.checkpoints.newest(caller.principal.tenantId);
    return newest === null
      ? err(NONE_YET)
      : ok(
          answerWith(newest.note, {
            headers: { 'content-type': `${CHECKPOINT_TYPE}; charset=utf-8` },
          }),
        );
  }

  private async printed(tenantId: TenantId) {
    const [standing, origin, logKeys, newest] = await Promise.all([
      this.witnessing.standing(tenantId),
      this.checkpoints.originOf(tenantId),
      this.checkpoints.logKeys(tenantId),
      this.checkpoints.newest(tenantId),
    ]);
    return printWitnessing({ standing, origin, logKeys, newest });
  }
}

const NONE_YET = problem('not_found', 'No checkpoint of this ledger was signed yet.', {
  fix: 'Switch sealing and witnessing on, or export the sealed ledger: both sign one.',
});
