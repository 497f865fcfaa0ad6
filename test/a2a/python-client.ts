import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
