import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterFile } from './closing.js';
import { type KnownAuthority, testAuthority } from './authority.js';

/** The members of the authority's answers that tests change. */
export interface PassingBody {
  readonly slots: readonly { readonly uri: string; readonly idx: number }[];
  readonly revocations: readonly string[];
  readonly lists: readonly { readonly uri: string; readonly version: number }[];
  readonly keys: readonly Readonly<Record<string, string>>[];
}

/** One answer as an arbiter gets it. */
export interface AlteredAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** One answer on its way from the authority. */
export interface PassingAnswer extends AlteredAnswer {
  readonly body: PassingBody;
}

/** Changes an answer, or leaves it; `path` as it was asked. Null = the connection is cut instead. */
export type Alter = (path: string, answer: PassingAnswer) => AlteredAnswer | null;

export interface AlteredAuthority extends KnownAuthority {
  /** What is done to answers from now on. */
  alter: Alter;
  /** Paths asked so far. */
  readonly asked: string[];
}

/** The real authority behind a server in between that does with its answers what a test says. */
export async function alteredAuthority(
  known: KnownAuthority = testAuthority(),
): Promise<AlteredAuthority> {
  const asked: string[] = [];
  const altered = { alter: ((_path, answer) => answer) as Alter };
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const answered = await fetch(`${known.address.transportOrigin()}${path}`, {
          method: request.method,
          headers: Object.fromEntries(
            ['authorization', 'content-type', 'accept'].flatMap((name) => {
              const value = request.headers[name];
              return typeof value === 'string' ? [[name, value]] : [];
            }),
          ),
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        });
        const text = await answered.text();
        const contentType = answered.headers.get('content-type') ?? '';
        const isJson = contentType.includes('json');
        const passing = {
          status: answered.status,
          contentType,
          body: (isJson ? JSON.parse(text) : text) as PassingBody,
        };
        const changed = altered.alter(path, passing);
        if (changed === null) return request.socket.destroy();
        response.writeHead(changed.status, { 'content-type': changed.contentType });
        response.end(
          typeof changed.body === 'string' ? changed.body : JSON.stringify(changed.body),
        );
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterFile(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(altered, {
    asked,
    address: { ...known.address, transportOrigin: () => url },
    settings: { ...known.settings, AUTHORITY_URL: url },
  });
}
