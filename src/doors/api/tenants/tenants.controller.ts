import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { type Tenants, TENANTS } from '../../../base/tenants/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import {
  changeTenant,
  createTenant,
  printCreatedTenant,
  printTenant,
  readTenant,
} from './tenants.contract.js';

@Controller()
export class TenantsController {
  constructor(@Inject(TENANTS) private readonly tenants: Tenants) {}

  @Handles(createTenant)
  async create(@Input() { body }: InputOf<typeof createTenant>, @Caller() caller: CallerContext) {
    const { actor, requestId, signature } = commandContext(caller);
    const created = await this.tenants.create(
      { actor, requestId, signature },
      {
        world: body.world,
        name: body.name,
        siblingTenantId: body.sibling_tenant_id,
        callerAssertedAllowed: body.caller_asserted_allowed,
      },
    );
    return mapOk(created, printCreatedTenant);
  }

  @Handles(readTenant)
  async read(@Caller() caller: CallerContext) {
    return mapOk(await this.tenants.get(caller.principal.tenantId), printTenant);
  }

  @Handles(changeTenant)
  async change(@Input() { body }: InputOf<typeof changeTenant>, @Caller() caller: CallerContext) {
    const changed = await this.tenants.change(commandContext(caller), {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.caller_asserted_allowed === undefined
        ? {}
        : { callerAssertedAllowed: body.caller_asserted_allowed }),
    });
    return mapOk(changed, printTenant);
  }
}
