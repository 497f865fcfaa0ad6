import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';

/** What a run of the tests leaves behind that somebody ends: nothing, and it says so. */

let root = '';
/** Temporary files of the runs of one test, so that other runs of this machine are not seen. */
let temporary = '';

beforeEach(() => {
  root = temporaryDataFolder('arbiter-ended-');
  temporary = join(root, 'tmp');
  mkdirSync(temporary, { mode: 0o711 });
  cpSync('scripts', join(root, 'scripts'), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A stand-in for vitest that ends at a signal as it does, with a PostgreSQL and a process of their own beside it. */
async function standIn(): Promise<void> {
  const text = `
    import { spawn } from 'node:child_process';
    import { chmodSync, mkdtempSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { join } from 'node:path';
    import { startEmbedded } from '${await compiledSources()}/base/platform/database/embedded.js';
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
    const folder = mkdtempSync(join(tmpdir(), 'of-a-test-'));
    chmodSync(folder, 0o711);
    const service = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'],
      { detached: true, stdio: 'ignore', env: { DATA_DIR: folder } });
    const server = await startEmbedded({ dataFolder: folder });
    console.log(JSON.stringify([process.pid, service.pid, server.postmasterPid()]));`;
  writeVitest(text);
}

function writeVitest(text: string): void {
  mkdirSync(join(root, 'node_modules', 'vitest'), { recursive: true });
  writeFileSync(join(root, 'node_modules', 'vitest', 'vitest.mjs'), text);
}

interface Run {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly ended: Promise<number | null>;
}

function run(words: readonly string[], cwd = root): Run {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, lines, ended };
}

const runTests = (): Run =>
  run([
    '--input-type=module',
    '--eval',
    `process.exitCode = await (await import('./scripts/lib/run-tests.mjs')).runTests([]);`,
  ]);

async function until<Value>(look: () => Value | undefined): Promise<Value> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await pause(20);
  }
}

const pidsOf = ({ lines }: Run): Promise<readonly number[]> =>
  until(() => lines.find((line) => line.startsWith('['))).then(
    (line) => JSON.parse(line) as number[],
  );

/** A dead process that nobody collected does not run. */
function isRunning(pid: number): boolean {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('npm test', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ended by %s says so and leaves nothing behind', async (signal, code) => {
    await standIn();
    const ending = runTests();
    const pids = await pidsOf(ending);
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    ending.process.kill(signal);
    expect(await ending.ended).toBe(code);
    expect(ending.lines.at(-1)).toBe(`ended by ${signal} before the tests were over: no result`);
    expect(pids.map(isRunning)).toEqual([false, false, false]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('that was killed is cleared up by the next one', async () => {
    await standIn();
    const killed = runTests();
    const pids = await pidsOf(killed);
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');
    expect(readdirSync(temporary)).toHaveLength(1);
    writeVitest('process.exit(7);');
    const next = runTests();
    expect(await next.ended).toBe(7);
    expect(next.lines).toEqual([
      'vitest ended with exit code 7 before the tests were over: no result',
    ]);
    expect(pids.map(isRunning)).toEqual([false, false, false]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('whose vitest is killed says so', async () => {
    writeVitest(`process.kill(process.pid, 'SIGKILL'); setInterval(() => undefined, 1000);`);
    const ending = runTests();
    expect(await ending.ended).toBe(137);
    expect(ending.lines).toEqual(['ended by SIGKILL before the tests were over: no result']);
  });
});

describe('vitest alone', () => {
  it('ended by SIGTERM takes the PostgreSQL of its run along', async () => {
    const vitest = join('node_modules', 'vitest', 'vitest.mjs');
    const words = [vitest, 'run', '--project', 'database', 'test/git-ignore.spec.ts'];
    const ending = run(words, process.cwd());
    const postmaster = await until(() =>
      readdirSync(temporary)
        .map((name) => join(temporary, name, 'postgres', 'postmaster.pid'))
        .filter((path) => existsSync(path))
        .map((path) => Number.parseInt(readFileSync(path, 'utf8'), 10))
        .find((pid) => isRunning(pid)),
    );
    ending.process.kill('SIGTERM');
    expect(await ending.ended).toBe(143);
    expect(isRunning(postmaster)).toBe(false);
    expect(readdirSync(temporary).filter((name) => name.startsWith('arbiter-test-'))).toEqual([]);
  });
});
