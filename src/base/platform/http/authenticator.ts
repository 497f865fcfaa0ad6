import type { Principal, Problem, Result } from '../../../core/kernel/index.js';

/**
 * Turns an API key into the principal it belongs to, the platform administrator's key included. Implemented by
 * base/tenants. Problems: unauthenticated (unknown, revoked or expired key; the three are not told apart),
 * unavailable (the store of keys did not answer).
 */
export interface Authenticator {
  authenticate(apiKey: string): Promise<Result<Principal, Problem>>;
}

export const AUTHENTICATOR = Symbol('Authenticator');
