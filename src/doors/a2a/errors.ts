import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { type Problem, PROBLEMS } from '../../core/kernel/index.js';

/**
 * A problem that A2A has no error for: the caller needs a key, or may repeat after a pause. It is answered as HTTP says it
 * (status, Retry-After, problem+json), on both bindings. Thrown because the SDK knows only exceptions.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}

/** What the caller can change, said in the protocol's own form; `metadata` of its ErrorInfo names code, field and fix. */
export const malformed = (
  message: string,
  { fix, field = null, code = 'validation_failed' }: MalformedParts,
): Error =>
  new RequestMalformedError({
    message: `${message} ${fix}`,
    metadata: { code, fix, ...(field === null ? {} : { field }) },
  });

interface MalformedParts {
  readonly fix: string;
  readonly field?: string | null;
  readonly code?: string;
}

/** A problem of a use case as what to throw. */
export function thrownFor(problem: Problem): Error {
  const { code, detail, fix, field } = problem;
  if (PROBLEMS[code].retry === 'after_pause') return new HttpFailure(problem);
  return malformed(detail, { fix, field, code });
}
