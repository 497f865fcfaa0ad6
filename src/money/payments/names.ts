import type { DecisionId } from '../../core/kernel/index.js';

/** One allow makes at most one payment or refund, so its digits name it: a second one cannot even be written down. */
export const paymentIdOf = (decisionId: DecisionId): string =>
  decisionId.replace('arbdec_', 'pay_');
export const refundIdOf = (decisionId: DecisionId): string => decisionId.replace('arbdec_', 'rfd_');
