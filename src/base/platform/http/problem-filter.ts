import {
  type ArgumentsHost,
  type ExceptionFilter,
  HttpException,
  HttpStatus,
} from '@nestjs/common';
import { type Problem, problem } from '../../../core/kernel/index.js';
import type { CompiledRoute } from './compiled-route.js';
import type { HttpReply, HttpRequest } from './fastify.js';
import { problemOfForeignError } from './foreign-error.js';
import { escapeHtml, PLAIN_PAGE_HEADERS, printPlainPage } from './plain-page.js';
import {
  type ForeignForm,
  printProblem,
  PROBLEM_CONTENT_TYPE,
  type ProblemBody,
  ProblemException,
  type ProblemPrinter,
} from './problem-json.js';

const INTERNAL: Problem = problem('internal', 'Something of ours broke; it has been logged.', {
  fix: 'Repeat the request; if it fails again, give the request_id to the operator.',
});

/**
 * The one place where an error becomes an answer: problem+json from the catalogue. What is not known is answered as
 * `internal` without detail and logged with its stack under the request's id.
 */
export class ProblemFilter implements ExceptionFilter {
  private readonly paths: readonly { readonly pattern: RegExp; readonly method: string }[];
  private readonly printers: readonly {
    readonly pattern: RegExp;
    readonly method: string;
    readonly problemAs: ProblemPrinter;
  }[];
  /** How the paths begin whose problems people may read: up to the first parameter. */
  private readonly pages: readonly string[];

  constructor(
    routes: readonly CompiledRoute[],
    private readonly problemsUrl: string,
  ) {
    this.paths = routes.map(({ contract }) => ({
      pattern: pathPattern(contract.path),
      method: contract.method,
    }));
    this.printers = routes.flatMap(({ contract: { path, method, problemAs } }) =>
      problemAs === undefined ? [] : [{ pattern: pathPattern(path), method, problemAs }],
    );
    this.pages = routes.flatMap(({ contract }) =>
      contract.page === true ? (contract.path.split('{', 1)[0] ?? []) : [],
    );
  }

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(exception, http.getRequest<HttpRequest>(), http.getResponse<HttpReply>());
  }

  /** Prints the problem behind `exception`; the router's own errors, raised before Nest, come here directly. */
  answer(exception: unknown, request: HttpRequest, reply: HttpReply): void {
    const { problem: answered, extras } = this.problemOf(exception, request);
    if (answered.code === 'internal') {
      request.server.log.error(
        {
          request_id: request.id,
          method: request.method,
          route: request.routeOptions.url,
          err: exception,
        },
        'a request failed',
      );
    }
    // WHY: an answer already on its way cannot become a problem; Fastify closes the connection.
    if (reply.sent) return;
    const foreign = this.foreignForm(answered, request);
    if (foreign !== null) {
      void reply
        .status(foreign.status)
        .headers({ 'request-id': request.id, 'cache-control': 'no-store', ...extras.headers })
        .type(foreign.mediaType)
        .send(Buffer.from(JSON.stringify(foreign.body)));
      return;
    }
    const printed = printProblem(
      { problem: answered, extras },
      { requestId: request.id, problemsUrl: this.problemsUrl },
    );
    void reply
      .status(printed.status)
      .headers({ 'request-id': request.id, 'cache-control': 'no-store', ...printed.headers });
    if (this.isReadByPeople(request)) {
      void reply.headers(PLAIN_PAGE_HEADERS).send(problemPage(printed.body));
      return;
    }
    void reply
      .type(PROBLEM_CONTENT_TYPE)
      // Bytes, because Fastify adds a charset to text, which this media type does not have.
      .send(Buffer.from(JSON.stringify(printed.body)));
  }

  /** A problem of a route whose protocol has a form of its own for it; also of what failed before the route was reached. */
  private foreignForm(answered: Problem, request: HttpRequest): ForeignForm | null {
    const [path = ''] = request.url.split('?', 1);
    const printer = this.printers.find(
      ({ pattern, method }) => method === request.method && pattern.test(path),
    );
    const { id: requestId, url, headers } = request;
    return printer?.problemAs(answered, { requestId, url, headers }) ?? null;
  }

  private isReadByPeople({ url, headers }: HttpRequest): boolean {
    if (!this.pages.some((start) => url.startsWith(start))) return false;
    return /\btext\/html\b/i.test(headers.accept ?? '');
  }

  private problemOf(exception: unknown, request: HttpRequest): ProblemException {
    if (exception instanceof ProblemException) return exception;
    if (
      exception instanceof HttpException &&
      exception.getStatus() === Number(HttpStatus.NOT_FOUND)
    ) {
      return this.unknownRoute(request);
    }
    return new ProblemException(problemOfForeignError(exception) ?? INTERNAL);
  }

  /** Tells an unknown path from a known one asked with the wrong method (RFC 9110 section 15.5.6: Allow). */
  private unknownRoute(request: HttpRequest): ProblemException {
    const [path = ''] = request.url.split('?', 1);
    const methods = this.paths
      .filter(({ pattern }) => pattern.test(path))
      .map(({ method }) => method);
    if (methods.length === 0 || methods.includes(request.method)) {
      const isSlashed = this.paths.some(({ pattern }) => pattern.test(path.replace(/\/$/, '')));
      const fix = isSlashed
        ? 'Leave out the slash at the end of the path.'
        : 'See /openapi.json for the routes of this service.';
      return new ProblemException(problem('not_found', 'No route has this path.', { fix }));
    }
    const allowed = [...new Set(methods)].sort().join(', ');
    return new ProblemException(
      problem('method_not_allowed', `This path knows ${allowed}.`, { fix: `Use ${allowed}.` }),
      { headers: { allow: allowed } },
    );
  }
}

const problemPage = ({ title, detail, fix, request_id }: ProblemBody): string =>
  printPlainPage(
    title,
    [
      `<p>${escapeHtml(detail)}</p>`,
      `<p>${escapeHtml(fix)}</p>`,
      `<p class="note">Request ${escapeHtml(request_id)}</p>`,
    ].join('\n    '),
  );

const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map((literal) => literal.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}$`,
  );
