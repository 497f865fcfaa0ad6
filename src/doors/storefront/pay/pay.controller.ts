import { Controller, Inject } from '@nestjs/common';
import {
  answerWith,
  Handles,
  Input,
  type InputOf,
  PLAIN_PAGE_HEADERS,
} from '../../../base/platform/index.js';
import { err, ok, problem } from '../../../core/kernel/index.js';
import { PayPage } from '../../../money/rails/index.js';
import { pressPayButton, showPayPage } from './pay.contract.js';
import { printPayPage } from './print-pay-page.js';

@Controller()
export class PayController {
  constructor(@Inject(PayPage) private readonly payPage: PayPage) {}

  @Handles(showPayPage)
  async show(@Input() { params }: InputOf<typeof showPayPage>) {
    const view = await this.payPage.view(params.token);
    if (view === null) return err(NO_SUCH_LINK);
    return ok(answerWith(printPayPage(view), { headers: PLAIN_PAGE_HEADERS }));
  }

  @Handles(pressPayButton)
  async press(@Input() { params, body }: InputOf<typeof pressPayButton>) {
    const found = await this.payPage.press(params.token, body.press);
    if (!found) return err(NO_SUCH_LINK);
    const location = `/pay/${params.token}`;
    return ok(answerWith('', { status: 303, headers: { ...PLAIN_PAGE_HEADERS, location } }));
  }
}

const NO_SUCH_LINK = problem('not_found', 'No payment link ends like this.', {
  fix: 'Open the url of the payment exactly as it was given.',
});
