import type { components } from './api.js';

/** Problem details (RFC 9457) as the service prints them. A newer service may use codes that this list lacks. */
export type Problem = components['schemas']['Problem'];

interface FailureCommon {
  /** The key under which the call was made; the same key and input ask again for the same action. Null: none was sent. */
  readonly idempotencyKey: string | null;
  /** How often the request was sent. */
  readonly attemptCount: number;
}

/**
 * Why there is no answer, always a value:
 * - `problem`: the service says why; nothing was done, except where `problem.code` is `outcome_unknown`.
 * - `unreachable`: no connection, or it broke; a request that changes something may have been done.
 * - `timeout`: as `unreachable`, after `timeoutMs`.
 * - `canceled`: the caller's signal; as `unreachable`.
 * - `unreadable`: an answer that is not of this service (a proxy's page, a redirect, broken JSON).
 * - `unsendable`: no request could be made of the input (a wrong base URL, a key with a line break); nothing was sent.
 */
export type Failure =
  | (FailureCommon & {
      readonly kind: 'problem';
      readonly problem: Problem;
      /** What Retry-After said; null when it said nothing. */
      readonly retryAfterSeconds: number | null;
    })
  | (FailureCommon & {
      readonly kind: 'unreachable' | 'timeout' | 'canceled' | 'unsendable';
      readonly detail: string;
    })
  | (FailureCommon & {
      readonly kind: 'unreadable';
      readonly status: number;
      readonly detail: string;
    });

export interface Answered<Value> {
  readonly ok: true;
  readonly value: Value;
  readonly status: number;
  /** The service's Request-Id, for its log; null when a proxy took it away. */
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export type Answer<Value> = Answered<Value> | { readonly ok: false; readonly failure: Failure };

/** What a problem with the code `arbiter_refused` says beside the rest: an allow was needed, and the answer is no. */
export interface ProblemRefusal {
  readonly failing_rule: string;
  readonly reason: string;
  readonly decision_id: string;
  readonly action: string;
  readonly required_config: string;
  readonly reason_page: string;
  /** When the same request may pass; null: it is not a matter of waiting. */
  readonly not_before: string | null;
}

/** The refusal in a problem; null: it is none. */
export function refusalOf(problem: Problem): ProblemRefusal | null {
  const { failing_rule, reason, decision_id, action, required_config, reason_page } = problem;
  const isRefusal =
    problem.code === 'arbiter_refused' &&
    failing_rule !== undefined &&
    reason !== undefined &&
    decision_id !== undefined &&
    action !== undefined &&
    required_config !== undefined &&
    reason_page !== undefined;
  if (!isRefusal) return null;
  const not_before = problem.not_before ?? null;
  return { failing_rule, reason, decision_id, action, required_config, reason_page, not_before };
}

/** Members of a problem without which it is somebody else's. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, status, detail, retryable } = value as Readonly<Record<string, unknown>>;
  return (
    typeof code === 'string' &&
    typeof status === 'number' &&
    typeof detail === 'string' &&
    typeof retryable === 'boolean'
  );
}
