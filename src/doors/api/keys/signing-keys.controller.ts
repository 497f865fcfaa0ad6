import { Controller, Inject } from '@nestjs/common';
import { SIGNING_KEYS, type SigningKeys } from '../../../base/keys/index.js';
import {
  answerWith,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
  PublicHost,
} from '../../../base/platform/index.js';
import { type Origins, ORIGINS } from '../../../base/tenants/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import {
  listSigningKeys,
  printSigningKey,
  readJwks,
  retireSigningKey,
  rotateSigningKey,
} from './signing-keys.contract.js';

/** How long others may keep the key set: far below an overlap, so that a rotation reaches everybody in time. */
const JWKS_HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-type': 'application/jwk-set+json; charset=utf-8',
};

@Controller()
export class SigningKeysController {
  constructor(
    @Inject(SIGNING_KEYS) private readonly signingKeys: SigningKeys,
    @Inject(ORIGINS) private readonly origins: Origins,
  ) {}

  @Handles(readJwks)
  async jwks(@PublicHost() host: string) {
    const tenantId = await this.origins.tenantByHost(host);
    if (!tenantId.ok) return tenantId;
    return ok(answerWith(await this.signingKeys.jwks(tenantId.value), { headers: JWKS_HEADERS }));
  }

  @Handles(listSigningKeys)
  async list(@Caller() caller: CallerContext) {
    const keys = await this.signingKeys.list(caller.principal.tenantId);
    return ok({ keys: keys.map(printSigningKey) });
  }

  @Handles(rotateSigningKey)
  async rotate(
    @Input() { params, body }: InputOf<typeof rotateSigningKey>,
    @Caller() caller: CallerContext,
  ) {
    const rotated = await this.signingKeys.rotate(commandContext(caller), {
      purpose: params.purpose,
      overlapSeconds: body.overlap_seconds,
    });
    return mapOk(rotated, (kid) => ({ kid }));
  }

  @Handles(retireSigningKey)
  async retire(
    @Input() { params, body }: InputOf<typeof retireSigningKey>,
    @Caller() caller: CallerContext,
  ) {
    const { purpose } = params;
    const retired = await this.signingKeys.retire(commandContext(caller), {
      purpose,
      kid: body.kid,
    });
    return mapOk(retired, (kid) => ({ kid }));
  }
}
