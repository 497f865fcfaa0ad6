import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../base/platform/index.js';
import { mapOk } from '../../core/kernel/index.js';
import type { AuthorityTenants } from '../tenants/index.js';
import { OBJECTS, ORIGIN, TENANTS } from '../tokens.js';
import { acceptArtifacts, bindObjectsRoute } from './objects.contract.js';
import type { AuthorityObjects } from './objects.js';
import { readArtifacts, readObjects } from './read-objects.js';

@Controller()
export class ObjectsController {
  constructor(
    @Inject(TENANTS) private readonly tenants: AuthorityTenants,
    @Inject(OBJECTS) private readonly objects: AuthorityObjects,
    @Inject(ORIGIN) private readonly origin: string,
  ) {}

  @Handles(bindObjectsRoute)
  async bind(
    @Input() { params, body }: InputOf<typeof bindObjectsRoute>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const { tenantId } = tenant.value;
    const read = readObjects(body.objects, { origin: this.origin, tenantId });
    if (!read.ok) return read;
    return mapOk(await this.objects.bind(tenant.value, read.value), (bound) => ({ bound }));
  }

  @Handles(acceptArtifacts)
  async accept(
    @Input() { params, body }: InputOf<typeof acceptArtifacts>,
    @Caller() caller: CallerContext,
  ) {
    const tenant = await this.tenants.of(caller, params.tenant_id);
    if (!tenant.ok) return tenant;
    const { tenantId } = tenant.value;
    const read = readArtifacts(body.artifacts, { origin: this.origin, tenantId });
    if (!read.ok) return read;
    const at = (index: number): string => `/artifacts/${index}`;
    return mapOk(await this.objects.bind(tenant.value, read.value, { at }), (bound) => ({ bound }));
  }
}
