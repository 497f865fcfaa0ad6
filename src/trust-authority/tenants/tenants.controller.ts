import { Controller, Inject } from '@nestjs/common';
import {
  answerWith,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { formatInstant, mapOk } from '../../core/kernel/index.js';
import { TENANTS } from '../tokens.js';
import { forwardClock, registerTenant } from './tenants.contract.js';
import { type AuthorityTenants, printNow } from './tenants.js';

@Controller()
export class TenantsController {
  constructor(@Inject(TENANTS) private readonly tenants: AuthorityTenants) {}

  @Handles(registerTenant)
  async register(
    @Input() { body }: InputOf<typeof registerTenant>,
    @Caller() caller: CallerContext,
  ) {
    const registered = await this.tenants.register(caller, {
      tenantId: body.tenant_id,
      world: body.world,
      testClockAtMs: body.test_clock_at,
    });
    return mapOk(registered, ({ tenantId, world, nowMs, isNew }) =>
      answerWith(
        { tenant_id: tenantId, world, now: formatInstant(nowMs) },
        { status: isNew ? 201 : 200 },
      ),
    );
  }

  @Handles(forwardClock)
  async forward(
    @Input() { params, body }: InputOf<typeof forwardClock>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    return mapOk(await this.tenants.forwardClock(tenant.value, body.now), printNow);
  }
}
