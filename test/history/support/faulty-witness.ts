import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request for a cosignature on its way, for a fault to work on. */
export interface Submission {
  /** Sends it on; answers what the witness said. */
  readonly forward: () => Promise<WitnessReply>;
  readonly answer: (reply: WitnessReply) => void;
  readonly cut: () => void;
}

export interface WitnessReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type WitnessFault = (submission: Submission) => void | Promise<void>;

/** Headers that belong to one connection, or that the next hop writes itself. */
const OF_THE_HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);

/**
 * Stands between the service and the trust authority that is its witness, so that a request to add-checkpoint can be lost
 * before it arrives, or its answer after the witness kept what it cosigned. Everything else is passed on.
 */
export class FaultyWitness {
  /** While set, every request to add-checkpoint is answered with this status, and the witness hears nothing. */
  refusing: number | null = null;
  #armed: WitnessFault | null = null;

  private constructor(
    private readonly listener: Server,
    private readonly target: string,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<FaultyWitness> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    const proxy = new FaultyWitness(listener, target, `http://127.0.0.1:${port}`);
    listener.on('request', (request, response) => void proxy.#serve(request, response));
    return proxy;
  }

  /** The next request to add-checkpoint meets this fault instead of the witness. */
  arm(fault: WitnessFault): void {
    this.#armed = fault;
  }

  async close(): Promise<void> {
    this.listener.closeAllConnections();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const submission: Submission = {
      forward: () => this.#forward(request, Buffer.concat(parts)),
      answer: ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      cut: () => request.socket.destroy(),
    };
    if (request.url?.endsWith('/add-checkpoint') === true) {
      const fault = this.#armed;
      this.#armed = null;
      if (fault !== null) return fault(submission);
      if (this.refusing !== null)
        return submission.answer({ status: this.refusing, headers: {}, body: Buffer.alloc(0) });
    }
    submission.answer(await submission.forward());
  }

  async #forward({ url, method, headers }: IncomingMessage, body: Buffer): Promise<WitnessReply> {
    const kept = Object.entries(headers).filter(([name]) => !OF_THE_HOP.has(name));
    const answer = await fetch(`${this.target}${url ?? ''}`, {
      method: method ?? 'GET',
      headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length === 0 ? {} : { body }),
    });
    return {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_HOP.has(name))),
      body: Buffer.from(await answer.arrayBuffer()),
    };
  }
}
