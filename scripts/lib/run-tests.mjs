import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ROOT } from './root.mjs';
import { makeTestFolder, removeAbandonedTestFolders, removeTestFolder } from './test-folder.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
const SIGNAL_CODES_FROM = 128;

/**
 * Runs vitest, prints the counts alone on the last line and returns the exit code: 0 only when tests ran and none failed.
 * A run that is ended has no counts: the line says what ended it. Whatever tests make among the temporary files stands in
 * one folder, which goes with the run and with all processes that still work in it.
 */
export async function runTests(args) {
  let told = null;
  const hear = (signal) => (told ??= signal);
  // Heard until the end, also while it is cleared up: what is left behind is found by nobody.
  for (const signal of SIGNALS) process.on(signal, hear);
  removeAbandonedTestFolders();
  const folder = makeTestFolder();
  try {
    const results = join(folder, 'results.json');
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
    const code = await runChild([vitest, 'run', ...reporters, ...args], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: folder },
    });
    return tell({
      code,
      told,
      results: existsSync(results) ? readFileSync(results, 'utf8') : null,
    });
  } finally {
    removeTestFolder(folder);
    for (const signal of SIGNALS) process.off(signal, hear);
  }
}

function tell({ code, told, results }) {
  const signal = told ?? (results === null ? signalOf(code) : null);
  if (signal !== null) {
    console.log(`ended by ${signal} before the tests were over: no result`);
    return SIGNAL_CODES_FROM + constants.signals[signal];
  }
  if (results === null && code !== 0) {
    console.log(`vitest ended with exit code ${code} before the tests were over: no result`);
    return code;
  }
  const counts = countsOf(results === null ? { testResults: [] } : JSON.parse(results));
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (code !== 0) return code;
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

const signalOf = (code) =>
  Object.entries(constants.signals).find(
    ([, number]) => code === SIGNAL_CODES_FROM + number,
  )?.[0] ?? null;

/** A file that failed before its tests were known counts as one failed test: a green line must not hide it. */
function countsOf(results) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of results.testResults) {
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1;
      else if (status === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    if (
      file.status === 'failed' &&
      !file.assertionResults.some(({ status }) => status === 'failed')
    )
      counts.failed += 1;
  }
  return counts;
}
