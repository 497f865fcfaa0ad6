import { type DynamicModule, Module } from '@nestjs/common';
import { JobsModule } from './background/jobs/index.js';
import { HistoryModule, LedgerExportModule } from './base/history/index.js';
import { KeysModule } from './base/keys/index.js';
import { LedgerModule } from './base/ledger/index.js';
import { OutboxModule } from './base/outbox/index.js';
import {
  DocumentationModule,
  HttpModule,
  MetricsModule,
  PlatformModule,
  type PlatformParts,
} from './base/platform/index.js';
import { TenantsModule } from './base/tenants/index.js';
import { DemoModule } from './demo/demo.module.js';
import { A2aModule } from './doors/a2a/a2a.module.js';
import { AftercareApiModule } from './doors/api/aftercare/aftercare-api.module.js';
import { BuyersApiModule } from './doors/api/buyers/buyers-api.module.js';
import { CatalogApiModule } from './doors/api/catalog/catalog-api.module.js';
import { DecisionsApiModule } from './doors/api/decisions/decisions.module.js';
import { LedgerApiModule } from './doors/api/ledger/ledger-api.module.js';
import { PaymentsApiModule } from './doors/api/payments/payments.module.js';
import { KeysApiModule } from './doors/api/keys/keys-api.module.js';
import { SandboxApiModule } from './doors/api/sandbox/sandbox-api.module.js';
import { StockApiModule } from './doors/api/stock/stock-api.module.js';
import { TenantsApiModule } from './doors/api/tenants/tenants-api.module.js';
import { TrustApiModule } from './doors/api/trust/trust-api.module.js';
import { WebhooksApiModule } from './doors/api/webhooks/webhooks-api.module.js';
import { SIGNATURE_GUARD, SignaturesModule } from './doors/signatures/index.js';
import { PayPageModule } from './doors/storefront/pay/pay-page.module.js';
import { ShopModule } from './doors/storefront/shop/shop.module.js';
import { type MoreRails, RailsModule } from './money/rails/index.js';
import { PROJECTIONS } from './projections.js';
import { WEBHOOKS } from './webhooks.js';

/** The rooms and doors, in the order of the house. */
export const ROOM_MODULES = [
  KeysModule,
  TenantsModule,
  HistoryModule,
  LedgerExportModule,
  KeysApiModule,
  TenantsApiModule,
  TrustApiModule,
  StockApiModule,
  CatalogApiModule,
  DecisionsApiModule,
  LedgerApiModule,
  PaymentsApiModule,
  SandboxApiModule,
  PayPageModule,
  ShopModule,
  BuyersApiModule,
  AftercareApiModule,
  WebhooksApiModule,
  SignaturesModule,
  A2aModule,
  MetricsModule,
];

/** The whole service around an open, migrated database. */
@Module({})
export class AppModule {
  static register(parts: PlatformParts & { readonly rails?: MoreRails }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(parts),
        LedgerModule.register({ projections: PROJECTIONS }),
        OutboxModule.register({ sources: WEBHOOKS }),
        RailsModule.register(parts.config, parts.rails),
        ...ROOM_MODULES,
        JobsModule,
        DemoModule,
        DocumentationModule,
        HttpModule.register({
          imports: [SignaturesModule],
          guardsBehind: [SIGNATURE_GUARD],
          publicBaseUrl: parts.config.publicBaseUrl,
        }),
      ],
    };
  }
}

/** Modules whose controllers make up the published API: what the generated documents are printed from. */
export const API_MODULES = [PlatformModule, DocumentationModule, ...ROOM_MODULES];
