import { readFileSync } from 'node:fs';
import { err, ok, type Result } from '../../src/core/kernel/index.js';
import { type ExportedEntry, ExportReader } from '../../src/core/replay/index.js';

/** The golden ledger of a ruleset; test/golden/README.md says how each was made. */
export const goldenFile = (ruleset: string): string =>
  new URL(`../golden/ruleset-${ruleset}.jsonl`, import.meta.url).pathname;

export const goldenLines = (ruleset: string): readonly string[] =>
  readFileSync(goldenFile(ruleset), 'utf8').trimEnd().split('\n');

/** Hands out the entries of an export's lines; the outcome is the reader's. */
export function readLines(
  lines: readonly string[],
  take: (entry: ExportedEntry) => Result<null, string>,
): Result<null, string> {
  const reader = new ExportReader(take);
  for (const line of lines) {
    const read = reader.line(line);
    if (!read.ok) return read;
  }
  const ended = reader.end();
  return ended.ok ? ok(null) : err(ended.error);
}

export function entriesOfGolden(ruleset: string): readonly ExportedEntry[] {
  const entries: ExportedEntry[] = [];
  const read = readLines(goldenLines(ruleset), (entry) => {
    entries.push(entry);
    return ok(null);
  });
  if (!read.ok) throw new Error(read.error);
  return entries;
}
