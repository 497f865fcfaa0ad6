import type { HttpReply, HttpRequest, HttpServer } from './fastify.js';
import { LOG_SAMPLE_EVERY } from './limits.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Logger = HttpServer['log'];

/** Where log lines go: anything with pino's one method. */
export interface LogStream {
  write(line: string): void;
}

/**
 * Settings of Fastify's logger (pino): JSON lines on the given stream. The lines are written by {@link logRequests}
 * and by the filter, from an allow list of fields: never a body, a header, a key, a token or a query.
 */
export function loggerOptions(level: LogLevel, stream: LogStream) {
  return {
    level,
    stream,
    base: null,
    serializers: { req: () => ({}), res: () => ({}), err: printError },
  };
}

/** Fastify writes two lines per request to the request's child logger; ours write one in a hundred, so that child is mute. */
export function muteChildLogger(): (logger: Logger) => Logger {
  let mute: Logger | null = null;
  return (logger) => (mute ??= logger.child({}, { level: 'silent' }));
}

function printError(error: unknown): { type: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  return { type: error.name, message: error.message, stack: error.stack ?? '' };
}

/** Logs every request answered with 5xx and one in {@link LOG_SAMPLE_EVERY} of the others. */
export function logRequests(server: HttpServer): void {
  let sinceSample = 0;
  server.addHook('onResponse', (request, reply, done) => {
    const failed = reply.statusCode >= 500;
    sinceSample = (sinceSample + 1) % LOG_SAMPLE_EVERY;
    if (failed) server.log.error(lineOf(request as HttpRequest, reply), 'request failed');
    else if (sinceSample === 0) server.log.info(lineOf(request as HttpRequest, reply), 'request');
    done();
  });
}

function lineOf(request: HttpRequest, reply: HttpReply): object {
  const principal = request.arbiterState?.caller?.principal;
  return {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
    tenant_id: principal?.tenantId ?? null,
    api_key_id: principal?.apiKeyId ?? null,
  };
}
