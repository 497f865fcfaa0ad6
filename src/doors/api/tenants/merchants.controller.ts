import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { type Merchants, MERCHANTS } from '../../../base/tenants/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import {
  changeMerchant,
  createMerchant,
  listMerchants,
  printMerchant,
  readMerchant,
  switchAgentPayment,
  switchReviewCopy,
} from './merchants.contract.js';
import { pageRequest, printPage } from './pieces.js';

@Controller()
export class MerchantsController {
  constructor(@Inject(MERCHANTS) private readonly merchants: Merchants) {}

  @Handles(createMerchant)
  async create(@Input() { body }: InputOf<typeof createMerchant>, @Caller() caller: CallerContext) {
    const created = await this.merchants.create(commandContext(caller), {
      merchantId: body.merchant_id,
      name: body.name,
      country: body.country,
      rbiProfile: body.rbi_profile,
      rbiRails: body.rbi_rails,
    });
    return mapOk(created, printMerchant);
  }

  @Handles(listMerchants)
  async list(@Input() { query }: InputOf<typeof listMerchants>, @Caller() caller: CallerContext) {
    const page = await this.merchants.list(caller.principal, pageRequest(query));
    return ok(printPage(page, printMerchant));
  }

  @Handles(readMerchant)
  async read(@Input() { params }: InputOf<typeof readMerchant>, @Caller() caller: CallerContext) {
    return mapOk(await this.merchants.get(caller.principal, params.merchant_id), printMerchant);
  }

  @Handles(changeMerchant)
  async change(
    @Input() { params, body }: InputOf<typeof changeMerchant>,
    @Caller() caller: CallerContext,
  ) {
    const { name, country, rbi_profile: rbiProfile, rbi_rails: rbiRails } = body;
    const changed = await this.merchants.change(commandContext(caller), caller.principal, {
      merchantId: params.merchant_id,
      // A member that is undefined keeps what is stored.
      change: { name, country, rbiProfile, rbiRails },
    });
    return mapOk(changed, printMerchant);
  }

  @Handles(switchAgentPayment)
  async switchAgentPayment(
    @Input() { params, body }: InputOf<typeof switchAgentPayment>,
    @Caller() caller: CallerContext,
  ) {
    const switched = await this.merchants.switchAgentPayment(
      commandContext(caller),
      caller.principal,
      { merchantId: params.merchant_id, enabled: body.enabled },
    );
    return mapOk(switched, printMerchant);
  }

  @Handles(switchReviewCopy)
  async switchReviewCopy(
    @Input() { params, body }: InputOf<typeof switchReviewCopy>,
    @Caller() caller: CallerContext,
  ) {
    const switched = await this.merchants.switchReviewCopy(
      commandContext(caller),
      caller.principal,
      { merchantId: params.merchant_id, enabled: body.copy_refusals_to_review_queue },
    );
    return mapOk(switched, printMerchant);
  }
}
