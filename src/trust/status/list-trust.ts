import type { TenantId } from '../../core/kernel/index.js';
import type { AuthorityPort } from '../authority/index.js';
import { issuerKeyIdOf, type IssuerKeys } from '../peers/index.js';
import { originOf } from './list-origin.js';
import type { ListKey, ListTrust } from './ports.js';

export interface IssuerListTrustParts {
  readonly issuerKeys: Pick<IssuerKeys, 'find' | 'ofIssuer'>;
  readonly authority: Pick<AuthorityPort, 'origin' | 'ensureTenant' | 'refreshKeys'>;
}

/**
 * Lists count by the tenant's issuer keys: the issuer is the origin of the list, the role `status_list`. Those of our own
 * authority follow what it publishes; those of another are what a tenant administrator registered, and nothing else.
 */
export class IssuerListTrust implements ListTrust {
  readonly ownOrigin: string;

  constructor(private readonly parts: IssuerListTrustParts) {
    this.ownOrigin = parts.authority.origin;
  }

  async isTrusted(tenantId: TenantId, listUri: string): Promise<boolean> {
    const origin = await this.#originKnown(tenantId, listUri);
    if (origin === null) return false;
    const keys = await this.parts.issuerKeys.ofIssuer(tenantId, origin);
    return keys.some(({ role }) => role === 'status_list');
  }

  async keyOf(tenantId: TenantId, listUri: string, kid: string): Promise<ListKey | null> {
    const origin = originOf(listUri);
    if (origin === null) return null;
    const id = issuerKeyIdOf(origin, kid);
    const found = (await this.parts.issuerKeys.find(tenantId, [id])).get(id);
    return found?.role === 'status_list' ? found : null;
  }

  async refetchKeys(tenantId: TenantId, listUri: string): Promise<void> {
    if (originOf(listUri) === this.ownOrigin) await this.parts.authority.refreshKeys(tenantId);
  }

  /**
   * Before each fetch of an own list the published keys are followed, so that a key which the authority took away stops
   * counting. While the authority does not answer, those that are known go on.
   */
  async #originKnown(tenantId: TenantId, listUri: string): Promise<string | null> {
    const origin = originOf(listUri);
    if (origin === this.ownOrigin) await this.parts.authority.ensureTenant(tenantId);
    return origin;
  }
}
