import { Controller, Inject } from '@nestjs/common';
import { type SigningKeys, SIGNING_KEYS } from '../../base/keys/index.js';
import {
  answerWith,
  type AuthorityConfig,
  Caller,
  type CallerContext,
  CONFIG,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { err, mapOk, ok, problem } from '../../core/kernel/index.js';
import { WITNESS_PATH, witnessNameOf, witnessVkeys } from '../cosign/index.js';
import { OPERATOR_SERVICE, serviceOf } from '../service-principal.js';
import { SYSTEM_TENANT } from '../tenants/index.js';
import { readAuthority, readJwks, rotateKey } from './keys.contract.js';

@Controller()
export class KeysController {
  constructor(
    @Inject(SIGNING_KEYS) private readonly signingKeys: SigningKeys,
    @Inject(CONFIG) private readonly config: AuthorityConfig,
  ) {}

  @Handles(readJwks)
  async jwks() {
    const keys = await this.signingKeys.list(SYSTEM_TENANT);
    const body = {
      keys: keys
        .filter(({ state }) => state !== 'ended')
        .map(({ jwk, purpose }) => ({ ...jwk, purpose })),
    };
    return ok(answerWith(body, { headers: { 'access-control-allow-origin': '*' } }));
  }

  @Handles(readAuthority)
  async authority() {
    const { origin, isEmbedded } = this.config;
    const keys = await this.signingKeys.list(SYSTEM_TENANT);
    return ok({
      origin,
      jwks_uri: `${origin}${readJwks.path}`,
      embedded: isEmbedded,
      witness: {
        vkeys: [...witnessVkeys(witnessNameOf(origin), keys)],
        submission_prefix: `${origin}${WITNESS_PATH}`,
      },
    });
  }

  @Handles(rotateKey)
  async rotate(@Input() { body }: InputOf<typeof rotateKey>, @Caller() caller: CallerContext) {
    const service = serviceOf(caller.principal);
    if (service !== OPERATOR_SERVICE) return err(notTheOperator);
    const rotated = await this.signingKeys.rotate(
      {
        tenantId: SYSTEM_TENANT,
        actor: { role: caller.principal.role, id: service },
        requestId: caller.requestId,
        idempotency: null,
      },
      { purpose: body.purpose, overlapSeconds: body.overlap_seconds },
    );
    return mapOk(rotated, (kid) => ({ kid }));
  }
}

const notTheOperator = problem('forbidden', 'Only the service named operator rotates keys.', {
  fix: 'Use the token of the service operator in AUTHORITY_SERVICE_TOKENS.',
});
