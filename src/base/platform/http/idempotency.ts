import { createHash } from 'node:crypto';
import {
  err,
  ok,
  problem,
  type Principal,
  type Problem,
  type Result,
} from '../../../core/kernel/index.js';
import type { CompiledRoute } from './compiled-route.js';
import type { Caller } from './contract.js';
import type { HttpRequest } from './fastify.js';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from './limits.js';

const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_CHARACTERS_MAX}}$`);
const HEADER = ':idempotency-key';

/**
 * The claim of a request on its Idempotency-Key (decisions 2.10). The scope is tenant, API key, method and path
 * template; the hash covers method, path with query, API key and the exact bytes of the body, so that another
 * request under the same key is told from a repeat.
 * Null when the route has no use for keys, or none was sent where it is optional.
 * Problems, in order: idempotency_key_required, validation_failed (not 1 to 255 visible ASCII characters).
 */
export function readIdempotencyClaim(
  request: HttpRequest,
  { contract, name }: CompiledRoute,
  principal: Principal,
): Result<Caller['idempotency'], Problem> {
  if (contract.idempotency === 'none') return ok(null);
  const key = request.headers['idempotency-key'];
  if (key === undefined) {
    if (contract.idempotency === 'optional') return ok(null);
    return err(
      problem('idempotency_key_required', 'The Idempotency-Key header is missing.', {
        field: HEADER,
        fix: 'Send an Idempotency-Key of your choice and the same one when you repeat this request.',
      }),
    );
  }
  if (typeof key !== 'string' || !VISIBLE.test(key)) {
    return err(
      problem('validation_failed', 'The Idempotency-Key header is not of the expected form.', {
        field: HEADER,
        fix: `Send 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} visible ASCII characters, once.`,
      }),
    );
  }
  return ok({
    scope: `${principal.tenantId} ${principal.apiKeyId} ${name}`,
    key,
    requestHash: requestHashOf(request, principal),
  });
}

/** Hex SHA-256. No part before the body holds a line feed, so the parts cannot run into each other. */
function requestHashOf(request: HttpRequest, principal: Principal): string {
  const hash = createHash('sha256').update(
    `arbiter-request/1\n${request.method}\n${request.url}\n${principal.apiKeyId}\n`,
  );
  if (request.rawBody !== null) hash.update(request.rawBody);
  return hash.digest('hex');
}
