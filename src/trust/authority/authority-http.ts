import type { z } from 'zod';
import {
  err,
  ok,
  type Problem,
  type ProblemCode,
  problem,
  PROBLEMS,
  type Result,
} from '../../core/kernel/index.js';
import type { AuthorityAddress, OutboundClient } from '../../base/platform/index.js';
import { problemBody } from './wire.js';

/** Time for one call: the authority writes its ledger before it answers. */
export const AUTHORITY_DEADLINE_MS = 10_000;
/** Largest answer read: 2,001 revocation records of about 900 bytes, whose mandates fell with one. */
export const AUTHORITY_ANSWER_BYTES_MAX = 8 * 1024 * 1024;

export interface AuthorityCall<Schema extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** From the origin on, with its slash. */
  readonly path: string;
  readonly body?: unknown;
  readonly answer: Schema;
  readonly deadlineMs?: number;
  /** Whether our service token is shown; public routes get none. */
  readonly asService: boolean;
}

/**
 * One JSON exchange with the authority. Problems: its own 4xx with their code, detail, fix and field (a pointer into what
 * was sent); everything else is `unavailable`: not reached, too late, a 5xx, a token it does not take, an answer that is
 * not of the expected form. Never throws.
 */
export class AuthorityHttp {
  constructor(
    private readonly parts: {
      readonly address: AuthorityAddress;
      readonly outbound: OutboundClient;
    },
  ) {}

  async call<Schema extends z.ZodType>(
    call: AuthorityCall<Schema>,
  ): Promise<Result<z.output<Schema>, Problem>> {
    const { address, outbound } = this.parts;
    const outcome = await outbound.fetch({
      url: `${address.origin}${call.path}`,
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(call.asService ? { authorization: `Bearer ${address.serviceToken}` } : {}),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: Buffer.from(JSON.stringify(call.body), 'utf8') }),
      deadlineMs: call.deadlineMs ?? AUTHORITY_DEADLINE_MS,
      bodyBytesMax: AUTHORITY_ANSWER_BYTES_MAX,
    });
    if (outcome.kind !== 'ok') return err(unavailable(`it could not be asked (${outcome.kind})`));
    const { status, headers, body } = outcome;
    const answered = parseJson(body);
    if (status >= 400) return err(problemOf(status, answered, headers['retry-after']));
    const parsed = call.answer.safeParse(answered);
    return parsed.success ? ok(parsed.data) : err(unreadable);
  }
}

export const unavailable = (why: string, retryAfterSeconds = 2): Problem =>
  problem('unavailable', `The trust authority did not answer: ${why}.`, {
    fix: 'Repeat the request after the pause.',
    retryAfterSeconds,
  });

/** An answer of another form than its contract, or one that says something it must not. */
export const unreadable = unavailable('its answer is not of the agreed form');

/** What an answer of 400 or more means to whoever asked through this service; see {@link AuthorityHttp}. */
export function problemOf(
  status: number,
  answered: unknown,
  retryAfter: string | undefined,
): Problem {
  const pauseSeconds = /^\d{1,4}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  const parsed = problemBody.safeParse(answered);
  if (status >= 500 || status === 429)
    return unavailable(`it answered ${status}`, Math.max(pauseSeconds ?? 2, 1));
  // Our own token was not taken: nothing that the caller of the arbiter could change.
  if (status === 401) return unavailable('it does not take our service token', 60);
  if (!parsed.success) return unavailable(`it answered ${status} without a problem that is known`);
  const { code, detail, fix, field } = parsed.data;
  return isProblemCode(code) && PROBLEMS[code].status === status
    ? problem(code, detail, { fix, field })
    : unavailable(`it answered ${status} with the unknown code ${JSON.stringify(code)}`);
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
