import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { WRITER, type Writer } from '../ledger/index.js';
import { CONFIG, type Config, DATABASE, type Queryable, StartRefused } from '../platform/index.js';
import { KeyWrapping } from './key-wrapping.js';
import { SigningKeys } from './signing-keys.js';

/** Injection token of {@link SigningKeys}. */
export const SIGNING_KEYS = Symbol('SigningKeys');

/** Wiring. A key-encryption key that does not fit the database stops the start with one line. */
@Global()
@Module({
  providers: [
    {
      provide: SIGNING_KEYS,
      inject: [CONFIG, DATABASE, WRITER],
      useFactory: (config: Config, database: Queryable, writer: Writer) =>
        new SigningKeys({
          database,
          writer,
          wrapping: new KeyWrapping(config.keyEncryptionKey),
          nowMs: Date.now,
        }),
    },
  ],
  exports: [SIGNING_KEYS],
})
export class KeysModule implements OnModuleInit {
  constructor(@Inject(SIGNING_KEYS) private readonly signingKeys: SigningKeys) {}

  async onModuleInit(): Promise<void> {
    const fault = await this.signingKeys.startFault();
    if (fault !== null) throw new StartRefused(fault);
  }
}
