import type { DemoRole } from './demo-world.js';
import type { SeededTenant } from './seed.js';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HttpAsk {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path?: string;
  readonly as?: DemoRole;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** Speaks to the service as everybody does: over HTTP, with a key. Decisions of the agent unless said otherwise. */
export class HttpCaller {
  constructor(
    private readonly baseUrl: string,
    private readonly tenant: SeededTenant,
  ) {}

  async send(ask: HttpAsk): Promise<HttpAnswer> {
    const { method = 'POST', path = '/v1/decisions', as = 'agent', body, idempotencyKey } = ask;
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.tenant.apiKeys[as]}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed = (await response.json()) as HttpAnswer['body'];
    return { status: response.status, body: parsed };
  }
}
