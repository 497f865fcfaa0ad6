import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canonicalize } from '../../src/core/kernel/index.js';
import { thumbprintOf } from './thumbprint.js';
import { closeAfterFile } from '../support/closing.js';

export const WELL_KNOWN = '/.well-known/http-message-signatures-directory';
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';

export interface AgentKey {
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly thumbprint: string;
}

/** A fresh Ed25519 key; `members` are added to its JWK. */
export function agentKey(members: Readonly<Record<string, unknown>> = {}): AgentKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
  return { privateKey, jwk: { ...jwk, ...members }, thumbprint: thumbprintOf(jwk) };
}

export const directoryOf = (...keys: readonly { readonly jwk: unknown }[]): string =>
  canonicalize({ keys: keys.map(({ jwk }) => jwk) } as never);

export type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Answers with a body as a directory does; `headers` come on top. */
export const answering =
  (
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
    status = 200,
  ): Answering =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': DIRECTORY_TYPE, ...headers });
    response.end(body);
  };

/** A real server of directories on every loopback address: each path answers as the test says, 404 otherwise. */
export class DirectoryServer {
  readonly asked: IncomingMessage[] = [];
  readonly #paths = new Map<string, Answering>();
  #otherwise: Answering = answering('{}', {}, 404);

  private constructor(readonly port: number) {}

  static async start(): Promise<DirectoryServer> {
    let directories: DirectoryServer | null = null;
    const server = createServer((request, response) => {
      directories?.asked.push(request);
      response.on('error', () => undefined);
      directories?.answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    closeAfterFile(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    directories = new DirectoryServer((server.address() as AddressInfo).port);
    return directories;
  }

  on(path: string, answer: Answering): this {
    this.#paths.set(path, answer);
    return this;
  }

  otherwise(answer: Answering): this {
    this.#otherwise = answer;
    return this;
  }

  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  countOf(path: string): number {
    return this.asked.filter(({ url }) => url === path).length;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    (this.#paths.get(request.url ?? '') ?? this.#otherwise)(request, response);
  }
}
