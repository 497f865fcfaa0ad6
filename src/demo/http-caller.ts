import type { DemoRole } from './demo-world.js';
import type { SeededTenant } from './seed.js';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HttpAsk {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path?: string;
  /** `person`: somebody with a browser, who has no key. */
  readonly as?: DemoRole | 'person';
  readonly body?: unknown;
  /** Sent as a browser sends a form, instead of a body. */
  readonly form?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
}

/** Speaks to the service as everybody does: over HTTP, with a key. Decisions of the agent unless said otherwise. */
export class HttpCaller {
  constructor(
    private readonly baseUrl: string,
    private readonly tenant: SeededTenant,
  ) {}

  async send(ask: HttpAsk): Promise<HttpAnswer> {
    const { method = 'POST', path = '/v1/decisions', as = 'agent' } = ask;
    const { content, type } = contentOf(ask);
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(as === 'person' ? {} : { authorization: `Bearer ${this.tenant.apiKeys[as]}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(ask.idempotencyKey === undefined ? {} : { 'idempotency-key': ask.idempotencyKey }),
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    const body = (text === '' ? {} : JSON.parse(text)) as HttpAnswer['body'];
    return { status: response.status, body };
  }
}

function contentOf({ body, form }: HttpAsk): { content?: string; type?: string } {
  if (form !== undefined)
    return {
      content: new URLSearchParams(form).toString(),
      type: 'application/x-www-form-urlencoded',
    };
  return body === undefined ? {} : { content: JSON.stringify(body), type: 'application/json' };
}
