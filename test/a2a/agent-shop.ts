import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { closeAfterFile } from '../support/closing.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';

/** The demo's handoff purchase that the rules allow, and one that they refuse (a withdrawn price). */
const purchase = (productId: string, variantId: string, unit: string, quantity: number) => ({
  flow: 'handoff',
  merchant_id: 'chai-house',
  cart: {
    currency: 'INR',
    lines: [
      {
        product_id: productId,
        variant_id: variantId,
        quantity,
        unit_price: { amount: unit, currency: 'INR' },
      },
    ],
    total: { amount: String(Number(unit) * quantity), currency: 'INR' },
  },
});
export const ALLOWED = purchase('masala-chai', 'masala-chai-250g', '45900', 2);
export const REFUSED = purchase('flask', 'flask-500ml', '129900', 1);

/** A shop that answers under the service's own address, so that clients reach its agent as they would in the world. */
export interface AgentShop extends Shop {
  readonly origin: string;
  /** A request as it stands: any header, and any body. */
  ask2(asked: Asked): Promise<HttpAnswer>;
  /** `message:send` of version 1.0 as the shop's agent. */
  send(message: object, more?: Partial<Asked> & { configuration?: object }): Promise<HttpAnswer>;
  rpc(method: string, params: unknown, more?: Partial<Asked>): Promise<HttpAnswer>;
}

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Bytes instead of a JSON body. */
  readonly raw?: string | Buffer;
  /** Null = no key; left out = the agent's. */
  readonly apiKey?: string | null;
  /** Null = the header is not sent. */
  readonly version?: string | null;
}

export interface HttpAnswer extends Answer {
  readonly headers: Readonly<NodeJS.Dict<string | string[]>>;
}

export async function openAgentShop(
  environment: Readonly<Record<string, string>> = {},
): Promise<AgentShop> {
  const service = await startTestService({ ALLOW_LOOPBACK_PEERS: 'true', ...environment });
  const shop = await openShop(service);
  const origin = service.baseUrl;
  await setOrigin(shop, 'POST', origin);
  // Another service may get the same port.
  closeAfterFile(() => setOrigin(shop, 'DELETE', origin));
  const ask2: AgentShop['ask2'] = (asked) => http(origin, { apiKey: shop.apiKeys.agent, ...asked });
  return {
    ...shop,
    origin,
    ask2,
    send: (message, { configuration, ...more } = {}) =>
      ask2({
        method: 'POST',
        path: '/a2a/v1/message:send',
        version: '1.0',
        body: { message, ...(configuration === undefined ? {} : { configuration }) },
        ...more,
      }),
    rpc: (method, params, more = {}) =>
      ask2({
        method: 'POST',
        path: '/a2a/rpc',
        version: '1.0',
        body: { jsonrpc: '2.0', id: 7, method, params },
        ...more,
      }),
  };
}

async function setOrigin(shop: Shop, method: 'POST' | 'DELETE', origin: string): Promise<void> {
  const path = method === 'POST' ? '/v1/origins' : `/v1/origins?origin=${origin}`;
  const body = method === 'POST' ? { body: { origin } } : {};
  const answer = await shop.call(method, path, { as: 'tenant_admin', ...body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
}

/** One request over a socket of its own; also one that no well-behaved client would send. */
export function http(
  origin: string,
  { method = 'GET', path = '/', headers = {}, body, raw, apiKey = null, version = null }: Asked,
): Promise<HttpAnswer> {
  const bytes = raw ?? (body === undefined ? null : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${origin}${path}`,
      {
        method,
        agent: false,
        headers: {
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(version === null ? {} : { 'a2a-version': version }),
          ...(bytes === null
            ? {}
            : {
                'content-type': 'application/json',
                'content-length': String(Buffer.byteLength(bytes)),
              }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => {
          const isJson = /json/.test(String(response.headers['content-type']));
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson && text !== '' ? JSON.parse(text) : text,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes ?? undefined);
  });
}

export const say = (data: unknown, more: object = {}) => ({
  messageId: randomUUID(),
  role: 'ROLE_USER',
  parts: [typeof data === 'string' ? { text: data } : { data }],
  ...more,
});

/** Sends a message that is answered, and answers with its task or message. */
export const sentTo =
  (shop: AgentShop) =>
  async (message: object, more: Partial<Asked> = {}): Promise<Answer['body']> => {
    const answer = await shop.send(message, more);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.task ?? answer.body.message;
  };

/** The decision in a task's message. */
export const decisionOf = (task: Answer['body']): { decision_id: string; outcome: string } =>
  (task.status.message.parts as { data?: never }[]).find(({ data }) => data !== undefined)
    ?.data ?? { decision_id: '', outcome: '' };

/** The reason of an error's ErrorInfo, on either binding. */
export function reasonOf({ body }: Answer): string | undefined {
  const { details, data } = body.error as Record<'details' | 'data', { reason: string }[]>;
  return (details ?? data)[0]?.reason;
}
