import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { invariant, type Principal, type Problem, problem } from '../../../core/kernel/index.js';
import type { Authenticator } from './authenticator.js';
import type { CompiledRoute } from './compiled-route.js';
import type { HttpRequest } from './fastify.js';
import { routeOf } from './handles.js';
import { readIdempotencyClaim } from './idempotency.js';
import { API_KEY_CHARACTERS_MAX } from './limits.js';
import { ProblemException } from './problem-json.js';
import type { RateLimiter } from './rate-limiter.js';

const BEARER = /^Bearer ([A-Za-z0-9_-]+)$/i;

/**
 * Lets a request through to its handler when the contract's roles allow it. Refusals, in order: method_not_allowed (HEAD of
 * a GET that writes), rate_limited (public routes), unauthenticated, rate_limited, forbidden (the role, then the key's scopes), and those of the Idempotency-Key. Whether this caller may touch
 * this merchant or agent is the use case's to judge, not the guard's.
 */
export class CallerGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limiter: () => RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const route = routeOf(context.getHandler());
    // INVARIANT: the start checks that every handler has a contract (routesOf); this is the second lock.
    invariant(route !== undefined, 'a handler has a route contract');
    if (route.contract.writes === true && request.method === 'HEAD') throw onlyGet;
    if (route.roles === null || isAnonymous(request, route)) {
      if (route.contract.uncounted !== true) await this.limiter().countAddress(request);
      request.arbiterState = { route, caller: null, input: null };
      return true;
    }
    const principal = await this.authenticate(request);
    await this.limiter().countKey(request, principal.apiKeyId);
    requireRole(route, principal);
    requireScope(route, principal);
    const idempotency = readIdempotencyClaim(request, route, principal);
    if (!idempotency.ok) throw new ProblemException(idempotency.error);
    const caller = { principal, requestId: request.id, idempotency: idempotency.value };
    request.arbiterState = { route, caller, input: null };
    return true;
  }

  private async authenticate(request: HttpRequest): Promise<Principal> {
    const header = request.headers.authorization;
    const apiKey = header === undefined ? null : apiKeyOf(header);
    if (apiKey === null) {
      await this.limiter().countAddress(request);
      throw unauthenticated(header === undefined ? 'none' : 'unreadable');
    }
    const principal = await this.authenticator.authenticate(apiKey);
    if (principal.ok) return principal.value;
    await this.limiter().countAddress(request);
    throw principal.error.code === 'unauthenticated'
      ? keyRefused(principal.error)
      : new ProblemException(principal.error);
  }
}

/** Whoever sends a header wants to be known by it: a wrong one is refused, never taken for nobody's. */
const isAnonymous = ({ headers }: HttpRequest, { contract }: CompiledRoute): boolean =>
  contract.access === 'optional' && headers.authorization === undefined;

const onlyGet = new ProblemException(
  problem('method_not_allowed', 'This path knows GET.', { fix: 'Use GET.' }),
  { headers: { allow: 'GET' } },
);

const apiKeyOf = (header: string): string | null =>
  header.length > API_KEY_CHARACTERS_MAX ? null : (BEARER.exec(header)?.[1] ?? null);

/** RFC 6750 section 3: no error code when no credential was sent. */
const challenge = (sent: 'none' | 'unreadable'): Record<string, string> => ({
  'www-authenticate': `Bearer realm="arbiter"${sent === 'none' ? '' : ', error="invalid_token"'}`,
});

/** A key was sent and counts for nothing here; `why` is `unauthenticated`. */
export const keyRefused = (why: Problem): ProblemException =>
  new ProblemException(why, { headers: challenge('unreadable') });

/** Also what a handler answers to a caller without a key, where only some of its answers need one. */
export const unauthenticated = (sent: 'none' | 'unreadable'): ProblemException =>
  new ProblemException(
    problem(
      'unauthenticated',
      sent === 'none'
        ? 'No Authorization header was sent.'
        : 'The Authorization header holds no API key.',
      {
        field: ':authorization',
        fix: 'Send Authorization: Bearer followed by an API key (ak_...).',
      },
    ),
    { headers: challenge(sent) },
  );

function requireRole(route: CompiledRoute, principal: Principal): void {
  if (route.roles === null || route.roles.has(principal.role)) return;
  throw new ProblemException(
    problem(
      'forbidden',
      `${route.name} is for ${[...route.roles].join(', ')}; this key has the role ${principal.role}.`,
      {
        fix: 'Use a key of one of the named roles; GET /v1/access lists the roles of every route.',
      },
    ),
  );
}

/** A key with scopes calls only routes with one of these tags, within its role. */
function requireScope({ contract }: CompiledRoute, { scopes = null }: Principal): void {
  if (scopes === null || scopes.includes(contract.tag)) return;
  throw new ProblemException(
    problem(
      'forbidden',
      `This key is narrowed to ${scopes.join(', ')}; the route is of ${contract.tag}.`,
      { fix: 'Use a key with this scope, or one without scopes.' },
    ),
  );
}
