import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import {
  cancelPayment,
  charge,
  handOff,
  readPayment,
  readRefund,
  refund,
  reportPayment,
  reportRefund,
  searchPayments,
} from './flows.contract.js';
import { chargeMandate, handOffLink, refundOrder } from './flows.use.js';
import { MONEY_DESK, type MoneyDesk } from './money-desk.js';
import {
  findPayments,
  showPayment,
  showRefund,
  stopPayment,
  takePaymentReport,
  takeRefundReport,
} from './reports.use.js';

@Controller()
export class FlowsController {
  constructor(@Inject(MONEY_DESK) private readonly desk: MoneyDesk) {}

  @Handles(handOff)
  handOff(@Input() { body }: InputOf<typeof handOff>, @Caller() caller: CallerContext) {
    return handOffLink(this.desk, body, caller);
  }

  @Handles(charge)
  charge(@Input() { body }: InputOf<typeof charge>, @Caller() caller: CallerContext) {
    return chargeMandate(this.desk, body, caller);
  }

  @Handles(refund)
  refund(@Input() { body }: InputOf<typeof refund>, @Caller() caller: CallerContext) {
    return refundOrder(this.desk, body, caller);
  }

  @Handles(readPayment)
  readPayment(@Input() { params }: InputOf<typeof readPayment>, @Caller() caller: CallerContext) {
    return showPayment(this.desk, params.payment_id, caller);
  }

  @Handles(searchPayments)
  search(@Input() { query }: InputOf<typeof searchPayments>, @Caller() caller: CallerContext) {
    return findPayments(this.desk, query, caller);
  }

  @Handles(reportPayment)
  report(@Input() input: InputOf<typeof reportPayment>, @Caller() caller: CallerContext) {
    return takePaymentReport(this.desk, input, caller);
  }

  @Handles(cancelPayment)
  cancel(@Input() { params }: InputOf<typeof cancelPayment>, @Caller() caller: CallerContext) {
    return stopPayment(this.desk, params.payment_id, caller);
  }

  @Handles(readRefund)
  readRefund(@Input() { params }: InputOf<typeof readRefund>, @Caller() caller: CallerContext) {
    return showRefund(this.desk, params.refund_id, caller);
  }

  @Handles(reportRefund)
  reportRefund(@Input() input: InputOf<typeof reportRefund>, @Caller() caller: CallerContext) {
    return takeRefundReport(this.desk, input, caller);
  }
}
