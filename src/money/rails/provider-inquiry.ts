import type {
  LinkRail,
  LookUpOutcome,
  RailPayment,
  RefundLookUpOutcome,
  RefundRail,
} from '../payments/index.js';

/**
 * What a reconciler asks a provider, whatever kind of payment it is about and whatever is switched on now. An `absent` of
 * a look-up says how it is now; one of `settle…` is for ever: the provider never takes that reference afterwards, so a
 * call that is still on its way, from a process that stood still, finds it closed.
 */
export interface ProviderInquiry
  extends Pick<LinkRail, 'provider' | 'lookUp' | 'cancelLink'>, Pick<RefundRail, 'lookUpRefund'> {
  settlePayment(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome>;
  settleRefund(
    refundId: string,
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<RefundLookUpOutcome>;
}
