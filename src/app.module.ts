import { type DynamicModule, Module } from '@nestjs/common';
import { KeysModule } from './base/keys/index.js';
import { LedgerModule } from './base/ledger/index.js';
import {
  DocumentationModule,
  HttpModule,
  PlatformModule,
  type PlatformParts,
} from './base/platform/index.js';
import { TenantsModule } from './base/tenants/index.js';
import { DemoModule } from './demo/demo.module.js';
import { DecisionsApiModule } from './doors/api/decisions/decisions.module.js';
import { KeysApiModule } from './doors/api/keys/keys-api.module.js';
import { StockApiModule } from './doors/api/stock/stock-api.module.js';
import { TenantsApiModule } from './doors/api/tenants/tenants-api.module.js';
import { TrustApiModule } from './doors/api/trust/trust-api.module.js';
import { PROJECTIONS } from './projections.js';

/** The rooms and doors, in the order of the house. */
export const ROOM_MODULES = [
  KeysModule,
  TenantsModule,
  KeysApiModule,
  TenantsApiModule,
  TrustApiModule,
  StockApiModule,
  DecisionsApiModule,
];

/** The whole service around an open, migrated database. */
@Module({})
export class AppModule {
  static register(parts: PlatformParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(parts),
        LedgerModule.register({ projections: PROJECTIONS }),
        ...ROOM_MODULES,
        DemoModule,
        DocumentationModule,
        HttpModule.register({ imports: [], publicBaseUrl: parts.config.publicBaseUrl }),
      ],
    };
  }
}

/** Modules whose controllers make up the published API: what the generated documents are printed from. */
export const API_MODULES = [PlatformModule, DocumentationModule, ...ROOM_MODULES];
