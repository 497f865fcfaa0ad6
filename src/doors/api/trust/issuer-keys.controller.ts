import { Controller, Inject } from '@nestjs/common';
import {
  AUTHORITY_ADDRESS,
  type AuthorityAddress,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { err, mapOk, ok, problem } from '../../../core/kernel/index.js';
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
  constructor(
    @Inject(ISSUER_KEYS) private readonly issuerKeys: IssuerKeys,
    @Inject(AUTHORITY_ADDRESS) private readonly authority: AuthorityAddress | null,
  ) {}

  @Handles(addIssuerKey)
  async add(@Input() { body }: InputOf<typeof addIssuerKey>, @Caller() caller: CallerContext) {
    // INVARIANT: nobody but the authority signs in its name; what seems to be issued there is not bound there again.
    if (body.issuer === this.authority?.origin) return err(ofTheAuthority);
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

const ofTheAuthority = problem(
  'validation_failed',
  'The keys of the trust authority are those that it publishes; nobody enters others.',
  { fix: 'Name the issuer whose key this is.', field: '/issuer' },
);
