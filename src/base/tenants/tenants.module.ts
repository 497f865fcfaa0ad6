import { Global, Module } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock, WRITER, type Writer } from '../ledger/index.js';
import { AUTHENTICATOR, CONFIG, type Config, DATABASE, type Queryable } from '../platform/index.js';
import { Agents } from './agents.js';
import { findCandidates } from './api-keys.store.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeyAuthenticator } from './authenticator.js';
import { LedgerSettings } from './ledger-settings.js';
import { Merchants } from './merchants.js';
import { Origins } from './origins.js';
import { FIRST_SEALING_KID } from './sealing.ledger.js';
import { SignatureSettings } from './signature-settings.js';
import { TenantSites } from './tenant-sites.js';
import { Tenants } from './tenants.js';

export const TENANTS = Symbol('Tenants');
export const MERCHANTS = Symbol('Merchants');
export const AGENTS = Symbol('Agents');
export const API_KEYS = Symbol('ApiKeys');
export const ORIGINS = Symbol('Origins');
export const LEDGER_SETTINGS = Symbol('LedgerSettings');
export const SIGNATURE_SETTINGS = Symbol('SignatureSettings');
export const TENANT_SITES = Symbol('TenantSites');

/** Everything this room offers, made of what it is handed. */
export interface TenantsRoom {
  readonly tenants: Tenants;
  readonly merchants: Merchants;
  readonly agents: Agents;
  readonly apiKeys: ApiKeys;
  readonly origins: Origins;
  readonly ledgerSettings: LedgerSettings;
  readonly signatureSettings: SignatureSettings;
  readonly tenantSites: TenantSites;
  readonly authenticator: ApiKeyAuthenticator;
}

export function tenantsRoom({
  config,
  database,
  writer,
  outsideLock,
  nowMs,
}: {
  readonly config: Pick<Config, 'platformAdminKey' | 'ledgerSealingDefault' | 'publicBaseUrl'>;
  readonly database: Queryable;
  readonly writer: Writer;
  readonly outsideLock: OutsideLock;
  readonly nowMs: () => number;
}): TenantsRoom {
  const authenticator = new ApiKeyAuthenticator({
    findCandidates: (apiKeyId) => findCandidates(database, apiKeyId),
    platformAdminKey: config.platformAdminKey,
    nowMs,
  });
  const forgetKnownKeys = () => authenticator.forget();
  const origins = new Origins({
    database,
    writer,
    loopbackAllowed: config.publicBaseUrl === null,
  });
  return {
    authenticator,
    tenants: new Tenants(
      { database, writer, nowMs },
      { kid: FIRST_SEALING_KID, byDefault: config.ledgerSealingDefault },
    ),
    merchants: new Merchants({ database, writer }),
    agents: new Agents({ database, writer, forgetKnownKeys }),
    apiKeys: new ApiKeys({ database, writer, nowMs, forgetKnownKeys }),
    origins,
    ledgerSettings: new LedgerSettings({ database, writer, outsideLock }),
    signatureSettings: new SignatureSettings({ database, writer }),
    tenantSites: new TenantSites({ database, origins, nowMs }),
  };
}

const ROOM = Symbol('TenantsRoom');

const part = (provide: symbol, name: keyof TenantsRoom) => ({
  provide,
  inject: [ROOM],
  useFactory: (room: TenantsRoom) => room[name],
});

/** Wiring. */
@Global()
@Module({
  providers: [
    {
      provide: ROOM,
      inject: [CONFIG, DATABASE, WRITER, OUTSIDE_LOCK],
      useFactory: (
        config: Config,
        database: Queryable,
        ...[writer, outsideLock]: [Writer, OutsideLock]
      ) => tenantsRoom({ config, database, writer, outsideLock, nowMs: Date.now }),
    },
    part(TENANTS, 'tenants'),
    part(MERCHANTS, 'merchants'),
    part(AGENTS, 'agents'),
    part(API_KEYS, 'apiKeys'),
    part(ORIGINS, 'origins'),
    part(LEDGER_SETTINGS, 'ledgerSettings'),
    part(SIGNATURE_SETTINGS, 'signatureSettings'),
    part(TENANT_SITES, 'tenantSites'),
    part(AUTHENTICATOR, 'authenticator'),
  ],
  exports: [
    TENANTS,
    MERCHANTS,
    AGENTS,
    API_KEYS,
    ORIGINS,
    LEDGER_SETTINGS,
    SIGNATURE_SETTINGS,
    TENANT_SITES,
    AUTHENTICATOR,
  ],
})
export class TenantsModule {}
