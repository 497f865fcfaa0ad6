import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';

/** How long requests in flight are waited for when a process stops, in milliseconds. */
const DRAIN_MS_MAX = 10_000;

const IDLE_SWEEP_MS = 50;

/** Where to listen, and what the operator calls the port. */
export interface ListeningPlace {
  /** 0 = any free port. */
  readonly port: number;
  readonly host: string;
  readonly setting: 'PORT' | 'AUTHORITY_PORT';
}

/** Opens the port and answers with the address, without a slash at its end. Throws StartRefused, one line. */
export async function listen(app: NestFastifyApplication, place: ListeningPlace): Promise<string> {
  const { port, host } = place;
  try {
    // WHY: Fastify's own listen, because Nest's logs a refusal that main prints as the one line.
    await app.getHttpAdapter().getInstance().listen({ port, host });
  } catch (error) {
    throw new StartRefused(explainListen(error, place), { cause: error });
  }
  const address = app.getHttpServer().address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${reachable(host)}:${boundPort}`;
}

/**
 * No new connections, requests in flight answered (at most {@link DRAIN_MS_MAX}), then the application closed. True when
 * nothing had to be cut off.
 */
export async function stopServing(app: NestFastifyApplication): Promise<boolean> {
  const server = app.getHttpServer();
  let drained = true;
  // A connection whose last request was answered meanwhile is idle only now.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const deadline = setTimeout(() => {
    drained = false;
    server.closeAllConnections();
  }, DRAIN_MS_MAX);
  try {
    // Stops accepting, waits for requests in flight, then lets the writer answer what it has taken.
    const closed = app.close().then(() => true);
    const late = sleep(2 * DRAIN_MS_MAX, false, { ref: false });
    return (await Promise.race([closed, late])) && drained;
  } finally {
    clearTimeout(deadline);
    clearInterval(idle);
  }
}

/** A host name that this machine reaches the service under. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function explainListen(error: unknown, { port, host, setting }: ListeningPlace): string {
  switch (codeOf(error) ?? '') {
    case 'EADDRINUSE':
      return `${setting} ${port} on ${host} is taken: stop the program that listens there, or give another ${setting} (0 takes a free one).`;
    case 'EACCES':
      return `${setting} ${port} may not be opened by this user: give a ${setting} of 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is no address of this machine: give 127.0.0.1, or 0.0.0.0 for every network.`;
    default:
      return `${setting} ${port} on ${host} cannot be opened: ${messageOf(error)}.`;
  }
}
