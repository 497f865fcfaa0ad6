import { Inject, Logger, Module } from '@nestjs/common';
import {
  DUE_WORKS,
  type DueWorks,
  withoutRepeats,
  type Writer,
  WRITER,
} from '../../base/ledger/index.js';
import {
  CONFIG,
  type Config,
  createOutboundClient,
  DATABASE,
  type Queryable,
} from '../../base/platform/index.js';
import { KeyDirectories } from './directories/key-directories.js';
import { IssuerKeys } from './issuer-keys.js';
import { SignatureNonces } from './nonces/signature-nonces.js';
import { SignatureChecker } from './signature-checker.js';

export const ISSUER_KEYS = Symbol('IssuerKeys');
export const SIGNATURE_CHECKER = Symbol('SignatureChecker');
export const KEY_DIRECTORIES = Symbol('KeyDirectories');
export const SIGNATURE_NONCES = Symbol('SignatureNonces');

/** INVARIANT: strangers choose the addresses, so neither client knows the mapped origin of the authority. */
const keyDirectoriesOf = ({ allowLoopbackPeers, signatureSources }: Config): KeyDirectories =>
  new KeyDirectories({
    sources: signatureSources,
    outbound: {
      loopback: allowLoopbackPeers
        ? createOutboundClient({ allowLoopbackPeers: true, nowMs: Date.now })
        : null,
      public: createOutboundClient({ allowLoopbackPeers: false, nowMs: Date.now }),
    },
    clock: { monotonicMs: () => performance.now(), realMs: Date.now },
    random: Math.random,
    log: withoutRepeats(new Logger('peers'), Date.now),
  });

@Module({
  providers: [
    {
      provide: ISSUER_KEYS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new IssuerKeys({ database, writer }),
    },
    { provide: SIGNATURE_CHECKER, useFactory: () => new SignatureChecker() },
    { provide: KEY_DIRECTORIES, inject: [CONFIG], useFactory: keyDirectoriesOf },
    {
      provide: SIGNATURE_NONCES,
      inject: [DATABASE],
      useFactory: (database: Queryable) => new SignatureNonces({ database, nowMs: Date.now }),
    },
  ],
  exports: [ISSUER_KEYS, SIGNATURE_CHECKER, KEY_DIRECTORIES, SIGNATURE_NONCES],
})
export class PeersModule {
  constructor(
    @Inject(DUE_WORKS) works: DueWorks,
    @Inject(SIGNATURE_NONCES) nonces: SignatureNonces,
  ) {
    works.register(nonces);
  }
}
