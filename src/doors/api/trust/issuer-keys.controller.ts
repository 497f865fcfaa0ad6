import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { ISSUER_KEYS, type IssuerKeys } from '../../../trust/peers/index.js';
import { commandContext } from '../command-context.js';
import {
  addIssuerKey,
  compromiseIssuerKey,
  listIssuerKeys,
  printIssuerKey,
  retireIssuerKey,
} from './issuer-keys.contract.js';

@Controller()
export class IssuerKeysController {
  constructor(@Inject(ISSUER_KEYS) private readonly issuerKeys: IssuerKeys) {}

  @Handles(addIssuerKey)
  async add(@Input() { body }: InputOf<typeof addIssuerKey>, @Caller() caller: CallerContext) {
    const { not_before: notBeforeAtMs, ...added } = body;
    const result = await this.issuerKeys.add(commandContext(caller), { ...added, notBeforeAtMs });
    return mapOk(result, printIssuerKey);
  }

  @Handles(listIssuerKeys)
  async list(@Caller() caller: CallerContext) {
    const keys = await this.issuerKeys.list(caller.principal.tenantId);
    return ok({ items: keys.map(printIssuerKey) });
  }

  @Handles(retireIssuerKey)
  async retire(
    @Input() { params, body }: InputOf<typeof retireIssuerKey>,
    @Caller() caller: CallerContext,
  ) {
    const end = { issuerKeyId: params.issuer_key_id, atMs: body.retired_at };
    return mapOk(await this.issuerKeys.retire(commandContext(caller), end), printIssuerKey);
  }

  @Handles(compromiseIssuerKey)
  async compromise(
    @Input() { params, body }: InputOf<typeof compromiseIssuerKey>,
    @Caller() caller: CallerContext,
  ) {
    const end = { issuerKeyId: params.issuer_key_id, atMs: body.compromised_since };
    return mapOk(await this.issuerKeys.compromise(commandContext(caller), end), printIssuerKey);
  }
}
