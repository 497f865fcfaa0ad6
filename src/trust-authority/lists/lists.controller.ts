import { Controller, Headers, Inject } from '@nestjs/common';
import {
  answerWith,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import { STATUS_LIST_MEDIA_TYPE } from '../../core/proofs/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { STATUS_LISTS, TENANTS } from '../tokens.js';
import { readList, reserveSlotsRoute } from './lists.contract.js';
import type { SignedList, StatusLists } from './status-lists.js';

@Controller()
export class ListsController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(STATUS_LISTS) private readonly lists: StatusLists,
  ) {}

  @Handles(reserveSlotsRoute)
  async reserve(
    @Input() { params, body }: InputOf<typeof reserveSlotsRoute>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const taken = await this.lists.reserve(tenant.value, body.count);
    return mapOk(taken, (places) => ({
      slots: places.map(({ listNumber, slotIndex }) => ({
        uri: this.lists.uriOf(params.tenant_id, listNumber),
        idx: slotIndex,
      })),
    }));
  }

  @Handles(readList)
  async read(
    @Input() { params }: InputOf<typeof readList>,
    @Headers('if-none-match') known: string | undefined,
  ) {
    const signed = await this.lists.signed(params.tenant_id, params.number);
    return mapOk(signed, (list) => answerOf(list, known));
  }
}

function answerOf({ token, etag, maxAgeSeconds }: SignedList, known: string | undefined) {
  const headers = {
    etag,
    'cache-control': `public, max-age=${maxAgeSeconds}`,
    'access-control-allow-origin': '*',
  };
  if (isKnown(etag, known)) return answerWith(undefined, { status: 304, headers });
  return answerWith(token, { headers: { ...headers, 'content-type': STATUS_LIST_MEDIA_TYPE } });
}

/** RFC 9110 section 13.1.2; a weak tag of the same bytes is as good for a GET. */
const isKnown = (etag: string, known: string | undefined): boolean =>
  known !== undefined &&
  known.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
