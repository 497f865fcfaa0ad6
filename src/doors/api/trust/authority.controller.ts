import { Controller, Headers, Inject } from '@nestjs/common';
import { answerWith, Handles, Input, type InputOf } from '../../../base/platform/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import { STATUS_LIST_MEDIA_TYPE } from '../../../core/proofs/index.js';
import {
  PUBLIC_AUTHORITY,
  type PublicAuthority,
  type PublicQuestion,
} from '../../../trust/authority/index.js';
import {
  readAuthorityCheckpoint,
  readAuthorityJwks,
  readAuthorityList,
  readAuthorityName,
  readAuthorityRecord,
  withdrawAuthorityConsent,
} from './authority.contract.js';

const JSON_MEDIA_TYPE = 'application/json';

@Controller()
export class AuthorityController {
  constructor(@Inject(PUBLIC_AUTHORITY) private readonly authority: PublicAuthority) {}

  @Handles(readAuthorityJwks)
  jwks() {
    return this.#pass({ path: ['.well-known', 'jwks.json'], mediaType: JSON_MEDIA_TYPE });
  }

  @Handles(readAuthorityName)
  name() {
    return this.#pass({ path: ['.well-known', 'arbiter-authority'], mediaType: JSON_MEDIA_TYPE });
  }

  @Handles(readAuthorityList)
  list(
    @Input() { params }: InputOf<typeof readAuthorityList>,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
  ) {
    const path = ['status', params.tenant_id, params.number];
    return this.#pass({ path, mediaType: STATUS_LIST_MEDIA_TYPE, ifNoneMatch });
  }

  @Handles(readAuthorityRecord)
  record(@Input() { params }: InputOf<typeof readAuthorityRecord>) {
    const path = ['revocations', params.tenant_id, params.revocation_id];
    return this.#pass({ path, mediaType: 'application/jwt' });
  }

  @Handles(readAuthorityCheckpoint)
  checkpoint(@Input() { params }: InputOf<typeof readAuthorityCheckpoint>) {
    const path = ['witness', params.origin_sha256, 'checkpoint'];
    return this.#pass({ path, mediaType: 'text/plain' });
  }

  @Handles(withdrawAuthorityConsent)
  withdraw(@Input() { params, body }: InputOf<typeof withdrawAuthorityConsent>) {
    const path = ['consents', params.tenant_id, params.consent_id, 'withdrawals'];
    return this.#pass({ path, mediaType: JSON_MEDIA_TYPE, body });
  }

  async #pass(question: PublicQuestion) {
    return mapOk(await this.authority.ask(question), ({ body, ...parts }) =>
      answerWith(body, parts),
    );
  }
}
