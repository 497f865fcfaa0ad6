import { Inject, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { type Writer, WRITER } from '../../base/ledger/index.js';
import {
  DATABASE,
  OUTBOUND,
  type OutboundClient,
  type Queryable,
} from '../../base/platform/index.js';
import { AUTHORITY, AuthorityModule, type AuthorityPort } from '../authority/index.js';
import {
  ISSUER_KEYS,
  type IssuerKeys,
  PeersModule,
  SIGNATURE_CHECKER,
  type SignatureChecker,
} from '../peers/index.js';
import { ListKeys } from './list-keys.js';
import { ListOverviews } from './list-overview.js';
import { IssuerListTrust } from './list-trust.js';
import { LIST_TRUST, type ListTrust, processClock } from './ports.js';
import { SignedStatusChecker } from './signed-status-checker.js';
import { STATUS_CHECKER } from './status-checker.js';
import { StatusLists } from './status-lists.js';
import { StatusSlots } from './status-slots.js';

export const STATUS_SLOTS = Symbol('StatusSlots');
export const LIST_OVERVIEWS = Symbol('ListOverviews');
/** Nest token of the {@link StatusLists} of this process. */
const STATUS_LISTS = Symbol('StatusLists');

@Module({
  imports: [AuthorityModule, PeersModule],
  providers: [
    {
      provide: LIST_TRUST,
      inject: [ISSUER_KEYS, AUTHORITY],
      useFactory: (issuerKeys: IssuerKeys, authority: AuthorityPort) =>
        new IssuerListTrust({ issuerKeys, authority }),
    },
    {
      provide: STATUS_LISTS,
      inject: [DATABASE, OUTBOUND, LIST_TRUST, SIGNATURE_CHECKER],
      useFactory: (
        ...[database, outbound, trust, signatures]: [
          Queryable,
          OutboundClient,
          ListTrust,
          SignatureChecker,
        ]
      ) =>
        new StatusLists({
          ...{ database, outbound, signatures, clock: processClock, random: Math.random },
          keys: new ListKeys(trust, processClock),
          log: new Logger('StatusLists'),
        }),
    },
    {
      provide: STATUS_CHECKER,
      inject: [DATABASE, STATUS_LISTS, AUTHORITY],
      useFactory: (database: Queryable, lists: StatusLists, { origin }: AuthorityPort) =>
        new SignedStatusChecker({ database, lists, ownOrigin: origin }),
    },
    {
      provide: STATUS_SLOTS,
      inject: [WRITER, AUTHORITY],
      useFactory: (writer: Writer, authority: AuthorityPort) =>
        new StatusSlots({ writer, authority }),
    },
    {
      provide: LIST_OVERVIEWS,
      inject: [DATABASE, STATUS_LISTS],
      useFactory: (database: Queryable, lists: StatusLists) =>
        new ListOverviews({ database, lists }),
    },
  ],
  exports: [STATUS_CHECKER, STATUS_SLOTS, LIST_OVERVIEWS],
})
export class StatusModule implements OnModuleDestroy {
  constructor(@Inject(STATUS_LISTS) private readonly lists: StatusLists) {}

  onModuleDestroy(): Promise<void> {
    return this.lists.stop();
  }
}
