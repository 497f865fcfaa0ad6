import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ROOT } from './root.mjs';

/** Runs vitest, prints the counts alone on the last line and returns the exit code: 0 only when tests ran and none failed. */
export async function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-results-'));
  const results = join(folder, 'results.json');
  try {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
    const code = await runChild([vitest, 'run', ...reporters, ...args], { cwd: ROOT });
    const counts = countsOf(
      existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : { testResults: [] },
    );
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    if (code !== 0) return code;
    return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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
