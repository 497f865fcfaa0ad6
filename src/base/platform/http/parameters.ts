import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { invariant } from '../../../core/kernel/index.js';
import type { Caller as CallerContext } from './contract.js';
import type { HttpRequest } from './fastify.js';
import type { RawInput } from './read-input.js';

export type { CallerContext };

const requestOf = (context: ExecutionContext): HttpRequest =>
  context.switchToHttp().getRequest<HttpRequest>();

/**
 * The request's path parameters, query and body, parsed by the contract's schemas: `InputOf<typeof contract>`.
 * What does not fit is answered with `validation_failed` before the handler runs.
 */
export const Input = createParamDecorator((_data: unknown, context: ExecutionContext): RawInput => {
  const input = requestOf(context).arbiterState?.input ?? null;
  invariant(input !== null, 'input is read before the handler runs');
  return input;
});

/** Who calls, the request's id, and the idempotency claim to hand to the command. Only on routes that are not public. */
export const Caller = createParamDecorator(
  (_data: unknown, context: ExecutionContext): CallerContext => {
    const caller = requestOf(context).arbiterState?.caller ?? null;
    invariant(caller !== null, 'a public route has no caller');
    return caller;
  },
);

/** A request of somebody else's protocol, which has headers of its own. `caller` null = no key was sent (access 'optional'). */
export interface ArrivalContext {
  readonly host: string;
  readonly headers: Readonly<NodeJS.Dict<string | string[]>>;
  readonly caller: CallerContext | null;
}

export const Arrival = createParamDecorator(
  (_data: unknown, context: ExecutionContext): ArrivalContext => {
    const { host, headers, arbiterState } = requestOf(context);
    return { host, headers, caller: arbiterState?.caller ?? null };
  },
);

/** The id of this request, as answered in Request-Id. For public routes; others have it in their caller. */
export const RequestId = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string => requestOf(context).id,
);

/** The host name the client asked: the Host header, or what a trusted proxy forwarded. Empty = none was sent. */
export const PublicHost = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string => requestOf(context).host,
);
