import { randomBytes } from 'node:crypto';
import type { KeyWrapping, WrappedKey } from '../../../base/keys/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import { invariant, type TenantId } from '../../../core/kernel/index.js';
import {
  endpointOfTenant,
  findEndpoint,
  insertEndpoint,
  replaceSecret,
  type StoredEndpoint,
} from './provider-endpoints.store.js';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
const ENDPOINT_ID_BYTES = 16;

/** An endpoint with its secrets as the signing scheme spells them (`whsec_…`), the current one first. */
export interface ProviderEndpoint {
  readonly endpointId: string;
  readonly tenantId: TenantId;
  readonly secrets: readonly [string, ...string[]];
}

/** Where providers report to tenants. A tenant's endpoint is made when it is first needed. */
export class ProviderEndpoints {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly wrapping: KeyWrapping;
    },
  ) {}

  /** Null = nothing reports there. */
  async find(provider: string, endpointId: string): Promise<ProviderEndpoint | null> {
    const stored = await findEndpoint(this.dependencies.database, endpointId);
    return stored === null || stored.provider !== provider ? null : this.opened(stored);
  }

  async ofTenant(tenantId: TenantId, provider: string): Promise<ProviderEndpoint> {
    return this.opened(await this.stored(tenantId, provider));
  }

  /** A new secret from now on; the one there was verifies for `overlapMs` more (real time). */
  async rotate(tenantId: TenantId, provider: string, overlapMs: number): Promise<ProviderEndpoint> {
    const { database } = this.dependencies;
    const { endpointId } = await this.stored(tenantId, provider);
    const current = this.newSecret({ tenantId, endpointId });
    await replaceSecret(database, endpointId, { current, overlapMs });
    return this.ofTenant(tenantId, provider);
  }

  private async stored(tenantId: TenantId, provider: string): Promise<StoredEndpoint> {
    const { database } = this.dependencies;
    const known = await endpointOfTenant(database, { tenantId, provider });
    if (known !== null) return known;
    const endpointId = `pep_${randomBytes(ENDPOINT_ID_BYTES).toString('hex')}`;
    const current = this.newSecret({ tenantId, endpointId });
    await insertEndpoint(database, { endpointId, tenantId, provider, current });
    const made = await endpointOfTenant(database, { tenantId, provider });
    invariant(made !== null, 'an endpoint that was made is there');
    return made;
  }

  private newSecret(place: Pick<StoredEndpoint, 'tenantId' | 'endpointId'>): WrappedKey {
    return this.dependencies.wrapping.wrap(randomBytes(SECRET_BYTES), contextOf(place));
  }

  private opened(stored: StoredEndpoint): ProviderEndpoint {
    const { endpointId, tenantId, current, previous } = stored;
    const open = (wrapped: WrappedKey): string => {
      const secret = this.dependencies.wrapping.unwrap(wrapped, contextOf(stored));
      invariant(secret.ok, 'a webhook secret opens with the key-encryption key of this database');
      return `whsec_${secret.value.toString('base64')}`;
    };
    const secrets = previous === null ? [] : [open(previous)];
    return { endpointId, tenantId, secrets: [open(current), ...secrets] };
  }
}

const contextOf = ({ tenantId, endpointId }: Pick<StoredEndpoint, 'tenantId' | 'endpointId'>) => ({
  tenantId,
  purpose: 'provider-webhook',
  kid: endpointId,
});
