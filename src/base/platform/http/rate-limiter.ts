import fastifyRateLimit, { type CreateRateLimitOptions } from '@fastify/rate-limit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { problem } from '../../../core/kernel/index.js';
import type { HttpRequest, HttpServer } from './fastify.js';
import { RATE_CALLERS_REMEMBERED, RATE_WINDOW_SECONDS } from './limits.js';
import { ProblemException } from './problem-json.js';

/** Requests per {@link RATE_WINDOW_SECONDS}. */
export interface RateLimits {
  /** Of one API key. */
  readonly perKeyMax: number;
  /**
   * Of one address, over requests that no valid key vouches for: public routes and wrong keys. A wrong key is looked up
   * before it is counted, so that a valid key of the same address is never locked out; unknown routes are not counted.
   */
  readonly perAddressMax: number;
}

/** Counts one request of a caller. Rejects with `rate_limited` when the caller has used its window up. */
export interface RateLimiter {
  countKey(request: HttpRequest, apiKeyId: string): Promise<void>;
  countAddress(request: HttpRequest): Promise<void>;
}

const KEY_ID = Symbol('arbiter.rateLimitedKeyId');
type Counted = HttpRequest & { [KEY_ID]?: string };

/**
 * Rate limits of this process, kept in its memory: with several processes behind a balancer a caller gets the limit
 * once per process. IPv6 callers are counted by /64. The clock is real time (decisions 2.4).
 */
export async function rateLimiterOf(
  app: NestFastifyApplication,
  limits: RateLimits,
): Promise<RateLimiter> {
  const server = await app.register(fastifyRateLimit, {
    global: false,
    cache: RATE_CALLERS_REMEMBERED,
    timeWindow: RATE_WINDOW_SECONDS * 1_000,
  });
  const perKey = limiter(server, {
    max: limits.perKeyMax,
    keyGenerator: (request: unknown) => `key ${(request as Counted)[KEY_ID] ?? ''}`,
  });
  const perAddress = limiter(server, { max: limits.perAddressMax });
  return {
    countKey(request: Counted, apiKeyId) {
      request[KEY_ID] = apiKeyId;
      return perKey(request);
    },
    countAddress: perAddress,
  };
}

function limiter(
  server: HttpServer,
  options: CreateRateLimitOptions,
): (request: HttpRequest) => Promise<void> {
  const count = server.createRateLimit(options);
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    throw new ProblemException(
      problem('rate_limited', `More than ${counted.max} requests in ${RATE_WINDOW_SECONDS} s.`, {
        fix: 'Wait as long as Retry-After says, then send fewer requests.',
        retryAfterSeconds: Math.max(1, counted.ttlInSeconds),
      }),
    );
  };
}
