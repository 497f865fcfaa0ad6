import { createHash, timingSafeEqual } from 'node:crypto';
import type { Authenticator } from '../base/platform/index.js';
import {
  err,
  ok,
  type Principal,
  problem,
  type Problem,
  type Result,
  type Role,
} from '../core/kernel/index.js';

/** The one role of the authority's callers: a service, in the catalogue's word for who belongs to no tenant. */
export const SERVICE: readonly Role[] = ['platform_admin'];

/** The service that may rotate the authority's own keys. */
export const OPERATOR_SERVICE = 'operator';

/** Who a service token belongs to. Tokens are compared by digest, each in constant time. */
export class ServiceAuthenticator implements Authenticator {
  readonly #services: readonly { readonly digest: Buffer; readonly name: string }[];

  constructor(services: ReadonlyMap<string, string>) {
    this.#services = [...services].map(([token, name]) => ({ digest: digestOf(token), name }));
  }

  authenticate(token: string): Promise<Result<Principal, Problem>> {
    const digest = digestOf(token);
    const found = this.#services.filter((service) => timingSafeEqual(service.digest, digest));
    const [service] = found;
    return Promise.resolve(
      service === undefined ? err(unknownToken) : ok(principalOf(service.name)),
    );
  }
}

/** The name of the service behind a principal made here. */
export const serviceOf = ({ apiKeyId }: Pick<Principal, 'apiKeyId'>): string =>
  apiKeyId.slice('key_'.length);

const principalOf = (name: string): Principal => ({
  tenantId: 'tnt_none',
  world: 'live',
  role: 'platform_admin',
  apiKeyId: `key_${name}`,
  agentId: null,
  merchantIds: null,
});

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const unknownToken = problem('unauthenticated', 'The service token is unknown here.', {
  field: ':authorization',
  fix: 'Send one of the tokens of AUTHORITY_SERVICE_TOKENS.',
});
