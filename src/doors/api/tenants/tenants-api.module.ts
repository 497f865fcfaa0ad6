import { Module } from '@nestjs/common';
import { AgentsController } from './agents.controller.js';
import { ApiKeysController } from './api-keys.controller.js';
import { LimitsController } from './limits.controller.js';
import { MerchantsController } from './merchants.controller.js';
import { OriginsController } from './origins.controller.js';
import { TenantsController } from './tenants.controller.js';
import { TestClockController } from './test-clock.controller.js';

@Module({
  controllers: [
    TenantsController,
    MerchantsController,
    LimitsController,
    AgentsController,
    ApiKeysController,
    OriginsController,
    TestClockController,
  ],
})
export class TenantsApiModule {}
