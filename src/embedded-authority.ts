import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  type AuthorityAddress,
  authorityEnvironment,
  type Config,
  StartRefused,
} from './base/platform/index.js';

/** Time for the child to say that it listens: on a slow machine its first start migrates and makes its keys. */
const READY_MS_MAX = 60_000;
/** Time for the child to answer what is in flight, once it is told to stop; then it is killed. */
const STOP_MS_MAX = 15_000;
/** Pauses before the child is started again: the first, doubled up to the last. */
const RESTART_PAUSE_MS_MIN = 100;
const RESTART_PAUSE_MS_MAX = 10_000;
/** A child that lived this long was well: the next pause is the first again. */
const WELL_MS = 60_000;

/** The name under which the child knows this service: its tenants belong to it, whatever the token of the day is. */
const SERVICE_NAME = 'arbiter';

export interface EmbeddedAuthority {
  readonly address: AuthorityAddress;
  /** The process of the child now; null while there is none. */
  readonly pid: number | null;
  /** In order: requests in flight are answered. Repeated calls are one. */
  stop(): Promise<void>;
}

export interface EmbeddedAuthorityParts {
  readonly config: Pick<Config, 'dataDir' | 'logLevel'>;
  /** The service's own database: the authority has a schema of its own in it. */
  readonly connectionString: string;
  readonly report: (line: string) => void;
}

/**
 * Starts `authority.js` as a child and keeps it alive: when it dies it is started again, after a pause that grows while it
 * dies at once. The child ends by itself when this process is gone. Throws StartRefused when it cannot start at first.
 */
export async function startEmbeddedAuthority(
  parts: EmbeddedAuthorityParts,
): Promise<EmbeddedAuthority> {
  const serviceToken = randomBytes(32).toString('hex');
  const keeper = new ChildKeeper(parts, serviceToken);
  const { origin } = await keeper.start();
  return {
    address: {
      origin,
      isEmbedded: true,
      serviceToken,
      transportOrigin: () => keeper.url,
    },
    get pid() {
      return keeper.pid;
    },
    stop: () => keeper.stop(),
  };
}

interface Ready {
  readonly url: string;
  readonly origin: string;
}

class ChildKeeper {
  #child: ChildProcess | null = null;
  #url: string | null = null;
  #restart: NodeJS.Timeout | null = null;
  #pauseMs = RESTART_PAUSE_MS_MIN;
  #stopped: Promise<void> | null = null;

  constructor(
    private readonly parts: EmbeddedAuthorityParts,
    private readonly serviceToken: string,
  ) {}

  get url(): string | null {
    return this.#url;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  async start(): Promise<Ready> {
    const child = this.#fork();
    const startedAtMs = performance.now();
    this.#child = child;
    const ended = endOf(child);
    const ready = await readyOf(child, ended);
    this.#url = ready.url;
    void ended.then(() => {
      if (performance.now() - startedAtMs > WELL_MS) this.#pauseMs = RESTART_PAUSE_MS_MIN;
      this.#lost();
    });
    return ready;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  #fork(): ChildProcess {
    const { config, connectionString } = this.parts;
    const environment = authorityEnvironment({
      AUTHORITY_PORT: '0',
      AUTHORITY_EMBEDDED: 'true',
      AUTHORITY_SERVICE_TOKENS: `${SERVICE_NAME}=${this.serviceToken}`,
      DATABASE_URL: connectionString,
      DATA_DIR: config.dataDir,
      LOG_LEVEL: config.logLevel,
      // Only the service comes here, for itself and for strangers whom it counts itself: they must not use up its own lists.
      RATE_LIMIT_PER_MINUTE: '1000000',
    });
    return fork(fileURLToPath(new URL('./authority.js', import.meta.url)), {
      env: { ...environment },
      // WHY: a session of its own, or Ctrl-C would end it before the service has answered what is in flight.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
  }

  #lost(): void {
    this.#child = null;
    this.#url = null;
    if (this.#stopped !== null) return;
    this.parts.report(
      `The trust authority ended; it is started again in ${this.#pauseMs} ms. Until then decisions rest on copies of its lists.`,
    );
    this.#restart = setTimeout(() => void this.#again(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, RESTART_PAUSE_MS_MAX);
  }

  async #again(): Promise<void> {
    this.#restart = null;
    if (this.#stopped !== null) return;
    try {
      await this.start();
    } catch (error) {
      if (this.#stopped === null)
        this.parts.report(error instanceof StartRefused ? error.message : String(error));
      this.#lost();
    }
  }

  async #end(): Promise<void> {
    if (this.#restart !== null) clearTimeout(this.#restart);
    const child = this.#child;
    if (child === null) return;
    const ended = endOf(child);
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    await ended;
    clearTimeout(late);
    this.#url = null;
  }
}

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once('exit', () => resolve());
    // A child that could not even be started says only this.
    child.once('error', () => resolve());
  });

/** Its first word: where it listens and who it is, or why it cannot start. A child that stays silent is ended. */
async function readyOf(child: ChildProcess, ended: Promise<void>): Promise<Ready> {
  let late: NodeJS.Timeout | undefined;
  const said = new Promise<Ready | string>((resolve) => {
    child.once('message', (message: unknown) => resolve(readMessage(message)));
    late = setTimeout(() => resolve('it did not say that it listens'), READY_MS_MAX);
  });
  const first = await Promise.race([said, ended.then(() => 'it ended at once')]);
  clearTimeout(late);
  if (typeof first !== 'string') return first;
  child.kill('SIGKILL');
  throw new StartRefused(
    `The embedded trust authority cannot start: ${first}\nServices with folders of their own on one database share one authority: start it alone (npm run start:authority) and give AUTHORITY_URL, AUTHORITY_ORIGIN and AUTHORITY_SERVICE_TOKEN.`,
  );
}

function readMessage(message: unknown): Ready | string {
  const { type, url, origin, line } = message as Readonly<Record<string, unknown>>;
  if (type === 'ready' && typeof url === 'string' && typeof origin === 'string')
    return { url, origin };
  return typeof line === 'string' ? line : 'it said something else than where it listens';
}
