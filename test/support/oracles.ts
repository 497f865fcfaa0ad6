import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'vitest';

/** The one place that names the folder of public schemas and vectors; they are read in place, never copied. */
const ORACLES_DIR = resolve(process.env['ORACLES_DIR'] ?? '../shared/oracles');

/** Text of one oracle file, or null with a loud line when the folder is not there. */
export function oracleText(path: string): string | null {
  const file = resolve(ORACLES_DIR, path);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  console.warn(
    `ORACLE MISSING: ${path} was not found; the tests that need it DID NOT RUN (set ORACLES_DIR).`,
  );
  return null;
}

/** Runs `body` with the parsed oracle, or registers a skipped test whose name says what did not run. */
export function describeWithOracle<Oracle>(
  path: string,
  name: string,
  body: (oracle: Oracle) => void,
): void {
  const text = oracleText(path);
  if (text === null) {
    // A test of its own: an empty suite would not be counted as skipped.
    it.skip(`${name} (DID NOT RUN: oracle ${path} is missing)`, () => undefined);
    return;
  }
  describe(name, () => body(JSON.parse(text) as Oracle));
}
