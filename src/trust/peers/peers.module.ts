import { Module } from '@nestjs/common';
import { type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { IssuerKeys } from './issuer-keys.js';
import { SignatureChecker } from './signature-checker.js';

export const ISSUER_KEYS = Symbol('IssuerKeys');
export const SIGNATURE_CHECKER = Symbol('SignatureChecker');

@Module({
  providers: [
    {
      provide: ISSUER_KEYS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new IssuerKeys({ database, writer }),
    },
    { provide: SIGNATURE_CHECKER, useFactory: () => new SignatureChecker() },
  ],
  exports: [ISSUER_KEYS, SIGNATURE_CHECKER],
})
export class PeersModule {}
