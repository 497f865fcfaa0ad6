import type { PaymentState } from './payment-state.js';

/** Providers that never tell whether a payment failed: their links count their whole issue day (mission M20). */
const SILENT_PROVIDERS: readonly string[] = ['shopify'];

/**
 * How a payment without captured money counts against the merchant's daily maximum (mission M18 to M20): `open` on
 * whichever day it is; `issue_day` only on the day it was issued, because it may still be paid; `nothing` once it became
 * an order (the capture counts instead), was never issued, or was reported as failed by a provider that can tell.
 */
export function countsAs(state: PaymentState, provider: string): 'open' | 'issue_day' | 'nothing' {
  switch (state) {
    case 'issuing':
    case 'open':
      return 'open';
    case 'lapsed':
    case 'canceled':
      return 'issue_day';
    case 'failed':
      return SILENT_PROVIDERS.includes(provider) ? 'issue_day' : 'nothing';
    case 'rejected':
    case 'paid':
      return 'nothing';
  }
}

/** Whether it still draws on the buyer's passport and intents: until it is confirmed or definitely failed (decisions 3.5). */
export const drawsOnAuthority = (state: PaymentState): boolean =>
  state !== 'rejected' && state !== 'failed' && state !== 'paid';

/** Whether the buyer can still be expected to pay it, so that its goods stay set aside (decisions 3.6). */
export const isPayable = (state: PaymentState): boolean => state === 'issuing' || state === 'open';
