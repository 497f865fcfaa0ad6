import { spawn, type ChildProcess } from 'node:child_process';

/** Folder of the compiled sources, for tests that start processes of their own; made once for these sources. */
export async function compiledSources(): Promise<string> {
  const { compiledForTests } = await import('../../scripts/lib/build.mjs');
  return compiledForTests();
}

/**
 * Runs an ES module text in a process of its own; `DIST` in it is the folder of the compiled sources.
 * Its stdout is piped to the test, its stderr goes to the terminal.
 */
export async function runScript(
  text: string,
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  const code = text.replaceAll('DIST', await compiledSources());
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
