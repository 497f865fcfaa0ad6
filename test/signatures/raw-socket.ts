import { connect } from 'node:net';
import type { TestService } from '../support/service.js';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | null;
}

/** Sends these bytes over a connection of its own and reads until the service closes it. */
export function sendRaw(service: TestService, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...body] = text.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      resolve({
        status: Number(first.split(' ')[1]),
        text: body.join('\r\n\r\n'),
        header(name) {
          const line = lines.find((one) => one.toLowerCase().startsWith(`${name}:`));
          return line?.slice(name.length + 1).trim() ?? null;
        },
      });
    });
  });
}

export interface RawRequest {
  readonly method?: string;
  readonly target: string;
  readonly version?: '1.0' | '1.1';
  /** Lines in their order. */
  readonly lines?: readonly string[];
}

/** Head and end of a request without a body; the connection ends with the answer. */
export const rawRequest = ({ method = 'GET', target, version = '1.1', lines = [] }: RawRequest) =>
  [`${method} ${target} HTTP/${version}`, ...lines, 'Connection: close', '', ''].join('\r\n');
