import type { CapturedPayment } from './book.events.js';

/**
 * Why a person has to look at a payment. Its money is written down all the same.
 * `paid_after_*`: it was not offered any more, or the provider had said no. Paid after it lapsed is no reason: links
 * are expected to be paid late (mission M18). `capture_refused`: its provider told of captured money that contradicts
 * what is written here; that money is in no sum.
 */
export const PAYMENT_REVIEWS = [
  'amount_differs',
  'capture_refused',
  'oversold',
  'paid_after_cancel',
  'paid_after_failure',
  'paid_after_rejection',
  'paid_twice',
] as const;
export type PaymentReview = (typeof PAYMENT_REVIEWS)[number];

const AFTER: Readonly<Record<string, PaymentReview>> = {
  canceled: 'paid_after_cancel',
  failed: 'paid_after_failure',
  rejected: 'paid_after_rejection',
};

interface Reviewed {
  readonly amountMinor: bigint;
  readonly review: string | null;
}

/** The review of a payment after one more capture; `capturedMinor` is what all its captures come to. */
export function reviewAfterCapture(
  payment: Reviewed,
  capture: CapturedPayment,
  capturedMinor: bigint,
): string | null {
  const reviews = new Set(reviewsOf(payment));
  const after = AFTER[capture.from];
  if (after !== undefined) reviews.add(after);
  if (capture.orderWasPaid) reviews.add('paid_twice');
  if (capture.stockShort) reviews.add('oversold');
  // Several captures may be the parts of one payment: what counts is their sum.
  if (capturedMinor === payment.amountMinor) reviews.delete('amount_differs');
  else reviews.add('amount_differs');
  return reviewOf(reviews);
}

/** The review with one more reason. */
export const withReview = (
  payment: Pick<Reviewed, 'review'>,
  reason: PaymentReview,
): string | null => reviewOf(new Set([...reviewsOf(payment), reason]));

const reviewOf = (reviews: ReadonlySet<PaymentReview>): string | null =>
  reviews.size === 0 ? null : [...reviews].sort().join(',');

/** The words of a payment's review, in the order of the alphabet. */
export function reviewsOf({ review }: Pick<Reviewed, 'review'>): readonly PaymentReview[] {
  const words = review === null ? [] : review.split(',');
  return PAYMENT_REVIEWS.filter((one) => words.includes(one));
}
