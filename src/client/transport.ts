import createClient from 'openapi-fetch';
import type { paths } from './api.js';
import { isProblem, type Problem } from './answer.js';

/** Largest answer that is read, in bytes; a page of the service is far smaller. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

export type Fetch = (request: Request) => Promise<Response>;

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal | null;
}

/** What one attempt came to, before anybody asks whether to try again. */
export type Attempt =
  | {
      readonly kind: 'answered';
      readonly value: unknown;
      readonly status: number;
      readonly requestId: string | null;
    }
  | {
      readonly kind: 'problem';
      readonly problem: Problem;
      readonly retryAfterSeconds: number | null;
    }
  | {
      readonly kind: 'unreachable' | 'timeout' | 'canceled' | 'unsendable';
      readonly detail: string;
    }
  | { readonly kind: 'unreadable'; readonly status: number; readonly detail: string };

/** An answer whose body is read as it comes. Reading throws when the connection breaks, or stays silent for too long. */
export interface OpenAnswer {
  readonly kind: 'open';
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export type Unanswered = Exclude<Attempt, { readonly kind: 'answered' }>;

/** One request, sent once: openapi-fetch makes it, and whatever goes wrong comes back as a value. */
export class Transport {
  private readonly client: ReturnType<typeof createClient<paths>>;

  constructor(
    private readonly parts: {
      readonly baseUrl: string;
      readonly apiKey: string | null;
      readonly fetch: Fetch;
      readonly timeoutMs: number;
    },
  ) {
    this.client = createClient<paths>({
      baseUrl: parts.baseUrl,
      // The service never redirects, and a key is not carried to where somebody else points.
      redirect: 'manual',
    });
  }

  async send(sent: Sent): Promise<Attempt> {
    const refusal = this.refusalOf(sent);
    if (refusal !== null) return { kind: 'unsendable', detail: refusal };
    const timeout = AbortSignal.timeout(this.parts.timeoutMs);
    let failure: Unanswered | null = null;
    const fetchWhole: Fetch = async (request) => {
      try {
        return await readWhole(await this.parts.fetch(request));
      } catch (error) {
        failure = failureOf(error, { timeout, caller: sent.signal });
        throw error;
      }
    };
    try {
      const { response, data, error } = await this.request(sent, { fetchWhole, timeout });
      return attemptOf(response, data ?? error ?? '');
    } catch (error) {
      return failure ?? { kind: 'unsendable', detail: textOf(error) };
    }
  }

  /** As {@link send}, for an answer that may be larger than what is kept in memory. The time given is that of one silence. */
  async open(sent: Sent): Promise<OpenAnswer | Unanswered> {
    const refusal = this.refusalOf(sent);
    if (refusal !== null) return { kind: 'unsendable', detail: refusal };
    const { apiKey, baseUrl, timeoutMs } = this.parts;
    const silence = new Silence(timeoutMs);
    const signal =
      sent.signal === null ? silence.signal : AbortSignal.any([silence.signal, sent.signal]);
    try {
      const request = new Request(addressOf(baseUrl, sent), {
        method: sent.method,
        redirect: 'manual',
        signal,
        headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      });
      const response = await this.parts.fetch(request);
      if (!response.ok) {
        const whole = await readWhole(response);
        silence.end();
        const attempt = attemptOf(whole, await whole.text());
        if (attempt.kind !== 'answered') return attempt;
        return { kind: 'unreadable', status: whole.status, detail: `${whole.status}` };
      }
      const { status, headers, body } = response;
      return { kind: 'open', status, headers, chunks: silence.watched(body) };
    } catch (error) {
      silence.end();
      return failureOf(error, { timeout: silence.signal, caller: sent.signal });
    }
  }

  /** openapi-fetch's own types are too narrow for a route that is only known at run time. */
  private request(
    { method, path, pathParameters, query, body, idempotencyKey, signal }: Sent,
    { fetchWhole, timeout }: { readonly fetchWhole: Fetch; readonly timeout: AbortSignal },
  ) {
    type Call = (
      method: string,
      path: string,
      init: Readonly<Record<string, unknown>>,
    ) => Promise<{ response: Response; data?: unknown; error?: unknown }>;
    const { apiKey } = this.parts;
    // No JSON body of this API is a bare text: a text is a table.
    const isTable = typeof body === 'string';
    return (this.client.request as unknown as Call)(method, path, {
      params: { path: pathParameters, query },
      body,
      ...(isTable ? { bodySerializer: (table: string) => table } : {}),
      parseAs: 'text',
      fetch: fetchWhole,
      signal: signal === null ? timeout : AbortSignal.any([timeout, signal]),
      headers: {
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        ...(isTable ? { 'content-type': 'text/csv' } : {}),
      },
    });
  }

  private refusalOf({ path, pathParameters }: Sent): string | null {
    const { baseUrl } = this.parts;
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
    const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (url === null || !isHttp || url.search !== '' || url.hash !== '')
      return 'The base URL is no http or https address without query and fragment.';
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      // A dot segment would lead to another route: URLs resolve it even when it is escaped.
      const value = pathParameters[name];
      if (typeof value !== 'string' || ['', '.', '..'].includes(value))
        return `The path parameter ${name} is no name.`;
    }
    return null;
  }
}

function addressOf(baseUrl: string, { path, query }: Sent): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'string') search.append(name, value);
  const address = `${baseUrl.replace(/\/$/, '')}${path}`;
  return search.size === 0 ? address : `${address}?${search.toString()}`;
}

/** Ends a request on which nothing was heard for a time. */
class Silence {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout>;

  constructor(private readonly longestMs: number) {
    this.timer = this.next();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    clearTimeout(this.timer);
  }

  async *watched(body: Response['body']): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
        // How long the reader takes is its own affair.
        this.end();
        yield chunk;
        this.timer = this.next();
      }
    } finally {
      this.end();
    }
  }

  private next(): ReturnType<typeof setTimeout> {
    return setTimeout(
      () => this.controller.abort(new Error('Nothing was heard within the time given.')),
      this.longestMs,
    );
  }
}

/** The whole body in memory, so that a connection that breaks within it is seen where requests are sent. */
async function readWhole(response: Response): Promise<Response> {
  // WHY ArrayBuffer: the Blob of lib.dom takes no view of shared memory, and no fetch gives one.
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES_MAX)
      throw new Error(`The answer is larger than ${ANSWER_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  // Responses with these statuses have no body, not even an empty one.
  const body = [204, 205, 304].includes(status) ? null : new Blob(chunks);
  return new Response(body, { status, statusText, headers });
}

function failureOf(
  error: unknown,
  { timeout, caller }: { readonly timeout: AbortSignal; readonly caller: AbortSignal | null },
): Unanswered {
  if (caller?.aborted === true) return { kind: 'canceled', detail: 'The caller ended the call.' };
  if (timeout.aborted) return { kind: 'timeout', detail: 'No answer within the time given.' };
  return { kind: 'unreachable', detail: textOf(error) };
}

/** `content` is the text of the answer; openapi-fetch has parsed it already when the status is an error's and it could. */
function attemptOf(response: Response, content: unknown): Attempt {
  const { status, headers } = response;
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '');
  const requestId = headers.get('request-id');
  if (response.ok && content === '')
    return { kind: 'answered', value: undefined, status, requestId };
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const value = isJson ? parsed(text) : undefined;
  if (isProblem(value)) {
    return { kind: 'problem', problem: value, retryAfterSeconds: retryAfterOf(headers) };
  }
  // A refusal is an answer, whatever its status is.
  const isAnswer = typeof value === 'object' && value !== null;
  if (isAnswer && (response.ok || 'outcome' in value))
    return { kind: 'answered', value, status, requestId };
  return { kind: 'unreadable', status, detail: `${status}: ${text.slice(0, 200)}` };
}

/** Whole seconds, as the service says it; a date (RFC 9110) is a proxy's and is not read. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** fetch hides why in `cause`: "fetch failed" helps nobody. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const told = cause instanceof Error ? cause : error;
  const code = 'code' in told && typeof told.code === 'string' ? told.code : '';
  return told.message || code || error.message;
}
