import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import { type Stock, STOCK } from '../../../trust/facts/index.js';
import { commandContext } from '../command-context.js';
import { pageRequest, printPage } from '../tenants/pieces.js';
import { listStock, printStock, readStock, setStock } from './stock.contract.js';

@Controller()
export class StockController {
  constructor(@Inject(STOCK) private readonly stock: Stock) {}

  @Handles(setStock)
  async set(@Input() { params, body }: InputOf<typeof setStock>, @Caller() caller: CallerContext) {
    const set = await this.stock.set(commandContext(caller), caller.principal, {
      merchantId: body.merchant_id,
      variantId: params.variant_id,
      onHand: body.on_hand,
    });
    return mapOk(set, printStock);
  }

  @Handles(listStock)
  async list(@Input() { query }: InputOf<typeof listStock>, @Caller() caller: CallerContext) {
    const page = await this.stock.list(caller.principal, query.merchant_id, pageRequest(query));
    return mapOk(page, (found) => printPage(found, printStock));
  }

  @Handles(readStock)
  async read(
    @Input() { params, query }: InputOf<typeof readStock>,
    @Caller() caller: CallerContext,
  ) {
    const name = { merchantId: query.merchant_id, variantId: params.variant_id };
    return mapOk(await this.stock.get(caller.principal, name), printStock);
  }
}
