import { Controller, Inject } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock } from '../../../base/ledger/index.js';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { type Artifacts, ARTIFACTS } from '../../../trust/facts/index.js';
import { commandContext } from '../command-context.js';
import {
  listArtifacts,
  printListed,
  printRegistered,
  printWhole,
  readArtifact,
  registerArtifact,
} from './artifacts.contract.js';
import { commerceNow } from './pieces.js';

@Controller()
export class ArtifactsController {
  constructor(
    @Inject(ARTIFACTS) private readonly artifacts: Artifacts,
    @Inject(OUTSIDE_LOCK) private readonly outsideLock: OutsideLock,
  ) {}

  @Handles(registerArtifact)
  async register(
    @Input() { body }: InputOf<typeof registerArtifact>,
    @Caller() caller: CallerContext,
  ) {
    const registration = { envelope: body.artifact, scope: caller.principal };
    const result = await this.artifacts.register(commandContext(caller), registration);
    return mapOk(result, printRegistered);
  }

  @Handles(listArtifacts)
  async list(@Input() { query }: InputOf<typeof listArtifacts>, @Caller() caller: CallerContext) {
    const { tenantId } = caller.principal;
    const views = await this.artifacts.list(tenantId, {
      scope: caller.principal,
      merchantId: query.merchant_id ?? null,
      type: query.artifact_type ?? null,
      beforeSeq: query.cursor ?? null,
      limit: query.limit,
      atMs: await commerceNow(this.outsideLock, tenantId),
    });
    const last = views.length < query.limit ? undefined : views.at(-1);
    return ok({ items: views.map(printListed), next_cursor: last ? String(last.entrySeq) : null });
  }

  @Handles(readArtifact)
  async read(@Input() { params }: InputOf<typeof readArtifact>, @Caller() caller: CallerContext) {
    const { tenantId } = caller.principal;
    const atMs = await commerceNow(this.outsideLock, tenantId);
    const wanted = { artifactId: params.artifact_id, scope: caller.principal, atMs };
    return mapOk(await this.artifacts.get(tenantId, wanted), printWhole);
  }
}
