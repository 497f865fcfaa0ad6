import { PAYMENT_REPORTS } from '../../../money/payments/index.js';

/** Everything somebody outside may say of a payment; captured money is said at /v1/captures. */
export const REPORTABLE_PAYMENT_REPORTS = PAYMENT_REPORTS;
/** That an allow ended unused is ours to say. */
export const REPORTABLE_REFUND_REPORTS = ['accepted', 'done', 'failed'] as const;
