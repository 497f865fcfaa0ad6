import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Case, UNREADABLE } from './cases.js';
import { fileOf, type Form, FORMS } from './export-file.js';
import { honest } from './honest.js';
import { comparable, hasPython, nodeVerdicts, pythonVerdicts, withCases } from './verifiers.js';

const EDITS_PER_FILE = 150;
const LEDGERS = ['sealed late', 'key rotated', 'one unsealed row'] as const;

/** One byte changed, removed or put in, anywhere. */
const edit = fc.record({
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  what: fc.constantFrom('changed', 'one bit changed', 'removed', 'inserted'),
  byte: fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(...Buffer.from(' \n\r\t",:{}[]0-\\/e')),
  ),
});

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function applied(whole: Buffer, { place, what, byte }: Edit): Buffer {
  const at = Math.floor(place * whole.length);
  const replaced = what === 'one bit changed' ? (whole[at] ?? 0) ^ (1 << (byte % 8)) : byte;
  const put = what === 'removed' ? [] : [replaced];
  const rest = what === 'inserted' ? at : at + 1;
  return Buffer.concat([whole.subarray(0, at), Buffer.from(put), whole.subarray(rest)]);
}

/** What a file says, whatever its spelling; null when that cannot be told. */
function contentOf(bytes: Buffer, form: Form): unknown {
  const text = bytes.toString('utf8');
  const parts = form === 'document' ? [text] : text.replace(/\n$/, '').split('\n');
  try {
    return parts.map((part) => JSON.parse(part) as unknown);
  } catch {
    return null;
  }
}

const python = hasPython();

it('any byte changed, removed or put in is found, or carries no meaning, and both verifiers agree', () => {
  const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
  console.info(`random damage: FC_SEED=${seed}`);
  const edits = fc.sample(edit, { seed, numRuns: EDITS_PER_FILE * LEDGERS.length * FORMS.length });
  const files = LEDGERS.flatMap((name) =>
    FORMS.map((form) => ({ name, form, whole: Buffer.from(fileOf(honest(name).file, form)) })),
  );
  const damaged = edits.map((one, index) => {
    const file = files[index % files.length];
    if (file === undefined) throw new Error('no file');
    return { ...file, one, content: applied(file.whole, one) };
  });
  const cases = damaged.map(({ name, form, one, content }): Case => ({
    name: `${name} (${form}) ${JSON.stringify(one)}`,
    ...{ content, options: {}, expected: UNREADABLE },
  }));
  const [byNode, byPython] = withCases(cases, (argumentLists) => [
    nodeVerdicts(argumentLists),
    python ? pythonVerdicts(argumentLists) : null,
  ]);
  const missed = damaged.filter(
    ({ form, whole, content }, index) =>
      byNode?.[index]?.exit === 0 &&
      !isDeepStrictEqual(contentOf(content, form), contentOf(whole, form)),
  );
  expect(missed.map(({ name, form, one }) => ({ name, form, one }))).toEqual([]);
  if (!byPython) return;
  const different = cases.filter((_, index) => {
    const [left, right] = [byNode?.[index], byPython[index]];
    return (
      left === undefined ||
      right === undefined ||
      !isDeepStrictEqual(comparable(left), comparable(right))
    );
  });
  expect(different.map(({ name }) => name)).toEqual([]);
}, 300_000);
