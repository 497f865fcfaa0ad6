import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bundledVerifiers } from '../../scripts/lib/verifiers.mjs';

const bundles = Object.entries(await bundledVerifiers());

it.each(bundles)(
  '%s is bundled from the sources as they are (else: npm run generate)',
  (path, text) => {
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text);
  },
);

it.each(bundles)(
  '%s runs alone: it imports nothing but Node, and neither a network nor a process',
  (_, text) => {
    const imported = [...text.matchAll(/^import .* from ["']([^"']+)["'];?$/gm)].map(
      ([, name]) => name,
    );
    expect(imported.length).toBeGreaterThan(0);
    for (const name of imported)
      expect(name).toMatch(/^node:(?:crypto|fs|path|url|util|worker_threads|os|stream)$/);
    expect(text).not.toMatch(/\b(?:fetch|eval|require)\(|\bimport\(/);
  },
);
