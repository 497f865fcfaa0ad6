import { type DynamicModule, Global, Module } from '@nestjs/common';
import { join } from 'node:path';
import type { AuthorityAddress } from './authority-address.js';
import type { Config } from './config/config.js';
import type { Pool } from './database/pool.js';
import { HealthController } from './health/health.controller.js';
import { HealthRegistry } from './health/health.js';
import { databaseCheck, migrationsCheck } from './health/migrations.store.js';
import { createOutboundClient, OUTBOUND } from './outbound/index.js';
import { PACKAGE_ROOT } from './package-root.js';
import { StartupNotes } from './startup-notes.js';
import { AUTHORITY_ADDRESS, CONFIG, DATABASE, HEALTH, STARTUP_NOTES } from './tokens.js';

export interface PlatformParts {
  readonly config: Config;
  /** Open and migrated. Whoever opened it closes it, after the application. */
  readonly database: Pool;
  /** Null = a process that asks no trust authority. */
  readonly authority: AuthorityAddress | null;
}

/** Wiring: what every room may ask for without importing it, and the health routes. */
@Global()
@Module({ controllers: [HealthController] })
export class PlatformModule {
  static register({ config, database, authority }: PlatformParts): DynamicModule {
    const health = new HealthRegistry(() => performance.now());
    health.add(databaseCheck(database));
    health.add(migrationsCheck(database, join(PACKAGE_ROOT, 'migrations')));
    const outbound = createOutboundClient({
      allowLoopbackPeers: config.allowLoopbackPeers,
      nowMs: Date.now,
      mapped: authority,
    });
    const values = new Map<symbol, unknown>([
      [CONFIG, config],
      [DATABASE, database],
      [HEALTH, health],
      [STARTUP_NOTES, new StartupNotes()],
      [OUTBOUND, outbound],
      [AUTHORITY_ADDRESS, authority],
    ]);
    return {
      module: PlatformModule,
      providers: [...values].map(([provide, useValue]) => ({ provide, useValue })),
      exports: [...values.keys()],
    };
  }
}
