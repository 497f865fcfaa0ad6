import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { invariant, type Problem, type Result } from '../../../core/kernel/index.js';
import type { HttpReply, HttpRequest } from './fastify.js';
import { ProblemException, type ProblemExtras } from './problem-json.js';

/**
 * An answer that differs from its contract's plain form: another status of success, headers, or bytes that are not
 * JSON (then with a content-type header). Made by {@link answerWith}.
 */
export class HttpAnswer {
  constructor(
    readonly body: unknown,
    readonly parts: {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ) {}
}

export const answerWith = (body: unknown, parts: HttpAnswer['parts']): HttpAnswer =>
  new HttpAnswer(body, parts);

type Unwrappable = Result<unknown, Problem & Pick<ProblemExtras, 'errors'>>;

/**
 * Around every handler: reads the input by the contract before it, unwraps the Result after it. Its value is the body, its problem goes to the filter that
 * prints problems.
 */
export class ResultInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Unwrappable>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const reply = http.getResponse<HttpReply>();
    const state = request.arbiterState;
    invariant(state !== null, 'the guard runs before input is read');
    const input = state.route.readInput(request);
    if (!input.ok) throw input.error;
    request.arbiterState = { ...state, input: input.value };
    return next.handle().pipe(map((result) => unwrap(result, reply)));
  }
}

function unwrap(result: Unwrappable, reply: HttpReply): unknown {
  if (!result.ok) throw new ProblemException(result.error);
  const { value } = result;
  if (!(value instanceof HttpAnswer)) return value;
  if (value.parts.headers !== undefined) reply.headers(value.parts.headers);
  if (value.parts.status !== undefined) reply.status(value.parts.status);
  return value.body;
}
