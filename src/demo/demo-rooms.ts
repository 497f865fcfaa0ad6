import type { INestApplicationContext } from '@nestjs/common';
import { type Witnessing, WITNESSING } from '../base/history/index.js';
import { type Writer, WRITER } from '../base/ledger/index.js';
import { DATABASE, type Queryable } from '../base/platform/index.js';
import {
  type Agents,
  AGENTS,
  type Merchants,
  MERCHANTS,
  type Tenants,
  TENANTS,
} from '../base/tenants/index.js';
import { type Credentials, CREDENTIALS } from '../trust/buyer-authority/index.js';
import { type Artifacts, ARTIFACTS } from '../trust/facts/index.js';
import { ISSUER_KEYS, type IssuerKeys } from '../trust/peers/index.js';
import { type Revocations, REVOCATIONS } from '../trust/revocation/index.js';
import { STATUS_SLOTS, type StatusSlots } from '../trust/status/index.js';

/** The rooms a demo tenant is made with: the same use cases as everybody's, no SQL of its own. */
export interface DemoRooms {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly tenants: Tenants;
  readonly merchants: Merchants;
  readonly agents: Agents;
  readonly issuerKeys: IssuerKeys;
  readonly artifacts: Artifacts;
  readonly credentials: Credentials;
  readonly revocations: Revocations;
  readonly slots: StatusSlots;
  readonly witnessing: Witnessing;
}

/** Found in the application, whichever module provides them. */
export function demoRooms(app: Pick<INestApplicationContext, 'get'>): DemoRooms {
  const find = <Room>(token: symbol): Room => app.get<Room>(token, { strict: false });
  return {
    database: find(DATABASE),
    writer: find(WRITER),
    tenants: find(TENANTS),
    merchants: find(MERCHANTS),
    agents: find(AGENTS),
    issuerKeys: find(ISSUER_KEYS),
    artifacts: find(ARTIFACTS),
    credentials: find(CREDENTIALS),
    revocations: find(REVOCATIONS),
    slots: find(STATUS_SLOTS),
    witnessing: find(WITNESSING),
  };
}
