import { Controller, Inject } from '@nestjs/common';
import {
  answerWith,
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
  RequestId,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import { WITNESS } from '../credentials/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { TENANTS } from '../tokens.js';
import { addCheckpoint, readCosigned, registerLog } from './cosign.contract.js';
import type { Witness } from './witness.js';

const AS_TEXT = { 'content-type': 'text/plain; charset=utf-8' };
/** C2SP tlog-witness: the size that the witness holds, as the body of a 409. */
const AS_SIZE = { 'content-type': 'text/x.tlog.size' };

@Controller()
export class CosignController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(WITNESS) private readonly witness: Witness,
  ) {}

  @Handles(registerLog)
  async register(
    @Input() { params, body }: InputOf<typeof registerLog>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const { origin, vkeys } = body;
    const registered = await this.witness.registerLog(tenant.value, { origin, vkeys });
    return mapOk(registered, () => ({ origin, vkeys: vkeys.map(({ text }) => text) }));
  }

  @Handles(addCheckpoint)
  async add(@Input() { body }: InputOf<typeof addCheckpoint>, @RequestId() requestId: string) {
    return mapOk(await this.witness.addCheckpoint(body, requestId), (answer) =>
      answer.kind === 'cosigned'
        ? answerWith(`${answer.line}\n`, { headers: AS_TEXT })
        : answerWith(`${answer.size}\n`, { status: 409, headers: AS_SIZE }),
    );
  }

  @Handles(readCosigned)
  async read(@Input() { params }: InputOf<typeof readCosigned>) {
    return mapOk(await this.witness.newest(params.origin_sha256), (note) =>
      answerWith(note, { headers: { ...AS_TEXT, 'access-control-allow-origin': '*' } }),
    );
  }
}
