import { type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { problem, type Problem } from '../../../core/kernel/index.js';
import { charsetProblem } from './charset.js';
import { answerClientError } from './client-error.js';
import type { HttpReply, HttpRequest, HttpServer } from './fastify.js';
import { FORM_BYTES_MAX, FORM_CONTENT_TYPE, readForm } from './form-body.js';
import { HttpModuleState } from './http.module.js';
import { checkJsonBounds } from './json-body.js';
import { JSON_CONTENT_TYPE, JSON_MEDIA_TYPES, NamedJson } from './json-media-type.js';
import {
  BODY_BYTES_MAX,
  FIELD_CHARACTERS_MAX,
  HEADER_BYTES_MAX,
  HEADER_LINES_MAX,
  PATH_PARAMETER_CHARACTERS_MAX,
  QUERY_PARAMETERS_MAX,
  REQUEST_ARRIVAL_MS_MAX,
  URL_CHARACTERS_MAX,
} from './limits.js';
import { ProblemException } from './problem-json.js';
import { ProblemFilter } from './problem-filter.js';
import { type RateLimits, rateLimiterOf } from './rate-limiter.js';
import { requestIdOf } from './request-id.js';
import { unstorableText } from './storable-text.js';
import {
  CSV_CONTENT_TYPE,
  LINES_BYTES_MAX,
  LINES_CONTENT_TYPE,
  LINES_CONTENT_TYPES,
  readTextBody,
} from './text-body.js';
import {
  type LogLevel,
  type LogStream,
  loggerOptions,
  logRequests,
  muteChildLogger,
} from './request-log.js';

export interface HttpApplicationOptions {
  readonly logLevel: LogLevel;
  readonly logStream: LogStream;
  readonly rateLimits: RateLimits;
  /** Largest body read, in bytes; {@link BODY_BYTES_MAX} when left out. */
  readonly bodyBytesMax?: number;
  /** Addresses or networks of proxies whose X-Forwarded-For is believed; empty = none. */
  readonly trustedProxies: readonly string[];
}

type RootModule = Parameters<typeof NestFactory.create>[0];

/**
 * The Nest application of a root module that imports HttpModule, initialised and not yet listening.
 * Fastify's own body parser, logger and request ids are replaced by ours, so that every body is bounded before it is
 * parsed, its exact bytes are kept, and every answer carries Request-Id.
 */
export async function createHttpApplication(
  rootModule: RootModule,
  options: HttpApplicationOptions,
): Promise<NestFastifyApplication> {
  let filter: ProblemFilter | null = null;
  const adapter = new PlainFastifyAdapter({
    bodyLimit: options.bodyBytesMax ?? BODY_BYTES_MAX,
    requestTimeout: REQUEST_ARRIVAL_MS_MAX,
    routerOptions: { maxParamLength: PATH_PARAMETER_CHARACTERS_MAX },
    // Node's own answer to a missing Host has no body: boundsProblem gives ours.
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    genReqId: (request: { headers: NodeJS.Dict<string | string[]> }) =>
      requestIdOf(request.headers),
    logger: loggerOptions(options.logLevel, options.logStream),
    childLoggerFactory: muteChildLogger(),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: Error, request: unknown, reply: unknown) =>
      filter?.answer(error, request as HttpRequest, reply as HttpReply),
  });
  const server = adapter.getInstance<HttpServer>();
  prepareRequests(server);
  parseJsonBodies(server, options.bodyBytesMax ?? BODY_BYTES_MAX);
  parseForms(server);
  readTexts(server, { types: [CSV_CONTENT_TYPE], as: CSV_CONTENT_TYPE, bodyLimit: BODY_BYTES_MAX });
  readTexts(server, {
    types: LINES_CONTENT_TYPES,
    as: LINES_CONTENT_TYPE,
    bodyLimit: LINES_BYTES_MAX,
  });
  logRequests(server);
  const app = await NestFactory.create<NestFastifyApplication>(rootModule, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(server),
  });
  filter = app.get(ProblemFilter);
  app.get(HttpModuleState).limiter = await rateLimiterOf(app, options.rateLimits);
  await app.init();
  await server.ready();
  return app;
}

/** Hands Fastify's errors to our filter as they are: Nest's own mapping drops their codes. */
class PlainFastifyAdapter extends FastifyAdapter {
  override mapException(error: unknown): unknown {
    return error;
  }
}

function prepareRequests(server: HttpServer): void {
  server.decorateRequest('arbiterState', null);
  server.decorateRequest('rawBody', null);
  // Node answers an unknown expectation by itself, with 417 and no body; RFC 9110 section 10.1.1 allows to ignore it.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const { headers } = request;
    // RFC 9110 section 8.3: what a body without a type is, the recipient says.
    if (headers['content-type'] === undefined && hasBody(headers))
      headers['content-type'] = LINES_CONTENT_TYPE;
    done(boundsProblem(request as HttpRequest) ?? undefined);
  });
}

const hasBody = (headers: HttpRequest['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function boundsProblem(request: HttpRequest): ProblemException | null {
  const { url = '', rawHeaders, httpVersion, headers } = request.raw;
  if (httpVersion === '1.1' && headers.host === undefined) return hostMissing;
  if (url.length > URL_CHARACTERS_MAX) {
    return tooMuch(`The request target is longer than ${URL_CHARACTERS_MAX} characters.`);
  }
  // rawHeaders lists names and values in turn.
  if (rawHeaders.length > 2 * HEADER_LINES_MAX) {
    return tooMuch(`The request has more than ${HEADER_LINES_MAX} header lines.`);
  }
  const repeated = SINGLE_HEADERS.find((name) => timesSent(rawHeaders, name) > 1);
  if (repeated !== undefined) return sentTwice(repeated);
  const query = url.indexOf('?');
  if (query !== -1 && url.slice(query).split('&').length > QUERY_PARAMETERS_MAX) {
    return tooMuch(`The query has more than ${QUERY_PARAMETERS_MAX} parameters.`);
  }
  if (url.includes('%00')) return tooMuch('The address holds NUL.');
  if (!url.startsWith('/') || url.includes('#')) return notOriginForm;
  return null;
}

const hostMissing = new ProblemException(
  problem('request_malformed', 'The Host header is missing.', {
    field: ':host',
    fix: 'Send the Host header that HTTP/1.1 asks for (RFC 9112 section 3.2).',
  }),
);

/** RFC 9112 section 3.2.1. Another form names a host of its own, and a fragment is read differently by everybody. */
const notOriginForm = new ProblemException(
  problem('request_malformed', 'The request target is not a path.', {
    fix: 'Send the path and the query alone, without scheme, host and fragment.',
  }),
);

/** Of these Node keeps the first and says nothing, while a proxy before it may have judged by the last. */
const SINGLE_HEADERS = ['authorization', 'content-type', 'host'] as const;

/** Names and values stand in turn. */
const timesSent = (rawHeaders: readonly string[], name: string): number =>
  rawHeaders.filter((one, index) => index % 2 === 0 && one.toLowerCase() === name).length;

const sentTwice = (name: string): ProblemException =>
  new ProblemException(
    problem('request_malformed', 'A header that stands alone was sent more than once.', {
      field: `:${name}`,
      fix: 'Send this header once.',
    }),
  );

const tooMuch = (detail: string): ProblemException =>
  new ProblemException(problem('request_malformed', detail, { fix: 'Send less.' }));

function parseJsonBodies(server: HttpServer, bodyLimit: number): void {
  // WHY: the default parser refuses __proto__ and constructor.prototype; both are errors here, not removed in silence.
  const parse = server.getDefaultJsonParser('error', 'error') as unknown as (
    request: HttpRequest,
    text: string,
    done: (error: Error | null, body?: unknown) => void,
  ) => void;
  server.removeAllContentTypeParsers();
  for (const mediaType of JSON_MEDIA_TYPES)
    server.addContentTypeParser<Buffer>(
      mediaType,
      { parseAs: 'buffer', bodyLimit },
      (plainRequest, bytes, done) => {
        const request = plainRequest as HttpRequest;
        request.rawBody = bytes;
        const charset = charsetProblem(request.headers['content-type'] ?? '');
        if (charset !== null) return done(charset);
        // Some clients name a type for the body they do not send.
        if (bytes.length === 0 && mayBeEmpty(request)) return done(null, undefined);
        const bounds = checkJsonBounds(bytes);
        if (!bounds.ok) return done(new ProblemException(bounds.error));
        // In UTF-8, only an escape can spell such a text: most bodies need no look.
        const isSuspect = bytes.includes(UNICODE_ESCAPE);
        parse(request, bytes.toString('utf8'), (error, body) => {
          const place = error === null && isSuspect ? unstorableText(body) : null;
          if (place !== null) done(new ProblemException(unstorableProblem(place)));
          else if (error !== null) done(error);
          else done(null, mediaType === JSON_CONTENT_TYPE ? body : new NamedJson(mediaType, body));
        });
      },
    );
}

/** As the route's contract says (see Handles); a request without a route has no contract. */
const mayBeEmpty = ({ routeOptions }: HttpRequest): boolean =>
  (routeOptions.config as { readonly mayBeEmpty?: boolean } | undefined)?.mayBeEmpty === true;

function parseForms(server: HttpServer): void {
  server.addContentTypeParser<Buffer>(
    FORM_CONTENT_TYPE,
    { parseAs: 'buffer', bodyLimit: FORM_BYTES_MAX },
    (plainRequest, bytes, done) => {
      const request = plainRequest as HttpRequest;
      request.rawBody = bytes;
      const charset = charsetProblem(request.headers['content-type'] ?? '');
      if (charset !== null) return done(charset);
      const form = readForm(bytes.toString('utf8'));
      if (!form.ok) return done(new ProblemException(form.error));
      const place = unstorableText(form.value.fields);
      if (place === null) done(null, form.value);
      else done(new ProblemException(unstorableProblem(place)));
    },
  );
}

function readTexts(
  server: HttpServer,
  { types, as, bodyLimit }: { types: readonly string[]; as: string; bodyLimit: number },
): void {
  server.addContentTypeParser<Buffer>(
    [...types],
    { parseAs: 'buffer', bodyLimit },
    (plainRequest, bytes, done) => {
      const request = plainRequest as HttpRequest;
      request.rawBody = bytes;
      const charset = charsetProblem(request.headers['content-type'] ?? '');
      if (charset !== null) return done(charset);
      const text = readTextBody(as, bytes);
      if (text.ok) done(null, text.value);
      else done(new ProblemException(text.error));
    },
  );
}

const UNICODE_ESCAPE = '\\u';

const unstorableProblem = (field: string): Problem =>
  problem('validation_failed', 'A text holds NUL or half of a surrogate pair.', {
    field: field.slice(0, FIELD_CHARACTERS_MAX),
    fix: 'Send only characters that UTF-8 can carry, NUL excluded.',
  });

/** The fields of a line: rooms hand them over behind its text, Nest puts the name of the logger last. */
function detailsOf(more: readonly unknown[]): object {
  const fields = more.find((one) => typeof one === 'object' && one !== null) ?? {};
  const context = more.findLast((one) => typeof one === 'string');
  return { ...fields, ...(context === undefined ? {} : { context }) };
}

/** Nest's own messages: warnings and errors go to the one log, its start-up chatter nowhere. */
function nestLogger(server: HttpServer): LoggerService {
  const nothing = (): void => undefined;
  return {
    log: nothing,
    debug: nothing,
    verbose: nothing,
    warn: (message: unknown, ...more: unknown[]) =>
      server.log.warn(detailsOf(more), String(message)),
    error: (message: unknown, ...more: unknown[]) =>
      server.log.error(detailsOf(more), String(message)),
    fatal: (message: unknown, ...more: unknown[]) =>
      server.log.fatal(detailsOf(more), String(message)),
  };
}
