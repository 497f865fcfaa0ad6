import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiledSources } from '../support/compiled.js';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** The environment, PATH aside. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** `arbiter <words>` as a process of its own, its outputs piped. */
export async function arbiter(
  words: readonly string[],
  { environment = {}, input = '' }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [join(await compiledSources(), 'cli.js'), ...words], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
  // A command that reads no input may have ended before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  return { code, out: out.join(''), err: err.join('') };
}
