import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../base/platform/index.js';
import { BOOK, type Book, BookModule } from '../book/index.js';
import { RAILS, type Rails } from '../payments/index.js';
import type { Arbiter } from './arbiter.js';
import { ARBITER, ArbiterModule } from './arbiter.module.js';
import { Payer } from './payer.js';

export const PAYER = Symbol('Payer');

/** The rails come from a room below, bound by the composition under the port's token. */
@Module({
  imports: [ArbiterModule, BookModule],
  providers: [
    {
      provide: PAYER,
      inject: [ARBITER, BOOK, RAILS, CONFIG],
      useFactory: (...[arbiter, book, rails, { agentExecutedPaymentEnabled }]: Wiring) =>
        new Payer({ arbiter, book, rails, agentExecutedPaymentEnabled }),
    },
  ],
  exports: [PAYER],
})
export class PayerModule {}

type Wiring = [Arbiter, Book, Rails, Config];
