import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { API_KEYS, type ApiKeys } from '../../../base/tenants/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import {
  createApiKey,
  listApiKeys,
  printApiKey,
  printShownApiKey,
  readApiKey,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.contract.js';
import { pageRequest, printPage } from './pieces.js';

@Controller()
export class ApiKeysController {
  constructor(@Inject(API_KEYS) private readonly apiKeys: ApiKeys) {}

  @Handles(createApiKey)
  async create(@Input() { body }: InputOf<typeof createApiKey>, @Caller() caller: CallerContext) {
    const grant = {
      name: body.name,
      role: body.role,
      scopes: body.scopes,
      merchantIds: body.merchant_ids,
      agentId: body.agent_id,
      expiresAtMs: body.expires_at,
    };
    const { scopes } = caller.principal;
    const created = await this.apiKeys.create(commandContext(caller), grant, scopes);
    return mapOk(created, printShownApiKey);
  }

  @Handles(listApiKeys)
  async list(@Input() { query }: InputOf<typeof listApiKeys>, @Caller() caller: CallerContext) {
    const page = await this.apiKeys.list(caller.principal.tenantId, pageRequest(query));
    return ok(printPage(page, printApiKey));
  }

  @Handles(readApiKey)
  async read(@Input() { params }: InputOf<typeof readApiKey>, @Caller() caller: CallerContext) {
    return mapOk(await this.apiKeys.get(caller.principal.tenantId, params.api_key_id), printApiKey);
  }

  @Handles(rotateApiKey)
  async rotate(
    @Input() { params, body }: InputOf<typeof rotateApiKey>,
    @Caller() caller: CallerContext,
  ) {
    const rotated = await this.apiKeys.rotate(commandContext(caller), {
      apiKeyId: params.api_key_id,
      overlapSeconds: body.overlap_seconds,
      expiresAtMs: body.expires_at,
      grantorScopes: caller.principal.scopes,
    });
    return mapOk(rotated, printShownApiKey);
  }

  @Handles(revokeApiKey)
  revoke(@Input() { params }: InputOf<typeof revokeApiKey>, @Caller() caller: CallerContext) {
    return this.apiKeys.revoke(commandContext(caller), params.api_key_id);
  }
}
