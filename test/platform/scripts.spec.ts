import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryDataFolder } from '../support/data-folder.js';

let root = '';

beforeEach(() => {
  root = temporaryDataFolder('arbiter-scripts-');
  cpSync('scripts', join(root, 'scripts'), { recursive: true });
});

afterEach(() => {
  chmodSync(root, 0o711);
  rmSync(root, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    execFile(process.execPath, [...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

function project(packages: Record<string, unknown>): void {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'tried', version: '1.0.0' }));
  const rootEntry = { name: 'tried', version: '1.0.0', dependencies: { one: '1.0.0' } };
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ name: 'tried', lockfileVersion: 3, packages: { '': rootEntry, ...packages } }),
  );
}

const ONE = {
  'node_modules/one': {
    version: '1.0.0',
    resolved: 'http://127.0.0.1:1/one.tgz',
    integrity: 'sha512-AA==',
  },
};
const UNREACHABLE = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' };

describe('install', () => {
  test('the registry does not answer: one line', async () => {
    project(ONE);
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ name: 'tried', version: '1.0.0', dependencies: { one: '1.0.0' } }),
    );
    const { code, stderr } = await run(['scripts/install.mjs'], UNREACHABLE);
    expect(code).toBe(1);
    const lines = stderr.trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^The package registry cannot be reached \(.*\): check the network/);
    expect(existsSync(join(root, '.setup.lock'))).toBe(false);
  });

  test('an install made by hand that fits the lock is taken, without a network', async () => {
    project(ONE);
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(
      join(root, 'node_modules', '.package-lock.json'),
      JSON.stringify({ packages: ONE }),
    );
    expect(await run(['scripts/install.mjs'], UNREACHABLE)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(existsSync(join(root, 'node_modules', '.arbiter-installed'))).toBe(true);
  });

  test('another version, or a missing package, does not fit', async () => {
    project(ONE);
    mkdirSync(join(root, 'node_modules'));
    for (const packages of [{ 'node_modules/one': { version: '1.0.1' } }, {}]) {
      writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
      const { isInstalled } = (await import(join(root, 'scripts/lib/install.mjs'))) as {
        isInstalled: () => boolean;
      };
      expect(isInstalled()).toBe(false);
    }
  });

  test('optional packages of other machines may be missing, one of this machine may not', async () => {
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(
      join(root, 'node_modules', '.package-lock.json'),
      JSON.stringify({ packages: {} }),
    );
    const { isInstalled } = (await import(join(root, 'scripts/lib/install.mjs'))) as {
      isInstalled: () => boolean;
    };
    const optional = { version: '1.0.0', optional: true };
    project({ 'node_modules/here': { ...optional, os: [process.platform], cpu: [process.arch] } });
    expect(isInstalled()).toBe(false);
    project({
      'node_modules/there': { ...optional, os: ['elsewhere'] },
      'node_modules/below': optional,
    });
    expect(isInstalled()).toBe(true);
  });

  test.runIf(process.getuid?.() !== 0)('a folder that cannot be written: one line', async () => {
    project(ONE);
    chmodSync(root, 0o555);
    const { code, stderr } = await run(['scripts/install.mjs'], UNREACHABLE);
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be written \(EACCES\).*make it writable for this user\.\n$/);
  });
});

test('an old Node gets one sentence, before anything else is read', async () => {
  const code = `Object.defineProperty(process.versions, 'node', { value: '18.20.0' }); import('./scripts/start.mjs');`;
  expect(await run(['--eval', code])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Node 18.20.0 is too old: install Node 20.19 or newer.\n',
  });
});

describe('lock', () => {
  const work = (name: string) => `
    import { withLock } from './scripts/lib/lock.mjs';
    import { appendFileSync } from 'node:fs';
    await withLock('lock', async () => {
      appendFileSync('log', '${name} in\\n');
      await new Promise((resolve) => setTimeout(resolve, 50));
      appendFileSync('log', '${name} out\\n');
    });`;

  test('processes at once go in one after another; nothing is left behind', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => run(['--input-type=module', '--eval', work(name)])));
    const lines = readFileSync(join(root, 'log'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(8);
    for (let index = 0; index < lines.length; index += 2) {
      expect(lines[index + 1]).toBe(lines[index]?.replace('in', 'out'));
    }
    expect(existsSync(join(root, 'lock'))).toBe(false);
  });

  test('a lock of a process that died is taken over', async () => {
    const { stdout } = await run(['--eval', 'console.log(process.pid)']);
    writeFileSync(join(root, 'lock'), `${stdout.trim()} left`);
    expect((await run(['--input-type=module', '--eval', work('a')])).code).toBe(0);
    expect(existsSync(join(root, 'log'))).toBe(true);
  });
});

describe('counts', () => {
  /** A stand-in for vitest: writes the results it is told to and ends with the code it is told to. */
  const vitest = (results: unknown, code: number) => {
    mkdirSync(join(root, 'node_modules', 'vitest'), { recursive: true });
    const text = JSON.stringify(JSON.stringify(results));
    writeFileSync(
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      `import { writeFileSync } from 'node:fs';
       const file = process.argv.find((argument) => argument.startsWith('--outputFile.json=')).split('=')[1];
       writeFileSync(file, ${text});
       process.exit(${code});`,
    );
  };
  const runTests = () =>
    run([
      '--input-type=module',
      '--eval',
      `process.exitCode = await (await import('./scripts/lib/run-tests.mjs')).runTests([]);`,
    ]);
  const file = (status: string, ...statuses: string[]) => ({
    status,
    assertionResults: statuses.map((each) => ({ status: each })),
  });

  test.each([
    [
      'all passed',
      [file('passed', 'passed', 'passed'), file('passed', 'passed', 'skipped', 'todo')],
      0,
      '3 passed, 0 failed, 2 skipped',
      0,
    ],
    ['one failed', [file('failed', 'passed', 'failed')], 1, '1 passed, 1 failed, 0 skipped', 1],
    [
      'a file that does not load',
      [file('passed', 'passed'), file('failed')],
      1,
      '1 passed, 1 failed, 0 skipped',
      1,
    ],
    ['nothing ran', [], 0, '0 passed, 0 failed, 0 skipped', 1],
    [
      'an error outside of tests',
      [file('passed', 'passed')],
      1,
      '1 passed, 0 failed, 0 skipped',
      1,
    ],
    [
      'failures that vitest did not report',
      [file('failed', 'failed')],
      0,
      '0 passed, 1 failed, 0 skipped',
      1,
    ],
  ] as const)('%s', async (_name, testResults, code, line, expected) => {
    vitest({ testResults }, code);
    const ended = await runTests();
    expect(ended.stdout).toBe(`${line}\n`);
    expect(ended.code).toBe(expected);
  });
});

function takesSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a signal to npm reaches the program', () => {
  // A shell between them would die of the signal and leave the service running: the script has to replace the shell.
  test('npm start, stopped by SIGTERM, stops what it started', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: { start: string };
    };
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ scripts: { start: scripts.start } }),
    );
    writeFileSync(
      join(root, 'scripts', 'start.mjs'),
      `process.on('SIGTERM', () => { console.log('stopped'); process.exit(0); });
       setInterval(() => undefined, 1_000);
       console.log('up', process.pid);`,
    );
    const npm = spawn('npm', ['start'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    const isUp = new Promise<void>((resolve) => {
      npm.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (/up \d+/.test(output)) resolve();
      });
    });
    await isUp;
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    const program = Number(/up (\d+)/.exec(output)?.[1]);
    const isRunning = takesSignal(program);
    if (isRunning) process.kill(program, 'SIGKILL');
    expect(isRunning).toBe(false);
    expect(output).toContain('stopped');
  });
});
