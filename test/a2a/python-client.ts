import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';

const PACKAGE = 'a2a-sdk[http-server,signing]==1.3.0';
const INSTALL_MS_MAX = 180_000;

const run = promisify(execFile);

/** A Python with the official client of A2A. */
export interface PythonClient {
  /** What a run of python-client.py saw; tests look into it as they like. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  speak(words: readonly string[], environment?: Readonly<Record<string, string>>): Promise<any>;
}

/** Installed for one file, from the package index. Null = that could not be done, which is said loudly. */
export async function pythonClient(): Promise<PythonClient | null> {
  const folder = temporaryDataFolder('arbiter-python-');
  closeAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  const python = join(folder, 'bin', 'python');
  try {
    await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS_MAX });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE];
    await run(python, pip, { timeout: INSTALL_MS_MAX });
  } catch (error) {
    const [line = ''] = String((error as Error).message).split('\n', 1);
    console.warn(`SKIPPED: the Python client of A2A could not be installed (${line})`);
    return null;
  }
  return {
    async speak(words, environment = {}) {
      const script = join(import.meta.dirname, 'python-client.py');
      const env = { PATH: process.env['PATH'], ...environment };
      const { stdout } = await run(python, [script, ...words], { env });
      return JSON.parse(stdout) as unknown;
    },
  };
}

/** What every run with a key has to have seen, whether its requests were signed or not. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as of PythonClient
export function expectWholeTour(seen: any, version: string): void {
  expect(seen.allowed.task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(seen.refused.task.status.state).toBe('TASK_STATE_REJECTED');
  expect(seen.explained.message.parts[1].data).toMatchObject({ outcome: 'refuse' });
  expect(seen.task).toEqual(seen.refused.task);
  expect(seen).toMatchObject({ cancel: 'TaskNotCancelableError', unknown: 'TaskNotFoundError' });
  expect(seen.push).toMatchObject({ id: 'p', url: 'http://127.0.0.1:9/' });
  if (version === '1.0') expect([seen.listed >= 2, seen.deleted]).toEqual([true, null]);
}
