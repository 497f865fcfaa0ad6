import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { type Origins, ORIGINS } from '../../../base/tenants/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import { addOrigin, listOrigins, printOrigins, retireOrigin } from './origins.contract.js';

@Controller()
export class OriginsController {
  constructor(@Inject(ORIGINS) private readonly origins: Origins) {}

  @Handles(addOrigin)
  async add(@Input() { body }: InputOf<typeof addOrigin>, @Caller() caller: CallerContext) {
    return mapOk(await this.origins.add(commandContext(caller), body), printOrigins);
  }

  @Handles(listOrigins)
  async list(@Caller() caller: CallerContext) {
    return ok(printOrigins(await this.origins.list(caller.principal.tenantId)));
  }

  @Handles(retireOrigin)
  retire(@Input() { query }: InputOf<typeof retireOrigin>, @Caller() caller: CallerContext) {
    return this.origins.retire(commandContext(caller), query.origin);
  }
}
