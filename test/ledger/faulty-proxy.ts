import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** One connection through the proxy, for a fault to work on. */
export class ProxiedConnection {
  /** While set, the server's answers stay here; when they match, the client is cut off. */
  cutAtAnswer: RegExp | null = null;
  /** The client is gone, the server shall not notice yet. */
  detached = false;
  /** What the client sent and the server shall not see yet; null = all is passed on. */
  #held: Buffer[] | null = null;

  constructor(
    readonly client: Socket,
    readonly server: Socket,
  ) {}

  cut(): void {
    this.client.destroy();
    this.server.destroy();
  }

  /** This message and all that follow it wait; the function that comes back sends them. */
  hold(message: Buffer): () => void {
    this.#held = [message];
    return () => {
      for (const held of this.#held?.splice(0) ?? []) this.server.write(held);
      this.#held = null;
    };
  }

  send(message: Buffer): void {
    if (this.#held === null) this.server.write(message);
    else this.#held.push(message);
  }
}

/** What happens to a message of the client: pass it on, or do something else with it. */
export type Fault = (connection: ProxiedConnection, message: Buffer) => void;

/**
 * Stands between a client and PostgreSQL and reads the client's messages one by one, so that a connection can be cut
 * exactly before or after one of them.
 */
export class FaultyProxy {
  refusing = false;
  #armed: { readonly match: RegExp; readonly fault: Fault } | null = null;
  readonly #connections = new Set<ProxiedConnection>();

  private constructor(
    private readonly listener: Server,
    readonly connectionString: string,
  ) {}

  /** `connectionString` names a server on a unix socket or on TCP; the proxy listens on a free local port. */
  static async start(connectionString: string): Promise<FaultyProxy> {
    const url = new URL(connectionString);
    const folder = url.searchParams.get('host');
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const proxied = new URL(connectionString);
    proxied.hostname = '127.0.0.1';
    proxied.port = String((listener.address() as AddressInfo).port);
    proxied.searchParams.delete('host');
    const proxy = new FaultyProxy(listener, proxied.toString());
    const port = url.port === '' ? '5432' : url.port;
    listener.on('connection', (client) => {
      proxy.accept(
        client,
        folder === null
          ? createConnection(Number(port), url.hostname)
          : createConnection(`${folder}/.s.PGSQL.${port}`),
      );
    });
    return proxy;
  }

  /** The next message of a client that matches meets this fault instead of the server. */
  arm(match: RegExp, fault: Fault): void {
    this.#armed = { match, fault };
  }

  get isArmed(): boolean {
    return this.#armed !== null;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.cut();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private accept(client: Socket, server: Socket): void {
    const connection = new ProxiedConnection(client, server);
    this.#connections.add(connection);
    client.setNoDelay(true);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => {
      if (!connection.detached) server.destroy();
    });
    server.on('close', () => client.destroy());
    if (this.refusing) return connection.cut();
    let rest = Buffer.alloc(0);
    let isStarted = false;
    client.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (;;) {
        // The start-up message has no type byte.
        const header = isStarted ? 1 : 0;
        if (rest.length < header + 4) return;
        const length = header + rest.readInt32BE(header);
        if (rest.length < length) return;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (isStarted) this.pass(connection, message);
        else server.write(message);
        isStarted = true;
      }
    });
    server.on('data', (data) => {
      if (connection.cutAtAnswer === null) client.write(data);
      else if (connection.cutAtAnswer.test(data.toString('latin1'))) connection.cut();
    });
  }

  private pass(connection: ProxiedConnection, message: Buffer): void {
    if (connection.client.destroyed) return;
    const armed = this.#armed;
    if (armed === null || !armed.match.test(message.toString('latin1')))
      return connection.send(message);
    this.#armed = null;
    armed.fault(connection, message);
  }
}
