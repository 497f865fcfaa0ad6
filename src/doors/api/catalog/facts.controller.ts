import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  type Config,
  CONFIG,
  Handles,
  Input,
  type InputOf,
  REASONS_PATH,
} from '../../../base/platform/index.js';
import { err, mapOk, ok } from '../../../core/kernel/index.js';
import {
  CACHED_FACTS,
  type CachedFacts,
  PUBLICATIONS,
  type Publications,
} from '../../../trust/facts/index.js';
import { commandContext } from '../command-context.js';
import { refusedFact } from '../refused.js';
import {
  listFacts,
  printCached,
  printFactCursor,
  printListedFact,
  printPublication,
  publishFacts,
  readFact,
} from './facts.contract.js';

@Controller()
export class FactsController {
  private readonly reasonsUrl: string;

  constructor(
    @Inject(PUBLICATIONS) private readonly publications: Publications,
    @Inject(CACHED_FACTS) private readonly facts: CachedFacts,
    @Inject(CONFIG) { publicBaseUrl }: Config,
  ) {
    this.reasonsUrl = `${publicBaseUrl ?? ''}${REASONS_PATH}`;
  }

  @Handles(publishFacts)
  async publish(@Input() { body }: InputOf<typeof publishFacts>, @Caller() caller: CallerContext) {
    const wish = {
      merchantId: body.merchant_id,
      type: body.artifact_type ?? null,
      subject: body.subject ?? null,
      after: body.cursor ?? null,
    };
    const published = await this.publications.publish(
      commandContext(caller),
      caller.principal,
      wish,
    );
    return mapOk(published, printPublication);
  }

  @Handles(listFacts)
  async list(
    @Input() { query }: InputOf<typeof listFacts>,
    @Caller() { principal }: CallerContext,
  ) {
    const listed = await this.facts.list(principal, {
      merchantId: query.merchant_id,
      type: query.artifact_type ?? null,
      subject: query.subject ?? null,
      after: query.cursor ?? null,
      size: query.limit,
    });
    return mapOk(listed, ({ items, next }) => ({
      items: items.map(printListedFact),
      next_cursor: printFactCursor(next),
    }));
  }

  @Handles(readFact)
  async read(
    @Input() { params }: InputOf<typeof readFact>,
    @Caller() { principal }: CallerContext,
  ) {
    const { merchant_id: merchantId, artifact_type: type, subject } = params;
    const read = await this.facts.read(principal, { merchantId, type, subject });
    if (!read.ok) return read;
    const { fault } = read.value;
    if (fault !== null) return err(refusedFact(fault, this.reasonsUrl));
    return ok(printCached(read.value, { type, subject }));
  }
}
