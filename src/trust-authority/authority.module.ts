import { type DynamicModule, Global, Module } from '@nestjs/common';
import { KeysModule, type SigningKeys, SIGNING_KEYS } from '../base/keys/index.js';
import { LedgerModule, WRITER, type Writer } from '../base/ledger/index.js';
import {
  AUTHENTICATOR,
  type AuthorityConfig,
  CONFIG,
  DATABASE,
  HEALTH,
  HealthController,
  HealthRegistry,
  HttpModule,
  type Pool,
  type Queryable,
} from '../base/platform/index.js';
import { CredentialsModule } from './credentials.module.js';
import { KeysController } from './keys/index.js';
import { AUTHORITY_PROJECTIONS } from './ledger/index.js';
import { ListsController, StatusLists } from './lists/index.js';
import { AuthorityObjects, ObjectsController } from './objects/index.js';
import { AuthorityRevocations, RevocationsController } from './revocations/index.js';
import { ServiceAuthenticator } from './service-principal.js';
import { AuthorityTenants, TenantsController } from './tenants/index.js';
import { OBJECTS, ORIGIN, REVOCATIONS, STATUS_LISTS, TENANTS } from './tokens.js';

export interface AuthorityParts {
  readonly config: AuthorityConfig;
  /** Open, migrated, with the authority's schema as its search path. Whoever opened it closes it. */
  readonly database: Pool;
}

/** What every part of the authority may ask for. */
@Global()
@Module({ controllers: [HealthController] })
class AuthorityBaseModule {
  static register({ config, database }: AuthorityParts): DynamicModule {
    const health = new HealthRegistry(() => performance.now());
    health.add({
      name: 'database',
      check: async () => {
        await database.query('SELECT 1');
        return { healthy: true };
      },
    });
    const values = new Map<symbol, unknown>([
      [CONFIG, config],
      [DATABASE, database],
      [HEALTH, health],
      [ORIGIN, config.origin],
      [AUTHENTICATOR, new ServiceAuthenticator(config.services)],
    ]);
    return {
      module: AuthorityBaseModule,
      providers: [...values].map(([provide, useValue]) => ({ provide, useValue })),
      exports: [...values.keys()],
    };
  }
}

/** Tenants and lists: what the other parts stand on. */
@Global()
@Module({
  controllers: [TenantsController, KeysController, ListsController],
  providers: [
    {
      provide: TENANTS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) =>
        new AuthorityTenants({ database, writer }),
    },
    {
      provide: STATUS_LISTS,
      inject: [DATABASE, WRITER, SIGNING_KEYS, ORIGIN],
      useFactory: (
        database: Queryable,
        ...[writer, signingKeys, origin]: [Writer, SigningKeys, string]
      ) => new StatusLists({ database, writer, signingKeys, origin }),
    },
  ],
  exports: [TENANTS, STATUS_LISTS],
})
class AuthorityListsModule {}

/** What stands for slots, and its withdrawal: what issuing stands on. */
@Global()
@Module({
  controllers: [ObjectsController, RevocationsController],
  providers: [
    {
      provide: OBJECTS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) =>
        new AuthorityObjects({ database, writer }),
    },
    {
      provide: REVOCATIONS,
      inject: [DATABASE, WRITER, SIGNING_KEYS, ORIGIN],
      useFactory: (
        database: Queryable,
        ...[writer, signingKeys, origin]: [Writer, SigningKeys, string]
      ) => new AuthorityRevocations({ database, writer, signingKeys, origin }),
    },
  ],
  exports: [OBJECTS, REVOCATIONS],
})
class AuthorityObjectsModule {}

/** The parts that stand on lists and tenants, in the order in which they were added. */
const PART_MODULES: readonly (new () => object)[] = [CredentialsModule];

/** The whole authority around an open, migrated database. */
@Module({})
export class AuthorityModule {
  static register(parts: AuthorityParts): DynamicModule {
    return {
      module: AuthorityModule,
      imports: [
        AuthorityBaseModule.register(parts),
        LedgerModule.register({ projections: AUTHORITY_PROJECTIONS }),
        KeysModule,
        AuthorityListsModule,
        AuthorityObjectsModule,
        ...PART_MODULES,
        HttpModule.register({ imports: [], publicBaseUrl: null }),
      ],
    };
  }
}
