import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { err, mapOk, problem } from '../../../core/kernel/index.js';
import { type BuyerName, type Buyers, BUYERS } from '../../../trust/buyer-authority/index.js';
import { commandContext } from '../command-context.js';
import { printInstant } from '../wire.js';
import { eraseBuyer } from './buyers.contract.js';

@Controller()
export class BuyersController {
  constructor(@Inject(BUYERS) private readonly buyers: Buyers) {}

  @Handles(eraseBuyer)
  async erase(@Input() { body }: InputOf<typeof eraseBuyer>, @Caller() caller: CallerContext) {
    const name = nameOf(body);
    if (name === null) return err(ONE_NAME);
    return mapOk(await this.buyers.erase(commandContext(caller), name), (erasure) => ({
      buyer_commitment: erasure.commitment,
      erased_at: printInstant(erasure.erasedAtMs),
      documents_erased: erasure.documentCount,
    }));
  }
}

function nameOf({
  buyer_reference: reference,
  buyer_commitment: commitment,
}: InputOf<typeof eraseBuyer>['body']): BuyerName | null {
  if (reference !== undefined) return commitment === undefined ? { reference } : null;
  return commitment === undefined ? null : { commitment };
}

const ONE_NAME = problem('validation_failed', 'The buyer is named in one way.', {
  fix: 'Send buyer_reference or buyer_commitment, and not the other.',
  field: '/buyer_reference',
});
