import { type Config, CONFIG, REASONS_PATH } from '../../../base/platform/index.js';
import { type Arbiter, ARBITER, type Payer, PAYER } from '../../../money/arbiter/index.js';
import { type Book, BOOK } from '../../../money/book/index.js';

/** Who answers about payments and refunds; `reasonsUrl` has no slash at its end. */
export interface MoneyDesk {
  readonly payer: Payer;
  readonly arbiter: Arbiter;
  readonly book: Book;
  readonly reasonsUrl: string;
}

export const MONEY_DESK = Symbol('MoneyDesk');

export const moneyDesk = {
  provide: MONEY_DESK,
  inject: [PAYER, ARBITER, BOOK, CONFIG],
  useFactory: (
    ...[payer, arbiter, book, { publicBaseUrl }]: [Payer, Arbiter, Book, Config]
  ): MoneyDesk => ({
    payer,
    arbiter,
    book,
    reasonsUrl: `${publicBaseUrl ?? ''}${REASONS_PATH}`,
  }),
};
