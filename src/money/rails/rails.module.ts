import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Inject,
  Logger,
  Module,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { KeyWrapping } from '../../base/keys/index.js';
import { DUE_WORKS, type DueWorks, WRITER, type Writer } from '../../base/ledger/index.js';
import { CONFIG, type Config, DATABASE, type Queryable } from '../../base/platform/index.js';
import { type Book, BOOK, BookModule } from '../book/index.js';
import { type ChargeRail, type LinkRail, RAILS, type RefundRail } from '../payments/index.js';
import { inProcess, type ProviderTransport } from './provider-call.js';
import type { ProviderInquiry } from './provider-inquiry.js';
import { RailDirectory } from './rail-directory.js';
import { Reconciler } from './reconcile/reconciler.js';
import { type BoundServer, ownAddress } from './sandbox/own-address.js';
import { PayPage } from './sandbox/pay-page.js';
import { SandboxDesk } from './sandbox/sandbox-desk.js';
import { SandboxProvider } from './sandbox/sandbox-provider.js';
import { SandboxWork } from './sandbox/sandbox-work.js';
import { SandboxChargeRail, SandboxRail } from './sandbox-rail.js';
import { ProviderEndpoints } from './webhooks/provider-endpoints.js';
import { WebhookReceiver } from './webhooks/receive-webhook.js';

/** There is a provider behind it only where agent-executed payment is switched on (facts/arbiter.md O2). */
export const SANDBOX_CHARGE_RAIL = Symbol('SandboxChargeRail');
const SANDBOX_TRANSPORT = Symbol('SandboxTransport');
const OWN_ADDRESS = Symbol('OwnAddress');

type OwnAddress = () => string | null;

/** Rails of other providers, beside the sandbox's. One of the sandbox's own name takes its place. */
export interface MoreRails {
  readonly links: readonly LinkRail[];
  /** Left out where agent-executed payment is off. */
  readonly charges: readonly ChargeRail[];
  readonly refunds: readonly RefundRail[];
  readonly inquiries: readonly ProviderInquiry[];
}

const MORE_RAILS = Symbol('MoreRails');
const NO_MORE_RAILS: MoreRails = { links: [], charges: [], refunds: [], inquiries: [] };

const PARTS = [
  {
    provide: OWN_ADDRESS,
    inject: [HttpAdapterHost],
    useFactory:
      ({ httpAdapter }: HttpAdapterHost): OwnAddress =>
      () =>
        ownAddress(httpAdapter.getHttpServer() as BoundServer),
  },
  {
    provide: ProviderEndpoints,
    inject: [CONFIG, DATABASE],
    useFactory: (config: Config, database: Queryable) =>
      new ProviderEndpoints({ database, wrapping: new KeyWrapping(config.keyEncryptionKey) }),
  },
  {
    provide: SANDBOX_TRANSPORT,
    inject: [CONFIG, DATABASE, OWN_ADDRESS],
    useFactory: (config: Config, database: Queryable, own: OwnAddress): ProviderTransport => {
      const baseUrl = (): string =>
        config.publicBaseUrl ?? own() ?? `http://localhost:${config.port}`;
      const payPageUrl = (token: string): string => `${baseUrl()}/pay/${token}`;
      return inProcess(new SandboxProvider({ database, payPageUrl, nowMs: Date.now }));
    },
  },
  {
    provide: SandboxRail,
    inject: [SANDBOX_TRANSPORT],
    useFactory: (transport: ProviderTransport) => new SandboxRail(transport),
  },
  {
    provide: RAILS,
    inject: [SandboxRail, MORE_RAILS, { token: SANDBOX_CHARGE_RAIL, optional: true }],
    useFactory: (sandbox: SandboxRail, more: MoreRails, charges?: ChargeRail) =>
      new RailDirectory({
        links: [sandbox, ...more.links],
        charges: charges === undefined ? [] : [charges, ...more.charges],
        refunds: [sandbox, ...more.refunds],
      }),
  },
  {
    provide: PayPage,
    inject: [DATABASE],
    useFactory: (database: Queryable) => new PayPage({ database, nowMs: Date.now }),
  },
  {
    provide: SandboxDesk,
    inject: [DATABASE, ProviderEndpoints],
    useFactory: (database: Queryable, endpoints: ProviderEndpoints) =>
      new SandboxDesk({ database, endpoints }),
  },
  {
    provide: WebhookReceiver,
    inject: [DATABASE, WRITER, ProviderEndpoints],
    useFactory: (database: Queryable, writer: Writer, endpoints: ProviderEndpoints) =>
      new WebhookReceiver({ database, writer, endpoints }),
  },
  {
    provide: SandboxWork,
    inject: [DATABASE, ProviderEndpoints, OWN_ADDRESS],
    useFactory: (database: Queryable, endpoints: ProviderEndpoints, own: OwnAddress) =>
      new SandboxWork({ database, endpoints, ownAddress: own, nowMs: Date.now }),
  },
  {
    provide: Reconciler,
    inject: [DATABASE, BOOK, SandboxRail, MORE_RAILS],
    useFactory: (...[database, book, sandbox, more]: [Queryable, Book, SandboxRail, MoreRails]) =>
      new Reconciler({
        database,
        book,
        inquiries: [sandbox, ...more.inquiries],
        log: new Logger('rails'),
      }),
  },
];

const CHARGE_PARTS = [
  {
    provide: SANDBOX_CHARGE_RAIL,
    inject: [SANDBOX_TRANSPORT],
    useFactory: (transport: ProviderTransport): ChargeRail => new SandboxChargeRail(transport),
  },
];

/** Wiring. Global, because the port `RAILS` is asked for by rooms that stand before this one. */
@Global()
@Module({})
export class RailsModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(DUE_WORKS) works: DueWorks,
    @Inject(SandboxWork) sandbox: SandboxWork,
    @Inject(Reconciler) private readonly reconciler: Reconciler,
  ) {
    works.register(sandbox);
    works.register(reconciler);
  }

  /** After the tick has ended and before the writer closes. */
  beforeApplicationShutdown(): Promise<void> {
    return this.reconciler.stop();
  }

  static register(
    { agentExecutedPaymentEnabled }: Pick<Config, 'agentExecutedPaymentEnabled'>,
    more: MoreRails = NO_MORE_RAILS,
  ): DynamicModule {
    return {
      module: RailsModule,
      imports: [BookModule],
      providers: [
        { provide: MORE_RAILS, useValue: more },
        ...PARTS,
        ...(agentExecutedPaymentEnabled ? CHARGE_PARTS : []),
      ],
      exports: [RAILS, PayPage, SandboxDesk, WebhookReceiver],
    };
  }
}
