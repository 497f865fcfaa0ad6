import { AMOUNT_MINOR_MAX } from '../kernel/index.js';
import type { PurchaseCounters } from '../rules/index.js';

/** What one purchase adds to a day of a merchant in a currency. */
export interface DayShare {
  readonly merchantId: string;
  readonly currency: string;
  /** UTC, as `2026-11-30`. */
  readonly day: string;
  readonly amountMinor: bigint;
  /** The buyer is away: it counts in the merchant's stricter sum too. */
  readonly isAway: boolean;
}

type Place = Pick<DayShare, 'merchantId' | 'currency' | 'day'>;
type Counted = Pick<PurchaseCounters, 'merchantDayMinor' | 'notPresentDayMinor'>;

/** By how much the sums of days would be others than those that were recorded. */
export class DaySums {
  private readonly changes = new Map<string, Counted>();
  /** Purchases that would not have been, until their use shows that the recorded sums hold them. */
  private readonly expected = new Map<string, DayShare>();

  /** A purchase that was not, and would have been. */
  add(share: DayShare): void {
    this.change(share, share.amountMinor);
  }

  /** A purchase that would not have been: it leaves the sums when it comes into them. */
  expect(decisionId: string, share: DayShare): void {
    this.expected.set(decisionId, share);
  }

  /** A use, on its own day; each allow is used once. */
  use(decisionId: string, day: string): void {
    const share = this.expected.get(decisionId);
    if (share === undefined) return;
    this.expected.delete(decisionId);
    this.change({ ...share, day }, -share.amountMinor);
  }

  /** Recorded sums as they would be. Never below zero: what lapsed has left the recorded sums by itself. */
  adjusted(recorded: Counted, place: Place): Counted {
    const { merchantDayMinor, notPresentDayMinor } = this.of(place);
    return {
      merchantDayMinor: bounded(recorded.merchantDayMinor + merchantDayMinor),
      notPresentDayMinor: bounded(recorded.notPresentDayMinor + notPresentDayMinor),
    };
  }

  private change(share: DayShare, byMinor: bigint): void {
    const { merchantDayMinor, notPresentDayMinor } = this.of(share);
    this.changes.set(nameOf(share), {
      merchantDayMinor: merchantDayMinor + byMinor,
      notPresentDayMinor: notPresentDayMinor + (share.isAway ? byMinor : 0n),
    });
  }

  private of(place: Place): Counted {
    return this.changes.get(nameOf(place)) ?? { merchantDayMinor: 0n, notPresentDayMinor: 0n };
  }
}

const nameOf = ({ merchantId, currency, day }: Place): string =>
  JSON.stringify([merchantId, currency, day]);

const bounded = (sumMinor: bigint): bigint =>
  sumMinor < 0n ? 0n : sumMinor > AMOUNT_MINOR_MAX ? AMOUNT_MINOR_MAX : sumMinor;
