import { type Problem, PROBLEMS } from '../../../core/kernel/index.js';
import { RETRY_AFTER_SECONDS_DEFAULT } from './limits.js';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** One wrong member of a request. `field` as in {@link Problem}. */
export interface FieldError {
  readonly field: string;
  readonly detail: string;
}

/** Headers and members that a problem carries only on some answers. */
export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Carries a problem from the edge (guard, reader, interceptor) to the one filter that prints it. Nothing below the
 * doors throws it: there a problem is a value.
 */
export class ProblemException extends Error {
  override readonly name = 'ProblemException';
  constructor(
    readonly problem: Problem,
    readonly extras: ProblemExtras = {},
  ) {
    super(problem.code);
  }
}

/** What a printer of a contract is told of the request beside its problem. */
export interface ProblemPlace {
  readonly requestId: string;
  readonly url: string;
  readonly headers: Readonly<NodeJS.Dict<string | string[]>>;
}

/** An error in the form of somebody else's protocol. */
export interface ForeignForm {
  readonly status: number;
  readonly mediaType: string;
  readonly body: object;
}

export type ProblemPrinter = (problem: Problem, place: ProblemPlace) => ForeignForm | null;

/** The body of a problem answer (RFC 9457). `request_id` is what to quote to the operator. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly field: string | null;
  readonly fix: string;
  readonly request_id: string;
  readonly retryable: boolean;
  readonly errors?: readonly FieldError[];
}

export interface PrintedProblem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemBody;
}

/**
 * Prints a problem as RFC 9457 asks. `problemsUrl` is where the pages of the codes stand: absolute when the
 * deployment has a public URL, else a reference relative to the host that was asked.
 * A problem that a pause may cure always carries Retry-After.
 */
export function printProblem(
  { problem, extras }: { readonly problem: Problem; readonly extras: ProblemExtras },
  { requestId, problemsUrl }: { readonly requestId: string; readonly problemsUrl: string },
): PrintedProblem {
  const { status, retry, title } = PROBLEMS[problem.code];
  const retryable = retry === 'after_pause';
  const pauseSeconds = problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT;
  return {
    status,
    headers: { ...extras.headers, ...(retryable ? { 'retry-after': String(pauseSeconds) } : {}) },
    body: {
      type: `${problemsUrl}/${problem.code}`,
      title,
      status,
      code: problem.code,
      detail: problem.detail,
      field: problem.field,
      fix: problem.fix,
      request_id: requestId,
      retryable,
      ...(extras.errors === undefined ? {} : { errors: extras.errors }),
      ...problem.refusal,
    },
  };
}
