import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What can be withdrawn, and what is known of it being so. Whose files may speak of them in SQL. */
const TABLES: readonly (readonly [tables: readonly string[], readers: readonly RegExp[]])[] = [
  [['artifacts', 'current_artifacts', 'fact_lineages'], [/^src\/trust\/facts\//]],
  [['mandates', 'consents', 'passports'], [/^src\/trust\/buyer-authority\//]],
  [['status_slots', 'status_floors', 'status_marks'], [/^src\/trust\/status\//]],
  [['revocation_observations'], [/^src\/trust\/revocation\//]],
];

/** The authority is another party, with a schema of its own. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => join('src', file))
  .filter((file) => /\.ts$/.test(file) && !/\.spec\.ts$/.test(file))
  .filter((file) => !file.startsWith('src/trust-authority/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

describe('facts and rights are read through the StatusChecker (facts/arbiter.md A17, A18)', () => {
  it.each(TABLES)('nobody else speaks of %s in SQL', (tables, readers) => {
    const speaks = new RegExp(
      String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+(?:${tables.join('|')})\b`,
    );
    const others = sources
      .filter(({ path }) => !readers.some((reader) => reader.test(path)))
      .filter(({ text }) => speaks.test(text));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('the faces of the rooms hand out no stored rows', async () => {
    const faces = await Promise.all([
      import('./facts/index.js'),
      import('./buyer-authority/index.js'),
    ]);
    const tables = await Promise.all([
      import('./facts/tables.js'),
      import('./buyer-authority/tables.js'),
    ]);
    const stored = tables.flatMap((face): unknown[] => Object.values(face));
    const shown = faces.flatMap((face): unknown[] => Object.values(face));
    expect(stored.length).toBeGreaterThan(0);
    expect(shown.filter((one) => stored.includes(one))).toEqual([]);
  });

  it.each([
    ['src/doors/api/trust/artifacts.controller.ts', true],
    ['src/money/arbiter/resolve.ts', true],
    ['src/background/jobs/tick.ts', true],
    ['src/trust/revocation/targets.ts', false],
    ['src/projections.ts', false],
  ])('the house rule holds for %s: %s', (path, isRefused) => {
    const rule = houseRule('facts-are-read-through-the-status-checker');
    const isFrom =
      matches(rule.from.path, path) && !rule.from.pathNot.some((not) => matches(not, path));
    expect(isFrom).toBe(isRefused);
    expect(matches(rule.to.path, 'src/trust/facts/tables.ts')).toBe(true);
    expect(matches(rule.to.path, 'src/trust/buyer-authority/tables.ts')).toBe(true);
  });
});

it('only trust/status reads copies of lists', async () => {
  const face = Object.keys(await import('./status/index.js'));
  const copies = sources.filter(({ path, text }) => {
    const isReader = /^src\/(?:trust\/status|core\/proofs)\//.test(path);
    return !isReader && /\b(?:parseStatusListToken|inflateStatusList|statusValueAt)\b/.test(text);
  });
  expect(copies.map(({ path }) => path)).toEqual([]);
  expect(face.filter((name) => /copy|held|mark|fetch/i.test(name))).toEqual([]);
});

interface HouseRule {
  readonly name: string;
  readonly from: { readonly path: string; readonly pathNot: readonly string[] };
  readonly to: { readonly path: string };
}

function houseRule(name: string): HouseRule {
  const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
    readonly forbidden: readonly HouseRule[];
  };
  const rule = config.forbidden.find((one) => one.name === name);
  if (rule === undefined) throw new Error(`there is no house rule ${name}`);
  return rule;
}

const matches = (pattern: string, path: string): boolean => new RegExp(pattern).test(path);
