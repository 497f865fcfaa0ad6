import { Inject, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CONFIG, type Config, STARTUP_NOTES, type StartupNotes } from '../base/platform/index.js';
import { BuyerAuthorityModule } from '../trust/buyer-authority/index.js';
import { FactsModule } from '../trust/facts/index.js';
import { PeersModule } from '../trust/peers/index.js';
import { RevocationModule } from '../trust/revocation/index.js';
import { demoNotes } from './demo-notes.js';
import { demoRooms } from './demo-rooms.js';
import { DEMO_TENANTS } from './demo-tenants.js';
import { seedDemoTenant } from './seed.js';

/** Makes the two demo tenants at the start, when `SEED_DEMO` is on, and says how to talk to them. */
@Module({ imports: [PeersModule, FactsModule, BuyerAuthorityModule, RevocationModule] })
export class DemoModule implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(STARTUP_NOTES) private readonly notes: StartupNotes,
    private readonly modules: ModuleRef,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.seedDemo) return;
    const rooms = demoRooms(this.modules);
    for (const spec of DEMO_TENANTS) {
      const seeded = await seedDemoTenant(rooms, spec);
      if (!seeded.ok) {
        new Logger('demo').error(`The demo tenant ${spec.tenantId} was not made.`, seeded.error);
        return;
      }
    }
    this.notes.add(demoNotes);
  }
}
