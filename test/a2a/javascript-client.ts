import { randomUUID } from 'node:crypto';
import { type AgentCard, type Message, Role, type Task } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import type { FetchFunction } from '../../src/signer/index.js';

/** The official JavaScript client, unchanged: what is asked of it, and what it answers. */

export const BINDINGS = [
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
] as const;

/** A `fetch` that sends the key of an API caller; null: none. */
export const withKey =
  (apiKey: string | null, send: FetchFunction = fetch): FetchFunction =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
    return send(input, { ...init, headers });
  };

export interface Spoken {
  readonly binding: string;
  readonly version: string;
  /** Sends every request of the client, also for the card. */
  readonly send: FetchFunction;
}

export async function clientOf(
  origin: string,
  { binding, version, send: fetchImpl }: Spoken,
): Promise<Client> {
  const legacyCompat = { enabled: version === '0.3' };
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
    ],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
  });
  return version === '1.0'
    ? factory.createFromUrl(origin)
    : factory.createFromAgentCard(await legacyCard(origin));
}

export const cardUrlOf = (origin: string): string => `${origin}/.well-known/agent-card.json`;

/** The card as a client of version 0.3 alone would know it. */
async function legacyCard(origin: string): Promise<AgentCard> {
  const card = (await (await fetch(cardUrlOf(origin))).json()) as object;
  const old: Record<string, unknown> = { ...card };
  delete old['supportedInterfaces'];
  return old as unknown as AgentCard;
}

/** Words, or a data part. */
export const messageOf = (data: unknown): Message => ({
  messageId: randomUUID(),
  contextId: '',
  taskId: '',
  role: Role.ROLE_USER,
  parts: [
    {
      content:
        typeof data === 'string' ? { $case: 'text', value: data } : { $case: 'data', value: data },
      metadata: undefined,
      filename: '',
      mediaType: '',
    },
  ],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

export const asked = (data: unknown) => ({
  tenant: '',
  message: messageOf(data),
  configuration: undefined,
  metadata: undefined,
});

export const isTask = (answer: Message | Task): answer is Task => 'status' in answer;

export function taskIn(answer: Message | Task): Task {
  if (!isTask(answer)) throw new Error(JSON.stringify(answer));
  return answer;
}

/** The data part of what was said. */
export function dataOf(said: Message | undefined): Record<string, unknown> {
  const part = said?.parts.find(({ content }) => content?.$case === 'data')?.content;
  return (part as { value: Record<string, unknown> }).value;
}
