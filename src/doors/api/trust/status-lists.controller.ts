import { Controller, Inject } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock } from '../../../base/ledger/index.js';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { ok } from '../../../core/kernel/index.js';
import { LIST_OVERVIEWS, type ListOverviews } from '../../../trust/status/index.js';
import { commerceNow } from './pieces.js';
import { listStatusLists, printList } from './status-lists.contract.js';

/** How long lists that are not held yet are waited for. */
const LOOK_MS_MAX = 3_000;

@Controller()
export class StatusListsController {
  constructor(
    @Inject(LIST_OVERVIEWS) private readonly overviews: ListOverviews,
    @Inject(OUTSIDE_LOCK) private readonly outsideLock: OutsideLock,
  ) {}

  @Handles(listStatusLists)
  async list(
    @Input() { query }: InputOf<typeof listStatusLists>,
    @Caller() { principal }: CallerContext,
  ) {
    const { tenantId } = principal;
    const atMs = await commerceNow(this.outsideLock, tenantId);
    const deadline = AbortSignal.timeout(LOOK_MS_MAX);
    const looked = await this.overviews.look(tenantId, { uri: query.uri ?? null, atMs, deadline });
    return ok({ items: looked.map((one) => printList(one, atMs)) });
  }
}
