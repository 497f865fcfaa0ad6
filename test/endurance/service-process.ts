import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledSources } from '../support/compiled.js';

export type Environment = Readonly<Record<string, string>>;

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const running = new Set<ServiceProcess>();

/** Ends what a failed test left; for `afterAll`. */
export async function endServices(): Promise<void> {
  for (const service of running) service.child.kill('SIGKILL');
  await Promise.all([...running].map(({ ended }) => ended));
}

/** `main.js` in a process of its own, on a free port. */
export class ServiceProcess {
  readonly ended: Promise<End>;
  #errors = '';

  private constructor(
    readonly child: ChildProcess,
    readonly environment: Environment,
    readonly baseUrl: string,
  ) {
    running.add(this);
    this.ended = endOf(child);
    void this.ended.then(() => running.delete(this));
    child.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
  }

  /** Resolves when it says that it listens. */
  static async start(environment: Environment): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [join(await compiledSources(), 'main.js')], {
      env: processEnvironment(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    const listen = (chunk: Buffer) => (errors += chunk.toString());
    child.stderr.on('data', listen);
    const address = new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [, baseUrl] = /listens on (http:\S+)/.exec(line) ?? [];
        if (baseUrl !== undefined) resolve(baseUrl);
      });
      child.on('close', () => reject(new Error(`the service did not start: ${errors}`)));
    });
    const baseUrl = await address;
    child.stderr.off('data', listen);
    return new ServiceProcess(child, environment, baseUrl);
  }

  /** What it wrote to stderr since it listens. */
  get errors(): string {
    return this.#errors;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async terminate(): Promise<End> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.baseUrl}/health/ready`).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  }
}

/** `arbiter rebuild --check` on the same settings. */
export async function checkLedger(environment: Environment): Promise<End & { text: string }> {
  const cli = join(await compiledSources(), 'cli.js');
  const child = spawn(process.execPath, [cli, 'rebuild', '--check'], {
    env: processEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { ...(await endOf(child)), text };
}

const endOf = (child: ChildProcess): Promise<End> =>
  new Promise((ended) => child.on('close', (code, signal) => ended({ code, signal })));

const processEnvironment = (environment: Environment): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  TMPDIR: process.env['TMPDIR'],
  PORT: '0',
  SEED_DEMO: 'on',
  LOG_LEVEL: 'error',
  RATE_LIMIT_PER_MINUTE: '1000000',
  ...environment,
});

/** SIGKILL for the postmaster of a data folder and every process it started. */
export function killPostgres(dataFolder: string): void {
  const file = readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8');
  const postmaster = Number(file.split('\n')[0]);
  for (const pid of [postmaster, ...childrenOf(postmaster)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile: the postmaster was the first to go.
    }
  }
}

/** The process of the embedded authority; null while it has none. */
export function authorityPidOf({ child }: ServiceProcess): number | null {
  const isAuthority = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('authority.js');
    } catch {
      return false;
    }
  };
  return childrenOf(child.pid ?? 0).find(isAuthority) ?? null;
}

export function isAlive(pid: number): boolean {
  try {
    // A process that ended and was not waited for has no command line any more.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    // `pid (name) state ppid`; the name may hold anything, so what counts stands behind the last parenthesis.
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

const POLL_MS = 20;

/** Waits for a condition; the test's own timeout bounds it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(POLL_MS);
}
