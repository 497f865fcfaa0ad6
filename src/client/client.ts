import type { paths } from './api.js';
import type { Answer, Failure } from './answer.js';
import { KEYED_ROUTES } from './keyed-routes.js';
import type { Arguments, CallOptions, Method, PathOf, ValueOf } from './operations.js';
import {
  type Attempt,
  type Fetch,
  type OpenAnswer,
  type Sent,
  Transport,
  type Unanswered,
} from './transport.js';

export interface ArbiterClientOptions {
  /** Where the service stands, as `https://arbiter.example`. */
  readonly baseUrl: string;
  /** Null for the routes that are public. */
  readonly apiKey: string | null;
  /** Sends one request; the platform's fetch when left out. */
  readonly fetch?: Fetch;
  /** For one attempt, the reading of its answer included, in milliseconds. 30 seconds when left out. */
  readonly timeoutMs?: number;
  /** How often a request is sent again after a problem that a pause may cure: twice when left out, 0 for never. */
  readonly retryCountMax?: number;
  /** A service that asks for a longer pause than this is not asked again. 60 seconds when left out. */
  readonly pauseMsMax?: number;
  /** Waits; a timer when left out. It may end early when the signal is aborted. */
  readonly pause?: (pauseMs: number, signal: AbortSignal | null) => Promise<void>;
}

type Call<Name extends Method> = <Path extends PathOf<Name>>(
  path: Path,
  ...input: Arguments<Name, Path>
) => Promise<Answer<ValueOf<Name, Path>>>;

/** One method for each of HTTP's; the path says which route, and its types what goes in and what comes out. */
export interface ArbiterClient {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /**
   * Asks for an answer that is not JSON and may be large: its body is read as it comes. `timeoutMs` is the longest silence.
   * Reading `chunks` throws when the connection breaks on the way; whoever stops reading ends the answer.
   */
  readonly download: <Path extends PathOf<'get'>>(
    path: Path,
    ...input: Arguments<'get', Path>
  ) => Promise<Download>;
}

export type Download =
  | (Omit<OpenAnswer, 'kind'> & { readonly ok: true })
  | { readonly ok: false; readonly failure: Failure };

const TIMEOUT_MS_DEFAULT = 30_000;
const RETRY_COUNT_DEFAULT = 2;
const PAUSE_MS_MAX_DEFAULT = 60_000;
/** When a problem that a pause may cure came without Retry-After. */
const PAUSE_SECONDS_DEFAULT = 1;

/**
 * A typed client of the service. Nothing is thrown: a problem, a broken connection and a timeout are values (see
 * {@link Failure}). Routes that take an Idempotency-Key get one, the same for all attempts of a call. A call is repeated
 * only after a problem that the service calls `retryable`, after the pause that it names; not after a broken connection,
 * because then only the caller knows whether it still wants the action: call again with `failure.idempotencyKey`.
 * Not checked: that a body is what the route asks for, beyond its types. Answers are not checked against theirs.
 */
export function arbiterClient(options: ArbiterClientOptions): ArbiterClient {
  const transport = new Transport({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    fetch: options.fetch ?? ((request) => fetch(request)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS_DEFAULT,
  });
  const caller = new Caller(transport, options);
  const callOf = <Name extends Method>(method: Name): Call<Name> =>
    ((path: keyof paths, input: AnyInput = {}) =>
      caller.call({ method, path, input })) as unknown as Call<Name>;
  return {
    get: callOf('get'),
    post: callOf('post'),
    put: callOf('put'),
    patch: callOf('patch'),
    delete: callOf('delete'),
    download: ((path: keyof paths, input: AnyInput = {}) =>
      caller.download({ method: 'get', path, input })) as unknown as ArbiterClient['download'],
  };
}

interface AnyInput extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface AnyCall {
  readonly method: Method;
  readonly path: string;
  readonly input: AnyInput;
}

class Caller {
  constructor(
    private readonly transport: Transport,
    private readonly options: ArbiterClientOptions,
  ) {}

  async call(call: AnyCall): Promise<Answer<unknown>> {
    const sent = sentOf(call);
    const { idempotencyKey } = sent;
    const attempt = await this.attempts<Answered>(sent, () => this.transport.send(sent));
    if ('failure' in attempt) return attempt;
    const { value, status, requestId } = attempt.value;
    return { ok: true, value, status, requestId, idempotencyKey };
  }

  async download(call: AnyCall): Promise<Download> {
    const sent = sentOf(call);
    const attempt = await this.attempts<OpenAnswer>(sent, () => this.transport.open(sent));
    if ('failure' in attempt) return attempt;
    const { status, headers, chunks } = attempt.value;
    return { ok: true, status, headers, chunks };
  }

  /** Tries until there is an answer, or a failure that no further try would change. */
  private async attempts<Success extends { readonly kind: 'answered' | 'open' }>(
    { method, idempotencyKey, signal }: Sent,
    send: () => Promise<Success | Unanswered>,
  ): Promise<{ readonly value: Success } | { readonly ok: false; readonly failure: Failure }> {
    const isRepeatable = idempotencyKey !== null || method === 'GET';
    for (let attemptCount = 1; ; attemptCount += 1) {
      const attempt = await send();
      if (isAnswer(attempt)) return { value: attempt };
      const pauseMs = this.pauseMsAfter(attempt, { attemptCount, isRepeatable });
      const failure = { ...attempt, idempotencyKey, attemptCount } satisfies Failure;
      if (pauseMs === null) return { ok: false, failure };
      await (this.options.pause ?? pauseFor)(pauseMs, signal);
      if (signal?.aborted === true) return { ok: false, failure };
    }
  }

  /** How long to wait before the same request is sent again; null: it is not. */
  private pauseMsAfter(
    attempt: Unanswered,
    {
      attemptCount,
      isRepeatable,
    }: { readonly attemptCount: number; readonly isRepeatable: boolean },
  ): number | null {
    const { retryCountMax = RETRY_COUNT_DEFAULT, pauseMsMax = PAUSE_MS_MAX_DEFAULT } = this.options;
    if (attempt.kind !== 'problem' || !attempt.problem.retryable) return null;
    if (attemptCount > retryCountMax) return null;
    // Whether it was done is not known, and without a key a repeat may do it again.
    if (attempt.problem.code === 'outcome_unknown' && !isRepeatable) return null;
    const pauseMs = (attempt.retryAfterSeconds ?? PAUSE_SECONDS_DEFAULT) * 1_000;
    return pauseMs > pauseMsMax ? null : pauseMs;
  }
}

type Answered = Extract<Attempt, { readonly kind: 'answered' }>;

const isAnswer = <Success extends { readonly kind: 'answered' | 'open' }>(
  attempt: Success | Unanswered,
): attempt is Success => attempt.kind === 'answered' || attempt.kind === 'open';

function sentOf({ method, path, input }: AnyCall): Sent {
  const takesKey = KEYED_ROUTES.includes(`${method.toUpperCase()} ${path}`);
  return {
    method: method.toUpperCase(),
    path,
    pathParameters: input.path ?? {},
    query: input.query ?? {},
    body: input.body,
    // INVARIANT: one key for all attempts of one call, or a repeat would be a second action.
    idempotencyKey: takesKey ? (input.idempotencyKey ?? crypto.randomUUID()) : null,
    signal: input.signal ?? null,
  };
}

const pauseFor = (pauseMs: number, signal: AbortSignal | null): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
