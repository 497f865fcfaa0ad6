import { request as httpRequest } from 'node:http';
import { signRequest, type SigningOptions } from '../../src/signer/index.js';
import type { TestService } from '../support/service.js';
import {
  type AgentKey,
  agentKey,
  answering,
  directoryOf,
  DirectoryServer,
  WELL_KNOWN,
} from '../peers/directory-server.js';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<NodeJS.Dict<string | string[]>>;
  readonly text: string;
  /** The parsed body; tests look into it as they like. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** One request over a socket of its own, with exactly these headers. */
export function send(service: TestService, sent: Sent): Promise<Received> {
  const { method = 'GET', path, host, headers = {}, body } = sent;
  const bytes = body === undefined ? null : textOf(body);
  const to = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...{ host: to.hostname, port: to.port, method, path, agent: false },
        headers: {
          host,
          ...(bytes === null ? {} : { 'content-type': 'application/json' }),
          ...(bytes === null ? {} : { 'content-length': Buffer.byteLength(bytes) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          const isJson = /json(?:;|$)/.test(response.headers['content-type'] ?? '');
          const parsed = isJson && text !== '' ? (JSON.parse(text) as unknown) : null;
          const { statusCode = 0, headers: answered } = response;
          resolve({ status: statusCode, headers: answered, text, body: parsed });
        });
      },
    );
    request.on('error', reject);
    request.end(bytes ?? undefined);
  });
}

export const textOf = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

/** An agent with a key of its own, published on a loopback directory. */
export interface SigningAgent {
  readonly key: AgentKey;
  readonly directories: DirectoryServer;
  readonly url: string;
  /** The headers that make it a signed request. */
  sign(sent: Sent, options?: Partial<SigningOptions>): Promise<Readonly<Record<string, string>>>;
}

export async function startAgent(): Promise<SigningAgent> {
  const directories = await DirectoryServer.start();
  const key = agentKey();
  directories.on(WELL_KNOWN, answering(directoryOf(key)));
  const url = directories.url('');
  return {
    ...{ key, directories, url },
    async sign({ method = 'GET', path, host, headers = {}, body }, options = {}) {
      const content: Record<string, string> =
        body === undefined ? {} : { 'content-type': 'application/json' };
      const signed = await signRequest(
        {
          ...{ method, url: `https://${host}${path}`, headers: { ...content, ...headers } },
          body: body === undefined ? null : textOf(body),
        },
        { profile: 'web-bot-auth', key: key.privateKey, agentUrl: url, ...options },
      );
      return { ...headers, ...signed };
    },
  };
}
