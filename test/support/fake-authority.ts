import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { OutboundClient } from '../../src/base/platform/index.js';
import { createOutboundClient } from '../../src/base/platform/outbound/index.js';
import {
  deflateStatusList,
  setStatusValue,
  STATUS_LIST_MEDIA_TYPE,
  statusListBytes,
  type StatusWidth,
} from '../../src/core/proofs/index.js';
import { freshId, type JsonObject, type SigningPair, signToken } from './issuer.js';

/** How one request is answered: a token with the headers of a good server, or anything at all. */
export type FakeAnswer =
  | { readonly token: string; readonly headers?: Readonly<Record<string, string>> }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A party that serves status lists over real HTTP, as well or as badly as a test wants. */
export interface FakeAuthority {
  /** Its logical origin; `outbound` knows where it is. */
  readonly origin: string;
  readonly outbound: OutboundClient;
  /** A list of its own for `tenantId`; serves nothing yet (404). */
  newListUri(tenantId: string): string;
  serve(uri: string, answer: FakeAnswer): void;
  /** Headers of the requests for one list, in their order. */
  requestsOf(uri: string): readonly IncomingMessage['headers'][];
  /** Requests from now on are answered only when the function that comes back is called. */
  hold(): () => void;
  /** Ends when the next request has arrived. */
  nextRequest(): Promise<void>;
  /** From now on connections are refused; {@link FakeAuthority.start} ends that. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startFakeAuthority(
  origin = `https://${freshId('fake').replaceAll('_', '-')}.lists.example`,
): Promise<FakeAuthority> {
  const answers = new Map<string, FakeAnswer>();
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const arrivals: (() => void)[] = [];
  let held: Promise<void> = Promise.resolve();
  let lists = 0;
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    for (const arrived of arrivals.splice(0)) arrived();
    await held;
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else response.writeHead(200, { ...GOOD_HEADERS, ...answer.headers }).end(answer.token);
  };
  let server: Server | null = null;
  let port = 0;
  const authority: FakeAuthority = {
    origin,
    outbound: createOutboundClient({
      allowLoopbackPeers: false,
      nowMs: Date.now,
      mapped: { origin, transportOrigin: () => `http://127.0.0.1:${port}` },
    }),
    newListUri: (tenantId) => `${origin}/status/${tenantId}/${(lists += 1)}`,
    serve: (uri, answer) => void answers.set(new URL(uri).pathname, answer),
    requestsOf: (uri) =>
      requests.filter(({ path }) => path === new URL(uri).pathname).map(({ headers }) => headers),
    hold() {
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    nextRequest: () => new Promise((resolve) => arrivals.push(resolve)),
    async stop() {
      const stopped = server;
      server = null;
      if (stopped === null) return;
      const closed = new Promise((resolve) => stopped.close(resolve));
      stopped.closeAllConnections();
      await closed;
    },
    async start() {
      const starting = createServer((request, response) => void listener(request, response));
      server = starting;
      await new Promise<void>((resolve) => starting.listen(port, '127.0.0.1', resolve));
      port = (starting.address() as AddressInfo).port;
      // The client may still hold a connection to the server of before; this request finds out.
      await authority.outbound.fetch({ url: `${origin}/` });
    },
  };
  await authority.start();
  return authority;
}

const GOOD_HEADERS = { 'content-type': STATUS_LIST_MEDIA_TYPE, 'cache-control': 'max-age=600' };

export interface ListDraft {
  readonly uri: string;
  readonly atMs: number;
  readonly bits?: StatusWidth;
  readonly places?: number;
  /** Values of places; all others are 0. */
  readonly values?: Readonly<Record<number, number>>;
  /** Claims to replace; `undefined` removes one. */
  readonly claims?: JsonObject;
  readonly header?: JsonObject;
}

/** Places of our own lists. */
export const OWN_PLACES = 131_072;

/** A list as our own authority signs it, but for what the draft says. */
export function statusListToken(key: SigningPair, draft: ListDraft): string {
  const { uri, atMs, bits = 2, places = OWN_PLACES, values = {}, claims, header = {} } = draft;
  const bytes = new Uint8Array(statusListBytes(places, bits));
  for (const [index, value] of Object.entries(values))
    setStatusValue(bytes, bits, { index: Number(index), value });
  const iat = Math.floor(atMs / 1_000);
  const status_list = { bits, lst: deflateStatusList(bytes, 6) };
  return signToken(key, {
    typ: 'statuslist+jwt',
    header,
    claims: { sub: uri, iat, exp: iat + 3_600, ttl: 60, version: 1, status_list, ...claims },
  });
}

const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): FakeAnswer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

/** Everything a server can do wrong before a token is read; each ends in the fault that stands beside it. */
export const BAD_SERVERS: readonly (readonly [string, FakeAnswer, string])[] = [
  ['it cuts the connection', (request) => request.socket.destroy(), 'status_unavailable'],
  [
    'it promises more than it sends',
    (_request, response) => {
      response.writeHead(200, { ...GOOD_HEADERS, 'content-length': '5000' });
      response.write('eyJ', () => response.destroy());
    },
    'status_unavailable',
  ],
  ['it never answers', () => undefined, 'status_timeout'],
  [
    'its body never ends',
    (_request, response) => void response.writeHead(200, GOOD_HEADERS).write('eyJ'),
    'status_timeout',
  ],
  ['it redirects', answerWith(302, { location: 'https://elsewhere.example/' }), 'status_redirect'],
  [
    'it redirects to itself for ever',
    (request, response) => response.writeHead(307, { location: request.url ?? '' }).end(),
    'status_redirect',
  ],
  ['it sends 16 MiB and more', tooMuch, 'status_too_large'],
  ['it has no such list', answerWith(404), 'status_http'],
  ['it is broken', answerWith(500), 'status_http'],
  ['it is overloaded', answerWith(503, { 'retry-after': '5' }), 'status_http'],
  ['it sends nothing', answerWith(204), 'status_http'],
  ['it confirms what nobody named', answerWith(304), 'status_http'],
  ['it sends a page', answerWith(200, { 'content-type': 'text/html' }), 'status_content_type'],
  [
    'it sends a token of some kind',
    answerWith(200, { 'content-type': 'application/jwt' }, 'eyJ'),
    'status_content_type',
  ],
  ['it names no type', answerWith(200), 'status_content_type'],
  [
    'it compresses unasked',
    (_request, response) =>
      response.writeHead(200, { ...GOOD_HEADERS, 'content-encoding': 'gzip' }).end(gzipSync('eyJ')),
    'status_content_type',
  ],
  ['it sends an empty list', answerWith(200, GOOD_HEADERS), 'status_token'],
  ['it sends a page as a list', answerWith(200, GOOD_HEADERS, '<html>'), 'status_token'],
];

function tooMuch(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, GOOD_HEADERS);
  const part = Buffer.alloc(1024 * 1024, 'a');
  const push = (left: number): void => {
    if (left > 0 && !response.destroyed) response.write(part, () => push(left - 1));
    else response.end();
  };
  push(17);
}
