import { FROZEN_TENANT_ID, REAL_TIME_TENANT_ID, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, type Body } from '../../src/demo/purchases.js';
import { apiKeysOf } from '../../src/demo/seed.js';
import { type ServiceProcess, until } from './service-process.js';

/** One paisa short of a rupee: no total can be mistaken for another. */
export const CAPTURED_MINOR = 99;

export interface Request {
  readonly kind: 'decision' | 'capture';
  readonly key: string;
  readonly tenantId: string;
  readonly apiKey: string;
  readonly path: string;
  readonly body: Body;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Null: no answer came, so what became of the request is not known. */
export async function send(baseUrl: string, request: Request): Promise<Answer | null> {
  try {
    const response = await fetch(`${baseUrl}${request.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${request.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': request.key,
      },
      body: JSON.stringify(request.body),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  } catch {
    return null;
  }
}

/** An allowed handoff of the tenant with seeded ids, one of the tenant on real time, or money that was captured. */
export function requestOf(key: string, turn: number): Request {
  const decision = turn % 3 !== 2;
  const tenantId = turn % 3 === 1 ? REAL_TIME_TENANT_ID : FROZEN_TENANT_ID;
  const apiKeys = apiKeysOf(tenantId);
  return decision
    ? {
        kind: 'decision',
        key,
        tenantId,
        apiKey: apiKeys.agent,
        path: '/v1/decisions',
        body: ALLOWED_HANDOFF,
      }
    : {
        kind: 'capture',
        key,
        tenantId,
        apiKey: apiKeys.merchant_system,
        path: '/v1/captures',
        body: {
          capture_id: key,
          merchant_id: SHOP,
          order_id: `order-${turn % 5}`,
          amount: { amount: String(CAPTURED_MINOR), currency: 'INR' },
        },
      };
}

/** What clients sent and were answered, over the lives of several service processes. */
export class Load {
  /** Everything that was sent at least once. */
  readonly sent = new Map<string, Request>();
  /** The first answer 200 or 201 to each key. */
  readonly acknowledged = new Map<string, Answer>();
  /** Answers that a client must never see: another answer under the same key, or a status that loses something. */
  readonly wrong: { readonly key: string; readonly answer: Answer }[] = [];
  readonly #name: string;
  #turn = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get acknowledgedCount(): number {
    return this.acknowledged.size;
  }

  /**
   * Sends without a pause from `lanes` clients at once until `stop` or until nobody listens any more. A request that is
   * told to come again does, under its key, when one of the services is ready.
   */
  start(services: readonly ServiceProcess[], lanes: number): { stop(): Promise<void> } {
    let stopping = false;
    const isReady = async () =>
      stopping || (await Promise.all(services.map((one) => one.isReady()))).some(Boolean);
    const lane = async (index: number): Promise<void> => {
      const service = services[index % services.length];
      while (!stopping && service !== undefined) {
        this.#turn += 1;
        const request = requestOf(`${this.#name}-${this.#turn}`, this.#turn);
        let answer = await this.ask(service.baseUrl, request);
        while (answer !== null && isPassing(answer) && !stopping) {
          await until(isReady);
          answer = await this.ask(service.baseUrl, request);
        }
        if (answer === null) return;
      }
    };
    const running = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
    return {
      stop: async () => {
        stopping = true;
        await running;
      },
    };
  }

  /** Resolves when so many more requests were acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledgedCount + count;
    await until(() => this.acknowledgedCount >= goal || this.wrong.length > 0);
  }

  /** Sends everything again under its key: what was answered is answered the same, what was not is answered now. */
  async repeatAll(service: ServiceProcess): Promise<void> {
    const queue = [...this.sent.values()];
    const lane = async () => {
      for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
        const answer = await this.ask(service.baseUrl, request);
        if (answer === null || isPassing(answer))
          throw new Error(`no answer to ${request.key}: ${JSON.stringify(answer)}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
  }

  private async ask(baseUrl: string, request: Request): Promise<Answer | null> {
    const { key } = request;
    this.sent.set(key, request);
    const answer = await send(baseUrl, request);
    if (answer === null || isPassing(answer)) return answer;
    const first = this.acknowledged.get(key);
    const isSame = first === undefined || JSON.stringify(first) === JSON.stringify(answer);
    if (answer.status < 300 && isSame) this.acknowledged.set(key, answer);
    else this.wrong.push({ key, answer });
    return answer;
  }
}

/** Not now, and nothing is lost: repeat under the same key. */
const isPassing = ({ status, body }: Answer): boolean =>
  status === 503 || body['code'] === 'outcome_unknown' || body['code'] === 'idempotency_in_flight';
