import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { type CallerContext, type CompiledRoute, ProblemException } from '../platform/index.js';

/** Whether a key's scopes let it call a route with this tag. Problem: forbidden. */
export function requireScope(
  { scopes = null }: Pick<Principal, 'scopes'>,
  tag: string,
): Result<null, Problem> {
  if (scopes === null || scopes.includes(tag)) return ok(null);
  return err(
    problem('forbidden', `This key is narrowed to ${scopes.join(', ')}; the route is of ${tag}.`, {
      fix: 'Use a key with this scope, or one without scopes.',
    }),
  );
}

interface GuardedRequest {
  readonly arbiterState: {
    readonly route: Pick<CompiledRoute, 'contract'>;
    readonly caller: CallerContext | null;
  } | null;
}

/** Runs behind the guard and before every handler. A public route has no caller and no scope. */
export class ScopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { arbiterState } = context.switchToHttp().getRequest<GuardedRequest>();
    if (arbiterState !== null && arbiterState.caller !== null) {
      const { route, caller } = arbiterState;
      const allowed = requireScope(caller.principal, route.contract.tag);
      if (!allowed.ok) throw new ProblemException(allowed.error);
    }
    return next.handle();
  }
}
