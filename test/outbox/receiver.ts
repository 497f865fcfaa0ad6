import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { closeAfterFile } from '../support/closing.js';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver does with a request, once it has read it. */
export type Behaviour = (response: ServerResponse, socket: Socket) => void;

export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end();

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  behave(behaviour: Behaviour): void;
  /** Resolves when so many requests have come in all. */
  count(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A program of somebody else on a free port of this machine; it answers 204 until it is told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  let behaviour = answers(204);
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      for (const look of waiting) look();
      behaviour(response, request.socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    behave: (next) => (behaviour = next),
    count: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  closeAfterFile(() => receiver.close());
  return receiver;
}
